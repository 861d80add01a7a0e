"""What a seat may know of a position."""

from typing import Any

from gyoji.games.catte.state import (
    State,
    write_coffee,
    write_envelope,
    write_rounds,
    write_trick,
)
from gyoji.games.game import Seat, hidden


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """CAT-1.1, CAT-4.3: the own hand and all that lies face up; ``None`` is a spectator and has no hand."""
    table = {
        "starting": state.starting,
        "lead": state.lead,
        "hands": [hand if owner == seat else hidden(hand) for owner, hand in enumerate(state.hands)],
        "aside": hidden(state.aside),
        "coffee": write_coffee(state),
        "trick": write_trick(state),
        "discard": hidden(state.discard),
        "rounds": write_rounds(state),
    }
    return write_envelope(state, None, table)
