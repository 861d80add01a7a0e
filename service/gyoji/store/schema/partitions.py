"""Divides the table of events into partitions, by a hash of the match, on PostgreSQL, where an operator wants that.

Every query names its match, so that each goes to one partition; ``(match, seq)`` stays unique, and stays the primary
key. What it costs and when it pays: docs/scale.md.

The rows are copied into a second table, and the old one is read meanwhile; whoever wants to write waits, and is
answered 503 after the usual patience. One transaction: dying in between, or anything that is not the same afterwards,
leaves all as it was.
"""

from contextlib import closing
from typing import NamedTuple

from sqlalchemy import Connection

from gyoji.store.database.port import check_schema
from gyoji.store.records import OperationFailed, Unavailable
from gyoji.store.schema.migrator import transaction
from gyoji.store.urls import PostgresUrl, parse_url

MOST = 1024

COLUMNS = "match, seq, body, hash, openings"
COPY_ROWS = f"INSERT INTO moved ({COLUMNS}) SELECT {COLUMNS} FROM events"
PARTITIONS = "SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass('events')"
ROWS = "SELECT count(*) FROM {}"
WRONG_HEADS = """SELECT count(*) FROM matches AS m LEFT JOIN {} AS e ON e.match = m.match AND e.seq = m.seq
WHERE NOT m.archived AND e.hash IS DISTINCT FROM m.hash"""
"""Matches whose head is not the last event."""

LOCK_TABLES = ("SET LOCAL lock_timeout TO '10s'", "LOCK TABLE matches, events IN SHARE ROW EXCLUSIVE MODE")
"""In the order in which an append takes them. Others who want them wait behind this, so it does not wait for long."""
ADD_CONSTRAINTS = (
    "ALTER TABLE moved ADD CONSTRAINT pk_moved PRIMARY KEY (match, seq)",
    "ALTER TABLE moved ADD CONSTRAINT fk_moved_match FOREIGN KEY (match) REFERENCES matches (match)",
)
SWAP_TABLES = (
    "DROP TABLE events",
    "ALTER TABLE moved RENAME TO events",
    "ALTER TABLE events RENAME CONSTRAINT pk_moved TO pk_events",
    "ALTER TABLE events RENAME CONSTRAINT fk_moved_match TO fk_events_match",
)


class PartitionFailed(OperationFailed):
    """Partitioning failed, and the table is as it was; the text says why."""


class Partitioned(NamedTuple):
    """The result of partitioning: how many partitions there were and are, and how many events they hold."""

    before: int
    """How many partitions there were; 1: it was one table."""
    parts: int
    events: int


def partition(url: str, parts: int) -> Partitioned:
    """Divide the table of events into so many partitions; 1 makes it one table again. ``PartitionFailed`` where that
    cannot be, or where what was copied is not the same."""
    place = parse_url(url)
    if not isinstance(place, PostgresUrl):
        raise PartitionFailed("only PostgreSQL has partitions")
    _require_schema(place)
    with transaction(place) as connection:
        for statement in LOCK_TABLES:
            connection.exec_driver_sql(statement)
        before = _number(connection, PARTITIONS) or 1
        if before == parts:
            return Partitioned(before, parts, _number(connection, ROWS.format("events")))
        return Partitioned(before, parts, _move_rows(connection, parts))


def _require_schema(place: PostgresUrl) -> None:
    """``Unavailable`` unless the store is there, and of this release."""
    with closing(place.database(administrative=True)) as database:
        check_schema(database)


def _move_rows(connection: Connection, parts: int) -> int:
    """Copy the rows into a new table, and put that in the place of the old one; how many rows there are."""
    for statement in (*_new_table(parts), COPY_ROWS, *ADD_CONSTRAINTS):
        connection.exec_driver_sql(statement)
    old, new = [
        [_number(connection, sql.format(table)) for sql in (ROWS, WRONG_HEADS)] for table in ("events", "moved")
    ]
    if old != new:
        raise PartitionFailed("what was copied is not what was there")
    for statement in (*SWAP_TABLES, "ANALYZE events"):
        connection.exec_driver_sql(statement)
    return new[0]


def _new_table(parts: int) -> list[str]:
    """Write the statements that make a table like that of events, and its partitions."""
    table = "CREATE TABLE moved (LIKE events)"
    if parts == 1:
        return [table]
    division = "CREATE TABLE events_of_{0}_{1} PARTITION OF moved FOR VALUES WITH (MODULUS {0}, REMAINDER {1})"
    return [f"{table} PARTITION BY HASH (match)", *[division.format(parts, number) for number in range(parts)]]


def _number(connection: Connection, sql: str) -> int:
    found: int | None = connection.exec_driver_sql(sql).scalar()
    if found is None:
        raise Unavailable("the database does not answer")
    return found
