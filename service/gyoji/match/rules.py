"""The rules that an audit holds a log against. They come from whoever audits, never from the log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from gyoji.games.game import Game

Part = Literal["options", "move", "event", "state", "view"]


@dataclass(frozen=True, eq=False, slots=True)
class Rules:
    """One version of one game, and whether plain data has the published shape of one of its parts.

    The functions of a game take well-formed data only; what a log holds may be anything. Make one value a version and
    keep it: what is read of moves is remembered by it.
    """

    game: Game[Any]
    fits: Callable[[Part, Any], bool]
    ids: frozenset[str]
    """Of the rules that a ruling may cite."""


Rulebook = Callable[[str, int, str], Rules | None]
"""(game, version, rules digest) -> the rules; ``None`` for those that are not known. It never guesses."""
