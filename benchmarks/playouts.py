"""A driver: random games of one of ours against the clock; prints a line of JSON.

usage: python -m benchmarks.playouts GAME SECONDS NUMBER [SEATS|turns]

A move is: list the legal moves, adjudicate the chosen one, look at the scores. Deals and the drawing of random numbers
stand outside the clock, as in the drivers of the peers, whose game has a single deal: a game of ours is played twice
with the same choices, first to learn what its shuffles give, then against the clock. ``live`` is the second game with
every shuffle after the first deal made within the clock, as the service makes them. The clock is the processor time
of the playing thread, so that a busy machine changes little.
"""

import json
import sys
from collections.abc import Callable, Sequence
from random import Random
from time import thread_time
from typing import Any

from benchmarks.random_games import MOST_PLIES, first_position
from benchmarks.turns import WORD, answer_turns
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Accepted, Chance, Game

WARM_UP = 0.25


def time_game(game: Game[Any], first: Any, chance: Chance, draws: Sequence[float]) -> tuple[int, float]:
    """Time one game: its moves and the seconds they took."""
    legal_moves, adjudicate, state, moves = game.legal_moves, game.adjudicate, first, 0
    begun = thread_time()
    for draw in draws:
        legal = legal_moves(state)
        ruling = adjudicate(state, legal[int(draw * len(legal))], chance)
        if not isinstance(ruling, Accepted):
            raise RuntimeError(f"{game.slug}: a listed move was refused: {ruling.infraction.reason}")
        state = ruling.state
        moves += 1
        if state.outcome is not None and state.scores is not None:
            break
    return moves, thread_time() - begun


def time_recorded_and_live(
    game: Game[Any], rng: Random, seats: int | None
) -> tuple[tuple[int, float], tuple[int, float]]:
    """Time the same game with its shuffles known beforehand, and with shuffles as they fall due."""
    first, chance = first_position(game, rng, seats)
    draws = [rng.random() for _ in range(MOST_PLIES)]
    shuffles: dict[tuple[str, int], tuple[str, ...]] = {}

    def recording(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        shuffles[label, k] = cards = chance(label, k, pile)
        return cards

    time_game(game, first, recording, draws)
    known = time_game(game, first, lambda label, k, _pile: shuffles[label, k], draws)
    return known, time_game(game, first, chance, draws)


def measure_rates(game: Game[Any], seconds: float, rng: Random, seats: int | None = None) -> dict[str, float]:
    """Measure moves a second over as many games as fill that time."""
    known, live = zip(*_fill(seconds, lambda: time_recorded_and_live(game, rng, seats)), strict=True)
    return {"moves_per_second": _rate(known), "live": _rate(live), "moves_per_game": _moves(known) / len(known)}


Games = Sequence[tuple[int, float]]
Twice = tuple[tuple[int, float], tuple[int, float]]


def _fill(seconds: float, play: Callable[[], Twice]) -> list[Twice]:
    played: list[Twice] = []
    spent = 0.0
    while spent < seconds:
        played.append(play())
        spent += played[-1][0][1]
    return played


def _moves(games: Games) -> int:
    return sum(moves for moves, _seconds in games)


def _rate(games: Games) -> float:
    return _moves(games) / sum(seconds for _moves, seconds in games)


if __name__ == "__main__":
    slug, duration, repeat, *how = sys.argv[1:]
    played, source = BY_SLUG[slug], Random(int(repeat))
    at_table = [int(seats) for seats in how if seats != WORD]
    measure_rates(played, WARM_UP, source, *at_table)
    if WORD in how:
        answer_turns(lambda: measure_rates(played, float(duration), source, *at_table))
    else:
        print(json.dumps(measure_rates(played, float(duration), source, *at_table)))
