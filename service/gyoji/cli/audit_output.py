"""Prints the outcomes of ``gyoji audit`` as they come, how far it is, and the summary."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import orjson

from gyoji.bulk.outcomes import Outcome
from gyoji.bulk.places import Place
from gyoji.bulk.run import AuditRun
from gyoji.cli.audit_progress import AuditProgress

HELD = 4096
"""So many outcomes wait before they are printed, so that what a later replay makes of them stands in the same line."""


def held_outcomes(*, as_json: bool) -> int:
    """Return how many outcomes wait before they are printed: none where somebody looks at a terminal."""
    return 0 if sys.stdout.isatty() and not as_json else HELD


class AuditOutput:
    """A run whose outcomes are printed: a line each for people, or a JSON object a line."""

    def __init__(self, run: AuditRun, progress: AuditProgress, *, as_json: bool) -> None:
        self._run, self._progress, self._as_json = run, progress, as_json

    def add(self, chunk: Sequence[Place], outcomes: Sequence[Outcome]) -> None:
        """Print the outcomes of some more replays, as far as it is their turn."""
        self._print(self._run.add(chunk, outcomes))
        self._progress.go_on(len(outcomes), sum([one.moves for one in outcomes]), self._run.earlier)

    def break_off(self) -> None:
        """Print what is known so far."""
        self._print(self._run.take_all())
        self._progress.make_room()

    def finish(self, report: Path | None) -> int:
        """Print the rest and the summary; the exit status."""
        self._print(self._run.compare())
        summary = self._run.finish(report)
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
