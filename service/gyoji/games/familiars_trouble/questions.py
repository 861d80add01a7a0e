"""What can be asked about Familiar's Trouble at a table: whether a card may be played. It hangs on the card that was
led and on the colours of the hand (FAM-3.2 to FAM-3.6)."""

from collections.abc import Hashable
from typing import NotRequired, TypedDict

from gyoji.games import questions
from gyoji.games.familiars_trouble.components import CARDS, COLOURS, HAND, JOKER, MATCHING, OBLIGING
from gyoji.games.familiars_trouble.state import Code, State
from gyoji.games.game import Card, Move
from gyoji.games.questions import Permission, Questions
from gyoji.games.tricks import led_values, trick_with


class Facts(TypedDict):
    """What is known of the trick: the card that was led, or null for whoever leads."""

    led: NotRequired[Code | None]


def alike(facts: questions.Facts, card: Card) -> Hashable:
    """FAM-3.2, FAM-3.6: whether a card obliges; of those of two colours which it is, since one alone is cited."""
    led = facts["led"]
    obliges = led is not None and card in OBLIGING[led]
    return card if obliges and len(COLOURS[card]) == 2 else obliges


def permits(state: State, move: Move) -> Permission:
    """FAM-3.1 to FAM-3.5: why a card may be played."""
    card = move["card"]
    if not state.trick:
        return Permission("FAM-3.1", "leads")
    lead = state.trick[0].card
    if lead == JOKER:
        return Permission("FAM-3.5", "three-colours-led", {"lead": lead})
    if card == JOKER:
        return Permission("FAM-3.3", "three-colours", {"card": card})
    if card in MATCHING[lead]:
        return Permission("FAM-3.4" if len(COLOURS[lead]) == 2 else "FAM-3.2", "follows", {"card": card, "lead": lead})
    return Permission("FAM-3.2", "cannot-follow", {"lead": lead})


QUESTIONS: Questions[State] = Questions(
    facts=Facts,
    moves=("play",),
    deck=lambda _options: CARDS,
    most=lambda _seats: HAND,
    values=lambda _options: led_values(CARDS),
    position=trick_with,
    alike=alike,
    permits=permits,
    permitted=("leads", "three-colours-led", "three-colours", "follows", "cannot-follow"),
)
