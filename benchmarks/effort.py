"""The efforts of a measure: a report that is to be believed, or a glance."""

from typing import NamedTuple


class Effort(NamedTuple):
    """The number of repeats, and how long each takes."""

    name: str
    repeats: int
    seconds: float
    """Of each driver that runs alone, in processor time."""
    less: int
    """Repeats of what is not held against a goal of its own."""
    turns: int
    """Slices of each driver that takes turns with its peers."""
    slice: float
    """Seconds of such a slice, in processor time."""
    rounds: int
    """Of requests over HTTP."""
    load: float
    """Seconds under load, each time."""
    stored: float
    """The same of moves in stored matches, until all connections of which are at it some tenths of a second go by."""
    starts: int
    files: int
    """Replay files that are audited with one process and with two."""
    lengths: tuple[int, ...]
    """Plies after which a match is looked at."""
    stocks: tuple[int, ...]
    """Matches in a store when it is looked at."""


FULL = Effort("full", 5, 0.3, 3, 15, 0.1, 9, 0.4, 2.0, 11, 800, (50, 500, 5000), (1_000, 10_000, 100_000))
QUICK = Effort("quick", 2, 0.1, 2, 3, 0.05, 2, 0.3, 0.3, 2, 400, (50, 500), (1_000, 5_000))
