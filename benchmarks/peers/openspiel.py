"""A driver of OpenSpiel's hearts through its Python module, random games against the clock; prints a line of JSON.

usage: python openspiel.py SECONDS NUMBER [turns]       (an interpreter that has OpenSpiel; nothing else is imported)

With the word ``turns`` it measures once for every line that it reads.

A move is: list the legal actions, apply the chosen one; at the end of the game its returns are read. Deals and the
drawing of random numbers stand outside the clock, which is the processor time of the playing thread.
"""

import json
import sys
from importlib import import_module
from random import Random
from time import thread_time
from typing import Any

WARM_UP = 0.25
MOST_ACTIONS = 500
DEALS = 200
"""Dealing takes ten times as long as playing, so positions are dealt beforehand and copied."""


def dealt(game: Any, rng: Random) -> Any:
    """Return the first position in which a player has to decide."""
    state = game.new_initial_state()
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    return state


def timed(state: Any, draws: list[float]) -> tuple[int, float]:
    """Time one game: its moves and the seconds they took."""
    moves = 0
    begun = thread_time()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(draws[moves] * len(actions))])
        moves += 1
    state.returns()
    return moves, thread_time() - begun


def measured(deals: list[Any], seconds: float, rng: Random) -> dict[str, float]:
    """Measure moves a second over as many games as fill that time."""
    games, moves, spent = 0, 0, 0.0
    while spent < seconds:
        played, took = timed(rng.choice(deals).clone(), [rng.random() for _ in range(MOST_ACTIONS)])
        games, moves, spent = games + 1, moves + played, spent + took
    return {"moves_per_second": moves / spent, "moves_per_game": moves / games}


if __name__ == "__main__":
    duration, number, *how = sys.argv[1:]
    hearts, source = import_module("pyspiel").load_game("hearts"), Random(int(number))
    positions = [dealt(hearts, source) for _ in range(DEALS)]
    measured(positions, WARM_UP, source)
    for _line in sys.stdin if how == ["turns"] else ("once",):
        print(json.dumps(measured(positions, float(duration), source)), flush=True)
