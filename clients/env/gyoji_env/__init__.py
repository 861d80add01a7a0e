"""Environments for learners on the rules of gyoji, the referee of tabletop card games."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gyoji_env.names import GAME_OF
from gyoji_env.table import table_of

if TYPE_CHECKING:
    from gyoji_env.aec import AgentCycle
    from gyoji_env.parallel import AgentsTogether

__version__ = "0.1.0"

NAMES = tuple(GAME_OF)
"""The environments that there are: one for each version of each installed game."""


def env(
    name: str,
    seats: int | None = None,
    reward: str = "score",
    options: Mapping[str, Any] | None = None,
    first: int = 0,
    max_plies: int | None = None,
) -> "AgentCycle":
    """Return the environment of that name in which one agent acts after the other.

    ``seats``: the fewest that the game takes, where nothing is said. ``options``: those of the game. ``first``: the
    seat that begins. ``max_plies``: moves after which a game is left, truncated.
    """
    from gyoji_env.aec import AgentCycle

    return AgentCycle(table_of(name, seats, reward, options, first), max_plies)


def parallel_env(
    name: str,
    seats: int | None = None,
    reward: str = "score",
    options: Mapping[str, Any] | None = None,
    first: int = 0,
    max_plies: int | None = None,
) -> "AgentsTogether":
    """Return the environment of that name in which all agents act in every step; the rest as of ``env``."""
    from gyoji_env.parallel import AgentsTogether

    return AgentsTogether(table_of(name, seats, reward, options, first), max_plies)


__all__ = ["NAMES", "env", "parallel_env"]
