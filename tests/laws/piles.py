"""Finds where the cards lie in a state's plain data, in every pile of every deck, and moves them."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from laws.declared import ByGame, codes_of, piles_of
from laws.strategies import Plain, copied

Path = tuple[str | int, ...]
"""The way from the envelope to a value in it."""

PilePaths = list[Path]


def _by_seat(state: Plain, *path: str) -> PilePaths:
    return [("table", *path, seat) for seat in range(state["seats"])]


def _weather(state: Plain) -> dict[str, PilePaths]:
    rest: PilePaths = [("table", "aside"), ("table", "trick")]
    return {"cards": [*_by_seat(state, "hands"), *rest, *_by_seat(state, "captured")]}


def _catte(state: Plain) -> dict[str, PilePaths]:
    rest: PilePaths = [("table", "aside"), ("table", "trick"), ("table", "discard")]
    rows = [*_by_seat(state, "coffee", "unused"), *_by_seat(state, "coffee", "acquired")]
    return {"cats": [*_by_seat(state, "hands"), *rest], "coffee": [*rows, ("table", "coffee", "centre")]}


def _towai(state: Plain) -> dict[str, PilePaths]:
    return {"cards": [*_by_seat(state, "hands"), *[("table", name) for name in ("deck", "pile", "discard")]]}


def _familiars(state: Plain) -> dict[str, PilePaths]:
    rest: PilePaths = [("table", name) for name in ("draw", "discard", "trick")]
    errands: PilePaths = [("table", "errands"), ("table", "completed"), *[("table", "piles", level) for level in "123"]]
    return {"cards": [*_by_seat(state, "hands"), *rest], "errands": errands}


DECKS: Mapping[str, Callable[[Plain], dict[str, PilePaths]]] = ByGame(
    {
        "tomorrow-never-meows": _weather,
        "catte": _catte,
        "towai": _towai,
        "familiars-trouble": _familiars,
    },
    lambda game: lambda state: {"cards": piles_of(game, state)},
)
"""By game: the piles of each of its decks."""


def value_at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def put_at(data: Any, path: Path, value: Any) -> None:
    value_at(data, path[:-1])[path[-1]] = value


def cards_at(state: Plain, path: Path) -> list[str]:
    """Return the cards of a pile: a list of codes, a trick, or the place of a single card."""
    value = value_at(state, path)
    if value is None or isinstance(value, str):
        return [] if value is None else [value]
    return [item if isinstance(item, str) else item["card"] for item in value]


def census(state: Plain) -> dict[str, Counter[str]]:
    """Count how often each card of each deck lies on the table."""
    decks = DECKS[state["game"]](state)
    return {deck: Counter(card for path in paths for card in cards_at(state, path)) for deck, paths in decks.items()}


# The order in which a hand is kept


def _number(card: str) -> int:
    return int(card.lstrip("FCRTSBWKDNG"))


def _place(suits: tuple[str, ...], card: str) -> tuple[int, int]:
    return suits.index(card.rstrip("0123456789")), _number(card)


ORDER: Mapping[str, Callable[[str], tuple[int, int]]] = ByGame(
    {
        "tomorrow-never-meows": partial(_place, ("F", "C", "R", "T", "S")),
        "catte": partial(_place, ("B", "W", "K")),
        "towai": partial(_place, ("D", "N", "T")),
        "familiars-trouble": partial(_place, ("R", "B", "G", "RB", "RG", "BG", "RBG")),
    },
    lambda game: lambda card: (codes_of(game).index(card), 0),
)
"""By game: what the cards of a hand are ordered by."""


def is_ordered(path: Path) -> bool:
    """Hands, and coffee that is unused, are kept in order; all other piles lie as they came about."""
    return "hands" in path or "unused" in path


# One card too many, one too few


def lost(state: Plain, path: Path, at: int) -> Plain:
    """Return the same table, less one card of a pile."""
    less: Plain = copied(state)
    pile = value_at(less, path)
    if isinstance(pile, list):
        del pile[at]
    else:
        put_at(less, path, None)
    return less


def with_card(state: Plain, path: Path, card: str) -> Plain:
    """Return the same table with one more card on a pile, or in a single card's place."""
    more: Plain = copied(state)
    pile = value_at(more, path)
    if not isinstance(pile, list):
        put_at(more, path, card)
    elif path[-1] == "trick":
        pile.append({"seat": state["to_act"][0] if state["to_act"] else 0, "card": card})
    else:
        pile.append(card)
    if is_ordered(path) and all(known in census(state)[deck_of(state, path)] for known in pile):
        pile.sort(key=ORDER[state["game"]])
    return more


def deck_of(state: Plain, path: Path) -> str:
    """Return the deck whose cards lie on that pile."""
    return next(deck for deck, paths in DECKS[state["game"]](state).items() if path in paths)
