"""The appends of all matches as one sequence: in the order of their numbers, and none is left out."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from gyoji.log.entries import Entry
from gyoji.store import appends as sequence
from gyoji.store import backup, check_store, open_store
from gyoji.store.backups.restore import restore
from gyoji.store.database import appends
from gyoji.store.database.appends import KEPT, AppendFollowers, AppendReader, Found, NumberedAppend, Topic
from gyoji.store.database.port import Append, append_steps
from gyoji.store.database.statements import Step
from gyoji.store.encryption import Encryption
from gyoji.store.interface import Conflict, Store, Unavailable
from gyoji.store.rows import event_rows
from store.damage import alter
from store.databases import empty_database, migrated_database
from store.logs import KEY, appended, created, head_at, made_entry
from waiting import until


class Numbers:
    """Numbers that a database has found committed, and who writes there now."""

    def __init__(self, *numbers: int) -> None:
        self.committed = set(numbers)
        self.writing: set[tuple[Any, ...]] = set()
        self.generation = 0

    def query(self, sql: str, put: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """What is asked for."""
        if "restorations" in sql:
            return [(self.generation,)]
        if "max(number)" in sql:
            return [(max(self.committed, default=0),)]
        above = sorted(number for number in self.committed if number > put[0])
        return [(number, f"m{number}", 0, 1, "club", None) for number in above[: put[1]]]

    def writers(self, table: str) -> set[tuple[Any, ...]]:
        """Who writes."""
        assert table == "appends"
        return set(self.writing)


def told(reader: AppendReader) -> list[tuple[int, int]]:
    """The numbers that are new, each with its position."""
    return [(append.number, append.position) for append in reader.read()]


def test_numbers_come_in_order_each_with_its_position() -> None:
    database = Numbers(1, 2)
    reader = AppendReader(database)
    assert (reader.found.position, reader.found.highest) == (2, 2)
    database.committed |= {3, 4}
    assert told(reader) == [(3, 3), (4, 4)]
    assert told(reader) == []


def test_who_is_committed_late_is_told_late_and_nobody_twice() -> None:
    """A position never passes a number that may still come."""
    database = Numbers(1)
    reader = AppendReader(database)
    database.committed |= {3, 4}
    database.writing = {("slow",)}
    assert told(reader) == [(3, 1), (4, 1)]
    assert told(reader) == []
    assert reader.found == Found(1, frozenset({3, 4}), 0)
    assert [reader.found.holds(number) for number in (1, 2, 3, 4, 5)] == [True, False, True, True, False]
    database.committed |= {2}
    assert told(reader) == [(2, 4)]
    assert reader.found == Found(4, frozenset(), 0)


def test_a_number_is_given_up_when_nobody_writes_any_more_who_may_bring_it() -> None:
    database = Numbers(1)
    reader = AppendReader(database)
    database.committed |= {4}
    database.writing = {("slow",)}
    assert told(reader) == [(4, 1)]
    assert told(reader) == []
    database.writing |= {("later",)}  # which may have taken 6, but none below 4
    database.committed |= {5, 7}
    assert told(reader) == [(5, 1), (7, 1)]
    database.writing -= {("slow",)}
    assert told(reader) == []
    assert reader.found == Found(5, frozenset({7}), 0)
    assert told(reader) == []
    database.writing = set()
    assert told(reader) == []
    assert reader.found == Found(7, frozenset(), 0)


def test_nothing_is_given_up_that_one_query_did_not_have_room_for() -> None:
    database = Numbers(1)
    reader = AppendReader(database)
    database.committed |= {2000}
    database.writing = {("many",)}
    assert told(reader) == [(2000, 1)]
    database.committed |= set(range(2, 1500))
    database.writing = set()
    found = told(reader)
    assert reader.has_more
    while reader.has_more:
        found += told(reader)
    assert found == [(number, number) for number in range(2, 1500)]
    assert told(reader) == []
    assert reader.found == Found(2000, frozenset(), 0)


def test_who_begins_to_follow_waits_for_what_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else nobody could say behind what is to be gone on."""
    monkeypatch.setattr(appends, "WRITERS_SECONDS", 0.05)
    database = Numbers(1, 3)
    database.writing = {("slow",)}
    with pytest.raises(Unavailable):
        AppendReader(database)
    database.writing = set()
    assert AppendReader(database).found == Found(3, frozenset(), 0)


def test_where_the_store_has_gone_back_everybody_follows_anew() -> None:
    database = Numbers(1, 2, 3)
    followers = AppendFollowers(database)
    heard: list[Sequence[NumberedAppend]] = []
    before = followers.follow([("owner", "club")], heard.append)
    database.committed, database.generation = {1}, 7
    followers.read()
    assert heard == [()]
    before.leave()
    after = followers.follow([("owner", "club")], heard.append)
    assert (before.found, after.found) == (Found(3, frozenset(), 0), Found(1, frozenset(), 7))
    database.committed = {1, 2}
    followers.read()
    assert [[append.number for append in told] for told in heard] == [[], [2]]
    assert after.position() == 2


