"""Finishes: what this game counts."""

from gyoji.games.game import Line
from gyoji.games.towai.state import State


def lines(state: State) -> tuple[Line, ...]:
    """TOW-7.1: one line a finish; a seat's lines add up to its score."""
    return tuple(
        [
            {"seat": seat, "rule": "TOW-7.1", "points": 1, "round": number}
            for number, seat in enumerate(state.rounds, start=1)
        ]
    )
