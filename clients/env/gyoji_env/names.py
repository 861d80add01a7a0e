"""The names of environments: the slug of a game and the version of its rules, as ``catte_v1``."""

from typing import Any

from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game


def name_of(game: Game[Any]) -> str:
    """Return the name of a game's environments."""
    return f"{game.slug.replace('-', '_')}_v{game.version}"


GAME_OF = {name_of(game): game for game in GAMES}
"""Every version of every installed game, by the name of its environments."""


def game_of(name: str) -> Game[Any]:
    """Return the game that a name means. ``ValueError`` where none is installed."""
    if name not in GAME_OF:
        raise ValueError(f"{name}: no such environment; there are {', '.join(GAME_OF)}")
    return GAME_OF[name]