def test_a_position_reaches_back_as_far_as_numbers_are_kept() -> None:
    found = Found(KEPT + 10, frozenset({KEPT + 12}), 0)
    assert [found.reaches(position) for position in (11, 12, KEPT + 12, KEPT + 13)] == [False, True, True, False]


@pytest.fixture
def other(url: str) -> Iterator[Store]:
    """The store of another process."""
    with closing(open_store(url, KEY)) as found:
        yield found


def test_every_append_is_told_to_whom_it_concerns(store: Store, other: Store) -> None:
    match, entries = created(store)
    here: list[NumberedAppend] = []
    elsewhere: list[NumberedAppend] = []
    followed = [
        store.appends.follow([("match", match)], here.extend),
        store.appends.follow([("match", "nowhere")], elsewhere.extend),
    ]
    for by in (store, other, store):
        entries.append(appended(by, match, entries[-1]))
    created(other)
    assert until(lambda: len(here) == 3)
    assert [(each.match, each.first, each.last) for each in here] == [(match, seq, seq) for seq in (1, 2, 3)]
    assert elsewhere == []
    assert [each.number for each in store.appends.among([("match", match)], 0, 2**40, 10)][1:] == [
        each.number for each in here
    ]
    for each in followed:
        each.leave()


class Held:
    """A transaction that appends to a match as the product does, and is not committed before it is let go."""

    def __init__(self, url: str, store: Store, match: str, after: Entry, *, fails: bool = False) -> None:
        entry = made_entry(match, after.seq + 1, after.hash)
        rows = event_rows(match, [entry], Encryption(KEY))
        steps = append_steps(Append(match, after.seq, rows, head_at(entry), None))
        wait = Step("SELECT pg_advisory_xact_lock(4711)", [()], Conflict)
        failing = [Step("SELECT 1 WHERE false", [()], Conflict, must_change=True)] if fails else []
        self._lock = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)
        self._lock.execute("SELECT pg_advisory_lock(4711)")
        self._pool = ThreadPoolExecutor(1)
        self._write = self._pool.submit(store._database.write, [*steps, wait, *failing])
        assert until(lambda: bool(self._lock.execute(WAITING).fetchall()))

    def end(self) -> BaseException | None:
        """Let it commit or fail, and tell how it ended."""
        self._lock.execute("SELECT pg_advisory_unlock(4711)")
        ended = self._write.exception(10)
        self._lock.close()
        self._pool.shutdown()
        return ended


WAITING = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted"


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL database with the tables of this release."""
    with migrated_database("postgresql", tmp_path) as found:
        yield found


@contextmanager
def stores(url: str, count: int) -> Iterator[list[Store]]:
    """The stores of so many processes."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(open_store(url, KEY))) for _ in range(count)]


@pytest.mark.parametrize("fails", [False, True])
def test_of_two_transactions_that_commit_in_the_other_order_none_is_missed(postgres: str, fails: bool) -> None:
    """The first number is committed last, or never. Whoever hears of the second at once can go on behind its id."""
    with stores(postgres, 3) as (here, slow, quick):
        (one, first), (two, second) = created(slow), created(quick)
        topics: list[Topic] = [("owner", "club")]
        heard: list[NumberedAppend] = []
        followed = here.appends.follow(topics, heard.extend)
        held = Held(postgres, slow, one, first[-1], fails=fails)
        appended(quick, two, second[-1])
        assert until(lambda: [append.match for append in heard] == [two])
        number, position = heard[0].number, heard[0].position
        assert position < number - 1
        assert followed.position() == position
        assert (held.end() is not None) == fails
        expected = [two] if fails else [two, one]
        assert until(lambda: [append.match for append in heard] == expected)
        assert until(lambda: followed.position() == number)
        again = here.appends.among(topics, position, number, 10)
        assert {append.match for append in again} >= set(expected)
        followed.leave()


def test_who_begins_to_follow_while_one_writes_begins_behind_it(postgres: str) -> None:
    with stores(postgres, 2) as (here, slow):
        match, first = created(slow)
        held = Held(postgres, slow, match, first[-1])
        heard: list[NumberedAppend] = []
        with pytest.raises(Unavailable):
            here.appends.follow([("match", match)], heard.extend)
        with ThreadPoolExecutor(1) as pool:
            following = pool.submit(here.appends.follow, [("match", match)], heard.extend)
            assert held.end() is None
            followed = following.result(10)
        assert followed.found == Found(2, frozenset(), 0)
        assert heard == []
        followed.leave()


