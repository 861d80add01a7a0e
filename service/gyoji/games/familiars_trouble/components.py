"""The cards of Familiar's Trouble: closed sets, their order, and what each card is worth."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from gyoji.games.game import Card, Event, Move, Seat, clockwise
from gyoji.games.interned import cards_played, intern_values, plays
from gyoji.games.tricks import TrickCard, single_card_tricks

SEATS = 3
HAND = 5
"""FAM-1.1: the cards a seat begins with."""
TRICKS = 9
"""FAM-6.1: 27 cards, three a trick."""
Level = Literal[1, 2, 3]
LEVELS: tuple[Level, ...] = (1, 2, 3)

NUMBERS = range(3, 10)
SUITS = ("R", "B", "G")
COLOURS: dict[Card, str] = (
    {f"{suit}{number}": suit for suit in SUITS for number in NUMBERS}
    | {"RB2": "RB", "RG2": "RG", "BG2": "BG"}
    | {"RBG1": "RBG"}
)
"""The colours of every card, in canonical order: one colour (red, blue, green), two colours, three colours."""
VALUE: dict[Card, int] = {card: int(card[-1]) for card in COLOURS}
RANK: dict[Card, int] = {card: rank for rank, card in enumerate(COLOURS)}
ATTRIBUTES: dict[Card, tuple[int, int, int]] = {
    card: (VALUE[card] * ("R" in colours), VALUE[card] * ("B" in colours), VALUE[card] * ("G" in colours))
    for card, colours in COLOURS.items()
}
"""FAM-4.1: what a card adds to red, blue and green; a card of several colours adds its value to each of them."""
JOKER: Card = "RBG1"
"""The three-colour card, of which there are three."""
CARDS: tuple[Card, ...] = (*COLOURS, JOKER, JOKER)
"""The 27 attribute cards in canonical order."""

PLAYS: tuple[Mapping[Card, Move], ...] = plays(SEATS, COLOURS)
PLAYED: tuple[Mapping[Card, tuple[Event]], ...] = cards_played(SEATS, COLOURS)
LAID: tuple[Mapping[Card, tuple[TrickCard[Card]]], ...] = single_card_tricks(SEATS, COLOURS)
"""By seat and card: the move that plays it, the event that tells so, and the card in a trick."""

LEFT: tuple[Seat, ...] = (1, 2, 0)
"""By seat, the one to its left."""
CLOCKWISE: tuple[tuple[Seat, ...], ...] = tuple([clockwise(first, SEATS) for first in range(SEATS)])
"""By seat, all of them from it on to the left."""

EXCHANGES: tuple[Mapping[Card, Move], ...] = intern_values(
    SEATS, COLOURS, lambda seat, card: {"type": "exchange", "seat": seat, "card": card}
)
SKIPS: tuple[Move, ...] = tuple([{"type": "skip_exchange", "seat": seat} for seat in range(SEATS)])
PASSED: tuple[Mapping[Card, tuple[Event]], ...] = intern_values(
    SEATS, COLOURS, lambda seat, card: ({"type": "card_passed", "from": seat, "to": LEFT[seat], "card": card},)
)
"""By seat, the move that passes no card; by seat and card, the move that passes it to the left, and the event that
tells so."""
DRAWN: tuple[Mapping[Card, Event], ...] = intern_values(
    SEATS, COLOURS, lambda seat, card: {"type": "card_drawn", "seat": seat, "card": card}
)
"""By seat and card, the event that it was drawn."""

MATCHING: dict[Card, frozenset[Card]] = {
    lead: frozenset(card for card in COLOURS if not set(COLOURS[card]).isdisjoint(COLOURS[lead])) for lead in COLOURS
}
"""FAM-3.7: by lead card, the cards that share a colour with it; the three-colour card is in every set (FAM-3.3)."""
OBLIGING: dict[Card, frozenset[Card]] = {
    lead: frozenset() if lead == JOKER else matching - {JOKER} for lead, matching in MATCHING.items()
}
"""FAM-3.2: by lead card, the one- and two-colour cards that a seat which holds one may not pass over.

FAM-3.4: a two-colour lead is followed by either colour. FAM-3.5: a three-colour lead obliges nobody.
"""

COUNTING: dict[Card, dict[Card, int]] = {
    lead: {card: VALUE[card] if card in matching else 0 for card in COLOURS} for lead, matching in MATCHING.items()
}
"""FAM-3.7: by lead card, the value of every card that matches it; one that does not match counts nothing."""


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards as a hand is kept: red, blue, green, two colours, three colours, then value."""
    return tuple(sorted(cards, key=RANK.__getitem__))


def distinct(cards: Sequence[Card]) -> Iterable[Card]:
    """Return the cards without duplicates: only the three-colour card exists several times."""
    return dict.fromkeys(cards) if cards.count(JOKER) > 1 else cards


def taken_up(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return the hand with one more card, in hand order."""
    held = [*hand, card]
    held.sort(key=RANK.__getitem__)
    return tuple(held)
