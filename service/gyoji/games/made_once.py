"""What the rules say again and again, made once for every seat and card: moves, events, cards in a trick.

Whoever receives one only reads it (see ``game``), so the same mapping serves in every position.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from gyoji.games.game import Card, Event, Move, Seat

Made = TypeVar("Made")


def made_once(seats: int, words: Iterable[str], make: Callable[[Seat, str], Made]) -> tuple[dict[str, Made], ...]:
    """By seat, what ``make`` gives for that seat and each of the words."""
    return tuple([{word: make(seat, word) for word in words} for seat in range(seats)])


def plays(seats: int, cards: Iterable[Card]) -> tuple[dict[Card, Move], ...]:
    """By seat and card, the move that plays it."""
    return made_once(seats, cards, lambda seat, card: {"type": "play", "seat": seat, "card": card})


def cards_played(seats: int, cards: Iterable[Card]) -> tuple[dict[Card, tuple[Event]], ...]:
    """By seat and card, the event that it was played, alone."""
    return made_once(seats, cards, lambda seat, card: ({"type": "card_played", "seat": seat, "card": card},))
