"""The environment in which all agents act in every step (PettingZoo's parallel API)."""

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium.spaces import Dict, Discrete
from pettingzoo import ParallelEnv

from gyoji.games.game import Seat
from gyoji_env.shell import ILLEGAL, Shell, checked, refused
from gyoji_env.spaces import Observation, action_spaces, observation_spaces, observe
from gyoji_env.table import Table

WAITING = 1
"""The actions that there are beside moves: to wait, the last one."""


class AgentsTogether(Shell, ParallelEnv[str, Observation, int]):
    """Games at a table, an agent a seat. Agents that are not to act wait, which is an action of its own behind all
    moves; those that choose at the same time do so in one step, none seeing what another chooses."""

    def __init__(self, table: Table, max_plies: int | None = None) -> None:
        super().__init__(table)
        self._most = max_plies
        self.wait = table.numbering.size
        """The action of whoever is not to act."""
        self._actions = action_spaces(table, self.possible_agents, WAITING)
        self._observations = observation_spaces(table, self.possible_agents, WAITING)

    def action_space(self, agent: str) -> Discrete:
        """Return the actions of an agent."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> Dict:
        """Return the observations of an agent."""
        return self._observations[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game. The same seed gives the same deals; there are no ``options``."""
        self.episode.begin(seed)
        self.agents = [*self.possible_agents]
        return self._observed(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Have every agent act that is to act; the actions of the others are to wait."""
        agents, before, acting = self.agents, self.episode.state, self.episode.acting
        infos = {agent: self._refusal(agent, actions[agent], acting) for agent in agents}
        is_refused = any(infos.values())
        if is_refused:
            rewards = tuple([ILLEGAL if infos[agent] else 0.0 for agent in agents])
        else:
            for seat in acting:
                self.episode.play(seat, actions[agents[seat]])
            rewards = self.episode.rewards_since(before)
        after = self.episode.state
        is_over = is_refused or after.outcome is not None
        is_late = not is_over and self._most is not None and after.ply >= self._most
        if is_over or is_late:
            self.agents = []
        return (
            self._observed(),
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, is_over),
            dict.fromkeys(agents, is_late),
            infos,
        )

    def _refusal(self, agent: str, action: int, acting: Sequence[Seat]) -> dict[str, Any]:
        """Return what an agent is told of its action, if that is no legal one; nothing of one that is."""
        seat = self._seat_of[agent]
        if seat not in acting:
            return {} if action == self.wait else {"illegal": "not-your-turn", "rule": None}
        if action == self.wait:
            return {"illegal": "has-to-act", "rule": None}
        infraction = self.episode.refusal(seat, checked(action, self.wait))
        return {} if infraction is None else refused(infraction)

    def _observed(self) -> dict[str, Observation]:
        return {agent: observe(self.episode, seat, WAITING) for seat, agent in enumerate(self.possible_agents)}

    def render(self) -> str:
        """Return the position as a spectator sees it."""
        return self.drawing()

    def close(self) -> None:
        """There is nothing to close."""
