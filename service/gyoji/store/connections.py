"""A connection for every thread of one process.

A connection must not pass a fork: SQLite's locks and PostgreSQL's socket would have two owners. So a process that forks
has closed the store, or has never used it; a child that finds connections of its parent's refuses to work.
"""

from collections.abc import Callable
from os import getpid
from threading import Lock, Thread, current_thread, local
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """What a driver's connection is, as far as it matters here."""

    def close(self) -> None:
        """Let go of the database."""


Connection = TypeVar("Connection", bound=Closable)


class Forked(RuntimeError):
    """The process was forked while the store was in use."""


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
