"""Compares two reports: what has become better or worse, by ratio, and by more than what varies anyhow."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median, quantiles
from typing import Any, Literal, NamedTuple

from benchmarks.figures import Row, number, padded
from benchmarks.report import rows_of, speeds_of, splits_of
from benchmarks.report_text import machine_line

TOLERANCE = 0.10
"""How far a ratio may fall beyond its spread; and by how much calibrations may differ."""

POINTS = 0.03
"""By how much of a whole a part has to grow or shrink to be told of."""

Verdict = Literal["better", "worse", "FELL", "same"]
Key = tuple[str, str, str]


class Spread(NamedTuple):
    """The middle half of the repeats: quartiles, so that one bad repeat is not taken for noise."""

    low: float
    middle: float
    high: float


class Change(NamedTuple):
    """One row in both reports."""

    key: Key
    """Section, measure and peer."""
    before: Spread
    after: Spread
    at_most: bool
    verdict: Verdict

    @property
    def factor(self) -> float:
        """How much better it is now: 1.1 is a tenth better, whichever way is good."""
        return self.before.middle / self.after.middle if self.at_most else self.after.middle / self.before.middle


class Shift(NamedTuple):
    """A part that takes more or less of its whole than before. That is neither good nor bad: the others may have become
    cheaper."""

    whole: str
    case: str
    part: str
    before: Spread
    after: Spread


class Comparison(NamedTuple):
    """The comparison of two reports."""

    cautions: tuple[str, ...]
    """Why figures themselves, or even ratios, are not to be compared."""
    changes: tuple[Change, ...]
    gone: tuple[Key, ...]
    new: tuple[Key, ...]
    shifts: tuple[Shift, ...] = ()

    @property
    def fell(self) -> bool:
        """Tell whether a ratio fell beyond its spread by more than the tolerance."""
        return any(change.verdict == "FELL" for change in self.changes)


def compare_reports(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Compare a newer report with an older one."""
    before, after = _by_key(old), _by_key(new)
    changes = tuple(_change(key, before[key], row) for key, row in after.items() if key in before)
    gone = tuple(key for key in before if key not in after)
    added = tuple(key for key in after if key not in before)
    return Comparison(tuple(_cautions(old, new)), changes, gone, added, tuple(_shifts(old, new)))


def _shifts(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Shift]:
    """Find parts whose shares have left their spread, and by enough to matter."""
    before, after = _shares(old), _shares(new)
    for key in before.keys() & after.keys():
        was, now = spread_of(before[key]), spread_of(after[key])
        apart = now.low > was.high or now.high < was.low
        if apart and abs(now.middle - was.middle) >= POINTS:
            yield Shift(*key, was, now)


def _shares(document: Mapping[str, Any]) -> dict[Key, tuple[float, ...]]:
    return {
        (split.whole, split.case, part): shares
        for split in splits_of(document)
        for part, shares in split.shares().items()
    }


def _by_key(document: Mapping[str, Any]) -> dict[Key, Row]:
    """Return the rows that have ratios, by key: nothing else can be compared with another run."""
    return {(section, row.measure, row.peer): row for section, row in rows_of(document) if row.ratios}


def _change(key: Key, before: Row, after: Row) -> Change:
    old, new, at_most = spread_of(before.ratios), spread_of(after.ratios), after.goal.at_most
    return Change(key, old, new, at_most, _verdict(_goodness(old, at_most), _goodness(new, at_most)))


def spread_of(values: Sequence[float]) -> Spread:
    """Compute quartiles and median."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, _middle, high = quantiles(values, n=4, method="inclusive")
    return Spread(low, median(values), high)


def _goodness(found: Spread, at_most: bool) -> Spread:
    """Return the same spread so that more is better."""
    return Spread(1 / found.high, 1 / found.middle, 1 / found.low) if at_most else found


def _verdict(old: Spread, new: Spread) -> Verdict:
    if new.low > old.high:
        return "better"
    if new.high >= old.low:
        return "same"
    return "FELL" if new.high < old.low * (1 - TOLERANCE) else "worse"


def _cautions(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    if old["machine"] != new["machine"]:
        yield f"machines differ ({machine_line(old)} | {machine_line(new)}): only ratios may be compared"
    before, after = median(speeds_of(old)), median(speeds_of(new))
    if abs(after / before - 1) > TOLERANCE:
        yield f"calibrations differ ({number(before)} | {number(after)} million steps/s): only ratios may be compared"
    for name, document in (("older", old), ("newer", new)):
        speeds = speeds_of(document)
        if min(speeds) < max(speeds) * (1 - 3 * TOLERANCE):
            yield f"the machine was not steady during the {name} run: {number(min(speeds))}–{number(max(speeds))}"
        if document["effort"]["name"] != "full":
            yield f"the {name} run was a {document['effort']['name']} one"


def comparison_text(comparison: Comparison) -> str:
    """Write the comparison for people."""
    lines = [f"Caution: {caution}." for caution in comparison.cautions]
    moved = [change for change in comparison.changes if change.verdict != "same"]
    moved.sort(key=lambda change: change.factor)
    if moved:
        lines.append(padded([("", "section", "measure", "peer", "before", "after", "now"), *map(_line, moved)]))
    lines.append(f"{len(moved)} ratios beyond their spread, {len(comparison.changes) - len(moved)} within it.")
    if comparison.shifts:
        shifts = sorted(comparison.shifts)
        lines.append(padded([("of", "", "part", "share before", "after"), *map(_shift_line, shifts)]))
    lines += [f"Only in the older: {measure} against {peer}." for _section, measure, peer in comparison.gone]
    lines += [f"Only in the newer: {measure} against {peer}." for _section, measure, peer in comparison.new]
    return "\n".join(lines)


def _line(change: Change) -> tuple[str, ...]:
    return (change.verdict, *change.key, _range(change.before), _range(change.after), f"x {number(change.factor)}")


def _shift_line(shift: Shift) -> tuple[str, ...]:
    shares = [f"{one.middle:.0%} ({one.low:.0%}–{one.high:.0%})" for one in (shift.before, shift.after)]
    return (shift.whole, shift.case, shift.part, *shares)


def _range(found: Spread) -> str:
    return f"{number(found.middle)} ({number(found.low)}–{number(found.high)})"
