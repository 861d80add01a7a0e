"""Figures: several repeats of a measurement, their ratios, and how they are printed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

HEADINGS = ("goal", "measure", "gyoji", "peer", "ratio", "floor", "aim", "")


@dataclass(frozen=True)
class Goal:
    """The bounds that the median ratio has to keep, and should keep."""

    id: str = ""
    """Its name among the goals of the project, ``G1`` to ``G13``, if it is one of them."""
    floor: float | None = None
    aim: float | None = None
    at_most: bool = False
    """The ratio is a cost: the smaller the better."""

    def reached(self, ratio: float, bound: float | None) -> bool:
        """Tell whether a ratio is on the good side of a bound; it is where there is none."""
        return bound is None or (ratio <= bound if self.at_most else ratio >= bound)

    def written(self, bound: float | None) -> str:
        """Write a bound as the table shows it."""
        return "" if bound is None else f"{'≤' if self.at_most else '≥'} {bound:g}"


@dataclass(frozen=True)
class Row:
    """One comparison: our figures, the peer's, and the ratio of each repeat."""

    measure: str
    ours: tuple[float, ...]
    peer: str
    theirs: tuple[float, ...] = ()
    ratios: tuple[float, ...] = ()
    goal: Goal = Goal()
    missing: str = "not installed"
    """What stands for the peer's figures if it has none."""
    absolute: bool = False
    """The goal is for our own figures: there is no peer to compare them with."""
    limit_of: str = ""
    """The goal that this is the limit of: what stands in our place does only what nobody could leave out."""

    @property
    def ratio(self) -> float | None:
        """The median of the repeats' ratios."""
        return median(self.ratios) if self.ratios else None

    @property
    def judged(self) -> float | None:
        """What the goal is for: the ratio, or our own median."""
        return median(self.ours) if self.absolute and self.ours else self.ratio

    @property
    def missed(self) -> bool:
        """Tell whether the row falls short of its floor. A row without a peer that needs one does not."""
        return self.judged is not None and not self.goal.reached(self.judged, self.goal.floor)

    @property
    def verdict(self) -> str:
        """The verdict on the row, in a word or two."""
        if self.judged is None or (self.goal.floor is None and self.goal.aim is None):
            return ""
        if self.missed:
            return "MISSED"
        return "aim met" if self.goal.reached(self.judged, self.goal.aim) else "below the aim"

    def cells(self) -> tuple[str, ...]:
        """The cells of the row in the table."""
        peer = f"{self.peer}: {spread(self.theirs) if self.theirs else self.missing}"
        bounds = (self.goal.written(self.goal.floor), self.goal.written(self.goal.aim))
        goal = f"limit of {self.limit_of}" if self.limit_of else self.goal.id
        return (goal, self.measure, spread(self.ours), peer, spread(self.ratios), *bounds, self.verdict)

    def plain(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**asdict(self), "ratio": self.ratio, "verdict": self.verdict}


def read_row(plain: Mapping[str, Any]) -> Row:
    """Read a row from plain data."""
    ours, theirs, ratios = (tuple(plain[name]) for name in ("ours", "theirs", "ratios"))
    goal, missing, absolute = Goal(**plain["goal"]), plain["missing"], plain["absolute"]
    limit = plain.get("limit_of", "")  # records of earlier releases have none
    return Row(plain["measure"], ours, plain["peer"], theirs, ratios, goal, missing, absolute, limit)


def as_limit(goal: str, row: Row) -> Row:
    """Return the row as the limit of a goal; which way is good is as with the goal."""
    return replace(row, goal=Goal(at_most=row.goal.at_most), limit_of=goal)


def times_as_fast(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, ...]:
    """Divide ours by theirs, repeat by repeat."""
    return tuple(our / their for our, their in zip(ours, theirs, strict=False))


def number(value: float) -> str:
    """Write a number with three significant digits, or in whole thousands."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(values: Sequence[float]) -> str:
    """Write median (least-most)."""
    if not values:
        return "-"
    if len(values) == 1:
        return number(values[0])
    return f"{number(median(values))} ({number(min(values))}–{number(max(values))})"


def markdown(rows: Iterable[Row]) -> str:
    """Write rows as a Markdown table, padded to be read as it is."""
    return padded([HEADINGS, *(row.cells() for row in rows)])


def padded(table: Sequence[Sequence[str]]) -> str:
    """Write lines of cells, of which the first are the headings, as a Markdown table."""
    widths = [max(len(line[at]) for line in table) for at in range(len(table[0]))]
    lines = [_line(cells, widths) for cells in table]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    filled = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "| " + " | ".join(filled) + " |"
