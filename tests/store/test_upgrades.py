"""From one release to the next: administrative work has no limits of requests, and an old release does not write to a
newer schema."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import select

from gyoji.log.entries import Entry
from gyoji.store import backup, migrate, open_store, sql_store
from gyoji.store.archive import archiver
from gyoji.store.checks import store as store_check
from gyoji.store.database import sqlite
from gyoji.store.database.port import Database, check_schema
from gyoji.store.database.sqlite import SqliteDatabase
from gyoji.store.database.statements import REVISION, Step
from gyoji.store.interface import AppendOptions, Conflict, Seating, Store, Unavailable
from gyoji.store.schema import metadata, migrator
from gyoji.store.schema.migrator import Migrated, transaction, upgrade
from gyoji.store.urls import parse_url
from store.databases import empty_database, migrated_database
from store.logs import KEY, appended, created, head_at, made_group, move_request, sequel
from store.next_release import NEXT, scripts_with
from store.test_contract import API, SIGNING

LIMITS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")

UNLIMITED = f"""
for name in {LIMITS!r} if is_postgres else ():
    assert connection.exec_driver_sql("SHOW " + name).scalar() == "0", name
if not is_postgres:
    assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar() >= 3_600_000
"""


def _moved_on(url: str, scripts: Path, monkeypatch: pytest.MonkeyPatch) -> Migrated:
    with monkeypatch.context() as patched:
        patched.setattr(migrator, "SCRIPTS", scripts)
        return migrator.migrate(url)


def test_no_limit_of_requests_ends_a_migration(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On 201a27e a statement of it was ended after 60 seconds, and whoever waited for his turn after ten."""
    scripts = scripts_with(tmp_path, UNLIMITED)
    assert _moved_on(url, scripts, monkeypatch).before == REVISION
    with transaction(parse_url(url)) as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM gyoji_revision").scalar() == NEXT


def test_no_limit_of_a_role_ends_it_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lends connections may lend one on which the settings of the product were not made."""
    with migrated_database("postgresql", tmp_path) as url:
        settings = "SET statement_timeout TO '50s'; SET lock_timeout TO '5s'"
        monkeypatch.setattr("gyoji.store.database.postgres.connection.SETTINGS", settings)
        _moved_on(url, scripts_with(tmp_path, UNLIMITED), monkeypatch)


@pytest.mark.parametrize("work", ["check", "archive"])
def test_no_limit_of_requests_ends_what_an_operator_does(
    work: str, store: Store, url: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every connection that such a command makes is asked for its limits."""
    created(store, 3)
    found: list[object] = []

    def asked(database: Database) -> None:
        check_schema(database)
        if kind == "postgresql":
            found.extend(row[0] for name in LIMITS for row in database.query(f"SHOW {name}"))
        elif isinstance(database, SqliteDatabase):
            found.append(database._lock_seconds)

    for command in (sql_store, archiver):
        monkeypatch.setattr(command, "check_schema", asked)
    if work == "check":
        assert store_check.check_store(url, KEY) == []
    else:
        archiver.archive(url, str(tmp_path / "archive"), "2026-01-01T00:00:00.000Z")
    assert found
    assert set(found) == ({"0"} if kind == "postgresql" else {sqlite.UNLIMITED})


