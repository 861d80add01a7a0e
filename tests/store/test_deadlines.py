"""A database that answers nothing: who waits is told in time, others at once, and all goes on when it answers."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from threading import Event
from threading import enumerate as all_threads
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest

from gyoji.store import open_store
from gyoji.store.database.connections import ConnectionPool
from gyoji.store.database.postgres.connection import REQUEST_LIMITS, UNLIMITED, Connection, Limits, connect
from gyoji.store.database.postgres.database import PostgresDatabase
from gyoji.store.database.postgres.replica import LIMITS as COPY
from gyoji.store.database.postgres.replica import Replica
from gyoji.store.database.postgres.sessions import TICK
from gyoji.store.database.statements import REVISIONS
from gyoji.store.deadlines import Deadlines, Outage, within
from gyoji.store.interface import Store, Unavailable
from gyoji.store.urls import ConnectionOptions
from store.databases import migrated_database
from store.logs import KEY, appended, created, move_request
from store.proxy import Proxy, proxy
from waiting import until

WAIT = 20.0
"""Seconds for what takes no time unless it is broken."""

LONG = Limits(10, lock=10, statement=10, idle=60, answer=WAIT)
"""Deadlines that nobody comes to."""

SHORT = LONG._replace(answer=0.4)
"""Deadlines that a test waits for."""


class Wire:
    """A connection of which nothing is known but that it was cut."""

    def __init__(self, seconds: float) -> None:
        self.was_cut = Event()
        self.deadline = monotonic() + seconds

    def cut(self) -> None:
        """It is."""
        self.was_cut.set()


@pytest.fixture
def deadlines() -> Iterator[Deadlines]:
    """Deadlines that are looked at often."""
    made = Deadlines(0.01)
    yield made
    made.close()


# --- deadlines by themselves


def test_who_waits_too_long_is_cut_and_nobody_else(deadlines: Deadlines) -> None:
    late, patient, idle, forgotten = Wire(0.1), Wire(WAIT), Wire(inf), Wire(0.1)
    for wire in (late, patient, idle, forgotten):
        deadlines.watch(wire)
    deadlines.forget(forgotten)
    assert late.was_cut.wait(WAIT)
    sleep(0.1)
    assert [wire.was_cut.is_set() for wire in (late, patient, idle, forgotten)] == [True, False, False, False]
    patient.deadline = monotonic()
    assert patient.was_cut.wait(WAIT)


def test_what_is_being_cut_is_cut_when_it_is_forgotten(deadlines: Deadlines) -> None:
    """Its descriptor may be closed then, and be another's."""
    begins, ends = Event(), Event()

    class Slow(Wire):
        def cut(self) -> None:
            begins.set()
            assert ends.wait(WAIT)

    wire = Slow(0)
    deadlines.watch(wire)
    assert begins.wait(WAIT)
    with ThreadPoolExecutor(1) as pool:
        forgetting = pool.submit(deadlines.forget, wire)
        sleep(0.05)
        assert not forgetting.done()
        ends.set()
        forgetting.result(WAIT)


def test_a_closed_one_has_no_thread_and_can_be_used_again(deadlines: Deadlines) -> None:
    before = set(all_threads())
    deadlines.watch(Wire(WAIT))
    (made,) = [thread for thread in all_threads() if thread not in before]
    assert made.name == "deadlines"
    deadlines.close()
    assert until(lambda: not made.is_alive())
    wire = Wire(0)
    deadlines.watch(wire)
    assert wire.was_cut.wait(WAIT)


def test_work_within_a_time() -> None:
    goes_on = Event()
    late: list[int] = []

    def slow() -> int:
        assert goes_on.wait(WAIT)
        return 3

    def fails() -> int:
        raise TimeoutError("its own")

    assert within(WAIT, lambda: 3) == 3
    with pytest.raises(TimeoutError, match="its own"):
        within(WAIT, fails)
    with pytest.raises(TimeoutError):
        within(0.01, slow, late.append)
    goes_on.set()
    assert until(lambda: late == [3])


def test_an_outage_lasts_until_there_is_an_answer() -> None:
    answers, asked = [False, False, True], Event()

    def answers_now() -> bool:
        if len(answers) == 1:
            assert asked.wait(WAIT)
        return answers.pop(0)

    outage = Outage(answers_now, 0.01)
    assert (outage.is_on, outage.is_total) == (False, False)
    outage.begin(is_total=False)
    assert (outage.is_on, outage.is_total, outage.last) == (True, False, 0.0)
    began = monotonic()
    outage.begin(is_total=True)
    assert (outage.is_on, outage.is_total, outage.last >= began) == (True, True, True)
    asked.set()
    assert until(lambda: not outage.is_on)
    assert not outage.is_total
    assert answers == []


