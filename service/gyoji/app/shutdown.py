"""Tells a process to stop.

In a module of its own, since both the server and the handlers need it and the server is not always gunicorn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIG_BLOCK, SIG_UNBLOCK, SIGINT, SIGQUIT, SIGTERM, pthread_sigmask
from threading import Event

STOP = Event()
"""Set as soon as the process is told to stop; streams end then, whatever they wait for."""

STOP_SIGNALS = (SIGTERM, SIGINT, SIGQUIT)


@contextmanager
def stop_signals_held() -> Iterator[None]:
    """Hold back the signals that tell a process to stop. Whoever forks holds them back: until the new process has
    handlers of its own it has those of the master, which would only note the signal. It lets them through itself."""
    pthread_sigmask(SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        let_stop_signals_through()


def let_stop_signals_through() -> None:
    """Have the signals arrive that tell this process to stop, those first that were held back."""
    pthread_sigmask(SIG_UNBLOCK, STOP_SIGNALS)
