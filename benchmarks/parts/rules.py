"""The parts of an adjudication in one process: a driver that takes turns, and what is made of it.

usage: python -m benchmarks.parts.rules turns
"""

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from benchmarks.effort import Effort
from benchmarks.random_games import accepted, decisions
from benchmarks.splits import Split, added, timed
from benchmarks.surroundings import progress
from benchmarks.turns import alternating, answering, resident
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Game, Move

WHOLE = "adjudication in one process, µs a move (G1, G2)"
PLAIN, MORE = "rulings with one event: a card is laid", "rulings with more: draws, ends of tricks and rounds"
DRIVER = [sys.executable, "-m", "benchmarks.parts.rules"]
GAMES = 12

Shuffles = dict[tuple[str, int], tuple[str, ...]]


class Played(NamedTuple):
    """A move as it was played."""

    state: Any
    move: Move
    chance: Chance
    events: int


def of_rules(effort: Effort) -> list[Split]:
    """Each game."""
    with resident({"rules": (DRIVER, None)}) as running:
        progress("parts of the rules")
        found = [running["rules"]() for _ in range(effort.turns)]
    return [added(WHOLE, slug, [one[slug] for one in found]) for slug in BY_SLUG]


def some(game: Game[Any]) -> list[Played]:
    """Every move of some random games, with the shuffles known, as G1 and G2 have them."""
    played: list[Played] = []
    for number in range(GAMES):
        for state, move in decisions(game, Random(number)):
            shuffles: Shuffles = {}
            ruling = game.adjudicate(state, move, partial(_recorded, shuffles, deal_v1(state.seed)))
            events = len(ruling.events) if isinstance(ruling, Accepted) else 0
            played.append(Played(state, move, partial(_known, shuffles), events))
    return played


def _recorded(known: Shuffles, chance: Chance, label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
    known[label, k] = cards = chance(label, k, pile)
    return cards


def _known(known: Shuffles, label: str, k: int, _pile: Sequence[str]) -> tuple[str, ...]:
    return known[label, k]


def pieces(game: Game[Any], played: list[Played]) -> Mapping[str, float]:
    """Microseconds a move, over the same moves each time."""
    plain = [one for one in played if one.events == 1]
    more = [one for one in played if one.events != 1]
    times = len(played)
    return {
        "": timed(partial(_whole, game, played), times),
        "legal list": timed(lambda: [game.legal_moves(one.state) for one in played], times),
        PLAIN: timed(partial(_ruled, game, plain), times),
        MORE: timed(partial(_ruled, game, more), times),
    }


def _whole(game: Game[Any], played: list[Played]) -> None:
    for one in played:
        game.legal_moves(one.state)
        state = accepted(game, one.state, one.move, one.chance)
        if state.outcome is not None and state.scores is None:
            raise RuntimeError(f"{game.slug}: an outcome without scores")


def _ruled(game: Game[Any], played: list[Played]) -> None:
    for one in played:
        game.adjudicate(one.state, one.move, one.chance)


if __name__ == "__main__":
    known = {slug: some(game) for slug, game in BY_SLUG.items()}
    answering(alternating({slug: partial(pieces, BY_SLUG[slug], played) for slug, played in known.items()}))
