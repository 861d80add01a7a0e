"""Connects to PostgreSQL, with a deadline for every answer, and says what a failure means to whoever asked.

psycopg prepares each statement when it is first executed and keeps the latest hundred of a connection prepared. What is
added here is a limit on how long an answer may take, in seconds of this machine's clock: a server that is stopped
answers nothing and breaks nothing, so that no time-out of its own or of TCP ends the wait (``gyoji.store.deadlines``).
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from math import inf
from os import dup
from select import POLLIN, poll
from socket import SHUT_RDWR, socket
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import ConnectionTimeout

from gyoji.store.database.statements import Row
from gyoji.store.deadlines import Deadlines, within
from gyoji.store.records import Cause, Unavailable

Answer = TypeVar("Answer")

ALIVE: dict[str, Any] = {
    "keepalives": 1,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""How the kernel finds out that the other machine is gone, where nobody waits for it or nothing else limits the wait;
what the URL says of it counts."""

SETTINGS = """SET synchronous_commit TO on; SET lock_timeout TO '{}s'; SET statement_timeout TO '{}s';
SET idle_in_transaction_session_timeout TO '{}s'"""


class Limits(NamedTuple):
    """How many seconds a connection has for each thing; 0 is as many as it takes."""

    connecting: int
    """To connect to one host; psycopg waits for two seconds at least."""
    lock: int
    statement: int
    """The server's own limit of a statement. Below ``answer``, so that of what is merely slow it is known that it was
    not done."""
    idle: int
    """Between two statements of a transaction."""
    answer: float
    """This side's limit of every answer, and of connecting, names looked up and all hosts tried."""


REQUEST_LIMITS = Limits(2, lock=3, statement=3, idle=60, answer=4.0)
"""Where callers wait, who have to be told within five seconds."""
COMMAND_LIMITS = Limits(10, lock=10, statement=60, idle=60, answer=70.0)
"""For commands, which somebody watches who can wait."""
UNLIMITED = Limits(10, 0, 0, 0, 0)
"""For administrative work."""


