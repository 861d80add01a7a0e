"""What the trick-taking games have in common: following suit, and whose turn it is in a trick.

Must follow is *narrowing*: it keeps the cards of a hand that are of the lead card's suit, and is waived where it would
keep none. ``plays_following`` lists what it keeps, ``follows`` tells of one card whether it would be kept.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gyoji.games.game import Card, Move, Seat
from gyoji.games.made_once import made_once


class Play(NamedTuple):
    """One card in a trick."""

    seat: Seat
    card: Card


def laid(seats: int, cards: Iterable[Card]) -> tuple[dict[Card, tuple[Play]], ...]:
    """By seat and card, the trick that it is alone, to be put at the end of another."""
    return made_once(seats, cards, lambda seat, card: (Play(seat, card),))


def plays_following(hand: tuple[Card, ...], trick: tuple[Play, ...], plays: Mapping[Card, Move]) -> list[Move]:
    """Of these moves by card the ones that a hand may choose from: any to lead, or without a card of the suit led."""
    if trick:
        led = trick[0].card[0]
        narrowed = [plays[card] for card in hand if card[0] == led]
        if narrowed:
            return narrowed
    return [plays[card] for card in hand]


def follows(hand: tuple[Card, ...], trick: tuple[Play, ...], card: Card) -> bool:
    """Whether this card of the hand may be chosen: all that has to be known of one that has been."""
    if not trick:
        return True
    led = trick[0].card[0]
    return card[0] == led or led not in [held[0] for held in hand]
