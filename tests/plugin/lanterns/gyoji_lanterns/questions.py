"""What can be asked about Lanterns at a table: whether a card may be played."""

from typing import NotRequired, TypedDict

from gyoji.games.game import Move
from gyoji.games.questions import Permission, Questions
from gyoji.games.tricks import led_values, same_suit, trick_with
from gyoji_lanterns.state import DECK, HAND, Code, State


class Facts(TypedDict):
    """The card that was led, or null for whoever leads."""

    led: NotRequired[Code | None]


def permits(state: State, move: Move) -> Permission:
    """LAN-2.1, LAN-2.2: why a card may be played."""
    if not state.trick:
        return Permission("LAN-2.1", "leads")
    colour = state.trick[0].card[0]
    return Permission("LAN-2.2", "follows" if move["card"][0] == colour else "cannot-follow", {"colour": colour})


QUESTIONS: Questions[State] = Questions(
    facts=Facts,
    moves=("play",),
    deck=lambda _options: DECK,
    most=lambda _seats: HAND,
    values=lambda _options: led_values(DECK),
    position=trick_with,
    alike=same_suit,
    permits=permits,
    permitted=("leads", "follows", "cannot-follow"),
)
