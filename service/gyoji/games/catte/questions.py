"""What can be asked about Catte at a table: whether a cat card may be played. It hangs on the card that was led and on
the colours of the hand; the coffee card asks nothing of anyone (CAT-3.1)."""

from typing import NotRequired, TypedDict

from gyoji.games.catte.components import CATS_EACH
from gyoji.games.catte.state import CatCode, Options, State
from gyoji.games.game import Move
from gyoji.games.questions import Permission, Questions
from gyoji.games.tricks import led_values, same_suit, trick_with


class Facts(TypedDict):
    """What is known of the trick: the cat card that was led, or null for whoever leads."""

    led: NotRequired[CatCode | None]


def permits(state: State, move: Move) -> Permission:
    """CAT-2.3, CAT-3.1: why a cat card may be played."""
    if not state.trick:
        return Permission("CAT-2.3", "leads")
    colour = state.trick[0].card[0]
    if move["card"][0] == colour:
        return Permission("CAT-3.1", "follows", {"card": move["card"], "colour": colour})
    return Permission("CAT-3.1", "cannot-follow", {"colour": colour})


QUESTIONS: Questions[State] = Questions(
    facts=Facts,
    moves=("play",),
    deck=Options.cats,
    most=CATS_EACH.__getitem__,
    values=lambda options: led_values(options.cats()),
    position=trick_with,
    alike=same_suit,
    permits=permits,
    permitted=("leads", "follows", "cannot-follow"),
)
