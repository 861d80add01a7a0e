"""The environment in which one agent acts after the other (PettingZoo's AEC)."""

from typing import Any

from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv

from gyoji_env.shell import ILLEGAL, Shell, checked, refused
from gyoji_env.spaces import Observation, action_spaces, observation_spaces, observe
from gyoji_env.table import Table


class AgentCycle(Shell, AECEnv[str, Observation, int | None]):
    """Games at a table, an agent a seat. Those that choose at the same time act one after the other, and see of each
    other's choices that they were made, as the table does."""

    def __init__(self, table: Table, max_plies: int | None = None) -> None:
        super().__init__(table)
        self._most = max_plies
        self._actions = action_spaces(table, self.possible_agents, 0)
        self._observations = observation_spaces(table, self.possible_agents, 0)

    def action_space(self, agent: str) -> Discrete:
        """Return the actions of an agent."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> Dict:
        """Return the observations of an agent."""
        return self._observations[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. The same seed gives the same deals; there are no ``options``."""
        self.episode.begin(seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._given = self.episode.nothing
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._next()

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know, and which actions it may take."""
        return observe(self.episode, self._seat_of[agent], 0)

    def step(self, action: int | None) -> None:
        """Have the agent whose turn it is act."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode, before = self.episode, self.episode.state
        self._cumulative_rewards[agent] = 0.0
        infraction = episode.play(self._seat_of[agent], checked(action, self.table.numbering.size))
        if infraction is None:
            self._reward(episode.rewards_since(before))
        else:
            self.infos[agent] = refused(infraction)
            self._reward(tuple([ILLEGAL if each == agent else 0.0 for each in self.agents]))
        after = episode.state
        if infraction is not None or after.outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._most is not None and after.ply >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._next()
            return
        self._deads_step_first()

    def _next(self) -> str:
        """Return the agent that is to act, the first of those that are."""
        return self.possible_agents[self.episode.acting[0]]

    def _reward(self, rewards: tuple[float, ...]) -> None:
        if rewards is not self._given:
            self._given = rewards
            self.rewards = dict(zip(self.agents, rewards, strict=True))
        if rewards is not self.episode.nothing:
            self._accumulate_rewards()

    def render(self) -> str:
        """Return the position as a spectator sees it."""
        return self.drawing()

    def close(self) -> None:
        """There is nothing to close."""
