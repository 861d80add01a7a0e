"""Reports made up for tests, of the form that ``python -m benchmarks --json`` writes."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.figures import Goal, Row
from benchmarks.splits import Split

MACHINE: Mapping[str, Any] = {
    "processor": "a processor",
    "cores": 2,
    "memory_mib": 4096,
    "system": "Linux 6",
    "interpreter": "CPython 3.11.7",
    "build": "plain build",
    "rules": "plain Python",
}


def ratios(measure: str, values: Sequence[float], *, at_most: bool = False, goal: str = "") -> Row:
    """A row with these ratios."""
    ones = (1.0,) * len(values)
    return Row(measure, tuple(values), "a peer", ones, tuple(values), Goal(goal, at_most=at_most))


def document(*rows: Row | Split, speeds: Sequence[float] = (5.0, 5.0), **other: Any) -> dict[str, Any]:
    """A report of one section."""
    section = {"section": "rules", "title": "Rules", "about": "What.", "seconds": 1.0, "failure": None}
    return {
        "format": "gyoji-bench/1",
        "begun": "2026-11-28T12:00:00+00:00",
        "seconds": 2.0,
        "commit": "0123456789ab",
        "machine": MACHINE,
        "versions": {"gyoji": "0.1.0", "flask": "3.1.3"},
        "sqlite": "journal_mode=wal synchronous=FULL",
        "peers": {"OpenSpiel": "not installed"},
        "load": "wrk",
        "effort": {"name": "full"},
        "calibration": [{"before": "rules", "million_steps_per_second": speed} for speed in speeds],
        "sections": [
            {
                **section,
                "rows": [row.plain() for row in rows if isinstance(row, Row)],
                "splits": [row.plain() for row in rows if isinstance(row, Split)],
            }
        ],
        "soak": None,
        **other,
    }