def test_an_outage_that_is_closed_asks_no_more() -> None:
    begins, ends = Event(), Event()

    def answers_now() -> bool:
        begins.set()
        assert ends.wait(WAIT)
        return False

    outage = Outage(answers_now, 0.01)
    outage.begin(is_total=True)
    assert begins.wait(WAIT)
    outage.close()
    assert not outage.is_on
    begins.clear()
    ends.set()
    sleep(0.1)
    assert not begins.is_set()


# --- a database behind a proxy


@pytest.fixture
def way(tmp_path: Path) -> Iterator[Proxy]:
    """A way to a PostgreSQL database with tables, which can be spoilt."""
    with migrated_database("postgresql", tmp_path) as url, proxy(url) as made:
        yield made


@pytest.fixture(params=[None, 2], ids=["own", "shared"])
def store(request: pytest.FixtureRequest, way: Proxy, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The store by that way; each thread has a connection of its own, or all of them share two."""
    monkeypatch.setattr("gyoji.store.database.postgres.connection.REQUEST_LIMITS", LONG)
    monkeypatch.setattr("gyoji.store.database.postgres.sessions.TICK", 0.02)
    with closing(
        open_store(way.url, KEY, options=ConnectionOptions(connections=request.param, is_interactive=True))
    ) as found:
        yield found


@contextmanager
def with_limits(store: Store, limits: Limits = SHORT) -> Iterator[None]:
    """Shorter deadlines, for as long as the block takes."""
    database: Any = store._database
    for each in (limits, LONG):
        database._sessions._limits = each
        for connection in _connections(database):
            connection._answer_seconds = each.answer
        if each is limits:
            yield


def _connections(database: PostgresDatabase) -> list[Connection]:
    lent = database._sessions._connections
    return lent._free if isinstance(lent, ConnectionPool) else list(lent._open.values())  # type: ignore[attr-defined]


def _libpq(way: Proxy) -> str:
    return way.url.replace("+psycopg", "", 1)


def _failure(work: Callable[[], object]) -> Unavailable:
    with pytest.raises(Unavailable) as refused:
        work()
    return refused.value


def test_the_kernel_finds_out_that_the_other_machine_is_gone(way: Proxy) -> None:
    """For connections that nobody waits for, and administrative work, which has no limits; the URL counts."""
    given = f"{_libpq(way)}?keepalives_idle=7"
    for limits in (REQUEST_LIMITS, UNLIMITED):
        with closing(connect(given, limits)) as connection:
            kept = connection.info.get_parameters()
        names = ("keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout")
        assert [kept[name] for name in names] == ["7", "10", "3", "30000"]


def test_callers_are_told_within_five_seconds() -> None:
    """The server's own limits come first, so that of what is merely slow it is known that nothing was done."""
    assert REQUEST_LIMITS.answer + TICK < 5
    assert COPY.answer + TICK < 2
    assert max(REQUEST_LIMITS.lock, REQUEST_LIMITS.statement) < REQUEST_LIMITS.answer


def test_a_server_that_answers_nothing_is_not_waited_for(store: Store, way: Proxy) -> None:
    match, entries = created(store)
    way.swallow()
    with with_limits(store):
        began = monotonic()
        gone = _failure(lambda: store.head(match))
        assert (gone.cause, gone.is_unsure) == ("timeout", False)
        assert 0.4 <= monotonic() - began < WAIT / 2
        began = monotonic()
        for _ in range(100):
            assert _failure(lambda: store.head(match)).cause == "timeout"
            assert _failure(lambda: appended(store, match, entries[0])).is_unsure is False
        assert monotonic() - began < WAIT, "others wait as well"
        way.restore()
        assert until(lambda: _answers(store, match))
    assert appended(store, match, entries[0]).seq == 1


def _answers(store: Store, match: str) -> bool:
    try:
        return store.head(match) is not None
    except Unavailable:
        return False


def test_many_who_wait_are_all_told(store: Store, way: Proxy) -> None:
    match, entries = created(store)
    with ThreadPoolExecutor(8) as people:
        assert list(people.map(lambda _: store.head(match) is not None, range(64))) == [True] * 64
        with with_limits(store):
            way.swallow()
            gone = [people.submit(_failure, lambda: store.head(match)) for _ in range(64)]
            assert {one.result(WAIT).cause for one in gone} <= {"timeout", "busy"}
            way.restore()
            assert until(lambda: _answers(store, match))
        assert list(people.map(lambda _: store.head(match) is not None, range(64))) == [True] * 64
    assert appended(store, match, entries[0]).seq == 1


def test_of_a_write_without_an_answer_it_is_not_said_that_it_was_not_done(store: Store, way: Proxy) -> None:
    """It was: only the answer was held back. Who repeats it under its key finds out."""
    match, entries = created(store)
    entries.append(appended(store, match, entries[0], move_request(match, "j")))
    way.delay = 1.5
    with with_limits(store):
        gone = _failure(lambda: appended(store, match, entries[1], move_request(match, "k")))
    assert (gone.cause, gone.is_unsure) == ("timeout", True)
    way.delay = 0
    assert until(lambda: _answers(store, match))
    remembered = store.remembered(f"match:{match}", "k")
    assert remembered is not None
    assert remembered.seq == 2


def test_of_a_write_that_was_not_to_be_committed_yet_it_is_known(store: Store, way: Proxy) -> None:
    """A new match takes several statements: without an answer to the first of them the last was never sent."""
    created(store)
    way.swallow()
    with with_limits(store):
        assert _failure(lambda: created(store)).is_unsure is False


def test_a_connection_that_was_cut_is_never_used_again(store: Store, way: Proxy) -> None:
    match, entries = created(store)
    before = _pids(way)
    way.delay = 1.5
    with with_limits(store):
        _failure(lambda: appended(store, match, entries[0]))
    way.delay = 0
    assert until(lambda: _answers(store, match))
    assert before
    assert not before & _pids(way)


def _pids(way: Proxy) -> set[int]:
    """The connections of others to the database that have answered something."""
    with psycopg.connect(_libpq(way), autocommit=True) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND state = 'idle'"
        )
        return {row[0] for row in found}


