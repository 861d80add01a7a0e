"""What a seat may know of a position."""

from typing import Any

from gyoji.games.game import Card, Seat, hidden
from gyoji.games.tomorrow_never_meows.state import State, write_envelope, write_table


def _hands(state: State, viewer: Seat | None) -> tuple[Any, ...]:
    return tuple([hand if seat == viewer else hidden(hand) for seat, hand in enumerate(state.hands)])


def _wishes(state: State, viewer: Seat | None) -> tuple[str | None, ...]:
    """TNM-2.1: open to all. TNM-7.1: face down to everybody else until they are scored (TNM-7.3)."""
    if not state.options.concealed or state.phase == "finished":
        return state.wishes
    return tuple([wish if seat == viewer else None for seat, wish in enumerate(state.wishes)])


def _captured(state: State) -> tuple[tuple[Card, ...] | dict[str, int], ...]:
    """TNM-3.6: nobody looks at won cards, their winner neither, until the round is scored."""
    if state.phase == "finished":
        return state.captured
    return tuple([hidden(cards) for cards in state.captured])


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """The envelope as the seat (``None``: a spectator) may know it. TNM-1.2: the cards aside stay hidden."""
    table = write_table(state, _hands(state, seat), hidden(state.aside), _wishes(state, seat), _captured(state))
    return write_envelope(state, None, table)
