"""OpenSpiel's hearts through its Python module, random games against the clock; prints one line of JSON.

usage: python openspiel.py SECONDS NUMBER       (an interpreter that has OpenSpiel; nothing else is imported)

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


def dealt(game: Any, rng: Random) -> Any:
    """The first position in which a player has to decide."""
    state = game.new_initial_state()
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, chances)[0])
    return state


def timed(state: Any, draws: list[float]) -> tuple[int, float]:
    """One game: its moves and the seconds they took."""
    moves = 0
    begun = thread_time()
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(draws[moves] * len(actions))])
        moves += 1
    state.returns()
    return moves, thread_time() - begun


def measured(seconds: float, rng: Random) -> dict[str, float]:
    """Moves a second over as many games as fill that time, after a warm-up."""
    game = import_module("pyspiel").load_game("hearts")
    games, moves, spent, warming = 0, 0, 0.0, WARM_UP
    while spent < seconds:
        played, took = timed(dealt(game, rng), [rng.random() for _ in range(MOST_ACTIONS)])
        if warming > 0:
            warming -= took
            continue
        games, moves, spent = games + 1, moves + played, spent + took
    return {"moves_per_second": moves / spent, "moves_per_game": moves / games}


if __name__ == "__main__":
    duration, number = sys.argv[1:]
    print(json.dumps(measured(float(duration), Random(int(number)))))
