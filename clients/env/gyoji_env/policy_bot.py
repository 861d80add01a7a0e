"""Has what was trained here play where people and bots play: a policy as a bot of ``gyoji-bot``."""

from functools import cache
from typing import Any

import numpy as np
import orjson

from gyoji_bot import Bot, Document, Turn
from gyoji_env.names import game_of
from gyoji_env.spaces import Observation
from gyoji_env.table import Table, table_of


class PolicyBot(Bot):
    """A bot that observes and acts as in the environment that it names. A subclass says ``env`` and ``act``."""

    env = ""
    """The environment, as ``catte_v1``."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Play the game of the environment and no other."""
        super().__init_subclass__(**more)
        if cls.env:
            cls.games = (game_of(cls.env).slug,)

    def act(self, observation: Observation, turn: Turn) -> int:
        """Choose one of the actions that the mask allows."""
        raise NotImplementedError(f"{type(self).__name__} has no act(self, observation, turn)")

    def choose(self, turn: Turn) -> Document:
        """Choose as the policy does."""
        table = _table(self.env, turn.view["seats"], orjson.dumps(turn.view["options"]))
        action = int(self.act(observed(table, turn), turn))
        return dict(table.numbering.moves[turn.seat][action])


def observed(table: Table, turn: Turn) -> Observation:
    """Return what an agent observes in the environment where a bot has such a turn."""
    mask = np.zeros(table.numbering.size, np.int8)
    mask[[*table.numbering.actions(turn.legal_moves)]] = 1
    row = np.frombuffer(table.encoding.of_view(turn.view, turn.seat), np.float32)
    return {"observation": row, "action_mask": mask}


@cache
def _table(name: str, seats: int, options: bytes) -> Table:
    return table_of(name, seats, "score", orjson.loads(options))
