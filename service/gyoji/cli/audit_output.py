"""Prints the outcomes of ``gyoji audit`` as they come, how far it has come, and the summary."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from shutil import get_terminal_size
from time import monotonic
from typing import Any

import click
import orjson

from gyoji.bulk.locations import Location
from gyoji.bulk.outcomes import Outcome
from gyoji.bulk.run import AuditRun

EVERY = 0.2
"""Seconds between two times that the line is written."""
CLEAR = "\r\033[K"


class AuditProgress:
    """A progress line that is overwritten on standard error, if that is a terminal; nothing elsewhere."""

    def __init__(self, count: Callable[[], int | None]) -> None:
        """``count``: how many replays there will be, if that can be told; asked on a terminal only."""
        self.is_shown = sys.stderr.isatty()
        self._all = count() if self.is_shown else None
        self._began = self._written = monotonic()
        self._done = self._moves = self._earlier = 0

    def go_on(self, replays: int, moves: int, earlier: int) -> None:
        """Count more audited replays and moves; ``earlier``: how many replays in all an earlier run had audited."""
        self._done += replays
        self._moves += moves
        self._earlier = earlier
        if self.is_shown and monotonic() - self._written >= EVERY:
            self._written = monotonic()
            self._write(f"{CLEAR}{self._text()[: get_terminal_size().columns - 1]}")

    def make_room(self) -> None:
        """Clear the progress line before anything else is printed."""
        if self.is_shown:
            self._write(CLEAR)

    def end(self) -> None:
        """Print the progress line a last time."""
        if self.is_shown:
            seconds = self.seconds
            self._write(f"{CLEAR}{self._done} judged in {_clock(seconds)}: {self._rates(seconds)}\n")

    @property
    def seconds(self) -> float:
        """Return the seconds since the audit began."""
        return max(monotonic() - self._began, 1e-9)

    def document(self) -> dict[str, Any]:
        """Return the speed of the audit as a document."""
        seconds = self.seconds
        return {
            "seconds": round(seconds, 3),
            "replays_per_second": round(self._done / seconds, 1),
            "moves_per_second": round(self._moves / seconds, 1),
        }

    def _text(self) -> str:
        seconds, done = self.seconds, self._done + self._earlier
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


HELD = 4096
"""So many outcomes wait before they are printed, so that what a later replay makes of them stands in the same line."""


def held_outcomes(*, as_json: bool) -> int:
    """Return how many outcomes wait before they are printed: none where somebody looks at a terminal."""
    return 0 if sys.stdout.isatty() and not as_json else HELD


class AuditOutput:
    """A run whose outcomes are printed: a line each for people, or a JSON object a line."""

    def __init__(self, run: AuditRun, progress: AuditProgress, *, as_json: bool) -> None:
        self._run, self._progress, self._as_json = run, progress, as_json

    def add(self, chunk: Sequence[Location], outcomes: Sequence[Outcome]) -> None:
        """Print the outcomes of some more replays, as far as it is their turn."""
        self._print(self._run.add(chunk, outcomes))
        self._progress.go_on(len(outcomes), sum([one.moves for one in outcomes]), self._run.earlier)

    def break_off(self) -> None:
        """Print the outcomes that are known so far, when the run breaks off."""
        self._print(self._run.take_all())
        self._progress.make_room()

    def finish(self) -> int:
        """Print the rest of the outcomes and the summary; return the exit status."""
        self._print(self._run.compare())
        summary = self._run.finish()
        for one, other in summary.undecided:
            click.echo(f"not held against each other, as one cannot be read again: {one}, {other}", err=True)
        earlier = self._run.earlier
        if self._as_json:
            before = {"judged_before": earlier} if earlier else {}
            click.echo(orjson.dumps({"summary": {**summary.document, **before, **self._progress.document()}}))
        else:
            click.echo(summary.text + (f" ({earlier} of them by an earlier run)" if earlier else ""))
        self._progress.end()
        return summary.status

    def _print(self, outcomes: Sequence[Outcome]) -> None:
        lines = [one.document if self._as_json else one.line.encode() for one in outcomes]
        lines = [line for line in lines if line]
        if lines:
            self._progress.make_room()
            click.echo(b"\n".join(lines))
