"""Full, read-only, locked, gone: nothing is acknowledged, nothing is told of the data, and afterwards all goes on."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep

import apsw
import psycopg
import pytest

from gyoji.log.entries import Entry
from gyoji.store import check_store, open_store
from gyoji.store.database import sqlite
from gyoji.store.database.postgres import connection
from gyoji.store.database.postgres import connection as failures
from gyoji.store.database.sqlite import connect
from gyoji.store.encryption import Damaged
from gyoji.store.interface import CAUSES, Head, Store, Unavailable, WrongKey
from gyoji.store.object_storage import Unreached
from gyoji.store.transparency.growth import TreeDamaged
from gyoji.store.urls import PostgresUrl, parse_url
from servers import ENVIRONMENT
from store.databases import migrated_database
from store.logs import KEY, appended, created, move_request


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """An SQLite database with tables."""
    with migrated_database("sqlite", tmp_path) as url:
        yield Path(url.removeprefix("sqlite:///"))


@pytest.fixture
def lite(file: Path) -> Iterator[Store]:
    """A store in that file."""
    store = open_store(f"sqlite:///{file}", KEY)
    yield store
    store.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """What libpq is told of a PostgreSQL database with tables."""
    with migrated_database("postgresql", tmp_path) as url:
        place = parse_url(url)
        assert isinstance(place, PostgresUrl)
        yield place.conninfo


@pytest.fixture
def remote(server: str) -> Iterator[Store]:
    """A store in that database."""
    store = open_store(server.replace("postgresql", "postgresql+psycopg", 1), KEY)
    yield store
    store.close()


def _connection(store: Store) -> apsw.Connection:
    """The connection that writes."""
    writer = store._database._writer  # type: ignore[attr-defined]
    connection: apsw.Connection = writer.acquire()
    writer.release(connection)
    return connection


def test_a_full_disk_takes_nothing_and_loses_nothing(file: Path) -> None:
    """The kernel refuses to let the file grow; what was acknowledged is there, and no repair is needed."""
    url = f"sqlite:///{file}"
    command = [sys.executable, "-m", "store.full_disk", url, str(file.stat().st_size + 60_000)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True)
    match, acknowledged, refused, cause = done.stdout.split(" ", 3)
    assert refused == "3"
    assert cause.startswith(("the disk is full", "the disk does not read or write"))
    with closing(open_store(url, KEY)) as store:
        assert [entry.seq for entry in store.entries(match)] == list(range(int(acknowledged) + 1))
    assert int(acknowledged) > 5
    assert check_store(url, KEY) == []


@pytest.mark.parametrize(
    ("pragma", "cause"), [("max_page_count = 1", "the disk is full"), ("query_only = ON", "the database is read-only")]
)
def test_a_connection_that_cannot_write_is_made_anew(lite: Store, pragma: str, cause: str) -> None:
    match, entries = created(lite, 20)
    _connection(lite).execute(f"PRAGMA {pragma}")
    stored, refusal = _stored_until_refused(lite, match, entries[-1])
    entries += stored
    assert refusal.startswith(cause)
    assert list(lite.entries(match)) == entries
    assert appended(lite, match, entries[-1], move_request(match, "at last")).seq == len(entries)


def _stored_until_refused(store: Store, match: str, last: Entry) -> tuple[list[Entry], str]:
    """What was acknowledged, and the refusal."""
    stored = [last]
    while True:
        try:
            stored.append(appended(store, match, stored[-1], move_request(match, f"{len(stored)}")))
        except Unavailable as failure:
            return stored[1:], str(failure)


def test_a_locked_database_is_waited_for_and_not_for_ever(
    lite: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, entries = created(lite)
    lite.close()
    monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.1)
    with closing(connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Unavailable, match="the database is locked"):
            appended(lite, match, entries[0])
        assert lite.head(match) is not None
        other.execute("ROLLBACK")
    assert appended(lite, match, entries[0]).seq == 1


def test_a_lock_that_passes_is_not_noticed(lite: Store, file: Path) -> None:
    match, entries = created(lite)
    with ThreadPoolExecutor(1) as pool, closing(connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        writing = pool.submit(appended, lite, match, entries[0])
        sleep(0.2)
        assert not writing.done()
        other.execute("ROLLBACK")
        assert writing.result(10).seq == 1


def test_a_reader_in_the_way_of_a_commit_is_waited_for(lite: Store, file: Path) -> None:
    match, entries = created(lite)
    with ThreadPoolExecutor(1) as pool, closing(connect(file)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM events").fetchone()
        writing = pool.submit(appended, lite, match, entries[0])
        sleep(0.2)
        other.execute("ROLLBACK")
        assert writing.result(10).seq == 1


@pytest.mark.parametrize("mode", ["nothing", "a folder", "garbage"])
def test_what_is_no_database(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "gyoji.db"
    if mode == "a folder":
        file.mkdir()
    if mode == "garbage":
        file.write_bytes(b"no database, but long enough to look like one" * 100)
    with closing(open_store(f"sqlite:///{file}", KEY)) as store:
        for call in (store.check, lambda: store.match("m1"), lambda: created(store)):
            with pytest.raises(Unavailable, match=r"the database cannot be opened|the file is no database"):
                call()
    assert file.exists() == (mode != "nothing")


def test_an_interrupted_write_is_undone(lite: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    match, entries = created(lite)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "_put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            appended(lite, match, entries[0])
    assert list(lite.entries(match)) == entries
    assert appended(lite, match, entries[0]).seq == 1


def test_no_tables_yet(empty_url: str, kind: str) -> None:
    if kind == "sqlite":
        Path(empty_url.removeprefix("sqlite:///")).touch()
    with closing(open_store(empty_url, KEY)) as store:
        with pytest.raises(Unavailable, match="no tables of this service yet"):
            store.check()
        with pytest.raises(Unavailable):
            created(store)


def _terminate(server: str) -> int:
    """End all other connections to the database; how many there were."""
    with psycopg.connect(server, autocommit=True) as admin:
        ended = admin.execute(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert ended is not None
    return int(ended[0])


def test_a_connection_that_the_server_has_closed_costs_no_request(remote: Store, server: str) -> None:
    match, entries = created(remote)
    for _ in range(3):
        assert _terminate(server) == 1
        entries.append(appended(remote, match, entries[-1]))
        assert _terminate(server) == 1
        assert list(remote.entries(match)) == entries


@contextmanager
def _waiting(server: str, work: Callable[[], object]) -> Iterator[Future[object]]:
    """The work, held up by a lock, with its connection ended while it waits; the lock lasts as long as the block."""
    with ThreadPoolExecutor(1) as pool, psycopg.connect(server) as admin:
        admin.execute("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        waiting = pool.submit(work)
        _wait_for_waiter(admin)
        admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        yield waiting
        admin.rollback()


def _wait_for_waiter(admin: psycopg.Connection[tuple[object, ...]]) -> None:
    until = monotonic() + 10
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while admin.execute(waiting).fetchone() is None:
        assert monotonic() < until
        admin.execute("SELECT pg_stat_clear_snapshot()")
        sleep(0.01)


def test_a_read_whose_connection_is_lost_is_put_once_more(remote: Store, server: str) -> None:
    match, entries = created(remote)
    with _waiting(server, lambda: remote.head(match)) as reading:
        pass
    found = reading.result(10)
    assert found == Head(0, entries[0].hash, "playing", 0)


def test_a_write_whose_connection_is_lost_is_not_acknowledged(remote: Store, server: str) -> None:
    """Whether it was committed is not known here; a client repeats it under its key."""
    match, entries = created(remote)
    with _waiting(server, lambda: appended(remote, match, entries[0], move_request(match, "k"))) as writing:
        failure = writing.exception(10)
    assert type(failure).__base__ is Unavailable
    assert remote.remembered(f"match:{match}", "k") is None
    assert appended(remote, match, entries[0], move_request(match, "k")).seq == 1


def test_a_locked_table_is_waited_for_and_not_for_ever(
    remote: Store, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, entries = created(remote)
    remote.close()
    monkeypatch.setattr(connection, "SETTINGS", "SET lock_timeout TO '100ms'")
    with psycopg.connect(server) as other:
        other.execute("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(Unavailable, match="the database is locked"):
            appended(remote, match, entries[0])
        other.rollback()
    assert appended(remote, match, entries[0]).seq == 1


def test_a_read_only_server_takes_nothing(remote: Store, server: str) -> None:
    match, entries = created(remote)
    with psycopg.connect(server, autocommit=True) as admin:
        name = admin.info.dbname
        admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only TO on")
        remote.close()
        with pytest.raises(Unavailable, match="the database is read-only"):
            appended(remote, match, entries[0])
        assert list(remote.entries(match)) == entries
        admin.execute("SET default_transaction_read_only TO off")
        admin.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    remote.close()
    assert appended(remote, match, entries[0]).seq == 1


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    url = f"postgresql+psycopg://club:hunter2@/gyoji?host={tmp_path}"
    with closing(open_store(url, KEY)) as store:
        for call in (store.check, lambda: created(store), store.keys):
            with pytest.raises(Unavailable, match="the database does not answer") as refused:
                call()
            assert "hunter2" not in f"{refused.value!r} {refused.value.__cause__}"
            assert refused.value.__suppress_context__


# --- causes


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("SQLITE_FULL", "disk-full"),
        ("SQLITE_IOERR_SHMSIZE", "disk-full"),
        ("SQLITE_IOERR_FSYNC", "disk-error"),
        ("SQLITE_BUSY_SNAPSHOT", "busy"),
        ("SQLITE_READONLY_DBMOVED", "read-only"),
        ("SQLITE_CANTOPEN", "unreachable"),
        ("SQLITE_CORRUPT_INDEX", "damaged"),
        ("SQLITE_NOTADB", "damaged"),
        ("SQLITE_MISUSE", "unreachable"),
    ],
)
def test_a_failure_of_sqlite_has_a_cause(name: str, cause: str) -> None:
    failure = apsw.exception_for(getattr(apsw, name))
    assert isinstance(failure, apsw.Error)
    failure.args = ("hunter2",)
    found = sqlite.unavailable(failure)
    assert (found.cause, "hunter2" in str(found)) == (cause, False)


@pytest.mark.parametrize(
    ("state", "cause"),
    [
        ("53100", "disk-full"),
        ("58030", "disk-error"),
        ("25006", "read-only"),
        ("55P03", "busy"),
        ("53300", "busy"),
        ("57014", "timeout"),
        ("XX001", "damaged"),
        ("42P01", "older-schema"),
        ("57P01", "unreachable"),
    ],
)
def test_a_failure_of_postgresql_has_a_cause(state: str, cause: str) -> None:
    found = failures.unavailable(psycopg.errors.lookup(state)("hunter2"))
    assert (found.cause, "hunter2" in str(found)) == (cause, False)


def test_a_connection_that_was_not_made_in_time_is_a_timeout() -> None:
    assert failures.unavailable(psycopg.errors.ConnectionTimeout()).cause == "timeout"
    assert failures.unavailable(psycopg.OperationalError()).cause == "unreachable"


def _fill(store: Store, match: str) -> None:
    """Append until the store refuses."""
    last = list(store.entries(match))[-1]
    while True:
        last = appended(store, match, last)


def _cause_of(work: Callable[[], object]) -> str:
    """Why the store does not do it."""
    with pytest.raises(Unavailable) as refused:
        work()
    return refused.value.cause


def test_what_was_met_is_told_by_its_cause(lite: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _entries = created(lite)
    for cause, pragma in (("disk-full", "max_page_count = 1"), ("read-only", "query_only = ON")):
        _connection(lite).execute(f"PRAGMA {pragma}")
        assert _cause_of(lambda: _fill(lite, match)) == cause
    lite.close()
    monkeypatch.setattr(sqlite, "LOCK_SECONDS", 0.1)
    with closing(connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert _cause_of(lambda: _fill(lite, match)) == "busy"
        other.execute("ROLLBACK")
        other.execute("UPDATE matches SET secret = x'01'")
        assert _cause_of(lambda: lite.match(match)) == "damaged"
        for cause, revision in (("newer-schema", "9999"), ("older-schema", "0001")):
            other.execute("UPDATE gyoji_revision SET version_num = ?", (revision,))
            assert _cause_of(lite.check) == cause


def test_a_cause_is_one_of_a_closed_set() -> None:
    """Labels of metrics are made of it."""
    tables = [*sqlite.CAUSES.values(), *failures.CAUSES.values()]
    raised = {cause for cause, _told in tables} | {Damaged.cause, TreeDamaged.cause, Unreached.cause, WrongKey.cause}
    assert raised <= set(CAUSES)
    assert Unavailable().cause in CAUSES
