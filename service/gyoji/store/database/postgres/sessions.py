"""Lends the sessions of one process with a PostgreSQL server, each for one transaction, and ends those that break.

A connection on which the server has said something while it was idle is about to be closed, and is not used again: so a
server that was restarted costs no request. Where an answer does not come in time the connection is closed, and
everybody else is refused at once until the server answers again.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from threading import get_ident
from time import monotonic
from typing import TypeVar

import psycopg
from psycopg.errors import ConnectionTimeout, ReadOnlySqlTransaction, UndefinedTable, UniqueViolation

from gyoji.store.database.connections import ConnectionPool, ConnectionSource, ThreadConnections
from gyoji.store.database.guard import Guard
from gyoji.store.database.postgres.connection import Connection, Limits, connect, unavailable
from gyoji.store.deadlines import Deadlines, Outage
from gyoji.store.records import Conflict, GroupClosed, KeyTaken, Restored, Unavailable

Answer = TypeVar("Answer")

POOL_SECONDS = 10
"""Seconds that a free connection is waited for where locks are waited for without an end."""

RETRY_SECONDS = 0.5
"""Seconds between two looks at whether a server that did not answer does."""

TICK = 0.2
"""Seconds that an answer may be late before it is noticed."""

AWAY = "the database has not answered in time, and does not yet"

REFUSALS = (UniqueViolation, Conflict, KeyTaken, GroupClosed, Restored)
"""What leaves a connection as good as before."""


class Lost(Unavailable):
    """The connection to the server broke while a statement was under way."""


class Sessions:
    """The connections of one process to one PostgreSQL server, on which work is run."""

    def __init__(self, conninfo: str, most: int | None, limits: Limits, guard: Guard) -> None:
        """``most``: how many connections the threads of this process share; ``None``: each has its own. ``guard``
        inspects every new connection."""
        self._conninfo = conninfo
        self._limits = limits
        self._guard = guard
        self.deadlines = Deadlines(TICK)
        self._outage = Outage(self._answers, RETRY_SECONDS)
        self._thread_deadlines: dict[int, float] = {}
        """By thread: when all that it asks has to be answered."""
        self._connections: ConnectionSource[Connection] = (
            ThreadConnections(self._connect)
            if most is None
            else ConnectionPool(self._connect, most, limits.lock or POOL_SECONDS)
        )

    def close(self) -> None:
        """Close the connections of this process, and end its threads."""
        self._outage.close()
        self._connections.close()
        self.deadlines.close()

    @contextmanager
    def deadline(self, seconds: float) -> Iterator[None]:
        """Demand for the length of a block that all answers to this thread come within so many seconds."""
        self._thread_deadlines[get_ident()] = monotonic() + seconds
        try:
            yield
        finally:
            del self._thread_deadlines[get_ident()]

    def run(self, work: Callable[[Connection], Answer]) -> Answer:
        """Run work on a connection. Raises ``Unavailable`` where it fails, ``Lost`` where the connection breaks."""
        connection = self._acquired()
        connection.is_committing = False
        connection.user_deadline = self._thread_deadline() if self._thread_deadlines else inf
        try:
            answer = work(connection)
        except REFUSALS:
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

    def _thread_deadline(self) -> float:
        return self._thread_deadlines.get(get_ident(), inf)

    def _gone(self, connection: Connection, failure: psycopg.Error) -> Unavailable:
        """Translate the failure; where no answer came in time, see that nobody else waits for one."""
        is_unsure = connection.broken and connection.is_committing
        if connection.was_cut:
            self._outage.begin(is_total=True)
            return Unavailable("the database does not answer in time", "timeout", is_unsure=is_unsure)
        gone = unavailable(failure)
        return Lost(str(gone), gone.cause, is_unsure=is_unsure) if connection.broken else gone

    def _acquired(self) -> Connection:
        """Acquire a connection on which the server has not said anything unasked; others are discarded."""
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
        """Make a connection, unless it is known that none can be had now."""
        if self._outage.is_on:
            raise Unavailable(AWAY, "timeout")
        try:
            connection = connect(self._conninfo, self._limits, self.deadlines, self._thread_deadline())
            self._inspect(connection)
        except ConnectionTimeout:
            self._outage.begin(is_total=False)
            raise
        return connection

    def _inspect(self, connection: Connection) -> None:
        """Look whether the database has what it had: the connection may lead to another server than those before."""
        connection.user_deadline = self._thread_deadline()
        try:
            # another schema has no such table, and a standby takes nothing down: writes fail there by themselves
            with suppress(UndefinedTable, ReadOnlySqlTransaction):
                self._guard.inspect(connection.query)
        except BaseException as failure:
            connection.close()
            if connection.was_cut and isinstance(failure, psycopg.Error):
                raise ConnectionTimeout from None
            raise
        connection.user_deadline = inf

    def _answers(self) -> bool:
        """Tell whether the server answers a new connection, even if with a refusal."""
        try:
            connect(self._conninfo, self._limits, self.deadlines).close()
        except ConnectionTimeout:
            return False
        except psycopg.Error:
            return True
        return True
