"""The codes that a game is played with: those that it declares, and those that its deal brings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.games.game import DEALT, Card, Game, Position
from gyoji.games.records import Keyed, Kind, Many, Record, Text, Word, record, tag


class Codes(NamedTuple):
    """Of every kind of codes, which there are, in their canonical order."""

    dealt: Mapping[Text, tuple[str, ...]]
    """By kinds that declare only a pattern, as those of decks that a table may replace: what the deal brings."""
    largest: int
    """The most different codes that any pile holds when it is shuffled."""

    def of(self, kind: Word | Text) -> tuple[str, ...]:
        """Return all codes of a kind. ``TypeError`` where the game neither lists nor deals them."""
        if isinstance(kind, Word):
            return kind.words
        if kind not in self.dealt:
            raise TypeError(f"texts like {kind.pattern} are neither listed nor dealt, so they cannot be numbered")
        return self.dealt[kind]


def codes_of(game: Game[Position], seats: int, options: Any) -> Codes:
    """Return the codes that a game is played with by so many seats and under these options.

    Whatever is shuffled comes in canonical order, so a deal that shuffles nothing tells the order.
    """
    piles: list[Sequence[Card]] = []

    def unshuffled(_label: str, _k: int, pile: Sequence[Card]) -> tuple[Card, ...]:
        piles.append(pile)
        return tuple(pile)

    dealt = game.start(seats, options, 0, None, unshuffled).events
    order = {card: at for at, card in enumerate(dict.fromkeys(card for pile in piles for card in pile))}
    found: dict[Text, set[str]] = {}
    (declared,) = [each for each in game.records.events if tag(each) == DEALT]
    for event in dealt:
        if event["type"] == DEALT:
            for kind, code in _texts(record(declared), event):
                found.setdefault(kind, set()).add(code)
    largest = max(len(set(pile)) for pile in piles)
    return Codes({kind: tuple(sorted(codes, key=order.__getitem__)) for kind, codes in found.items()}, largest)


def _texts(kind: Kind, value: Any) -> Iterator[tuple[Text, str]]:
    """List the texts in a value that are of kinds without a list."""
    if isinstance(kind, Text):
        yield kind, value
    elif isinstance(kind, Record):
        for member in kind.members:
            held = value.get(member.name) if isinstance(value, Mapping) else getattr(value, member.name)
            if held is not None:
                yield from _texts(member.kind, held)
    elif isinstance(kind, Many | Keyed):
        for item in value.values() if isinstance(value, Mapping) else value:
            if item is not None:
                yield from _texts(kind.item, item)