def test_a_slow_server_is_waited_for(store: Store, way: Proxy) -> None:
    match, entries = created(store)
    way.delay = 0.1
    assert appended(store, match, entries[0]).seq == 1


def test_a_long_transaction_has_a_deadline_for_each_answer(store: Store, way: Proxy) -> None:
    """All of it takes longer than one answer may."""
    created(store)
    way.delay = 0.3
    limits = LONG._replace(answer=2.0)
    began = monotonic()
    with with_limits(store, limits):
        match, entries = created(store, 40)
    assert monotonic() - began > limits.answer
    way.delay = 0
    assert list(store.entries(match)) == entries


def test_new_connections_that_are_not_answered_leave_the_others_alone(way: Proxy) -> None:
    """As where the server is overrun, or its main process alone is stopped."""
    with closing(PostgresDatabase(_libpq(way), limits=LONG)) as database, ThreadPoolExecutor(1) as other:
        assert _cause(database) is None
        way.swallows_new = True
        database._sessions._limits = SHORT
        assert other.submit(_cause, database).result(WAIT) == "timeout"
        assert _cause(database) is None
        way.swallows_new = False
        assert until(lambda: other.submit(_cause, database).result(WAIT) is None)


def _cause(database: PostgresDatabase) -> str | None:
    """Why it does not answer, if it does not."""
    try:
        database.query("SELECT 1")
    except Unavailable as gone:
        return gone.cause
    return None


def test_a_wait_for_news_outlasts_a_server_that_answers_nothing(store: Store, way: Proxy) -> None:
    match, entries = created(store)
    news = Event()
    unsubscribe = store.subscribe(match, news.set)
    with with_limits(store):
        way.swallow()
        assert until(lambda: not _answers(store, match))
        way.restore()
        assert until(lambda: _answers(store, match))
        news.clear()
        assert appended(store, match, entries[0]).seq == 1
        assert news.wait(30)
    unsubscribe()


def test_a_copy_that_answers_nothing_costs_little_and_is_left_alone(
    way: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = PostgresDatabase(_libpq(way), limits=LONG)
    with closing(original), proxy(way.url) as spoilt:
        replica = Replica(PostgresDatabase(_libpq(spoilt), limits=LONG), original)
        monkeypatch.setattr(replica, "_is_copy", lambda: True)
        with closing(replica):
            assert replica.query(REVISIONS, (), 1) is not None
            spoilt.swallow()
            monkeypatch.setattr("gyoji.store.database.postgres.replica.LIMITS", SHORT)
            began = monotonic()
            for _ in range(100):
                assert replica.query(REVISIONS, (), 1) is None
            assert SHORT.answer <= monotonic() - began < WAIT


def test_all_that_is_asked_of_a_copy_has_one_deadline(way: Proxy) -> None:
    with closing(PostgresDatabase(_libpq(way), limits=LONG)) as database:
        database.query(REVISIONS)
        way.delay = 0.3
        with database.deadline(1.0):
            answers = [_cause(database) for _ in range(10)]
        assert 1 <= answers.index("timeout") < 4
        way.delay = 0
