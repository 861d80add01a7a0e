"""What both kinds of environments offer beside PettingZoo's interface: moves, views and replays of the game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gyoji.cli.match_text import position_lines
from gyoji.cli.terminal import Colours
from gyoji.games.game import Infraction, Move, Position
from gyoji.messages.positions import PositionWriter
from gyoji_env.episode import Episode
from gyoji_env.replay import write
from gyoji_env.table import Table

ILLEGAL = -1.0
"""The reward of whoever takes an action that is no legal move, which ends the game; the others get none."""


class Shell:
    """An environment around the games at a table."""

    possible_agents: list[str]

    def __init__(self, table: Table) -> None:
        self.table = table
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        self.render_mode = "ansi"
        self.episode = Episode(table)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.metadata = {"name": table.name, "render_modes": ["ansi"], "is_parallelizable": False}

    @property
    def position(self) -> Position:
        """The whole position, hidden cards too: for looking at games, not for playing them."""
        state: Position = self.episode.state
        return state

    def action_of(self, move: Move) -> int:
        """Return the action that a move of the API is. ``KeyError`` for what is no move of the game."""
        return self.table.numbering.action(move)

    def move_of(self, action: int, agent: str) -> Move:
        """Return an agent's action as a move of the API."""
        return self.table.numbering.moves[self._seat_of[agent]][action]

    def view(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know of the position, as its token is shown it; the observation says the same."""
        return self.episode.view(self._seat_of[agent])

    def legal_moves(self, agent: str) -> Sequence[Move]:
        """Return the moves that an agent may make now."""
        return self.episode.legal(self._seat_of[agent])

    def drawing(self) -> str:
        """Return the position as a spectator sees it, as ``gyoji replay show`` draws it."""
        game, state = self.table.game, self.episode.state
        layout = PositionWriter(game.slug, "en", self.possible_agents).layout(game.view(state, None), state.ply)
        return "\n".join(position_lines(layout, self.table.name, Colours(game.slug, on=False)))

    def replay(self, file: str | Path | None = None) -> bytes:
        """Return the game under way, or that has just ended, as a replay file; write it, where a file is named, and the
        key that it is signed with as ``trust.json`` beside it."""
        content = self.episode.replay()
        if file is not None:
            write(Path(file), content)
        return content


def refused(infraction: Infraction) -> dict[str, Any]:
    """Return what the agent is told whose action was no legal move."""
    return {"illegal": infraction.reason, "rule": infraction.rule}


def checked(action: int | None, size: int) -> int:
    """Return an action, if it is one. ``ValueError`` if it is none of so many."""
    if action is None or not 0 <= action < size:
        raise ValueError(f"{action} is no action; they are 0 to {size - 1}")
    return action
