"""The schema: as the tables say, from the first revision on, made by whoever is first."""

from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from gyoji.store import migrate, open_store
from gyoji.store.database.statements import REVISION
from gyoji.store.encryption import Encryption
from gyoji.store.interface import Unavailable
from gyoji.store.schema import metadata
from gyoji.store.schema.migrator import SCRIPTS, VERSION_TABLE, transaction, upgrade
from gyoji.store.urls import parse_url
from store.logs import KEY, SECRET, created


def _drift(url: str) -> list[object]:
    with transaction(parse_url(url)) as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True, "version_table": VERSION_TABLE}
        )
        return list(compare_metadata(context, metadata))


def test_migrations_make_the_tables_of_the_schema(url: str) -> None:
    assert _drift(url) == []


def test_a_table_that_differs_is_noticed(url: str) -> None:
    with transaction(parse_url(url)) as connection:
        connection.execute(text("DROP INDEX matches_listed"))
        connection.execute(text("ALTER TABLE events ADD COLUMN note TEXT"))
    assert len(_drift(url)) == 2


def test_the_revision_that_is_expected_is_the_last(url: str) -> None:
    script = ScriptDirectory(str(SCRIPTS))
    assert script.get_heads() == [REVISION]
    assert script.get_bases() == ["0001"]


def test_from_the_first_revision_to_the_last(empty_url: str) -> None:
    with transaction(parse_url(empty_url), make=True) as connection:
        upgrade(connection, "0001")
    migrate(empty_url)
    assert _drift(empty_url) == []
    store = open_store(empty_url, KEY)
    store.check()
    store.close()


def test_what_was_over_before_there_were_groups_is_closed(empty_url: str) -> None:
    """A store of the first release: two matches, of which one is over."""
    columns = "match, game, version, created, visibility, disclosure, demands_precondition, imported, tags, secret"
    values = "'towai', 1, '2026-01-01T00:00:00.000Z', 'private', 'public_on_close', :no, :no, '[]', :secret"
    row = f"INSERT INTO matches ({columns}, seats, seq, hash, status, decision) VALUES (:match, {values}"  # noqa: S608
    with transaction(parse_url(empty_url), make=True) as connection:
        upgrade(connection, "0001")
        secret = Encryption(KEY).encrypt
        for match, status in (("m1", "finished"), ("m2", "playing")):
            put = {"match": match, "no": False, "secret": secret("matches", match, 0, SECRET), "status": status}
            connection.execute(text(f"{row}, '[[0, 0, false]]', 3, :secret, :status, 3)"), put)
    migrate(empty_url)
    with closing(open_store(empty_url, KEY)) as store:
        found = {match: store.match(match) for match in store.every_match()}
        told = [(each.head.status, each.head.closed, each.secret) for each in found.values() if each is not None]
        rest = {(each.group, each.withheld_until, each.director) for each in found.values() if each is not None}
        assert store.withheld() == []
    assert told == [("finished", True, SECRET), ("playing", False, SECRET)]
    assert rest == {(None, None, None)}


def test_migrating_again_changes_nothing(url: str) -> None:
    store = open_store(url, KEY)
    match, entries = created(store, 2)
    migrate(url)
    assert list(store.entries(match)) == entries
    store.close()


def test_a_migration_that_fails_leaves_nothing(empty_url: str) -> None:
    def fail() -> None:
        with transaction(parse_url(empty_url), make=True) as connection:
            upgrade(connection)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    store = open_store(empty_url, KEY)
    with pytest.raises(Unavailable, match="no tables of this service yet"):
        store.check()
    store.close()


def test_the_schema_of_another_release_is_refused(url: str) -> None:
    with transaction(parse_url(url)) as connection:
        connection.execute(text("UPDATE gyoji_revision SET version_num = '9999'"))
    store = open_store(url, KEY)
    with pytest.raises(Unavailable, match="of a newer release"):
        store.check()
    with pytest.raises(Unavailable, match="of a newer release"):
        migrate(url)
    store.close()


def test_an_sqlite_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    migrate(f"sqlite:///{tmp_path}/gyoji.db")
    assert (tmp_path / "gyoji.db").stat().st_mode & 0o777 == 0o600


def test_there_is_no_folder_to_make_it_in(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="the database cannot be opened"):
        migrate(f"sqlite:///{tmp_path}/missing/gyoji.db")
