"""Runs a task in a process of its own beside the workers, forked by the service's master."""

import logging
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from gyoji.app.logs import LINES, log_aside
from gyoji.app.metrics import forget_process
from gyoji.app.settings import Settings
from gyoji.app.shutdown import STOP_SIGNALS, let_stop_signals_through, stop_signals_held

LOG = logging.getLogger("gunicorn.error")

GRACE = 5.0
"""Seconds after which a process that was told to stop is not waited for any longer. What it was about is begun again by
the next."""

MASTER_SIGNALS = tuple([getattr(signal, f"SIG{name}") for name in ("HUP", "USR1", "USR2", "WINCH", "TTIN", "TTOU")])

SHORTEST_LIFE = 2.0
"""Seconds that a process has to live, or else is not followed by another at once."""


class Task(NamedTuple):
    """What a process does until it is told to stop."""

    name: str
    says: str
    """What the log says of it when it begins."""
    run: Callable[[Settings, Event], None]


def stop_on_signals(stop: Event) -> None:
    """Have SIGTERM, SIGINT and SIGQUIT set ``stop``; after ``GRACE`` seconds more the process ends whatever it is
    about: a name server that does not answer cannot be interrupted."""

    def heed(_signal: int, _frame: object) -> None:
        stop.set()
        Thread(target=_end_late, daemon=True).start()

    for each in STOP_SIGNALS:
        signal.signal(each, heed)


def _end_late() -> None:
    Event().wait(GRACE)
    LINES.flush()
    os._exit(0)


class ChildProcess:
    """Keeps a process beside a master's workers: forks it, restarts it, stops it with the service.

    Forked, it shares the memory of what the master has loaded, and needs no secret handed over. ``let_go`` is called in
    it first, with its name, to close what it must not keep.
    """

    def __init__(self, task: Task, settings: Settings, life: int, let_go: Callable[[str], None]) -> None:
        self._task = task
        self._settings = settings
        self._life = life
        """The end for reading of a pipe that is closed when the master dies."""
        self._let_go = let_go
        self._process = 0
        self._since = float("-inf")

    def tend(self) -> None:
        """Start the process if it is not running. To be called now and then, and whenever a child has
        ended."""
        if (not self._process or self.has_ended()) and monotonic() - self._since >= SHORTEST_LIFE:
            self._since = monotonic()
            with stop_signals_held():
                self._process = os.fork()
                if not self._process:
                    self._live()
            LOG.info("%s with pid: %s", self._task.says, self._process)

    def has_ended(self) -> bool:
        """Tell whether the process has ended."""
        try:
            ended = bool(os.waitpid(self._process, os.WNOHANG)[0])
        except ChildProcessError:
            ended = True
        if ended:
            forget_process(self._process)
            self._process = 0
        return ended

    def stop(self) -> None:
        """Tell the process to stop."""
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGTERM)

    def join(self) -> None:
        """Wait until the process has ended; it ends by itself soon."""
        until = monotonic() + GRACE + 1
        while self._process and not self.has_ended():
            if monotonic() > until:
                with suppress(ProcessLookupError):
                    os.kill(self._process, signal.SIGKILL)
            Event().wait(0.02)

    def _live(self) -> None:
        """Live as the process; this never returns."""
        status = 1
        try:
            self._let_go(self._task.name)
            stop = Event()
            for each in MASTER_SIGNALS:
                signal.signal(each, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            stop_on_signals(stop)
            let_stop_signals_through()
            Thread(target=self._orphaned, args=(stop,), daemon=True).start()
            self._task.run(self._settings, stop)
            status = 0
        except BaseException as failure:
            log_aside(f"{self._task.name}-ended", failure)
        finally:
            LINES.flush()
            os._exit(status)

    def _orphaned(self, stop: Event) -> None:
        """Stop when there is no master any more."""
        with suppress(OSError):
            os.read(self._life, 1)
        stop.set()
        _end_late()
