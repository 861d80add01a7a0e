"""Caches what the rules produce again and again for every seat and card: moves, events, cards in a trick.

Whoever receives one only reads it (see ``game``), so the same mapping serves in every position.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from gyoji.games.game import Card, Event, Move, Seat

Made = TypeVar("Made")


def intern_values(seats: int, words: Iterable[str], make: Callable[[Seat, str], Made]) -> tuple[dict[str, Made], ...]:
    """Return, by seat and word, what ``make`` gives for them."""
    return tuple([{word: make(seat, word) for word in words} for seat in range(seats)])


def plays(seats: int, cards: Iterable[Card]) -> tuple[dict[Card, Move], ...]:
    """Return, by seat and card, the move that plays the card."""
    return intern_values(seats, cards, lambda seat, card: {"type": "play", "seat": seat, "card": card})


def cards_played(seats: int, cards: Iterable[Card]) -> tuple[dict[Card, tuple[Event]], ...]:
    """Return, by seat and card, the events of playing it: ``card_played`` alone."""
    return intern_values(seats, cards, lambda seat, card: ({"type": "card_played", "seat": seat, "card": card},))
