"""Statements that stay prepared on a connection: as few as the server can bear, whatever has been asked."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from gyoji.store.database.postgres.connection import connect, unavailable
from gyoji.store.database.postgres.database import PostgresDatabase
from gyoji.store.database.statements import Step
from gyoji.store.interface import Conflict
from gyoji.store.urls import PostgresUrl, parse_url
from store.databases import migrated_database

KEPT = "SELECT count(*) FROM pg_prepared_statements WHERE name ~ '^_pg3_'"
ASKED = ("SELECT seq FROM matches WHERE match = ?", "SELECT status FROM matches WHERE match = ?")
MOST_PREPARED = 100
"""That psycopg keeps on a connection."""
NOBODYS = Step(
    "INSERT INTO idempotency (scope, key, digest, match, seq) VALUES (?, ?, ?, ?, ?)",
    (("scope", "key", b"", "no match", 1),),
    clash=Conflict,
)
"""The same key each time: the first of a transaction's steps, and refused."""


@pytest.fixture
def database(tmp_path: Path) -> Iterator[PostgresDatabase]:
    """A database with the tables of this release; its only connection here is this thread's."""
    with (
        migrated_database("postgresql", tmp_path) as url,
        closing(PostgresDatabase(url.replace("+psycopg", ""))) as found,
    ):
        yield found


def kept(database: PostgresDatabase) -> int:
    """How many statements the server keeps for this connection; this one is among them."""
    (count,) = database.query(KEPT)[0]
    assert isinstance(count, int)
    return count


def test_statements_of_a_connection_that_has_undone_a_transaction_are_not_kept(database: PostgresDatabase) -> None:
    database.write([NOBODYS])
    for _refused in range(20):
        for sql in ASKED:
            assert database.query(sql, ("no match",)) == []
        with pytest.raises(Conflict):
            database.write([NOBODYS])
    assert kept(database) == 1
    assert database.query(ASKED[0], ("no match",)) == []


def test_of_many_statements_the_latest_are_kept(database: PostgresDatabase) -> None:
    for many in range(1, 2 * MOST_PREPARED):
        names = tuple(map(str, range(many)))
        found = database.query(f"SELECT ? IN ({', '.join('?' * many)})", ("7", *names))
        assert found == [("7" in names,)]
        assert database.query(ASKED[0], ("no match",)) == []
    kept(database)  # is prepared too, and room is made for it once it is answered
    assert kept(database) == MOST_PREPARED
    with pytest.raises(Conflict):
        database.write([NOBODYS, NOBODYS])
    assert kept(database) == 1


@pytest.mark.parametrize("others", ["PREPARE _pg3_0 AS SELECT 1", "DEALLOCATE ALL"])
def test_a_connection_that_was_somebody_elses_meanwhile_is_told_of(others: str, tmp_path: Path) -> None:
    """As old poolers lend them: with statements of that name, or without those that were prepared."""
    with migrated_database("postgresql", tmp_path) as url:
        place = parse_url(url)
        assert isinstance(place, PostgresUrl)
        with closing(connect(place.conninfo)) as connection:
            if "DEALLOCATE" in others:
                assert connection.query("SELECT 1") == [(1,)]
            connection.pgconn.exec_(others.encode())
            with pytest.raises(psycopg.Error) as failure:
                connection.query("SELECT 1")
    told = unavailable(failure.value)
    assert str(told).startswith(
        "what lends connections to the database keeps no prepared statements: PgBouncer has to be 1.21"
    )
    assert told.cause == "unreachable"
