"""Computes what a viewer may know of a move and of what comes of it: the page of domain events once more.

It does not come from the program under test.
"""

from collections.abc import Mapping
from typing import Any

from gyoji.games.game import Event
from laws.strategies import Plain

Viewer = int | None
"""A seat, or ``None`` for everybody else: spectators, operators, referees and auditors are told the same."""

PRIVATE: Mapping[str, Mapping[str, str]] = {
    "hands_dealt": {"hands": "each", "aside": "nobody", "deck": "nobody", "draw": "nobody", "piles": "nobody"},
    "wish_chosen": {"wish": "concealed"},
    "card_drawn": {"card": "own"},
    "deck_reformed": {"deck": "nobody"},
    "swap_chosen": {"card": "own"},
    "card_passed": {"card": "both"},
    # moves
    "wish": {"wish": "concealed"},
    "swap": {"card": "own"},
    "exchange": {"card": "own"},
}
"""By event or move: the fields that not everybody knows, and who does."""


def told(item: Event, viewer: Viewer, concealed: bool) -> Plain:
    """Return an event or a move as the viewer may know it."""
    return {
        name: _told(item, value, PRIVATE.get(item["type"], {}).get(name, "all"), viewer, concealed)
        for name, value in item.items()
    }


def _told(item: Event, value: Any, knower: str, viewer: Viewer, concealed: bool) -> Any:
    if knower == "each":
        return [hand if seat == viewer else len(hand) for seat, hand in enumerate(value)]
    if knower == "nobody":
        return [len(pile) for pile in value.values()] if isinstance(value, Mapping) else len(value)
    seats = (item["from"], item["to"]) if knower == "both" else (item.get("seat"),)
    open_to_all = knower == "all" or (knower == "concealed" and not concealed)
    return value if open_to_all or (viewer is not None and viewer in seats) else None
