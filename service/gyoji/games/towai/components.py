"""The 60 cards of TOWAI: closed sets of codes, in hand order (Day, Night, TOWAI; then number)."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal

from gyoji.games.game import Card

Daylight = Literal["day", "night"]

DAYLIGHTS: tuple[Daylight, ...] = ("day", "night")
"""The two states of play, in the order in which legal moves list them."""

OTHER: dict[Daylight | None, Daylight] = {"day": "night", "night": "day"}
"""What the Day/Night card shows once it is turned over."""

DRAW, RESET, SWAP = "T3", "T4", "T5"
"""The TOWAI cards that do more than flip the state."""

COPIES: dict[Card, int] = {
    **{f"D{number}": 4 for number in range(3, 8)},
    **{f"N{number}": 4 for number in range(1, 6)},
    **{f"T{number}": 2 if number == 4 else 3 for number in range(1, 8)},
}
"""How often each code is in the deck."""

CODES: tuple[Card, ...] = tuple(COPIES)
DECK: tuple[Card, ...] = tuple(card for card, copies in COPIES.items() for _ in range(copies))
COUNTS: Counter[Card] = Counter(COPIES)
RANK: dict[Card, int] = {card: rank for rank, card in enumerate(CODES)}
NUMBER: dict[Card, int] = {card: int(card[1]) for card in CODES}

HAND = 7
"""Cards dealt to each seat."""


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in canonical order, which is that of their codes as text: one letter and one digit each."""
    return tuple(sorted(cards))
