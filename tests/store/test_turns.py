"""Writes that wait behind one another share a transaction: each is all or nothing, and is answered after the commit."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic

import apsw
import pytest

from gyoji.log.entries import Entry
from gyoji.store import check_store, open_store
from gyoji.store.database import sqlite
from gyoji.store.database.sqlite import SqliteDatabase, connect
from gyoji.store.interface import Conflict, KeyTaken, Store, Unavailable
from store.databases import migrated_database
from store.logs import KEY, appended, created, move_request
from waiting import until

MANY = 8


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """An SQLite database with tables."""
    with migrated_database("sqlite", tmp_path) as url:
        yield Path(url.removeprefix("sqlite:///"))


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    """A store in that file."""
    with closing(open_store(f"sqlite:///{file}", KEY)) as store:
        yield store
    assert check_store(f"sqlite:///{file}", KEY) == []


def _database(store: Store) -> SqliteDatabase:
    database = store._database
    assert isinstance(database, SqliteDatabase)
    return database


@contextmanager
def _held(file: Path) -> Iterator[None]:
    """The file, held by somebody for as long as the block takes."""
    with closing(connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def _commits(store: Store) -> Iterator[list[str]]:
    """The commits and roll-backs that are made in the block."""
    found: list[str] = []
    writer = _database(store)._writer.acquire()

    def note(_cursor: object, sql: str, _put: object) -> bool:
        found.append(sql)
        return True

    writer.exec_trace = note
    _database(store)._writer.release(writer)
    yield found
    writer.exec_trace = None
    found[:] = [sql for sql in found if sql in ("COMMIT", "ROLLBACK")]


Appending = Future[Entry]


def _waiting(store: Store, pool: ThreadPoolExecutor, appends: list[tuple[str, Entry, str]]) -> list[Appending]:
    """The appends, one behind the other; the first has the turn."""
    found: list[Appending] = []
    for match, last, key in appends:
        found.append(pool.submit(appended, store, match, last, move_request(match, key)))
        assert until(
            lambda: _database(store)._turns._is_taken and len(_database(store)._turns._waiting) == len(found) - 1
        )
    return found


def test_what_waits_is_committed_together(store: Store, file: Path) -> None:
    matches = [(match, entries[-1], "k") for match, entries in [created(store) for _ in range(MANY)]]
    with ThreadPoolExecutor(MANY) as pool, _commits(store) as commits:
        with _held(file):
            waiting = _waiting(store, pool, matches)
            assert not any(each.done() for each in waiting)
        assert [each.result(10).seq for each in waiting] == [1] * MANY
    assert commits == ["COMMIT"]
    for match, _last, _key in matches:
        assert [entry.seq for entry in store.entries(match)] == [0, 1]


def test_a_clash_is_told_to_its_own_caller(store: Store, file: Path) -> None:
    (one, ones), (other, others) = created(store), created(store)
    appends = [(one, ones[-1], "a"), (one, ones[-1], "b"), (one, ones[-1], "a"), (other, others[-1], "a")]
    with ThreadPoolExecutor(MANY) as pool, _commits(store) as commits:
        with _held(file):
            waiting = _waiting(store, pool, appends)
        assert [type(each.exception(10)) for each in waiting] == [type(None), Conflict, KeyTaken, type(None)]
    assert commits == ["COMMIT"]
    assert store.remembered(f"match:{one}", "b") is None
    assert [entry.seq for entry in store.entries(one)] == [entry.seq for entry in store.entries(other)] == [0, 1]


def test_who_gives_up_takes_the_work_back(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (one, ones), (other, others) = created(store), created(store)
    with ThreadPoolExecutor(MANY) as pool:
        with _held(file):
            (first,) = _waiting(store, pool, [(one, ones[-1], "k")])
            monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.1)
            began = monotonic()
            with pytest.raises(Unavailable, match="the database is locked") as refused:
                appended(store, other, others[-1])
            assert monotonic() - began < 2
            assert refused.value.cause == "busy"
        assert first.result(10).seq == 1
    assert list(store.entries(other)) == others
    assert appended(store, other, others[-1]).seq == 1


def test_where_the_commit_fails_nobody_is_told_otherwise(store: Store, file: Path) -> None:
    matches = [(match, entries[-1], "k") for match, entries in [created(store) for _ in range(MANY)]]
    writer = _database(store)._writer.acquire()
    writer.set_commit_hook(lambda: True)
    _database(store)._writer.release(writer)
    with ThreadPoolExecutor(MANY) as pool:
        with _held(file):
            waiting = _waiting(store, pool, matches)
        assert [type(each.exception(10)) for each in waiting] == [Unavailable] * MANY
        assert [len(list(store.entries(match))) for match, _last, _key in matches] == [1] * MANY
        assert [appended(store, *each[:2], move_request(each[0], "k")).seq for each in matches] == [1] * MANY


def test_work_of_another_kind_has_a_turn_of_its_own(store: Store, file: Path) -> None:
    match, entries = created(store)
    with ThreadPoolExecutor(MANY) as pool, _commits(store) as commits:
        with _held(file):
            (first,) = _waiting(store, pool, [(match, entries[-1], "k")])
            closed = pool.submit(store.close_group, "none")
            assert until(lambda: len(_database(store)._turns._waiting) == 1)
        assert first.result(10).seq == 1
        assert closed.result(10) is False
    assert commits == ["COMMIT", "COMMIT"]


class SyncFailed(apsw.IOError):
    """The disk does not sync."""

    result, extendedresult = apsw.SQLITE_IOERR, apsw.SQLITE_IOERR_FSYNC


def test_of_a_commit_that_the_disk_does_not_sync_the_outcome_is_not_known(store: Store) -> None:
    """What was written to the WAL before may be found there after a crash."""
    writer = _database(store)._writer.acquire()

    def fail(_cursor: object, sql: str, _put: object) -> bool:
        if sql == "COMMIT":
            raise SyncFailed
        return True

    writer.exec_trace = fail
    _database(store)._writer.release(writer)
    with pytest.raises(Unavailable) as refused:
        created(store)
    assert (refused.value.cause, refused.value.is_unsure) == ("disk-error", True)
