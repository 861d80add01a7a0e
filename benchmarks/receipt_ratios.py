"""Measures what a receipt adds to a move, against the clock alone."""

from sys import executable

from benchmarks.effort import Effort
from benchmarks.engines import run_driver
from benchmarks.figures import Goal, Row
from benchmarks.surroundings import progress
from gyoji.games.catalogue import BY_SLUG

GOAL = Goal(floor=60, aim=60, at_most=True)


def measure(effort: Effort) -> list[Row]:
    """Measure each game in turn, in a fresh process each time."""
    costs: dict[str, list[float]] = {slug: [] for slug in BY_SLUG}
    for repeat in range(effort.less):
        progress(f"receipts, repeat {repeat + 1} of {effort.less}")
        for slug, found in costs.items():
            command = [executable, "-m", "benchmarks.receipts", slug]
            found.append(run_driver(command, effort.seconds, repeat)["microseconds"])
    return [
        Row(f"{slug}: receipt of a move, µs", tuple(found), "itself", goal=GOAL, missing="none", absolute=True)
        for slug, found in costs.items()
    ]
