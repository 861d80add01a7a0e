"""The table of events in partitions: the same logs, the same schema, the same promises."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from gyoji.store import backup, check_store, open_store, restore
from gyoji.store.interface import Conflict, Unavailable
from gyoji.store.schema import metadata, partitions
from gyoji.store.schema.migrator import VERSION_TABLE, transaction
from gyoji.store.schema.partitions import Partitioned, PartitionFailed, partition
from gyoji.store.urls import parse_url
from store.databases import empty_database, migrated_database
from store.logs import KEY, appended, created


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL database with the tables of this release."""
    with migrated_database("postgresql", tmp_path) as found:
        yield found


def drift(url: str) -> list[object]:
    """Where the tables are not those of the schema; partitions belong to their table."""
    with transaction(parse_url(url)) as connection:
        told = {
            "compare_type": True,
            "compare_server_default": True,
            "version_table": VERSION_TABLE,
            "include_name": lambda name, kind, _of: kind != "table" or not name.startswith("events_of_"),
        }
        return list(compare_metadata(MigrationContext.configure(connection, opts=told), metadata))


def parts(url: str) -> list[int]:
    """How many events each partition has."""
    with transaction(parse_url(url)) as connection:
        names = connection.execute(text("SELECT relname FROM pg_class WHERE relname ~ '^events_of_[0-9]+_[0-9]+$'"))
        return [connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for (name,) in names]  # noqa: S608


def test_a_store_goes_on_in_partitions_and_back_in_one_table(url: str, tmp_path: Path) -> None:
    with closing(open_store(url, KEY)) as store:
        made = [created(store, 5) for _ in range(12)]
        logs = {match: list(store.entries(match)) for match, _entries in made}
        events = sum(map(len, logs.values()))
        for number, before in ((4, 1), (7, 4), (1, 7)):
            assert partition(url, number) == Partitioned(before, number, events)
            assert drift(url) == []
            sizes = parts(url)
            assert len(sizes) == (0 if number == 1 else number)
            assert sum(sizes) == (0 if number == 1 else events)
            assert {match: list(store.entries(match)) for match in logs} == logs
            match = made[0][0]  # under statements that this connection had prepared before
            with pytest.raises(Conflict):
                appended(store, match, logs[match][-2])
            logs[match].append(appended(store, match, logs[match][-1]))
            events += 1
            assert check_store(url, KEY) == []
        assert partition(url, 1) == Partitioned(1, 1, events)
        partition(url, 3)
        backup(url, tmp_path / "copy.db")
    with empty_database("postgresql", tmp_path) as other:
        restore(tmp_path / "copy.db", other)
        with closing(open_store(other, KEY)) as again:
            assert {match: list(again.entries(match)) for match in logs} == logs


def test_where_a_head_is_not_the_last_event_nothing_is_hidden(url: str) -> None:
    """What was wrong before is wrong afterwards, and found."""
    with closing(open_store(url, KEY)) as store:
        created(store, 3)
    with transaction(parse_url(url)) as connection:
        connection.execute(text("DELETE FROM events WHERE seq = 2"))
    before = check_store(url, KEY)
    assert before
    assert partition(url, 2).events == 2
    assert check_store(url, KEY) == before


def test_what_is_not_the_same_afterwards_leaves_all_as_it_was(url: str) -> None:
    with closing(open_store(url, KEY)) as store:
        match, entries = created(store, 3)
        with transaction(parse_url(url)) as connection:
            connection.execute(
                text(
                    """CREATE FUNCTION lose() RETURNS event_trigger LANGUAGE plpgsql AS
                    $$BEGIN IF to_regclass('moved') IS NOT NULL THEN DELETE FROM moved WHERE seq = 2; END IF; END$$"""
                )
            )
            connection.execute(
                text("CREATE EVENT TRIGGER lost ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION lose()")
            )
        with pytest.raises(PartitionFailed):
            partition(url, 2)
        assert list(store.entries(match)) == list(entries)
        assert parts(url) == []


def test_sqlite_has_no_partitions(tmp_path: Path) -> None:
    with migrated_database("sqlite", tmp_path) as url, pytest.raises(PartitionFailed):
        partition(url, 2)


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with empty_database("postgresql", tmp_path) as url, pytest.raises((Unavailable, DBAPIError)):
        partition(url, 2)


def test_where_the_command_dies_the_server_notices(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would finish a copy that takes an hour, and let nobody write meanwhile."""
    said: list[object] = []

    def copied(connection: Connection, _parts: int) -> int:
        said.append(connection.exec_driver_sql("SHOW client_connection_check_interval").scalar())
        return 0

    monkeypatch.setattr(partitions, "_move_rows", copied)
    partition(url, 4)
    assert said == ["2s"]
