"""The cards and wishes of Tomorrow Never Meows: closed sets of codes in their canonical order."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from gyoji.games.game import Card, Event, Move
from gyoji.games.interned import cards_played, intern_values, plays
from gyoji.games.tricks import TrickCard, single_card_tricks

SUITS: Final = ("F", "C", "R", "T", "S")
"""Hand order of the suits: Fine, Cloudy, Rainy are common, Thunder and Snow special."""

SUIT_SIZE: Final[Mapping[str, int]] = {"F": 10, "C": 10, "R": 10, "T": 3, "S": 3}

DECK: Final[tuple[Card, ...]] = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, SUIT_SIZE[suit] + 1))
CARDS: Final[Counter[Card]] = Counter(DECK)
RANK: Final[Mapping[Card, int]] = {card: at for at, card in enumerate(DECK)}
NUMBER: Final[Mapping[Card, int]] = {card: int(card[1:]) for card in DECK}

PLAYS: Final[tuple[Mapping[Card, Move], ...]] = plays(4, DECK)
PLAYED: Final[tuple[Mapping[Card, tuple[Event]], ...]] = cards_played(4, DECK)
LAID: Final[tuple[Mapping[Card, tuple[TrickCard[Card]]], ...]] = single_card_tricks(4, DECK)
"""By seat and card: the move that plays it, the event that tells so, and the card in a trick."""

HAND_SIZE: Final[Mapping[int, int]] = {3: 10, 4: 8}
"""TNM-1.1: cards of each hand by the number of seats."""

BASIC_WISHES: Final = ("fine", "cloudy", "rainy", "thunder", "snow")
BASIC_OF: Final[Mapping[str, str]] = {"very_fine": "fine", "very_cloudy": "cloudy", "very_rainy": "rainy"}
"""The advanced wishes, each with the basic wish that opens it."""

WISHES: Final = (*BASIC_WISHES, *BASIC_OF)

COUNTING: Final[Mapping[str, Mapping[Card, int]]] = {
    suits: {card: NUMBER[card] if card[0] in suits else 0 for card in DECK} for suits in (*SUITS, "FCR")
}
"""TNM-4.1 to TNM-4.6: by the suits that decide a trick, the number of every card of theirs; another counts nothing."""

CHOICES: Final[tuple[Mapping[str, Move], ...]] = intern_values(
    4, WISHES, lambda seat, wish: {"type": "wish", "seat": seat, "wish": wish}
)
"""By seat and wish, the move that chooses it."""