def test_who_migrates_waits_for_a_backup_and_nobody_waits_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of a table waits for whoever reads it, and requests would wait behind that change."""
    with migrated_database("postgresql", tmp_path) as url, closing(open_store(url, KEY)) as there:
        match, entries = created(there, 3)
        scripts = scripts_with(tmp_path, "connection.exec_driver_sql('ALTER TABLE matches ADD COLUMN note TEXT')")
        migrator = Thread(target=_moved_on, args=(url, scripts, monkeypatch), daemon=True)
        waiting = Event()

        def told(_done: int, _total: int) -> None:
            if not waiting.is_set():
                migrator.start()
                while not _database(there).query(WAITING):
                    assert migrator.is_alive()
                waiting.set()
            entries.append(appended(there, match, entries[-1]))

        backup(url, tmp_path / "b", told)
        migrator.join(60)
        assert not migrator.is_alive()
        assert len(entries) > 3
        with pytest.raises(Unavailable, match="of a newer release"):
            appended(there, match, entries[-1])


def test_no_backup_is_begun_while_the_schema_changes(tmp_path: Path) -> None:
    with (
        migrated_database("postgresql", tmp_path) as url,
        transaction(parse_url(url)),
        pytest.raises(Unavailable, match="the schema is being changed"),
    ):
        backup(url, tmp_path / "b")


WAITING = """SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()"""


def _database(store: Store) -> Database:
    return store._database


def _contents(url: str) -> dict[str, list[str]]:
    with transaction(parse_url(url)) as connection:
        return {table.name: sorted(map(repr, connection.execute(select(table)))) for table in metadata.sorted_tables}


Write = Callable[[Store, str, list[Entry]], object]

WRITES: dict[str, Write] = {
    "a match": lambda store, _match, _entries: created(store),
    "an event": lambda store, match, entries: appended(store, match, entries[-1]),
    "a remembered event": lambda store, match, entries: appended(store, match, entries[-1], move_request(match, "k")),
    "an event and what an append may demand": lambda store, match, entries: store.append(
        match, 2, [after := next(sequel(match, entries[-1]))], head_at(after), None, AppendOptions(group="g1")
    ),
    "a seat": lambda store, match, _entries: store.reseat(match, 1, Seating(1, 1_800_000_000), 0),
    "a group": lambda store, _match, _entries: store.create_group(made_group("g2")),
    "the end of a group": lambda store, _match, _entries: store.close_group("g1"),
    "a key": lambda store, _match, _entries: store.add_key(API._replace(id="1", hash=b"1" * 32)),
    "the end of a key": lambda store, _match, _entries: store.revoke_key(API.id, "2026-02-01T00:00:00.000Z"),
    "a signing key": lambda store, _match, _entries: store.add_signing_key(SIGNING),
    "several steps": lambda store, _match, _entries: _database(store).write(
        [Step("DELETE FROM tree_pending", [()], Conflict)]
    ),
    "the tree": lambda store, _match, _entries: _database(store).exclusively(
        lambda execute: execute("DELETE FROM tree_pending WHERE match <> ?", ("",))
    ),
}


@pytest.mark.parametrize("what", WRITES)
def test_an_old_release_does_not_write_to_a_newer_schema(
    what: str, store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 201a27e it only said that it was not ready. It goes on reading."""
    match, entries = created(store, 3)
    store.create_group(made_group("g1"))
    store.add_key(API)
    _moved_on(url, scripts_with(tmp_path, "pass"), monkeypatch)
    before = _contents(url)
    said = f"the database is of a newer release (its schema is {NEXT}, this release has {REVISION})"
    with pytest.raises(Unavailable, match=re.escape(said)):
        WRITES[what](store, match, entries)
    assert _contents(url) == before
    assert list(store.entries(match)) == entries
    assert store.keys() == [API]


def test_nor_does_a_new_release_write_to_an_older_schema(empty_url: str) -> None:
    with transaction(parse_url(empty_url), make=True) as connection:
        upgrade(connection, "0010")
    with closing(open_store(empty_url, KEY)) as store:
        said = f"of an older release (its schema is 0010, this release has {REVISION}): gyoji store migrate brings"
        with pytest.raises(Unavailable, match=re.escape(said)):
            store.check()
        with pytest.raises(Unavailable, match=re.escape(said)):
            _database(store).modify("DELETE FROM api_keys")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_a_migration_has_done(kind: str, tmp_path: Path) -> None:
    with empty_database(kind, tmp_path) as url:
        assert migrate(url) == Migrated(None, REVISION)
        assert migrate(url) is None
