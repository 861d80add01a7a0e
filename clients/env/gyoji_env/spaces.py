"""The spaces of a table, and what lies in them."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from gyoji.games.game import Seat
from gyoji_env.episode import Episode
from gyoji_env.table import Table

Observation = dict[str, Any]
"""``observation``: what the seat may know; ``action_mask``: 1 for each action that it may take."""


def action_spaces(table: Table, agents: list[str], more: int) -> dict[str, Discrete]:
    """Return the actions of each agent, and so many more."""
    return {agent: Discrete(table.numbering.size + more) for agent in agents}


def observation_spaces(table: Table, agents: list[str], more: int) -> dict[str, Dict]:
    """Return the observations of each agent."""
    low = np.array(table.encoding.low, np.float32)
    high = np.array(table.encoding.high, np.float32)
    size = table.numbering.size + more
    return {
        agent: Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": Box(0, 1, (size,), np.int8)})
        for agent in agents
    }


def observe(episode: Episode, seat: Seat, more: int) -> Observation:
    """Return what a seat observes; ``more``: how many actions it has beside the moves, to wait."""
    return {
        "observation": np.frombuffer(episode.row(seat), np.float32),
        "action_mask": np.frombuffer(episode.mask(seat, more), np.int8),
    }
