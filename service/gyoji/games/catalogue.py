"""The catalogue of games: every version that can be played, the one in force first of its game.

A game is installed by a package that names it under the entry-point group ``gyoji.games``:

    [project.entry-points."gyoji.games"]
    hearts = "gyoji_hearts:GAME"
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from itertools import pairwise
from pkgutil import iter_modules
from typing import Any

from gyoji import games
from gyoji.games.game import Game

GROUP = "gyoji.games"
"""The entry-point group of games."""


def declared() -> Iterator[EntryPoint]:
    """The entry points of all installed games, those of gyoji too.

    A checkout may be run with metadata that were installed before it declared its games; then the packages in this
    folder are its games.
    """
    installed = entry_points(group=GROUP)
    yield from installed
    if not any(point.module.startswith(f"{games.__name__}.") for point in installed):
        for folder in iter_modules(games.__path__, f"{games.__name__}."):
            if folder.ispkg:
                yield EntryPoint(folder.name, f"{folder.name}:GAME", GROUP)


def in_order(found: Iterable[Game[Any]]) -> tuple[Game[Any], ...]:
    """The games by their place in the catalogue, then by slug, the newest version first.

    Raises ``ValueError`` where two packages install the same version of a game.
    """
    listed = sorted(found, key=lambda game: (game.place, game.slug, -game.version))
    for game, after in pairwise(listed):
        if (game.slug, game.version) == (after.slug, after.version):
            raise ValueError(f"{game.slug}, version {game.version}: both {game.package} and {after.package} install it")
    return tuple(listed)


def is_own(game: Game[Any]) -> bool:
    """Whether the game comes with gyoji; others are installed by packages of their own."""
    return game.package.startswith(f"{games.__name__}.")


def in_force(games: Sequence[Game[Any]]) -> dict[str, Game[Any]]:
    """The version in force of each game: that of which new matches are made."""
    first: dict[str, Game[Any]] = {}
    for game in games:
        first.setdefault(game.slug, game)
    return first


GAMES: tuple[Game[Any], ...] = in_order(point.load() for point in declared())
"""Every version of every installed game."""

BY_SLUG: dict[str, Game[Any]] = in_force(GAMES)
"""The version in force of each game: that of which new matches are made."""

BY_VERSION: dict[tuple[str, int], Game[Any]] = {(game.slug, game.version): game for game in GAMES}
"""The games by slug and version: what a match goes on to be played by, whichever version is in force meanwhile."""

EXAMPLE: Game[Any] = next((game for game in GAMES if game.is_example), GAMES[0])
"""The game of examples that could be of any game."""
