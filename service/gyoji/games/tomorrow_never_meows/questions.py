"""What can be asked about Tomorrow Never Meows at a table: whether a card may be played. It hangs on the card that was
led and on the suits of the hand (TNM-3.2, TNM-3.3)."""

from typing import NotRequired, TypedDict

from gyoji.games.game import Move
from gyoji.games.questions import Permission, Questions
from gyoji.games.tomorrow_never_meows.components import DECK, HAND_SIZE
from gyoji.games.tomorrow_never_meows.state import Code, State
from gyoji.games.tricks import led_values, same_suit, trick_with


class Facts(TypedDict):
    """What is known of the trick: the card that was led, or null for whoever leads."""

    led: NotRequired[Code | None]


def permits(state: State, move: Move) -> Permission:
    """TNM-3.1, TNM-3.2, TNM-3.3: why a card may be played."""
    if not state.trick:
        return Permission("TNM-3.1", "leads")
    suit = state.trick[0].card[0]
    if move["card"][0] == suit:
        return Permission("TNM-3.2", "follows", {"card": move["card"], "suit": suit})
    return Permission("TNM-3.3", "cannot-follow", {"suit": suit})


QUESTIONS: Questions[State] = Questions(
    facts=Facts,
    moves=("play",),
    deck=lambda _options: DECK,
    most=HAND_SIZE.__getitem__,
    values=lambda _options: led_values(DECK),
    position=trick_with,
    alike=same_suit,
    permits=permits,
    permitted=("leads", "follows", "cannot-follow"),
)