class Connection(psycopg.Connection[Row]):
    """A connection that commits by itself, with deadlines for its answers where it is given any."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._cursor = self.cursor(binary=True)
        """The one cursor for single statements: to make another for each costs a fifth of a query."""
        self._deadlines: Deadlines | None = None
        self._answer_seconds = inf
        self._socket: socket | None = None
        self.deadline = inf
        self.user_deadline = inf
        """When all answers to the present user have to be there, on the clock of ``monotonic``."""
        self.made = monotonic()
        self.was_cut = False
        """Whether an answer did not come in time: then the connection is of no use any more."""
        self.is_committing = False
        """Whether the statement under way ends a transaction that writes, as far as this side knows."""

    def limit(self, deadlines: Deadlines, seconds: float) -> None:
        """Demand every answer within so many seconds from now on."""
        self._deadlines, self._answer_seconds = deadlines, seconds
        self._socket = socket(fileno=dup(self.fileno()))  # libpq's own number may be another's by the time it is cut
        deadlines.watch(self)

    def cut(self) -> None:
        """Wake whoever waits for an answer: it has not come in time. Called from another thread."""
        self.was_cut = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Close the connection to the server, and forget its deadlines."""
        super().close()
        if self._deadlines is not None and self._socket is not None:
            self._deadlines.forget(self)
            self._socket.close()

    def wait(self, gen: PQGen[Answer], *more: Any, **named: Any) -> Answer:
        """Wait for an answer until its deadline; psycopg calls this for whatever it asks the server."""
        self.deadline = min(self.user_deadline, monotonic() + self._answer_seconds)
        try:
            return super().wait(gen, *more, **named)
        finally:
            self.deadline = inf

    def query(self, sql: str, put: Row = (), commits: bool = False) -> list[Row]:
        """Execute a statement, in which ``?`` stands for each value put in, and give back its rows. ``commits``: it
        writes, and is a transaction of its own."""
        cursor = self._executed(sql, put, commits)
        return [] if cursor.rownumber is None else cursor.fetchall()  # to make ``description`` costs a quarter more

    def modify(self, sql: str, put: Row = ()) -> int:
        """Execute a statement that is a transaction of its own, and give back how many rows it has changed."""
        return self._executed(sql, put, commits=True).rowcount

    def _executed(self, sql: str, put: Row, commits: bool) -> psycopg.Cursor[Row]:
        self.is_committing = commits
        return self._cursor.execute(translated(sql), put or None)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Hold a transaction for as long as the block takes."""
        self.is_committing = False
        with self.transaction():
            yield
            self.is_committing = True

    def spoke(self) -> bool:
        """Tell whether the server has sent something unasked: most likely its last words before it closes the
        connection."""
        waiting = poll()
        waiting.register(self.fileno(), POLLIN)
        return bool(waiting.poll(0))


def connect(
    conninfo: str, limits: Limits = COMMAND_LIMITS, deadlines: Deadlines | None = None, deadline: float = inf
) -> Connection:
    """Connect with the settings of the product, within the limits and before the ``deadline`` on the clock of
    ``monotonic``; ``ConnectionTimeout`` where that takes too long."""
    deadline = min(deadline, monotonic() + (limits.answer or inf))
    make = partial(_connected, conninfo, limits)
    try:
        connection = make() if deadline == inf else within(deadline - monotonic(), make, Connection.close)
    except TimeoutError:
        raise ConnectionTimeout from None
    try:
        if deadlines is not None and limits.answer:
            connection.limit(deadlines, limits.answer)
        connection.user_deadline = deadline
        connection.execute(SETTINGS.format(limits.lock, limits.statement, limits.idle), prepare=False)
        connection.user_deadline = inf
    except BaseException as failure:
        connection.close()
        if connection.was_cut and isinstance(failure, psycopg.Error):
            raise ConnectionTimeout from None
        raise
    return connection


def _connected(conninfo: str, limits: Limits) -> Connection:
    given = conninfo_to_dict(conninfo)
    return Connection.connect(
        conninfo,
        autocommit=True,
        prepare_threshold=0,
        connect_timeout=limits.connecting,
        client_encoding="utf8",
        fallback_application_name="gyoji",
        **{name: value for name, value in ALIVE.items() if name not in given},
    )


@cache
def translated(sql: str) -> str:
    """Translate ``?`` into psycopg's ``%s``."""
    return sql.replace("?", "%s")


NO_PREPARED_STATEMENTS: tuple[Cause, str] = (
    "unreachable",
    "what lends connections to the database keeps no prepared statements: PgBouncer has to be 1.21 or later with"
    " max_prepared_statements, or in session mode",
)
"""A pooler has led the connection to somebody else's session, which has other statements of those names, or none."""

CAUSES: dict[str, tuple[Cause, str]] = {
    "53100": ("disk-full", "the disk is full"),
    "25006": ("read-only", "the database is read-only"),
    "55P03": ("busy", "the database is locked"),
    "57014": ("timeout", "the database is too slow"),
    "42P01": ("older-schema", "the database has no tables of this service yet"),
    "53300": ("busy", "the database takes no more connections"),
    "58030": ("disk-error", "the disk does not read or write"),
    "XX001": ("damaged", "the database is damaged"),
    "XX002": ("damaged", "the database is damaged"),
    "42P05": NO_PREPARED_STATEMENTS,
    "26000": NO_PREPARED_STATEMENTS,
}
"""By SQLSTATE."""


def unavailable(failure: psycopg.Error) -> Unavailable:
    """Translate a failure, without the words of PostgreSQL, which may quote data, and those of libpq, which name
    hosts."""
    cause, told = CAUSES.get(failure.sqlstate or "", _without_answer(failure))
    return Unavailable(f"{told} ({failure.sqlstate or type(failure).__name__})", cause)


def _without_answer(failure: psycopg.Error) -> tuple[Cause, str]:
    is_late = isinstance(failure, ConnectionTimeout)
    return "timeout" if is_late else "unreachable", "the database does not answer"
