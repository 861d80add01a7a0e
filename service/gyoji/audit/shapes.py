"""Shapes of what events hold, which anybody may have written, at a table of so many seats."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from gyoji.log.parser import AT, MAX_INTEGER, is_text, is_whole


def are_seats(found: Any, seats: int) -> bool:
    """Seats, each once, by number."""
    return (
        isinstance(found, list)
        and all(is_whole(seat, 0, seats - 1) for seat in found)
        and all(one < other for one, other in pairwise(found))
    )


def are_scores(found: Any, seats: int) -> bool:
    """Whole numbers, one a seat."""
    return isinstance(found, list) and len(found) == seats and all(is_whole(score, -MAX_INTEGER) for score in found)


def are_banks(found: Any, seats: int) -> bool:
    """Milliseconds, of each seat."""
    return isinstance(found, list) and len(found) == seats and all(map(is_whole, found))


def are_expiries(data: Mapping[str, Any], seats: int) -> bool:
    """Seats, and for each the time at which its time was up."""
    named, deadlines = data["seats"], data["deadlines"]
    return (
        are_seats(named, seats)
        and len(named) > 0
        and isinstance(deadlines, list)
        and len(deadlines) == len(named)
        and all(is_text(deadline, AT) for deadline in deadlines)
    )


def is_move(found: Any, seats: int) -> bool:
    """A move of some seat; what move it is may be hidden."""
    return isinstance(found, dict) and is_whole(found.get("seat"), 0, seats - 1)
