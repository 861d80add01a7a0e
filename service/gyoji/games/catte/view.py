"""What a seat may know of a position."""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.games.catte.components import COFFEE
from gyoji.games.catte.state import (
    Options,
    State,
    write_coffee,
    write_envelope,
    write_rounds,
    write_trick,
)
from gyoji.games.game import Event, Known, Pile, Seat, hidden, joined

KNOWN = Known(
    events={
        "hands_dealt": {"round": "all", "hands": "each", "aside": "nobody", "coffee": "all"},
        "coffee_served": {"seat": "all", "card": "all"},
        "card_played": {"seat": "all", "card": "all"},
        "trick_won": {"seat": "all", "cards": "all", "rule": "all"},
        "coffee_acquired": {"seat": "all", "card": "all", "total": "all"},
        "round_scored": {
            "round": "all",
            "reason": "all",
            "points": "all",
            "acquired": "all",
            "unused": "all",
            "lines": "all",
        },
        "game_finished": {"winners": "all", "scores": "all", "reason": "all"},
    },
    moves={"coffee": {"seat": "all", "card": "all"}, "play": {"seat": "all", "card": "all"}},
)
"""Who may know what of what happens."""


def known(_options: Options) -> Known:
    """The same whatever the options."""
    return KNOWN


def shuffles(_options: Options, event: Event) -> tuple[Pile, ...]:
    """CAT-1.1, CAT-1.2: cat cards, then coffee cards, once a round. CAT-1.3: the last coffee card is the centre's."""
    if event["type"] != "hands_dealt":
        return ()
    coffee = event["coffee"]
    cats = joined((*event["hands"], event["aside"]))
    return ("cats", cats), ("coffee", joined((*coffee["unused"], (coffee["centre"],))))


def simultaneous(_state: State) -> bool:
    """One seat acts at a time."""
    return False


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


def piles(options: Options, table: Mapping[str, Any]) -> tuple[tuple[int, Sequence[Any]], ...]:
    """Where cat cards and coffee cards lie, of a view."""
    coffee = table["coffee"]
    centre = () if coffee["centre"] is None else (coffee["centre"],)
    cats = (*table["hands"], table["aside"], table["trick"], table["discard"])
    return (len(options.cats()), cats), (len(COFFEE), (*coffee["unused"], *coffee["acquired"], centre))
