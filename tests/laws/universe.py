"""Lists every move that a caller could send for a table: each type, seat, card, wish, errand, level and daylight.

In the order of the rules pages, so that the list of legal moves must be the accepted ones as they stand here.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

from gyoji.games.game import Game, Move
from laws.declared import ByGame, moves_of
from laws.piles import ORDER, census
from laws.strategies import Plain

WISHES = ("fine", "cloudy", "rainy", "thunder", "snow", "very_fine", "very_cloudy", "very_rainy")
WEATHER = [f"{suit}{number}" for suit in "FCRTS" for number in range(1, 11 if suit in "FCR" else 4)]
COFFEE = ("B1", "B3", "B5", "B7", "B9", "W2", "W4", "W6", "W8", "W10", "K5", "K10", "K15")
TWILIGHT = [
    f"{kind}{number}" for kind, low, high in (("D", 3, 7), ("N", 1, 5), ("T", 1, 7)) for number in range(low, high + 1)
]
ATTRIBUTES = [*(f"{colour}{number}" for colour in "RBG" for number in range(3, 10)), "RB2", "RG2", "BG2", "RBG1"]


def _moves(kind: str, seat: int, **members: Iterable[Any]) -> list[Move]:
    """List all moves of a type: one for each combination of its members' values."""
    moves: list[dict[str, Any]] = [{"type": kind, "seat": seat}]
    for member, values in members.items():
        moves = [{**move, member: value} for move in moves for value in values]
    return [*moves]


def _weather(_state: Plain, seat: int) -> list[Move]:
    return [
        *_moves("wish", seat, wish=WISHES),
        *_moves("announce", seat, wish=WISHES),
        *_moves("play", seat, card=WEATHER),
    ]


def _catte(state: Plain, seat: int) -> list[Move]:
    cats = sorted([*census(state)["cats"], strange_cat(state)], key=ORDER["catte"])
    return [*_moves("coffee", seat, card=COFFEE), *_moves("play", seat, card=cats)]


def strange_cat(state: Plain) -> str:
    """Return a code that a cat card may have and no card of this deck has."""
    known = census(state)["cats"]
    return next(card for card in (f"W{number}" for number in range(99, 0, -1)) if card not in known)


def _towai(_state: Plain, seat: int) -> list[Move]:
    declared = _moves("play", seat, card=TWILIGHT, daylight=("day", "night"))
    plain = [*_moves("play", seat, card=TWILIGHT), *_moves("pass", seat), *_moves("end_turn", seat)]
    return [*declared, *plain, *_moves("swap", seat, card=TWILIGHT)]


def _familiars(state: Plain, seat: int) -> list[Move]:
    shown = state["table"]["errands"]
    errands = [*shown, *(errand for errand in census(state)["errands"] if errand not in shown), "no-such-errand"]
    return [
        *_moves("skip_exchange", seat),
        *_moves("exchange", seat, card=ATTRIBUTES),
        *_moves("skip_errand", seat),
        *_moves("replace_errand", seat, errand=errands, level=(1, 2, 3)),
        *_moves("play", seat, card=ATTRIBUTES),
        *_moves("draw_errand", seat, level=(1, 2, 3)),
    ]


OF_SEAT: Mapping[str, Callable[[Plain, int], list[Move]]] = ByGame(
    {
        "tomorrow-never-meows": _weather,
        "catte": _catte,
        "towai": _towai,
        "familiars-trouble": _familiars,
    },
    moves_of,
)


def universe(game: Game[Any], state: Plain) -> list[Move]:
    """List the moves of all seats that the game may have, those of a larger table too."""
    return [*chain.from_iterable(OF_SEAT[game.slug](state, seat) for seat in range(game.max_seats))]
