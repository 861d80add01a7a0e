"""A store in a PostgreSQL database.

Connections commit by themselves, so that one statement is one transaction and one round trip; an append is one
statement. A connection on which the server has said something while it was idle is about to be closed, and is not used
again: so a server that was restarted costs no request. One that breaks while a write is under way leaves open whether
that was committed: ``Unavailable``, and whoever repeats the request under its idempotency key finds out.

Every answer has a deadline of ours. Where one does not come in time the connection is thrown away, and others are
refused at once until the server answers again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from math import inf
from threading import get_ident
from time import monotonic, sleep
from typing import TypeVar

import psycopg
from psycopg.errors import ConnectionTimeout, ReadOnlySqlTransaction, UndefinedTable, UniqueViolation

from gyoji.store.database.connections import ConnectionPool, ConnectionSource, ThreadConnections
from gyoji.store.database.guard import UNKNOWN, Guard
from gyoji.store.database.marker import MarkerPlace
from gyoji.store.database.port import Wake
from gyoji.store.database.postgres.append import append_statement
from gyoji.store.database.postgres.connection import PATIENT, UNLIMITED, Connection, Limits, connect, translated
from gyoji.store.database.postgres.failures import unavailable
from gyoji.store.database.postgres.notifier import NOTIFY, Notifier
from gyoji.store.database.sql import Execute, Row, Step
from gyoji.store.database.statements import REVISION, REVISIONS, STANDS, refuse_other_schema
from gyoji.store.deadlines import Deadlines, Outage
from gyoji.store.groups import GroupClosed
from gyoji.store.records import Conflict, Head, KeyTaken, Request, Restored, Unavailable
from gyoji.store.trace import TRACE

Answer = TypeVar("Answer")
PATIENCE = 10
"""Seconds that others' transactions are waited for."""

AGAIN = 0.5
"""Seconds between two looks at whether a server that did not answer does."""

TICK = 0.2
"""Seconds that an answer may be late before it is noticed."""

ROWS_AT_ONCE = 500
"""Rows that are sent before their answers are waited for: these have one deadline."""

TREE = 0x67796F6A6A
"""The advisory lock of whoever lets the tree grow."""

NEWS_WRITERS = """SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND relation = 'webhook_news'::regclass AND pid <> pg_backend_pid()"""
"""The transactions that may write news. Each has locked the table before it looks who wants to hear."""

LOOKS_APART = 0.005
"""Seconds."""

AWAY = "the database has not answered in time, and does not yet"


