"""A driver of environments of PettingZoo's kind, random games against the clock; prints a line of JSON.

usage: python agents.py MODULE[:NAME] SECONDS NUMBER [turns]     (an interpreter that has PettingZoo)

``MODULE`` has ``env()``, or ``env(NAME)``. With the word ``turns`` it measures once for every line that it reads.

A step is: what the agent observes, one of the actions that its mask allows, taken. Deals and the drawing of random
numbers stand outside the clock, which is the processor time of the playing thread; ``dealt`` has the deals within.
"""

import json
import sys
from importlib import import_module
from random import Random
from time import thread_time
from typing import Any

import numpy as np

WARM_UP = 0.25
MOST_STEPS = 2_000


def timed(environment: Any, draws: list[float]) -> tuple[int, float]:
    """Time one game that has been dealt: its steps and the seconds they took."""
    steps = 0
    begun = thread_time()
    for _agent in environment.agent_iter(MOST_STEPS):
        observation, _reward, terminated, truncated, _info = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        allowed = np.flatnonzero(observation["action_mask"])
        environment.step(allowed[int(draws[steps] * len(allowed))])
        steps += 1
    return steps, thread_time() - begun


def measured(environment: Any, seconds: float, rng: Random) -> dict[str, float]:
    """Measure steps a second over as many games as fill that time."""
    games, steps, spent, dealing = 0, 0, 0.0, 0.0
    while spent < seconds:
        draws = [rng.random() for _ in range(MOST_STEPS)]
        begun = thread_time()
        environment.reset()
        dealing += thread_time() - begun
        played, took = timed(environment, draws)
        games, steps, spent = games + 1, steps + played, spent + took
    return {"moves_per_second": steps / spent, "dealt": steps / (spent + dealing), "moves_per_game": steps / games}


if __name__ == "__main__":
    place, duration, number, *how = sys.argv[1:]
    module, _, name = place.partition(":")
    source, made = Random(int(number)), import_module(module).env(*filter(None, [name]))
    np.random.seed(source.randrange(1 << 30))
    measured(made, WARM_UP, source)
    for _line in sys.stdin if how == ["turns"] else ("once",):
        print(json.dumps(measured(made, float(duration), source)), flush=True)
