"""Collects what a game declares of itself as records, and derives what follows from that alone."""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, Generic, TypeVar

from gyoji.games.codec import Codec
from gyoji.games.records import Fields, Known, KnownTo, record, tag

S = TypeVar("S", bound=tuple[Any, ...])
O = TypeVar("O", bound=tuple[Any, ...])  # noqa: E741


class Records(Generic[S, O]):
    """The records of one version of a game: state, options, moves, events and score items."""

    def __init__(
        self,
        *,
        state: type[S],
        options: type[O],
        moves: tuple[type[Any], ...],
        events: tuple[type[Any], ...],
        line: type[Any],
    ) -> None:
        self.state, self.options, self.moves, self.events, self.line = state, options, moves, events, line
        self.codec = Codec(state, options)
        self.uncovering = frozenset([tag(one) for one in events if any(each.uncovered for each in record(one).members)])
        """The types of the events by which something that lay hidden comes to lie open for all."""
        marks = [_marks(moves), _marks(events)]
        self.flags = tuple(sorted({flag for kinds in marks for flag in _flags(kinds)}))
        """The options, each a yes or no, by which it depends who may know what."""
        self.known: Mapping[tuple[bool, ...], Known] = {
            given: Known(moves=_fields(marks[0], self._on(given)), events=_fields(marks[1], self._on(given)))
            for given in product((False, True), repeat=len(self.flags))
        }
        """Who may know what of events and moves, by the values of these options."""

    def _on(self, given: tuple[bool, ...]) -> frozenset[str]:
        return frozenset([flag for flag, is_on in zip(self.flags, given, strict=True) if is_on])


Marks = Mapping[str, Mapping[str, KnownTo | None]]
"""Type of move or event -> member -> who knows it."""


def _marks(declared: Iterable[type[Any]]) -> Marks:
    return {
        tag(one): {member.name: member.known for member in record(one).members if member.name != "type"}
        for one in declared
    }


def _flags(kinds: Marks) -> list[str]:
    marks = [mark for members in kinds.values() for mark in members.values() if mark is not None]
    return [mark.under for mark in marks if mark.under is not None]


def _fields(kinds: Marks, on: frozenset[str]) -> Mapping[str, Fields]:
    return {
        kind: {
            name: mark.knower if mark is not None and (mark.under is None or mark.under in on) else "all"
            for name, mark in members.items()
        }
        for kind, members in kinds.items()
    }
