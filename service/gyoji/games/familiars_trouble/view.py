"""What a seat, or a spectator, may know of a position."""

from typing import Any

from gyoji.games.familiars_trouble.state import State, by_level, envelope, written_trick
from gyoji.games.game import Seat, hidden


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """The viewer's own hand, and what lies open; FAM-4.3: the discard may be looked through by all."""
    return envelope(
        state,
        None,
        {
            "lead": state.lead,
            "hands": [hand if owner == seat else hidden(hand) for owner, hand in enumerate(state.hands)],
            "draw": hidden(state.draw),
            "errands": state.errands,
            "piles": by_level(tuple(map(hidden, state.piles))),
            "completed": state.completed,
            "discard": state.discard,
            "trick": written_trick(state),
            "exchange": state.exchange,
            "tricks": state.tricks,
        },
    )
