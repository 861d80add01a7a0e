"""The cards of Catte, and what their numbers are for each number of seats."""

from collections.abc import Mapping, Sequence

from gyoji.games.game import Card, Event, Move, Seat
from gyoji.games.interned import cards_played, intern_values, plays
from gyoji.games.tricks import TrickCard, single_card_tricks

COLOURS = ("B", "W", "K")
"""Brown, white and black, in hand order."""

DECK: tuple[Card, ...] = tuple(
    f"{colour}{number}"
    for colour, highest in zip(COLOURS, (13, 13, 15), strict=True)
    for number in range(1, highest + 1)
)
"""CAT-R1: the 41 cat cards in hand order; which colours have 13 of them is a reconstruction."""

COFFEE: tuple[Card, ...] = ("B1", "B3", "B5", "B7", "B9", "W2", "W4", "W6", "W8", "W10", "K5", "K10", "K15")
"""The 13 coffee cards in row order. They share codes with cat cards; the place says which is meant."""

CATS = frozenset(DECK)
COFFEES = frozenset(COFFEE)

RANK: dict[Card, int] = {
    card: at for at, card in enumerate(f"{colour}{number}" for colour in COLOURS for number in range(1, 100))
}
"""The place in hand order of every code that a cat card may have, in this deck or in one of a table's own."""

CODES = len(RANK)

COUNTING: dict[str, dict[Card, int]] = {
    colour: {card: int(card[1:]) if card[0] == colour else 0 for card in RANK} for colour in COLOURS
}
"""CAT-4.1, CAT-4.2: by the colour that decides a trick, the number of every cat card of it; another counts nothing."""

PLAYS: tuple[Mapping[Card, Move], ...] = plays(4, RANK)
PLAYED: tuple[Mapping[Card, tuple[Event]], ...] = cards_played(4, RANK)
LAID: tuple[Mapping[Card, tuple[TrickCard[Card]]], ...] = single_card_tricks(4, RANK)
"""By seat and cat card: the move that plays it, the event that tells so, and the card in a trick."""

SERVES: tuple[Mapping[Card, Move], ...] = intern_values(
    4, COFFEE, lambda seat, card: {"type": "coffee", "seat": seat, "card": card}
)
"""By seat and coffee card, the move that serves it."""

VALUE: dict[Card, int] = {card: int(card[1:]) for card in COFFEE}

CATS_EACH = {3: 13, 4: 10}
"""CAT-1.1: cat cards dealt to each seat, by number of seats."""

COFFEE_EACH = {3: 4, 4: 3}
"""CAT-1.2: coffee cards dealt to each seat, by number of seats."""

LIMIT = {3: 20, 4: 15}
"""CAT-5.1: what acquired coffee cards may total, by number of seats."""

NEXT: dict[int, tuple[Seat, ...]] = {3: (1, 2, 0), 4: (1, 2, 3, 0)}
"""The seat to the left, by number of seats and seat."""


def total(coffee: Sequence[Card]) -> int:
    """The numbers on coffee cards, added up."""
    return sum(map(VALUE.__getitem__, coffee))


def in_hand_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Brown, white, black, and by number within a colour."""
    return tuple(sorted(cards, key=RANK.__getitem__))
