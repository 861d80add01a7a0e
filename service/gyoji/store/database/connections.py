"""Lends the database connections of one process: to every thread its own, or those of a pool that all share.

A connection must not pass a fork: SQLite's locks and PostgreSQL's socket would have two owners. So a process that forks
has closed the store, or has never used it; a child that finds connections of its parent refuses to work.
"""

from collections.abc import Callable
from os import getpid
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread, local
from typing import Generic, Protocol, TypeVar

from gyoji.store.records import Unavailable


class Closable(Protocol):
    """The part of a driver's connection that is used here: it can be closed."""

    def close(self) -> None:
        """Close the connection."""


Connection = TypeVar("Connection", bound=Closable)


class Forked(RuntimeError):
    """The process was forked while the store was in use."""


class ConnectionSource(Protocol[Connection]):
    """A source of connections, each lent for one transaction at a time."""

    def acquire(self) -> Connection:
        """Lend a connection, and make one where there is none."""

    def release(self, connection: Connection) -> None:
        """Take a connection back that is as good as before."""

    def discard(self, connection: Connection) -> None:
        """Take a broken connection back, and close it."""

    def close(self) -> None:
        """Close all connections of this process; no other thread may be using one."""


class ThreadConnections(Generic[Connection]):
    """Lends every thread a connection of its own, which it keeps."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._process = 0
        self._open: dict[Thread, Connection] = {}
        self._own = local()
        self._lock = Lock()

    def acquire(self) -> Connection:
        """Lend the connection of this thread, and make it where there is none."""
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is None or self._process != getpid():
            return self._made()
        return connection

    def _made(self) -> Connection:
        _refuse_inherited(bool(self._open), self._process)
        connection = self._connect()
        with self._lock:
            self._process = getpid()
            self._close([thread for thread in self._open if not thread.is_alive()])
            self._open[current_thread()] = connection
        self._own.connection = connection
        return connection

    def release(self, connection: Connection) -> None:
        """Leave the connection to its thread."""

    def discard(self, _connection: Connection | None = None) -> None:
        """Close the connection of this thread, if it has one; the next use makes another."""
        self._own.connection = None
        with self._lock:
            self._close([current_thread()])

    def close(self) -> None:
        """Close all connections of this process; no other thread may be using one."""
        _refuse_inherited(bool(self._open), self._process)
        with self._lock:
            self._close(list(self._open))
        self._own = local()

    def _close(self, threads: list[Thread]) -> None:
        for thread in threads:
            connection = self._open.pop(thread, None)
            if connection is not None:
                connection.close()


class ConnectionPool(Generic[Connection]):
    """Lends at most so many connections of this process, each to one thread at a time; the last used is lent first.

    ``psycopg_pool`` 3.3 lacks two things that are promised here: its ``ConnectionPool`` connects in threads of its own,
    so that a database which refuses is told of after all the seconds of the wait (3 measured, none here) and without
    its cause, and nothing in it knows of a fork. Its ``NullConnectionPool`` connects in the caller's thread, but under
    the lock of all others, and anew for every request.
    """

    def __init__(self, connect: Callable[[], Connection], most: int, seconds: float) -> None:
        """``most``: how many connections there are at most; ``seconds``: for how long one is waited for."""
        self._connect = connect
        self._seconds = seconds
        self._process = 0
        self._free: list[Connection] = []
        self._places: SimpleQueue[None] = SimpleQueue()  # a semaphore's part, at a tenth of what threading's costs
        for _ in range(most):
            self._places.put(None)

    def acquire(self) -> Connection:
        """Lend a connection; ``Unavailable`` where none is free for all these seconds."""
        try:
            self._places.get(timeout=self._seconds)
        except Empty:
            raise Unavailable("all connections of this process are in use", "busy") from None
        try:
            _refuse_inherited(bool(self._free), self._process)
            return self._free.pop()
        except IndexError:
            return self._made()
        except BaseException:
            self._places.put(None)
            raise

    def _made(self) -> Connection:
        try:
            connection = self._connect()
        except BaseException:
            self._places.put(None)
            raise
        self._process = getpid()
        return connection

    def release(self, connection: Connection) -> None:
        """Take a connection back; the next who needs one gets it."""
        self._free.append(connection)
        self._places.put(None)

    def discard(self, connection: Connection) -> None:
        """Close a connection; the next who needs one makes another."""
        connection.close()
        self._places.put(None)

    def close(self) -> None:
        """Close all connections that are not lent."""
        _refuse_inherited(bool(self._free), self._process)
        while self._free:
            self._free.pop().close()


def _refuse_inherited(are_open: bool, process: int) -> None:
    """Raise ``Forked`` where there are open connections of another process."""
    if are_open and process != getpid():
        raise Forked("the store was in use when this process was forked: close it before")