def test_behind_no_position_is_anything_missed(url: str) -> None:
    """Whatever order many writers commit in: what has not been told up to a message is behind the position in it."""
    with stores(url, 5) as (here, *writing):
        heard: list[NumberedAppend] = []
        followed = here.appends.follow([("owner", "club")], heard.extend)

        def write(store: Store) -> None:
            for _match in range(5):
                match, entries = created(store)
                for _move in range(8):
                    entries.append(appended(store, match, entries[-1]))

        with ThreadPoolExecutor(len(writing)) as pool:
            list(pool.map(write, writing))
        assert until(lambda: len(heard) == 4 * 5 * 9)
        numbers = {append.number for append in heard}
        assert len(numbers) == len(heard)
        for place, append in enumerate(heard):
            assert {later.number for later in heard[place + 1 :] if later.number <= append.position} == set()
        positions = [append.position for append in heard]
        assert positions == sorted(positions)
        for match in {append.match for append in heard}:
            assert [append.first for append in heard if append.match == match] == list(range(9))
        assert until(lambda: followed.position() == max(numbers))
        followed.leave()


def test_a_process_knows_every_position_that_another_has_given(store: Store, other: Store) -> None:
    """Whoever goes on at another server is not told that its id is unknown."""
    match, entries = created(store)
    here = other.appends.follow([("match", "nowhere")], lambda _appends: None)
    for _ in range(3):
        entries.append(appended(store, match, entries[-1]))
        there = store.appends.follow([], lambda _appends: None)
        assert there.found.position == other.appends.follow([], lambda _appends: None).found.position
    assert here.found.position < there.found.position


def test_the_oldest_numbers_are_forgotten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence, "KEPT", 3)
    monkeypatch.setattr(sequence, "SPARE", 2)
    monkeypatch.setattr(sequence, "FORGOTTEN_AT_ONCE", 2)
    store.appends.forget()
    match, entries = created(store)
    for _ in range(9):
        entries.append(appended(store, match, entries[-1]))

    def numbers() -> list[int]:
        return [append.first for append in store.appends.among([("match", match)], 0, 2**40, 100)]

    assert numbers() == list(range(10))
    left = []
    for _ in range(4):
        store.appends.forget()
        left.append(numbers()[0])
    assert left == [3, 5, 5, 5]
    assert list(store.entries(match)) == entries


def test_the_check_of_a_store_names_appends_to_no_match(store: Store, url: str) -> None:
    match, entries = created(store)
    appended(store, match, entries[-1])
    assert check_store(url, KEY) == []
    alter(url, "INSERT INTO appends (match, first, last) VALUES ('m', 0, 0)")
    assert [(finding.match, finding.what) for finding in check_store(url, KEY)] == [("m", "an append to no match")]


def test_a_position_is_a_text_that_only_this_store_reads(store: Store) -> None:
    followed = store.appends.follow([("owner", "club")], lambda _appends: None)
    followed.leave()
    created(store)
    found = followed.found._replace(position=13)
    text = store.appends.write_position(found, 12)
    assert text == store.appends.write_position(found, 12) != store.appends.write_position(found, 13)
    assert store.appends.read_position(found, text) == 12
    assert store.appends.read_position(found._replace(generation=1), text) is None
    for wrong in ("", "12", text[:-1], text[:-4] + "AAAA", "²", text * 2):
        assert store.appends.read_position(found, wrong) is None


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_restored_store_goes_on_numbering(kind: str, tmp_path: Path) -> None:
    for folder in ("from", "to"):
        (tmp_path / folder).mkdir()
    with migrated_database(kind, tmp_path / "from") as url, closing(open_store(url, KEY)) as store:
        match, entries = created(store)
        appended(store, match, entries[-1])
        numbered = store.appends.among([("match", match)], 0, 2**40, 10)
        backup(url, tmp_path / "copy")
    with empty_database(kind, tmp_path / "to") as url:
        restore(tmp_path / "copy", url)
        with closing(open_store(url, KEY)) as restored:
            assert restored.appends.among([("match", match)], 0, 2**40, 10) == numbered
            assert _next(url, kind) == numbered[-1].number + 1


def _next(url: str, kind: str) -> int:
    """The number that the next append gets."""
    sql = "INSERT INTO appends (match, first, last) VALUES ('m', 0, 0) RETURNING number"
    if kind == "postgresql":
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            row = connection.execute(sql).fetchone()
    else:
        connection_ = apsw.Connection(url.removeprefix("sqlite:///"))
        row = connection_.execute(sql).fetchone()
        connection_.close()
    assert row is not None
    return int(row[0])
