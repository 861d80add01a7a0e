"""What the trick-taking games have in common: narrowing a hand, and whose turn it is in a trick.

Legality of cards is *narrowing*: a rule keeps the cards of a hand that satisfy it and is waived when it would keep
none. What may be played, what is refused and what is cited all come from that one step.
"""

from typing import NamedTuple

from gyoji.games.game import Card, Seat


class Play(NamedTuple):
    """One card in a trick."""

    seat: Seat
    card: Card


def following(hand: tuple[Card, ...], trick: tuple[Play, ...]) -> tuple[Card, ...]:
    """Must follow: the cards of the lead card's suit, or the whole hand where there are none or the seat leads."""
    if not trick:
        return hand
    led = trick[0].card[0]
    return tuple([card for card in hand if card[0] == led]) or hand


def number(card: Card) -> int:
    """The number on a card whose code is one letter and the number."""
    return int(card[1:])


def highest(plays: tuple[Play, ...], suit: str) -> Play:
    """The play with the highest card of the suit; at least one play has that suit and no two share a number."""
    return max((play for play in plays if play.card[0] == suit), key=lambda play: number(play.card))
