"""Runs SQL on one PostgreSQL database.

Connections commit by themselves, so that one statement is one transaction and one round trip; an append is one
statement. A connection that breaks while a write is under way leaves open whether that was committed: ``Unavailable``,
and whoever repeats the request under its idempotency key finds out.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import TypeVar

import psycopg
from psycopg.errors import UniqueViolation

from gyoji.store.database.appends import AppendFollowers, Followed, Tell, Topic
from gyoji.store.database.guard import UNKNOWN, Guard
from gyoji.store.database.marker import MarkerPlace
from gyoji.store.database.port import Append, append_steps
from gyoji.store.database.postgres.connection import (
    COMMAND_LIMITS,
    UNLIMITED,
    Connection,
    Limits,
    connect,
    translated,
    unavailable,
)
from gyoji.store.database.postgres.notifier import HAS_LISTENERS, NOTIFY, Notifier, payload
from gyoji.store.database.postgres.sessions import Lost, Sessions
from gyoji.store.database.statements import (
    GENERATION,
    HAS_WEBHOOK,
    REVISION,
    REVISIONS,
    SCHEMA_AND_GENERATION,
    TRACE,
    Execute,
    Row,
    Step,
    refuse_other_schema,
)
from gyoji.store.database.subscriptions import Subscriptions, Wake
from gyoji.store.records import Conflict, IdempotencyRecord, KeyTaken, Unavailable

REMEMBERED = """, remembered AS (
        INSERT INTO idempotency (scope, key, digest, match, seq)
        SELECT ?::text, ?::text, ?::bytea, head.match, ?::int4 FROM head)"""

NEWS = f""", news AS (
        INSERT INTO webhook_news (kind, subject, first, last, trace)
        SELECT 'match', m.match, ?::int4, m.seq, ?::text FROM head AS m WHERE {HAS_WEBHOOK})"""

NUMBERED = """, numbered AS (
        INSERT INTO appends (match, first, last) SELECT head.match, ?::int4, head.seq FROM head)"""

PENDING_LEAF = """, leaf_{} AS (
        INSERT INTO tree_pending (hash, since, kind, match, seq, body)
        SELECT ?::bytea, ?::text, ?::text, ?::text, ?::int4, ?::bytea FROM head)"""


@cache
def append_statement(entries: int, remembers: bool, leaves: int, seated: bool) -> str:
    """Write the statement that appends so many entries, and lets so many leaves wait for the transparency log.

    ``remembers``: with an idempotency record; ``seated``: only if the seats are the given ones. It gives back a row an
    entry, each whether somebody listens for news. It does nothing and gives back nothing where the match has moved on,
    the schema is not that of this release, or the store is of another generation.
    """
    pending = "".join([PENDING_LEAF.format(number) for number in range(leaves)])
    values = ", ".join(["(?::int4, ?::bytea, ?::bytea, ?::bytea)"] * entries)
    return f"""WITH head AS (
        UPDATE matches SET seq = ?, hash = ?, status = ?, decision = ?, closed = ?
        WHERE match = ? AND seq = ? AND NOT archived{" AND seats = ?" if seated else ""}
        AND ({REVISIONS}) = '{REVISION}' AND ({GENERATION}) = ?
        RETURNING match, seq, owner, tournament){REMEMBERED if remembers else ""}{NEWS}{NUMBERED}{pending}
    INSERT INTO events (match, seq, body, hash, openings)
    SELECT head.match, entry.* FROM head, (VALUES {values}) AS entry (seq, body, hash, openings)
    RETURNING {HAS_LISTENERS}"""


Answer = TypeVar("Answer")

ROWS_AT_ONCE = 500
"""Rows that are sent before their answers are waited for: these have one deadline."""

EXCLUSIVE = 0x67796F6A6A
"""The advisory lock of whoever works exclusively."""

WRITERS = """SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND relation = ?::text::regclass AND pid <> pg_backend_pid()"""
"""The transactions that may have written to a table. Each has locked it before it looks who wants to hear, and before
it takes a number; and it is seen to have committed before its lock is gone."""

KEY_IN_USE = "SELECT 1 FROM idempotency WHERE scope = ? AND key = ?"


class PostgresDatabase:
    """One PostgreSQL database, on which SQL is run; see ``Database``."""

    def __init__(
        self,
        conninfo: str,
        connections: int | None = None,
        listen_conninfo: str | None = None,
        limits: Limits = COMMAND_LIMITS,
        marker: MarkerPlace | None = None,
    ) -> None:
        """``connections``: how many the threads of a process share; ``None``: each has its own. ``listen_conninfo``
        leads to PostgreSQL itself, where the other leads to a pooler before it. ``marker``: where the marker is."""
        self._conninfo = conninfo
        self.guard = Guard(marker)
        self._sessions = Sessions(conninfo, connections, limits, self.guard)
        self.deadline = self._sessions.deadline
        notifier = Notifier(partial(connect, listen_conninfo or conninfo, limits, self._sessions.deadlines), self.query)
        self._subscriptions = Subscriptions(notifier.look, AppendFollowers(self), notifier.listen)

    def open_connection(self, make: bool = False) -> Connection:
        """Open a connection that no limit of requests cuts off and on which nothing commits by itself; a database is
        never made."""
        try:
            connection = connect(self._conninfo, UNLIMITED)
        except psycopg.Error as failure:
            raise unavailable(failure) from None
        connection.autocommit = False
        return connection

    def unavailable(self, failure: BaseException | None) -> Unavailable | None:
        """Translate a failure of psycopg."""
        return unavailable(failure) if isinstance(failure, psycopg.Error) else None

    def find_faults(self) -> list[str]:
        """Find nothing: PostgreSQL keeps a checksum of every page and refuses to read one that is damaged."""
        return []

    def close(self) -> None:
        """Close the connections of this process."""
        self.guard.close()
        self._subscriptions.close()
        self._sessions.close()

    def notify(self, match: str, seq: int | None) -> None:
        """Wake whoever follows the match, in whichever process."""
        with suppress(Unavailable):  # what was stored is stored, and they will look without being told
            self._sessions.run(lambda connection: connection.query(NOTIFY, (payload(match, seq),)))

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Have ``wake`` called at news of the match, by listening to PostgreSQL."""
        return self._subscriptions.subscribe(match, wake)

    def follow(self, topics: Sequence[Topic], tell: Tell) -> Followed:
        """Have ``tell`` called with the appends of these topics, by listening to PostgreSQL."""
        return self._subscriptions.follow(topics, tell)

    def writers(self, table: str) -> set[Row]:
        """Find the transactions that may have written to a table, by their locks."""
        return set(self.query(WRITERS, (table,)))

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """Execute a query, once more if the connection is lost, and give back its rows."""
        try:
            return self._sessions.run(lambda connection: connection.query(sql, put))
        except Lost:
            return self._sessions.run(lambda connection: connection.query(sql, put))

    def modify(self, sql: str, put: Row = ()) -> int:
        """Execute one statement, and give back how many rows it has changed."""

        def work(connection: Connection) -> int:
            self._require_writable(connection)
            return connection.modify(sql, put)

        return self._run_write(work)

    def write(self, steps: Sequence[Step]) -> None:
        """Execute all steps in one transaction, or none of them."""

        def work(connection: Connection) -> None:
            with connection.whole(), connection.cursor() as cursor:
                self._require_writable(connection)
                for step in steps:
                    _execute_step(cursor, step)

        self._run_write(work)

    def append(self, append: Append) -> None:
        """Append by one statement, which does nothing unless the match stands where it has to. Where the match ends,
        by several: one alone does not see what was stored while it waited, and is to be forgotten with that."""
        if append.ends:
            self.write(append_steps(append))
            self.notify(append.match, append.head.seq)
            return
        request = append.request
        sql = append_statement(len(append.rows), request is not None, len(append.leaves), append.seats is not None)
        before, after = _append_values(append)
        generation = UNKNOWN

        def work(connection: Connection) -> list[Row]:
            nonlocal generation
            generation = self.guard.expected_generation()  # now: the connection may be new, just inspected
            return connection.query(sql, (*before, generation, *after), commits=True)

        try:
            appended = self._run_write(work)
        except UniqueViolation as failure:
            raise KeyTaken if failure.diag.constraint_name == "pk_idempotency" else Conflict from None
        if len(appended) != len(append.rows):
            self._refuse_append(request)
            if self.guard.expected_generation() != generation:  # recovered meanwhile, or inspected for the first time
                self.append(append)
                return
            raise Conflict
        if any(has_listeners for (has_listeners,) in appended):
            self.notify(append.match, append.head.seq)

    def _refuse_append(self, request: IdempotencyRecord | None) -> None:
        """Raise why nothing was appended, if it is not that the match has moved on: a key in use is found first."""
        self._sessions.run(self._require_writable)
        if request is not None and self.query(KEY_IN_USE, (request.scope, request.key)):
            raise KeyTaken

    def _require_writable(self, connection: Connection) -> None:
        """Raise ``Unavailable`` unless the schema is that of this release, and the store takes writes."""
        found = connection.query(SCHEMA_AND_GENERATION)
        if found != [(REVISION, self.guard.expected_generation())]:
            refuse_other_schema([row[:1] for row in found])
            self.guard.require_writable(connection.query, found[0][1])

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """Do the work in a transaction under a lock of its own: others may write meanwhile, but not work so."""

        def work_alone(connection: Connection) -> Answer:
            with connection.whole():
                connection.query("SELECT pg_advisory_xact_lock(?)", (EXCLUSIVE,))
                self._require_writable(connection)
                return work(connection.query)

        return self._run_write(work_alone)

    def _run_write(self, work: Callable[[Connection], Answer]) -> Answer:
        """Do the work; where tables are missing say of which release the schema is."""
        try:
            return self._sessions.run(work)
        except Unavailable as failure:
            if failure.cause == "older-schema":
                refuse_other_schema(self.query(REVISIONS))
            raise


def _append_values(append: Append) -> tuple[Row, Row]:
    """Return the values of ``append_statement``, before the generation and after it."""
    request = append.request
    seats = () if append.seats is None else (append.seats,)
    remembered = () if request is None else (request.scope, request.key, request.digest, append.expected + 1)
    leaves = [value for row in append.leaves for value in row]
    entries = [value for row in append.rows for value in row[1:]]
    before = (*append.head, append.match, append.expected, *seats)
    return before, (*remembered, append.expected + 1, TRACE.get(), append.expected + 1, *leaves, *entries)


def _execute_step(cursor: psycopg.Cursor[Row], step: Step) -> None:
    changed = 0
    for first in range(0, len(step.rows), ROWS_AT_ONCE):
        rows = step.rows[first : first + ROWS_AT_ONCE]
        try:
            if len(rows) == 1:  # apart from a pipeline, in which what follows a refusal may hide it
                cursor.execute(translated(step.sql), rows[0] or None)
            else:
                cursor.executemany(translated(step.sql), rows)
        except UniqueViolation:
            raise step.clash from None
        changed += cursor.rowcount
    if step.must_change and changed == 0:
        raise step.clash
