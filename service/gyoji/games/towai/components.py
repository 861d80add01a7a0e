"""The 60 cards of TOWAI: closed sets of codes, in hand order (Day, Night, TOWAI; then number)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from gyoji.games.game import Card, Event, Move
from gyoji.games.interned import cards_played, intern_values, plays

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

SEATS = 6
"""The most that can play."""

PLAYS: tuple[Mapping[Card, Move], ...] = plays(SEATS, CODES)
PLAYED: tuple[Mapping[Card, tuple[Event]], ...] = cards_played(SEATS, CODES)
"""By seat and card, the move that plays it, and the event that tells so."""


def _leads(daylight: Daylight) -> tuple[Mapping[Card, Move], ...]:
    return intern_values(
        SEATS, CODES, lambda seat, card: {"type": "play", "seat": seat, "card": card, "daylight": daylight}
    )


LEADS: Mapping[Daylight, tuple[Mapping[Card, Move], ...]] = {daylight: _leads(daylight) for daylight in DAYLIGHTS}
"""By state of play that is declared, seat and card, the move that leads it."""

SWAPS: tuple[Mapping[Card, Move], ...] = intern_values(
    SEATS, CODES, lambda seat, card: {"type": "swap", "seat": seat, "card": card}
)
"""By seat and card, the move that chooses it for the swap."""

PASSES: tuple[Move, ...] = tuple([{"type": "pass", "seat": seat} for seat in range(SEATS)])
END_TURNS: tuple[Move, ...] = tuple([{"type": "end_turn", "seat": seat} for seat in range(SEATS)])
PASSED: tuple[Event, ...] = tuple([{"type": "passed", "seat": seat} for seat in range(SEATS)])
TURN_ENDED: tuple[tuple[Event], ...] = tuple([({"type": "turn_ended", "seat": seat},) for seat in range(SEATS)])
"""By seat, what it does without a card, and what is told of it."""

HAND = 7
"""Cards dealt to each seat."""


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in canonical order, which is that of their codes as text: one letter and one digit each."""
    return tuple(sorted(cards))


def taken_up(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return the hand with one more card, in hand order."""
    held = [*hand, card]
    held.sort()
    return tuple(held)
