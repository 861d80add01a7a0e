"""What the trick-taking games have in common: following suit, and whose turn it is in a trick.

Must follow is *narrowing*: it keeps the cards of a hand that are of the lead card's suit, and is waived where it would
keep none. ``plays_following`` lists what it keeps, ``follows`` tells of one card whether it would be kept.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from gyoji.games.game import Card, Move, Seat
from gyoji.games.interned import intern_values
from gyoji.games.questions import Facts, Hand, Value

Code = TypeVar("Code", bound=Card)


class TrickCard(NamedTuple, Generic[Code]):
    """One card in a trick; ``Code`` is the type of its card's code."""

    seat: Seat
    card: Code


def single_card_tricks(seats: int, cards: Iterable[Card]) -> tuple[dict[Card, tuple[TrickCard[Card]]], ...]:
    """Return, by seat and card, the trick that consists of that card alone, to be added to another trick."""
    return intern_values(seats, cards, lambda seat, card: (TrickCard(seat, card),))


def plays_following(
    hand: tuple[Card, ...], trick: tuple[TrickCard[Card], ...], plays: Mapping[Card, Move]
) -> list[Move]:
    """List those moves (given by card) that a hand may choose from. All of them to lead, or without a card of the suit
    led."""
    if trick:
        led = trick[0].card[0]
        narrowed = [plays[card] for card in hand if card[0] == led]
        if narrowed:
            return narrowed
    return [plays[card] for card in hand]


def follows(hand: tuple[Card, ...], trick: tuple[TrickCard[Card], ...], card: Card) -> bool:
    """Tell whether a card of the hand may be played to the trick."""
    if not trick:
        return True
    led = trick[0].card[0]
    return card[0] == led or led not in [held[0] for held in hand]


# Questions about a trick (``questions``): its only fact is ``led``, the card that was led or ``None``


def led_values(deck: Iterable[Card]) -> dict[str, tuple[Value, ...]]:
    """Return every card that may have been led; ``None``: the seat to act leads."""
    return {"led": (None, *dict.fromkeys(deck))}


def trick_with(state: Any, facts: Facts, hand: Hand) -> Any:
    """Return the position with a trick that the first seat has led to, if any has, and the next one follows with that
    hand."""
    led = facts["led"]
    trick = () if led is None else (TrickCard(0, led),)
    hands: list[Hand] = [()] * state.seats
    hands[len(trick)] = hand
    return state._replace(phase="trick", to_act=(len(trick),), lead=0, hands=tuple(hands), trick=trick)


def same_suit(facts: Facts, card: Card) -> bool:
    """Tell whether a card is of the suit led: all that following suit sees of the other cards of a hand."""
    led = facts["led"]
    return led is not None and card[0] == led[0]
