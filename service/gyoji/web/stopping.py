"""The stop of a worker, and the threads that it lends to streams.

In a module of its own, since both the server and the handlers need it and the server is not always gunicorn.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Any

from gyoji.web.errors import HttpProblem

STOP = Event()
"""Set as soon as the process is told to stop; streams end then, whatever they wait for."""

RETRY_AFTER = 5


class Streams:
    """At most so many streams at a time: each holds a thread for as long as it lasts."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open = 0
        self._lock = Lock()
        self.told: Callable[[float], None] = lambda _open: None
        """Told how many are open whenever that changes."""

    def take(self) -> None:
        """One stream more. 503 where there are too many."""
        with self._lock:
            if self._open >= self._most:
                raise HttpProblem("unavailable", retry_after=RETRY_AFTER)
            self._open += 1
            self.told(self._open)

    def give_back(self) -> None:
        """One stream less."""
        with self._lock:
            self._open -= 1
            self.told(self._open)

    @contextmanager
    def one(self) -> Iterator[None]:
        """A stream for as long as the block takes."""
        self.take()
        try:
            yield
        finally:
            self.give_back()


PATIENT: set[Any] = set()
"""The sockets of connections that may hold their thread for as long as they like, since their stream is counted."""
