"""What a game declares of itself as records, and what follows from that alone."""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from gyoji.games.codec import Codec
from gyoji.games.records import Fields, Known, KnownTo, record, tag

S = TypeVar("S", bound=tuple[Any, ...])
O = TypeVar("O", bound=tuple[Any, ...])  # noqa: E741


class Records(Generic[S, O]):
    """The records of one version of a game: its state and options (named tuples), the moves, the events and the lines
    of a score (typed dicts)."""

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
        self._known = Disclosure(moves, events)

    def known(self, options: O) -> Known:
        """Who may know what of events and moves; for the same options the same object."""
        return self._known.under(options)


class Disclosure:
    """Who may know what of events and moves, by the options that it depends on."""

    def __init__(self, moves: Iterable[type[Any]], events: Iterable[type[Any]]) -> None:
        self._events = {tag(one): _marks(one) for one in events}
        self._moves = {tag(one): _marks(one) for one in moves}
        every = [
            mark for marks in (self._events, self._moves) for members in marks.values() for mark in members.values()
        ]
        self.flags = tuple(sorted({mark.under for mark in every if mark is not None and mark.under is not None}))
        """The options, each a yes or no, that it depends on."""
        self._found: dict[tuple[bool, ...], Known] = {}

    def under(self, options: Any) -> Known:
        """Who may know what under these options."""
        on = tuple([getattr(options, flag) for flag in self.flags])
        if on not in self._found:
            self._found[on] = self._known(
                frozenset([flag for flag, is_on in zip(self.flags, on, strict=True) if is_on])
            )
        return self._found[on]

    def _known(self, on: frozenset[str]) -> Known:
        return Known(_fields(self._events, on), _fields(self._moves, on))


def _marks(declared: type[Any]) -> Mapping[str, KnownTo | None]:
    return {member.name: member.known for member in record(declared).members if member.name != "type"}


def _fields(marks: Mapping[str, Mapping[str, KnownTo | None]], on: frozenset[str]) -> Mapping[str, Fields]:
    return {
        kind: {
            name: mark.knower if mark is not None and (mark.under is None or mark.under in on) else "all"
            for name, mark in members.items()
        }
        for kind, members in marks.items()
    }
