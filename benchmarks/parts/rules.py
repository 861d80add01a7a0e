"""Splits an adjudication in one process into its parts: a driver that takes turns, and the section that runs it.

usage: python -m benchmarks.parts.rules turns
"""

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from benchmarks.effort import Effort
from benchmarks.random_games import play_move, play_positions
from benchmarks.splits import Split, make_split, time_calls
from benchmarks.surroundings import progress
from benchmarks.turns import alternate, answer_turns, keep_drivers
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Game, Move

WHOLE = "adjudication in one process, µs a move (G1, G2)"
PLAIN, MORE = "rulings with one event: a card is laid", "rulings with more: draws, ends of tricks and rounds"
DRIVER = [sys.executable, "-m", "benchmarks.parts.rules"]
GAMES = 12

Shuffles = dict[tuple[str, int], tuple[str, ...]]


class PlayedMove(NamedTuple):
    """A move as it was played."""

    state: Any
    move: Move
    chance: Chance
    events: int


def split_rules(effort: Effort) -> list[Split]:
    """Split the adjudication of each game."""
    with keep_drivers({"rules": (DRIVER, None)}) as running:
        progress("parts of the rules")
        found = [running["rules"]() for _ in range(effort.turns)]
    return [make_split(WHOLE, slug, [one[slug] for one in found]) for slug in BY_SLUG]


def choose_moves(game: Game[Any]) -> list[PlayedMove]:
    """Choose every move of some random games, with the shuffles known, as G1 and G2 have them."""
    played: list[PlayedMove] = []
    for number in range(GAMES):
        for state, move in play_positions(game, Random(number)):
            shuffles: Shuffles = {}
            ruling = game.adjudicate(state, move, partial(_recorded, shuffles, deal_v1(state.seed)))
            events = len(ruling.events) if isinstance(ruling, Accepted) else 0
            played.append(PlayedMove(state, move, partial(_known, shuffles), events))
    return played


def _recorded(known: Shuffles, chance: Chance, label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
    known[label, k] = cards = chance(label, k, pile)
    return cards


def _known(known: Shuffles, label: str, k: int, _pile: Sequence[str]) -> tuple[str, ...]:
    return known[label, k]


def time_pieces(game: Game[Any], played: list[PlayedMove]) -> Mapping[str, float]:
    """Time the parts, in microseconds a move, over the same moves each time."""
    plain = [one for one in played if one.events == 1]
    more = [one for one in played if one.events != 1]
    times = len(played)
    return {
        "": time_calls(partial(_whole, game, played), times),
        "legal list": time_calls(lambda: [game.legal_moves(one.state) for one in played], times),
        PLAIN: time_calls(partial(_ruled, game, plain), times),
        MORE: time_calls(partial(_ruled, game, more), times),
    }


def _whole(game: Game[Any], played: list[PlayedMove]) -> None:
    for one in played:
        game.legal_moves(one.state)
        state = play_move(game, one.state, one.move, one.chance)
        if state.outcome is not None and state.scores is None:
            raise RuntimeError(f"{game.slug}: an outcome without scores")


def _ruled(game: Game[Any], played: list[PlayedMove]) -> None:
    for one in played:
        game.adjudicate(one.state, one.move, one.chance)


if __name__ == "__main__":
    known = {slug: choose_moves(game) for slug, game in BY_SLUG.items()}
    answer_turns(alternate({slug: partial(time_pieces, BY_SLUG[slug], played) for slug, played in known.items()}))
