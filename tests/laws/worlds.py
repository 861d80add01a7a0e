"""Makes two worlds that differ only in what a viewer may not know.

The second world deals the cards that are hidden from the viewer anew among the places where hidden cards lie, chooses
hidden wishes and hidden cards of a swap anew, and has another seed. It must be a position of the game as the first is.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, NamedTuple

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from laws.declared import ByGame, piles_of
from laws.piles import ORDER, PilePaths, cards_at, is_ordered, put_at, value_at
from laws.strategies import Plain, Table, copied, plain, positions, seed_of
from laws.universe import WISHES

TRIES = 60

Viewer = int | None
"""A seat, or ``None`` for a spectator."""


class Worlds(NamedTuple):
    """Two positions that are one to the viewer."""

    game: Game[Any]
    viewer: Viewer
    one: Plain
    other: Plain

    @property
    def differ_in_cards(self) -> bool:
        """Tell whether more than the seed is different."""
        return {**self.one, "seed": None} != {**self.other, "seed": None}


# What is hidden


def _other_hands(state: Plain, viewer: Viewer) -> PilePaths:
    return [("table", "hands", seat) for seat in range(state["seats"]) if seat != viewer]


def _weather(state: Plain, viewer: Viewer) -> list[PilePaths]:
    captured: PilePaths = [("table", "captured", seat) for seat in range(state["seats"])]
    won = [] if state["phase"] == "finished" else captured
    return [[*_other_hands(state, viewer), ("table", "aside"), *won]]


def _catte(state: Plain, viewer: Viewer) -> list[PilePaths]:
    return [[*_other_hands(state, viewer), ("table", "aside"), ("table", "discard")]]


def _towai(state: Plain, viewer: Viewer) -> list[PilePaths]:
    return [[*_other_hands(state, viewer), ("table", "deck")]]


def _familiars(state: Plain, viewer: Viewer) -> list[PilePaths]:
    piles: list[PilePaths] = [[("table", "piles", level)] for level in "123"]
    return [[*_other_hands(state, viewer), ("table", "draw")], *piles]


def _declared(game: Game[Any]) -> Callable[[Plain, Viewer], list[PilePaths]]:
    """List all that the game declares hideable, but for the viewer's own hand."""
    return lambda state, viewer: [
        [path for path in piles_of(game, state, hideable=True) if path != ("table", "hands", viewer)]
    ]


HIDDEN: Mapping[str, Callable[[Plain, Viewer], list[PilePaths]]] = ByGame(
    {
        "tomorrow-never-meows": _weather,
        "catte": _catte,
        "towai": _towai,
        "familiars-trouble": _familiars,
    },
    _declared,
)
"""By game: the piles hidden from a viewer, in groups within which a card may lie anywhere as far as it knows."""


def hidden_piles(state: Plain, viewer: Viewer) -> PilePaths:
    """List all piles hidden from the viewer that hold a card."""
    groups = HIDDEN[state["game"]](state, viewer)
    return [path for group in groups for path in group if value_at(state, path)]


def own_hand(state: Plain, viewer: Viewer) -> PilePaths:
    """Return the viewer's hand, where it has one and holds a card."""
    return [("table", "hands", viewer)] if viewer is not None and state["table"]["hands"][viewer] else []


# Another world


def another_world(game: Game[Any], one: Plain, viewer: Viewer, choices: Random) -> Plain:
    """Make a second world for the viewer; where none with other cards is found, one with another seed."""
    for at in range(TRIES):
        other = _dealt_anew(one, viewer, choices, spared="captured" if at > TRIES / 2 else "")
        if game.findings(game.read_state(other)) == ():
            return other
    return {**copied(one), "seed": seed_of(choices.getrandbits(32))}


def _dealt_anew(one: Plain, viewer: Viewer, choices: Random, spared: str) -> Plain:
    other: Plain = copied(one)
    other["seed"] = seed_of(choices.getrandbits(32))
    for group in HIDDEN[one["game"]](one, viewer):
        _redeal(other, [path for path in group if spared not in path], choices)
    _choose_anew(other, viewer, choices)
    return other


def _redeal(state: Plain, paths: PilePaths, choices: Random) -> None:
    """Deal the same cards to the same places, each place as full as it was."""
    cards = [card for path in paths for card in cards_at(state, path)]
    choices.shuffle(cards)
    for path in paths:
        size = len(cards_at(state, path))
        pile, cards = cards[:size], cards[size:]
        put_at(state, path, sorted(pile, key=ORDER[state["game"]]) if is_ordered(path) else pile)


def _choose_anew(state: Plain, viewer: Viewer, choices: Random) -> None:
    """Other wishes and other cards to swap for the seats that have chosen; the viewer's own stay."""
    table = state["table"]
    if table.get("swap"):
        for seat in _chosen(table["swap"], viewer):
            table["swap"][seat] = choices.choice(table["hands"][seat])
    if state["options"].get("concealed") and state["phase"] != "finished":
        for seat in _chosen(table["wishes"], viewer):
            table["wishes"][seat] = choices.choice(WISHES[: choices.choice([5, 8])])


def _chosen(choices: list[Any], viewer: Viewer) -> Iterator[int]:
    return (seat for seat, chosen in enumerate(choices) if chosen is not None and seat != viewer)


# Worlds to try


def some_worlds(table: Table, count: int) -> Iterator[Worlds]:
    """Pairs of worlds for some positions of a random game, each with some viewer."""
    choices = Random(table.path)
    states = [*positions(table)]
    for state in choices.sample(states, min(count, len(states))):
        one = plain(table.game, state)
        viewer = choices.choice([None, *range(table.seats), *state.to_act])
        yield Worlds(table.game, viewer, one, another_world(table.game, one, viewer, choices))


@cache
def pool(slug: str) -> tuple[Worlds, ...]:
    """Return a fixed set of pairs of worlds of one game."""
    return tuple(worlds for path in range(30) for worlds in some_worlds(_table(slug, path), 5))


def _table(slug: str, path: int) -> Table:
    game, choices = BY_SLUG[slug], Random(path)
    seats = choices.randint(game.min_seats, game.max_seats)
    concealed = {"concealed": True, "bluff_scoring": "per_trick"}
    options = concealed if slug == "tomorrow-never-meows" and path % 2 else {}
    return Table(game, seats, options, choices.randrange(seats), seed_of(path), path)
