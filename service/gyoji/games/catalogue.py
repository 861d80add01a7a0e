"""The games of this service: every version that is playable, the one in force first of its game."""

from collections.abc import Sequence
from typing import Any

from gyoji.games import catte, familiars_trouble, tomorrow_never_meows, towai
from gyoji.games.game import Game

GAMES: tuple[Game[Any], ...] = (tomorrow_never_meows.GAME, catte.GAME, towai.GAME, familiars_trouble.GAME)


def in_force(games: Sequence[Game[Any]]) -> dict[str, Game[Any]]:
    """The version in force of each game: that of which new matches are made."""
    first: dict[str, Game[Any]] = {}
    for game in games:
        first.setdefault(game.slug, game)
    return first


BY_SLUG: dict[str, Game[Any]] = in_force(GAMES)

BY_VERSION: dict[tuple[str, int], Game[Any]] = {(game.slug, game.version): game for game in GAMES}
"""What a match goes on to be played by, whichever version is in force meanwhile."""
