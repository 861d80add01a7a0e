"""A driver of RLCard's games, random games against the clock; prints a line of JSON.

usage: python uno.py game|env[:GAME] SECONDS NUMBER [turns]  (an interpreter that has RLCard; nothing else is imported)

With the word ``turns`` it measures once for every line that it reads.

``game``: the rules alone; a move is: list the legal actions, take one. ``env``: through the environment that learners
use, which encodes what the next player sees after every move. Deals and the drawing of random numbers stand outside the
clock, which is the processor time of the playing thread.
"""

import json
import sys
from collections.abc import Callable
from importlib import import_module
from random import Random
from time import thread_time
from typing import Any

WARM_UP = 0.25
MOST_ACTIONS = 5_000

Played = tuple[int, float]


def rules_alone(environment: Any, draws: list[float]) -> Played:
    """Time one game without its environment: its moves and the seconds they took."""
    game = environment.game
    game.init_game()
    moves = 0
    begun = thread_time()
    while not game.is_over():
        actions = game.get_legal_actions()
        game.step(actions[int(draws[moves] * len(actions))])
        moves += 1
    game.get_payoffs()
    return moves, thread_time() - begun


def with_environment(environment: Any, draws: list[float]) -> Played:
    """Time one game with its environment."""
    state, _seat = environment.reset()
    moves = 0
    begun = thread_time()
    while not environment.is_over():
        actions = list(state["legal_actions"])
        state, _seat = environment.step(actions[int(draws[moves] * len(actions))])
        moves += 1
    environment.get_payoffs()
    return moves, thread_time() - begun


HOW: dict[str, Callable[[Any, list[float]], Played]] = {"game": rules_alone, "env": with_environment}


def measured(kind: str, environment: Any, seconds: float, rng: Random) -> dict[str, float]:
    """Measure moves a second over as many games as fill that time."""
    games, moves, spent = 0, 0, 0.0
    while spent < seconds:
        played, took = HOW[kind](environment, [rng.random() for _ in range(MOST_ACTIONS)])
        games, moves, spent = games + 1, moves + played, spent + took
    return {"moves_per_second": moves / spent, "moves_per_game": moves / games}


if __name__ == "__main__":
    name, duration, number, *how = sys.argv[1:]
    source = Random(int(number))
    kind, _, game = name.partition(":")
    made = import_module("rlcard").make(game or "uno", config={"seed": source.randrange(1 << 30)})
    measured(kind, made, WARM_UP, source)
    for _line in sys.stdin if how == ["turns"] else ("once",):
        print(json.dumps(measured(kind, made, float(duration), source)), flush=True)
