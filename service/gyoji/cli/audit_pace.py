"""How far ``gyoji audit`` has come, on a terminal: replays, replays and moves a second, time left."""

import sys
from collections.abc import Callable
from contextlib import suppress
from shutil import get_terminal_size
from time import monotonic
from typing import Any

import click

EVERY = 0.2
"""Seconds between two looks at the clock's hands."""
CLEAR = "\r\033[K"


class Pace:
    """A line that is written over and over on standard error, if that is a terminal; nothing elsewhere."""

    def __init__(self, counted: Callable[[], int | None]) -> None:
        """``counted``: how many replays there will be, if that can be told; asked on a terminal only."""
        self.is_shown = sys.stderr.isatty()
        self._all = counted() if self.is_shown else None
        self._began = self._said = monotonic()
        self._done = self._moves = self._before = 0

    def go_on(self, replays: int, moves: int, before: int) -> None:
        """So many more have been judged; ``before``: so many in all had been by an earlier run."""
        self._done += replays
        self._moves += moves
        self._before = before
        if self.is_shown and monotonic() - self._said >= EVERY:
            self._said = monotonic()
            self._write(f"{CLEAR}{self._text()[: get_terminal_size().columns - 1]}")

    def make_room(self) -> None:
        """Before anything else is printed."""
        if self.is_shown:
            self._write(CLEAR)

    def end(self) -> None:
        """The line at the end."""
        if self.is_shown:
            seconds = self.seconds
            self._write(f"{CLEAR}{self._done} judged in {_clock(seconds)}: {self._rates(seconds)}\n")

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return max(monotonic() - self._began, 1e-9)

    def document(self) -> dict[str, Any]:
        """The same for programs."""
        seconds = self.seconds
        return {
            "seconds": round(seconds, 3),
            "replays_per_second": round(self._done / seconds, 1),
            "moves_per_second": round(self._moves / seconds, 1),
        }

    def _text(self) -> str:
        seconds, done = self.seconds, self._done + self._before
        of = "" if self._all is None else f" of {self._all}"
        left = 0 if self._all is None or not self._done else (self._all - done) * seconds / self._done
        return f"{done}{of}, {self._rates(seconds)}" + (f", {_clock(left)} left" if left > 0 else "")

    def _rates(self, seconds: float) -> str:
        return f"{self._done / seconds:.0f} replays/s, {self._moves / seconds:.0f} moves/s"

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError):  # nobody looks any more
            click.echo(text, err=True, nl=False)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
