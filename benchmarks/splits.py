"""Splits: a whole, the parts that were timed alone, and what is left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from time import thread_time
from typing import Any, NamedTuple

from benchmarks.figures import number, padded

REST = "the rest"


class Share(NamedTuple):
    """One part of a whole, as it is printed."""

    name: str
    cost: float
    share: float
    """Of the whole."""


@dataclass(frozen=True)
class Split:
    """A whole and its parts, as every repeat found them."""

    whole: str
    """What it is, and in what: ``audit of a replay file, µs a move``."""
    case: str
    """Which one of its kind: a game, a database."""
    wholes: tuple[float, ...]
    parts: Mapping[str, tuple[float, ...]]

    @property
    def least(self) -> float:
        """The least whole of all repeats."""
        return min(self.wholes)

    def shown(self) -> list[Share]:
        """The least of every part, and what they leave of the least whole."""
        whole = self.least
        found = {name: min(costs) for name, costs in self.parts.items()}
        found[REST] = whole - sum(found.values())
        return [Share(name, cost, cost / whole) for name, cost in found.items()]

    def shares(self) -> dict[str, tuple[float, ...]]:
        """The share of every part in each repeat, and that of the rest."""
        found = {name: _by(costs, self.wholes) for name, costs in self.parts.items()}
        return {**found, REST: tuple([1 - sum(each) for each in zip(*found.values(), strict=True)])}

    def plain(self) -> dict[str, Any]:
        """The split as plain data."""
        return {**asdict(self), "shown": [share._asdict() for share in self.shown()]}


def _by(costs: Sequence[float], wholes: Sequence[float]) -> tuple[float, ...]:
    return tuple([one / whole for one, whole in zip(costs, wholes, strict=True)])


def read_split(plain: Mapping[str, Any]) -> Split:
    """Read a split from plain data."""
    parts = {name: tuple(costs) for name, costs in plain["parts"].items()}
    return Split(plain["whole"], plain["case"], tuple(plain["wholes"]), parts)


def make_split(whole: str, case: str, repeats: Iterable[Mapping[str, float]]) -> Split:
    """Make the split of these repeats: name of the part -> its cost; ``""`` is the whole."""
    found = [*repeats]
    parts = {name: tuple([one[name] for one in found]) for name in found[0] if name}
    return Split(whole, case, tuple([one[""] for one in found]), parts)


def least_of_each(measure: Callable[[], Mapping[str, float]], times: int) -> dict[str, float]:
    """Return the least of each of several measurements: differences are made of these, not the other way about."""
    found = [measure() for _ in range(times)]
    return {name: min(one[name] for one in found) for name in found[0]}


def time_calls(call: Callable[[], object], times: int) -> float:
    """Time a call that does something so many times, in microseconds of the thread's processor time for each."""
    begun = thread_time()
    call()
    return (thread_time() - begun) / times * 1e6


def markdown(splits: Iterable[Split]) -> str:
    """Write a table for each whole, with a column for each case."""
    return "\n\n".join(_table(whole, [*of_it]) for whole, of_it in groupby(splits, lambda split: split.whole))


def _table(whole: str, splits: Sequence[Split]) -> str:
    names = dict.fromkeys(share.name for split in splits for share in split.shown() if share.name != REST)
    columns = [{share.name: _cell(share) for share in split.shown()} for split in splits]
    lines = [(name, *(column.get(name, "") for column in columns)) for name in (*names, REST)]
    head = ("part", *(split.case for split in splits))
    total = ("**whole**", *(f"**{number(split.least)}**" for split in splits))
    return f"### {whole[0].upper()}{whole[1:]}\n\n{padded([head, *lines, total])}"


def _cell(share: Share) -> str:
    return f"{number(share.cost)} ({share.share:.0%})"
