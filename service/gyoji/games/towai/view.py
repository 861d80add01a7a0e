"""What a seat, or a spectator, may know."""

from typing import Any

from gyoji.games.game import Seat, hidden
from gyoji.games.towai.state import Choices, State, written


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """The envelope for one seat (``None``: a spectator): its own hand and its own choice; piles that lie open.

    Other hands and the deck are counts, the seed is kept back; that stays so after the game's end.
    """
    hands = [hand if owner == seat else hidden(hand) for owner, hand in enumerate(state.hands)]
    return written(state, None, hands, hidden(state.deck), _own_choice(state.swap, seat))


def _own_choice(swap: Choices | None, seat: Seat | None) -> Choices | None:
    """TOW-5.4: until all have chosen, a choice is known to the seat that made it; that it was made shows in to_act."""
    if swap is None:
        return None
    return tuple([card if chooser == seat else None for chooser, card in enumerate(swap)])