class PostgresDatabase:
    """SQL on one database; see ``Database``."""

    def __init__(
        self,
        conninfo: str,
        connections: int | None = None,
        listening: str | None = None,
        limits: Limits = PATIENT,
        marker: MarkerPlace | None = None,
    ) -> None:
        """``connections``: how many the threads of a process share; ``None``: each has its own. ``listening`` is the
        way to PostgreSQL itself, where the other leads to something before it that lends connections. ``marker``:
        where it is named what was stored last."""
        self._conninfo = conninfo
        self._limits = limits
        self.guard = Guard(marker)
        self._deadlines = Deadlines(TICK)
        self._outage = Outage(self._answers, AGAIN)
        self._bounds: dict[int, float] = {}
        """By thread: until when all that it asks has to be answered."""
        self._connections: ConnectionSource[Connection] = (
            ThreadConnections(self._connect)
            if connections is None
            else ConnectionPool(self._connect, connections, limits.lock or PATIENCE)
        )
        self._notifier = Notifier(partial(connect, listening or conninfo, limits, self._deadlines))

    def open_connection(self, make: bool = False) -> Connection:
        """A new connection, which no limit of requests cuts off and on which nothing commits by itself; a database is
        never made."""
        try:
            connection = connect(self._conninfo, UNLIMITED)
        except psycopg.Error as failure:
            raise unavailable(failure) from None
        connection.autocommit = False
        return connection

    def unavailable(self, failure: BaseException | None) -> Unavailable | None:
        """What a failure of psycopg means."""
        return unavailable(failure) if isinstance(failure, psycopg.Error) else None

    def find_faults(self) -> list[str]:
        """Nothing: PostgreSQL keeps a checksum of every page and refuses to read one that is damaged."""
        return []

    def close(self) -> None:
        """Close this process's connections."""
        self.guard.close()
        self._notifier.close()
        self._outage.close()
        self._connections.close()
        self._deadlines.close()

    @contextmanager
    def bound(self, seconds: float) -> Iterator[None]:
        """All that this thread asks in the block has to be answered within so many seconds."""
        self._bounds[get_ident()] = monotonic() + seconds
        try:
            yield
        finally:
            del self._bounds[get_ident()]

    def _until(self) -> float:
        return self._bounds.get(get_ident(), inf)

    def notify(self, match: str) -> None:
        """Wake whoever waits for news of the match."""
        with suppress(Unavailable):  # what was stored is stored, and they will look unasked
            self._tried(lambda connection: connection.query(NOTIFY, (match,)))

    def subscribe(self, match: str) -> AbstractContextManager[Wake]:
        """A waiter, woken by the bell."""
        return self._notifier.subscribe(match)

    def await_news_writers(self) -> None:
        """Wait for whoever may write news now; ``Unavailable`` if that takes too long. No lock is waited for: everybody
        else would wait behind it."""
        until = monotonic() + PATIENCE
        left = set(self.query(NEWS_WRITERS))
        while left:
            if monotonic() > until:
                raise Unavailable("the database is too slow (a transaction does not end)", "timeout")
            sleep(LOOKS_APART)
            left &= set(self.query(NEWS_WRITERS))

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """What a query finds; it is put once more if the connection is lost."""
        try:
            return self._tried(lambda connection: connection.query(sql, put))
        except Lost:
            return self._tried(lambda connection: connection.query(sql, put))

    def modify(self, sql: str, put: Row = ()) -> int:
        """How many rows one statement has changed."""

        def work(connection: Connection) -> int:
            self._refuse(connection)
            return connection.modify(sql, put)

        return self._written(work)

    def write(self, steps: Sequence[Step]) -> None:
        """All steps or none of them."""

        def work(connection: Connection) -> None:
            with connection.whole(), connection.cursor() as cursor:
                self._refuse(connection)
                for step in steps:
                    _step(cursor, step)

        self._written(work)

    def append(
        self,
        match: str,
        expected: int,
        rows: Sequence[Row],
        head: Head,
        request: Request | None,
        leaves: Sequence[Row] = (),
        seats: str | None = None,
    ) -> None:
        """One statement, which does nothing unless the match stands at ``expected``."""
        remembered = () if request is None else (request.scope, request.key, request.digest, expected + 1)
        entries = [value for row in rows for value in row[1:]]
        waiting = [value for row in leaves for value in row]
        seated = () if seats is None else (seats,)
        told = (*remembered, expected + 1, TRACE.get(), *waiting, *entries)
        sql = append_statement(len(rows), request is not None, len(leaves), seats is not None)
        generation = UNKNOWN

        def work(connection: Connection) -> list[Row]:
            nonlocal generation
            generation = self.guard.expected_generation()  # now: the connection may be new, just inspected
            return connection.query(sql, (*head, match, expected, *seated, generation, *told), commits=True)

        try:
            heard = self._written(work)
        except UniqueViolation as failure:
            raise KeyTaken if failure.diag.constraint_name == "pk_idempotency" else Conflict from None
        if len(heard) != len(rows):
            self._refuse_append(request)
            if (
                self.guard.expected_generation() != generation
            ):  # it was recovered meanwhile, or has been met for the first time
                self.append(match, expected, rows, head, request, leaves, seats)
                return
            raise Conflict
        if any(is_heard for (is_heard,) in heard):
            self.notify(match)

    def _refuse_append(self, request: Request | None) -> None:
        """Why nothing was appended, if it is not that the match has moved on: a key in use is found before."""
        self._tried(self._refuse)
        taken = "SELECT 1 FROM idempotency WHERE scope = ? AND key = ?"
        if request is not None and self.query(taken, (request.scope, request.key)):
            raise KeyTaken

    def _refuse(self, connection: Connection) -> None:
        """``Unavailable`` unless the schema is that of this release, and the store takes writes."""
        found = connection.query(STANDS)
        if found != [(REVISION, self.guard.expected_generation())]:
            refuse_other_schema([row[:1] for row in found])
            self.guard.require_writable(connection.query, found[0][1])

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """A transaction under a lock of its own: others may write meanwhile, what is in the tree stays as it is."""

        def work_alone(connection: Connection) -> Answer:
            with connection.whole():
                connection.query("SELECT pg_advisory_xact_lock(?)", (TREE,))
                self._refuse(connection)
                return work(connection.query)

        return self._written(work_alone)

    def _written(self, work: Callable[[Connection], Answer]) -> Answer:
        """``_tried``; where tables are missing it is said of which release the schema is."""
        try:
            return self._tried(work)
        except Unavailable as failure:
            if failure.cause == "older-schema":
                refuse_other_schema(self.query(REVISIONS))
            raise

    def _tried(self, work: Callable[[Connection], Answer]) -> Answer:
        connection = self._taken()
        connection.is_committing = False
        connection.until = self._until() if self._bounds else inf
        try:
            answer = work(connection)
        except (UniqueViolation, Conflict, KeyTaken, GroupClosed, Restored):
            self._connections.release(connection)
            raise
        except psycopg.Error as failure:
            gone = self._gone(connection, failure)
            self._connections.discard(connection)
            raise gone from None
        except BaseException:
            self._connections.discard(connection)
            raise
        self._connections.release(connection)
        return answer

    def _gone(self, connection: Connection, failure: psycopg.Error) -> Unavailable:
        """What has failed on the connection; where no answer came in time, nobody else waits for one."""
        is_unsure = connection.broken and connection.is_committing
        if connection.was_cut:
            self._outage.begin(is_total=True)
            return Unavailable("the database does not answer in time", "timeout", is_unsure=is_unsure)
        gone = unavailable(failure)
        return Lost(str(gone), gone.cause, is_unsure=is_unsure) if connection.broken else gone

    def _taken(self) -> Connection:
        """A connection on which the server has not said anything unasked: others are thrown away."""
        try:
            if self._outage.is_total:
                raise Unavailable(AWAY, "timeout")
            connection = self._connections.acquire()
            while connection.closed or connection.made < self._outage.last or connection.spoke():
                self._connections.discard(connection)
                connection = self._connections.acquire()
        except psycopg.Error as failure:
            raise unavailable(failure) from None
        return connection

    def _connect(self) -> Connection:
        """A new connection, unless none can be had now."""
        if self._outage.is_on:
            raise Unavailable(AWAY, "timeout")
        try:
            connection = connect(self._conninfo, self._limits, self._deadlines, self._until())
            self._look_at(connection)
        except ConnectionTimeout:
            self._outage.begin(is_total=False)
            raise
        return connection

    def _look_at(self, connection: Connection) -> None:
        """Whether the database has what it had: the connection may lead to another server than those before."""
        connection.until = self._until()
        try:
            # another schema has no such table, and a standby takes nothing down: writes fail there by themselves
            with suppress(UndefinedTable, ReadOnlySqlTransaction):
                self.guard.inspect(connection.query)
        except BaseException as failure:
            connection.close()
            if connection.was_cut and isinstance(failure, psycopg.Error):
                raise ConnectionTimeout from None
            raise
        connection.until = inf

    def _answers(self) -> bool:
        """Whether the server answers a new connection, even if with a refusal."""
        try:
            connect(self._conninfo, self._limits, self._deadlines).close()
        except ConnectionTimeout:
            return False
        except psycopg.Error:
            return True
        return True


class Lost(Unavailable):
    """The connection broke while a statement was under way."""


def _step(cursor: psycopg.Cursor[Row], step: Step) -> None:
    changed = 0
    for first in range(0, len(step.rows), ROWS_AT_ONCE):
        try:
            cursor.executemany(translated(step.sql), step.rows[first : first + ROWS_AT_ONCE])
        except UniqueViolation:
            raise step.clash from None
        changed += cursor.rowcount
    if step.must_change and changed == 0:
        raise step.clash
