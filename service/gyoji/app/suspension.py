"""Lets requests wait for news without a thread: the contract between the application and a server that can do so.

A server that can puts a ``Suspend`` under ``SUSPEND`` into the WSGI environment of every request. The application calls
it at most once a request, from the thread of the request and before it returns, with a ``Suspended``. From then on that
is the server's, which closes it in every case: the application that raises or answers something else has no part in it.

* **A stream** (``is_wait`` is false): the application calls ``start_response`` and returns an empty body, as for any
  answer of unknown length. The server sends the head (chunked, or ``Connection: close``), closes the body, and sends
  what ``pull`` gives, until that gives ``None``, which ends the answer; a connection may then be kept alive. It does
  not pull more while what it pulled last has not been taken, and drops a peer who takes nothing for too long.
* **A wait** (``is_wait`` is true): the application does not call ``start_response``, and returns an empty body. When
  ``pull`` has given ``None`` the server closes the ``Suspended``, sets ``environ[WAITED] = True`` and calls the
  application again, with the same environment: then it answers with what there is. It is asked of requests without a
  body alone. Log, metrics and request id are those of one request, since they lie in the environment.

How a server goes on with either: ``subscribe`` once, then ``pull`` until it gives ``b""``, then again whenever it was
woken, and at ``look_at`` at the latest. Nothing is missed so: news that comes before ``subscribe`` is found by the pull
behind it. A wake that comes during a pull asks for another. When the peer hangs up: ``close``. When the process is told
to stop (``STOP`` is set first): ``pull`` of all that are suspended, which says ``None`` then.

Only one thread at a time calls a ``Suspended``, whichever it is. A pull reads the store at most, which may take
milliseconds: it belongs to a thread that serves requests, not to the one that polls sockets. It raises nothing for a
store that does not answer; should it raise, that is a fault: log it, close the ``Suspended``, cut the connection.

Where the environment has no ``SUSPEND`` the application waits on the thread of the request, by ``pieces``.
"""

from collections.abc import Callable, Iterator
from threading import Event
from time import monotonic
from typing import Protocol

SUSPEND = "gyoji.suspend"
"""The key of the WSGI environment under which a server puts its ``Suspend``."""

WAITED = "gyoji.waited"
"""The key of the WSGI environment that says that the request has waited and is to be answered now."""

HANG_UP_SECONDS = 0.1
"""Seconds after which whoever waits on a thread sees whether it has to stop, and who it waits for is still there."""


class Suspended(Protocol):
    """A request that waits for news."""

    @property
    def is_wait(self) -> bool:
        """Return whether the application answers after the end; else what is pulled is the body of its answer."""

    @property
    def look_at(self) -> float:
        """Return the time, on the clock of ``monotonic``, at which to pull though nothing woke; it changes with every
        pull."""

    def pull(self) -> bytes | None:
        """Return the next bytes of the body; ``b""`` where there is nothing now, ``None`` at the end. Never waits for
        news. A wait has no bytes."""

    def subscribe(self, wake: Callable[[], None]) -> None:
        """Have ``wake`` called when it may be worth while to pull: from any thread, during a pull too, now and then
        once more after ``close``. It must be quick, never block and never raise."""

    def close(self) -> None:
        """Wake no more, and give the caller's share back. May be called again."""


Suspend = Callable[[Suspended], None]
"""Takes a request that waits for news, to go on with it when the application has returned."""


def pieces(suspended: Suspended, has_hung_up: Callable[[], bool]) -> Iterator[bytes]:
    """Wait for news on the thread of the request: yield what is pulled, until the end."""
    woken = Event()
    try:
        suspended.subscribe(woken.set)
        while not has_hung_up():
            woken.clear()
            piece = suspended.pull()
            if piece is None:
                return
            if piece:
                yield piece
            else:
                woken.wait(max(0.0, min(HANG_UP_SECONDS, suspended.look_at - monotonic())))
    finally:
        suspended.close()
