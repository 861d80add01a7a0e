"""What cannot change any more is read from a copy, if the copy has all of it; a copy that fails costs nobody anything.

The copy here is another database, so that what was read where can be told, and it says that it follows the first. A
real standby is in ``tests/slow``.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from gyoji.log.entries import Entry
from gyoji.store import open_store
from gyoji.store.database.postgres import replica
from gyoji.store.database.postgres.database import PostgresDatabase
from gyoji.store.database.postgres.replica import REST, Replica
from gyoji.store.database.statements import PAGE
from gyoji.store.interface import Store, Unavailable
from gyoji.store.urls import ConnectionOptions
from gyoji.trust.transparency.tiles import WIDTH
from store.databases import migrated_database
from store.logs import KEY, created, ended

LEAF = "INSERT INTO tree_leaves (number, hash, kind, match, body) VALUES (%s, %s, 'created', 'm', %s)"


@pytest.fixture
def urls(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A database, and what is said to be its copy."""
    with migrated_database("postgresql", tmp_path) as one, migrated_database("postgresql", tmp_path) as other:
        yield one, other


@pytest.fixture
def follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every database says that it follows the same one."""
    monkeypatch.setattr(replica, "WHICH", "SELECT 1, 'gyoji', true")


def libpq_url(url: str) -> str:
    """The URL as libpq has it."""
    return url.replace("+psycopg", "")


def copy_match(one: str, other: str, match: str, until: int) -> None:
    """The copy has the match, and its events up to there."""
    with psycopg.connect(libpq_url(one)) as here, psycopg.connect(libpq_url(other)) as there:
        for table, limit in (("matches", ""), ("events", f" AND seq <= {until}")):
            find = f"SELECT * FROM {table} WHERE match = %s{limit}"  # noqa: S608
            for row in here.execute(find, (match,)).fetchall():
                there.execute(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(row))})", row)  # noqa: S608


def queries_of(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries that the database itself is asked from now on, but for which database it is."""
    database = store._database
    queries: list[str] = []
    rows = database.query

    def counted(sql: str, put: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        if sql != replica.WHICH:
            queries.append(sql)
        found: list[tuple[object, ...]] = rows(sql, put)
        return found

    monkeypatch.setattr(database, "query", counted)
    return queries


def closed_match(url: str, length: int) -> tuple[str, list[Entry]]:
    """A match whose log is closed."""
    with closing(open_store(url, KEY)) as store:
        match, entries = created(store, length)
        ended(store, match, entries[-1], closed=True)
        return match, list(store.entries(match))


@pytest.mark.usefixtures("follows")
def test_a_closed_log_is_read_from_the_copy(urls: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    match, entries = closed_match(urls[0], PAGE + 30)
    last = entries[-1].seq
    copy_match(*urls, match, last)
    with closing(open_store(urls[0], KEY, options=ConnectionOptions(replica_url=urls[1]))) as store:
        assert list(store.entries(match, 0, 1)) == entries[1:2]  # and the key is known
        queries = queries_of(store, monkeypatch)
        assert list(store.entries(match, -1, last, lasting=True)) == entries
        assert list(store.entries(match, 3, 5, lasting=True)) == entries[4:6]
        assert queries == []
        assert list(store.entries(match, -1, last)) == entries
        assert len(queries) == 2


@pytest.mark.usefixtures("follows")
def test_a_copy_that_lags_is_passed_over(urls: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    match, entries = closed_match(urls[0], 12)
    with closing(open_store(urls[0], KEY, options=ConnectionOptions(replica_url=urls[1]))) as store:
        assert list(store.entries(match, -1, 13, lasting=True)) == entries
        copy_match(*urls, match, 7)
        assert list(store.entries(match, -1, 13, lasting=True)) == entries
        queries = queries_of(store, monkeypatch)
        assert list(store.entries(match, -1, 7, lasting=True)) == entries[:8]
        assert queries == []


@pytest.mark.usefixtures("follows")
def test_full_tiles_are_read_from_the_copy(urls: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for url, mark, number in ((urls[0], b"h", WIDTH + 3), (urls[1], b"c", WIDTH)):
        with psycopg.connect(libpq_url(url)) as connection, connection.cursor() as cursor:
            cursor.executemany(LEAF, [(n, mark + bytes([n % 256, n // 256]), mark) for n in range(number)])
    with closing(open_store(urls[0], KEY, options=ConnectionOptions(replica_url=urls[1]))) as store:
        queries = queries_of(store, monkeypatch)
        assert {value[:1] for value in store.transparency_log.hashes(0, 0, WIDTH)} == {b"c"}
        assert {leaf.body for leaf in store.transparency_log.leaves(0, WIDTH)} == {b"c"}
        assert queries == []
        assert {value[:1] for value in store.transparency_log.hashes(0, WIDTH, WIDTH + 3)} == {b"h"}
        assert {value[:1] for value in store.transparency_log.hashes(0, 3, WIDTH + 3)} == {
            b"h"
        }  # which the copy has not


@pytest.mark.parametrize(
    "which",
    [replica.WHICH, "SELECT 1, 'gyoji', false", "SELECT random(), 'gyoji', true", "SELECT 1, current_database(), true"],
)
def test_what_is_no_copy_is_not_asked(urls: tuple[str, str], which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one that was restored from a backup, or promoted: it has as many rows, and they may be others."""
    match, entries = closed_match(urls[0], 4)
    copy_match(*urls, match, entries[-1].seq)
    with psycopg.connect(libpq_url(urls[1])) as there:
        there.execute("UPDATE events SET body = 'other'")
    monkeypatch.setattr(replica, "WHICH", which)
    with closing(open_store(urls[0], KEY, options=ConnectionOptions(replica_url=urls[1]))) as store:
        for _ in range(2):
            assert list(store.entries(match, -1, entries[-1].seq, lasting=True)) == entries


@pytest.mark.usefixtures("follows")
def test_whether_it_is_a_copy_is_asked_now_and_then(urls: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    one, other = PostgresDatabase(libpq_url(urls[0])), PostgresDatabase(libpq_url(urls[1]))
    copy = Replica(other, one, lambda: now[0])
    assert copy.query("SELECT 7", (), 1) == [(7,)]
    monkeypatch.setattr(replica, "WHICH", "SELECT 1, 'gyoji', false")  # it is promoted
    assert copy.query("SELECT 7", (), 1) == [(7,)]
    now[0] += REST
    assert copy.query("SELECT 7", (), 1) is None
    monkeypatch.setattr(replica, "WHICH", "SELECT 1, 'gyoji', true")
    assert copy.query("SELECT 7", (), 1) is None
    now[0] += REST
    assert copy.query("SELECT 7", (), 1) == [(7,)]
    copy.close()
    one.close()


def test_a_copy_that_is_down_costs_no_error(urls: tuple[str, str]) -> None:
    match, entries = closed_match(urls[0], 4)
    down = "postgresql+psycopg://nobody@127.0.0.1:1/nothing"
    with closing(open_store(urls[0], KEY, options=ConnectionOptions(replica_url=down))) as store:
        for _ in range(3):
            assert list(store.entries(match, -1, entries[-1].seq, lasting=True)) == entries
        assert store.transparency_log.hashes(0, 0, WIDTH) == []


class Failing(PostgresDatabase):
    """A copy that does not answer."""

    asked = 0

    def query(self, sql: str, put: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """It does not."""
        self.asked += 1
        raise Unavailable


def test_a_copy_that_has_failed_is_left_alone_for_a_while() -> None:
    now = [100.0]
    failing = Failing("postgresql://nowhere/nothing")
    copy = Replica(failing, failing, lambda: now[0])
    for seconds, times in ((0.0, 1), (REST - 1, 1), (1.0, 2), (0.5, 2)):
        now[0] += seconds
        assert copy.query("SELECT 1", (), 1) is None
        assert failing.asked == times
    copy.close()
