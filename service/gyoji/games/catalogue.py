"""The games of this service: every version that is playable, the one in force first of its game."""

from typing import Any

from gyoji.games import catte, familiars_trouble, tomorrow_never_meows, towai
from gyoji.games.game import Game

GAMES: tuple[Game[Any], ...] = (tomorrow_never_meows.GAME, catte.GAME, towai.GAME, familiars_trouble.GAME)

BY_SLUG: dict[str, Game[Any]] = {game.slug: game for game in GAMES}
