"""The connections of one process: one for every thread, or a few that its threads share.

A connection must not pass a fork: SQLite's locks and PostgreSQL's socket would have two owners. So a process that forks
has closed the store, or has never used it; a child that finds connections of its parent's refuses to work.
"""

from collections.abc import Callable
from os import getpid
from threading import BoundedSemaphore, Lock, Thread, current_thread, local
from typing import Generic, Protocol, TypeVar

from gyoji.store.records import Unavailable


class Closable(Protocol):
    """What a driver's connection is, as far as it matters here."""

    def close(self) -> None:
        """Let go of the database."""


Connection = TypeVar("Connection", bound=Closable)


class Forked(RuntimeError):
    """The process was forked while the store was in use."""


class Lending(Protocol[Connection]):
    """Connections that are lent for one transaction at a time."""

    def take(self) -> Connection:
        """One, made where there is none."""

    def give_back(self, connection: Connection) -> None:
        """It is as good as before."""

    def throw_away(self, connection: Connection) -> None:
        """It is not."""

    def close(self) -> None:
        """Close all of this process; no other thread may be using one."""


class Connections(Generic[Connection]):
    """The open connections of this process, by thread."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._process = 0
        self._open: dict[Thread, Connection] = {}
        self._own = local()
        self._lock = Lock()

    def mine(self) -> Connection:
        """This thread's connection, made where there is none."""
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None or self._process != getpid():
            return self._made()
        return connection

    def _made(self) -> Connection:
        self._refuse_inherited()
        connection = self._connect()
        with self._lock:
            self._process = getpid()
            self._close([thread for thread in self._open if not thread.is_alive()])
            self._open[current_thread()] = connection
        self._own.connection = connection
        return connection

    def _refuse_inherited(self) -> None:
        if self._open and self._process != getpid():
            raise Forked("the store was in use when this process was forked: close it before")

    def take(self) -> Connection:
        """This thread's connection."""
        return self.mine()

    def give_back(self, connection: Connection) -> None:
        """The thread keeps it."""

    def throw_away(self, _connection: Connection) -> None:
        """Close this thread's connection."""
        self.drop()

    def drop(self) -> None:
        """Throw this thread's connection away; the next use makes another."""
        self._own.connection = None
        with self._lock:
            self._close([current_thread()])

    def close(self) -> None:
        """Close all of this process; no other thread may be using one."""
        self._refuse_inherited()
        with self._lock:
            self._close(list(self._open))
        self._own = local()

    def _close(self, threads: list[Thread]) -> None:
        for thread in threads:
            connection = self._open.pop(thread, None)
            if connection is not None:
                connection.close()


class Shared(Generic[Connection]):
    """At most so many connections of this process, each lent to one thread at a time; that used last is lent first.

    Not a pool of psycopg's, which costs no more: that one makes its connections in threads of its own and lets callers
    wait for them, so that a database that is down is answered after the whole patience and not at once.
    """

    def __init__(self, connect: Callable[[], Connection], most: int, patience: float) -> None:
        self._connect = connect
        self._patience = patience
        self._process = 0
        self._free: list[Connection] = []
        self._places = BoundedSemaphore(most)

    def take(self) -> Connection:
        """One that is free; ``Unavailable`` where none is for all the seconds of the patience."""
        if not self._places.acquire(timeout=self._patience):
            raise Unavailable("all connections of this process are in use", "busy")
        try:
            self._refuse_inherited()
            return self._free.pop()
        except IndexError:
            return self._made()
        except BaseException:
            self._places.release()
            raise

    def _made(self) -> Connection:
        try:
            connection = self._connect()
        except BaseException:
            self._places.release()
            raise
        self._process = getpid()
        return connection

    def _refuse_inherited(self) -> None:
        if self._free and self._process != getpid():
            raise Forked("the store was in use when this process was forked: close it before")

    def give_back(self, connection: Connection) -> None:
        """The next who needs one gets it."""
        self._free.append(connection)
        self._places.release()

    def throw_away(self, connection: Connection) -> None:
        """The next who needs one makes another."""
        connection.close()
        self._places.release()

    def close(self) -> None:
        """Close all that are not lent."""
        self._refuse_inherited()
        while self._free:
            self._free.pop().close()
