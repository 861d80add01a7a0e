"""The environments by PettingZoo's own tests, and what they say to whom."""

import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import gyoji_env
from client.test_env_parts import TABLES, audit, seen_by_seats
from gyoji.games.catalogue import BY_SLUG
from gyoji_env import NAMES, env, parallel_env
from gyoji_env.aec import AgentCycle
from gyoji_env.names import GAME_OF, name_of
from gyoji_env.parallel import AgentsTogether
from gyoji_env.rewards import COOPERATIVE, REWARDS
from laws.strategies import SLUGS

EXPECTED = (
    "Observation is not a NumPy array",  # a dict with a mask, as those of PettingZoo's card games
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",  # of agents whose game is over
)
"""What PettingZoo's test warns of in every environment with masks that is not on its list of names."""

ALL = [
    (name, seats, reward)
    for name, seats in TABLES
    for reward in (COOPERATIVE if GAME_OF[name].cooperative else REWARDS)
]


@pytest.mark.parametrize(("name", "seats", "reward"), ALL)
def test_api(name: str, seats: int, reward: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        api_test(env(name, seats, reward), num_cycles=200)
    assert {str(warning.message) for warning in warned} <= {*EXPECTED}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_parallel_api(name: str, seats: int) -> None:
    parallel_api_test(parallel_env(name, seats), num_cycles=1_000)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_seeds(name: str, seats: int) -> None:
    seed_test(partial(env, name, seats), num_cycles=200)
    parallel_seed_test(partial(parallel_env, name, seats), num_cycles=200)


def played(at: AgentCycle, seed: int, most: int = 400) -> Iterator[tuple[str, Any, float, dict[str, Any]]]:
    """Play a game at random; give what each agent is told when it is to act, and at the end."""
    choices = Random(seed)
    at.reset(seed=seed)
    for agent in at.agent_iter(most):
        observation, reward, terminated, truncated, info = at.last()
        yield agent, observation, reward, info
        legal = np.flatnonzero(observation["action_mask"])
        at.step(None if terminated or truncated else int(choices.choice(legal)))


@pytest.mark.parametrize("name", NAMES)
def test_rewards_of_a_game_add_up_to_its_scores(name: str) -> None:
    at = env(name, GAME_OF[name].max_seats)
    total = dict.fromkeys(at.possible_agents, 0.0)
    for agent, _observation, reward, _info in played(at, 4, 20_000):
        total[agent] += reward
    assert at.agents == []
    assert tuple(total.values()) == at.position.scores


@pytest.mark.parametrize("slug", SLUGS)
def test_in_two_worlds_that_are_one_to_an_agent_it_is_told_the_same(slug: str) -> None:
    name, compared = name_of(BY_SLUG[slug]), 0
    for _game, viewer, *worlds in seen_by_seats(slug):
        found: list[Any] = []
        for world in worlds:
            for make in (env, parallel_env):
                at: Any = make(name, world["seats"], options=world["options"])
                at.reset(seed=1)
                at.episode.state = BY_SLUG[slug].read_state(world)
                at.episode._legal = None
                agent = at.possible_agents[viewer]
                if isinstance(at, AgentCycle):
                    found.append((at.observe(agent), at.infos[agent], at.legal_moves(agent), at.view(agent)))
                else:
                    found.append((at._observed()[agent], at.legal_moves(agent), at.view(agent)))
        one, other = found[:2], found[2:]
        compared += 1
        assert data_equivalence([[*each] for each in one], [[*each] for each in other])
    assert compared >= 40


# Choices at the same time


def until(at: Any, phase: str) -> dict[str, Any]:
    """Play at random until a phase; what all agents then observe."""
    for seed in range(200):
        choices = Random(seed)
        observations, _infos = at.reset(seed=seed)
        while at.agents:
            if at.position.phase == phase and len(at.position.to_act) == at.table.seats:
                return dict(observations)
            actions = {
                agent: int(choices.choice(np.flatnonzero(each["action_mask"]))) for agent, each in observations.items()
            }
            observations, *_rest = at.step(actions)
    raise AssertionError(phase)


SEALED = [("towai_v1", 3, {}, "swap"), ("tomorrow_never_meows_v1", 3, {"concealed": True}, "wish")]


@pytest.mark.parametrize(("name", "seats", "options", "phase"), SEALED)
def test_those_that_choose_at_the_same_time_do_so_in_one_step(
    name: str, seats: int, options: dict[str, Any], phase: str
) -> None:
    at = parallel_env(name, seats, options=options)
    observations = until(at, phase)
    masks = {agent: each["action_mask"] for agent, each in observations.items()}
    assert all(not mask[at.wait] for mask in masks.values())
    ply = at.position.ply
    _observations, _rewards, terminated, _truncated, infos = at.step(
        {agent: int(np.flatnonzero(mask)[0]) for agent, mask in masks.items()}
    )
    assert at.position.ply == ply + seats
    assert not any(terminated.values())
    assert not any(infos.values())


@pytest.mark.parametrize(("name", "seats", "options", "phase"), SEALED)
def test_one_after_another_none_sees_what_others_have_chosen(
    name: str, seats: int, options: dict[str, Any], phase: str
) -> None:
    """Whatever the first of them has chosen, the others observe the same: that it was chosen."""
    together = parallel_env(name, seats, options=options)
    until(together, phase)
    position = together.position
    at, found = env(name, seats, options=options), []
    for place in range(2):
        at.reset(seed=0)
        at.episode.state, at.episode._legal = position, None
        at.agent_selection = at._next()
        first = at.agent_selection
        at.step(int(np.flatnonzero(at.observe(first)["action_mask"])[place]))
        assert at.agent_selection != first
        found.append([at.observe(agent) for agent in at.agents if agent != first])
        assert not data_equivalence(at.observe(first), at.observe(at.agent_selection))
    assert data_equivalence(*found)


# What is no legal move


def test_an_action_that_is_no_legal_move_ends_the_game_and_it_is_said_why() -> None:
    at = env("catte_v1")
    at.reset(seed=1)
    agent = at.agent_selection
    at.step(int(np.flatnonzero(1 - at.observe(agent)["action_mask"])[-1]))
    assert at.terminations == dict.fromkeys(at.possible_agents, True)
    assert at.rewards == {"seat_0": -1.0, "seat_1": 0.0, "seat_2": 0.0}
    assert at.infos == {"seat_0": {"illegal": "card-not-in-hand", "rule": None}, "seat_1": {}, "seat_2": {}}
    for each in at.agent_iter():
        assert at.last()[1:3] == (at.rewards[each] if each != "seat_0" else -1.0, True)
        at.step(None)
    assert at.agents == []


@pytest.mark.parametrize(
    ("agent", "action", "why"),
    [("seat_0", 54, "has-to-act"), ("seat_1", 20, "not-your-turn"), ("seat_0", 0, "wrong-phase")],
)
def test_together_too(agent: str, action: int, why: str) -> None:
    at: AgentsTogether = parallel_env("catte_v1")
    observations, _infos = at.reset(seed=1)
    actions = {each: int(np.flatnonzero(seen["action_mask"])[0]) for each, seen in observations.items()}
    ply = at.position.ply
    _seen, rewards, terminated, truncated, infos = at.step({**actions, agent: action})
    assert rewards == {each: -1.0 if each == agent else 0.0 for each in at.possible_agents}
    assert [all(terminated.values()), any(truncated.values()), at.agents] == [True, False, []]
    assert infos == {each: {"illegal": why, "rule": None} if each == agent else {} for each in at.possible_agents}
    assert at.position.ply == ply


@pytest.mark.parametrize("action", [-1, 54, None])
def test_what_is_no_action_at_all_is_an_error(action: int | None) -> None:
    at = env("catte_v1")
    at.reset(seed=1)
    with pytest.raises(ValueError, match="they are 0 to 53"):
        at.step(action)


def test_a_game_that_is_left_is_truncated() -> None:
    at = env("towai_v1", max_plies=7)
    assert len([*played(at, 1)]) == 7 + 2
    assert at.position.ply == 7
    together = parallel_env("towai_v1", max_plies=1)
    observations, _infos = together.reset(seed=1)
    actions = {agent: int(np.flatnonzero(each["action_mask"])[0]) for agent, each in observations.items()}
    assert together.step(actions)[2:4] == ({"seat_0": False, "seat_1": False}, {"seat_0": True, "seat_1": True})
    assert together.agents == []


# Beside PettingZoo's interface


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_is_verified(name: str, tmp_path: Path) -> None:
    at = env(name)
    for _told in played(at, 3, 20_000):
        pass
    file = tmp_path / "game.jsonl"
    assert at.replay(file) == file.read_bytes()
    assert audit(file)["verdict"] == "verified"


def test_moves_and_views_are_those_of_the_api() -> None:
    at = env("catte_v1")
    at.reset(seed=3)
    agent = at.agent_selection
    for move in at.legal_moves(agent):
        action = at.action_of(json.loads(json.dumps(move)))
        assert at.move_of(action, agent) == move
        assert at.observe(agent)["action_mask"][action] == 1
    assert not at.legal_moves("seat_1")
    assert at.view(agent)["seed"] is None
    assert "catte_v1" in at.render()
    assert str(at) == "catte_v1"


def test_a_game_of_another_package_has_environments(tmp_path: Path) -> None:
    """Without a line changed here."""
    plugin = Path(__file__).parents[1] / "plugin" / "lanterns"
    metadata = tmp_path / "gyoji_lanterns-1.0.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: gyoji-lanterns\nVersion: 1.0.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text("[gyoji.games]\nlanterns = gyoji_lanterns:GAME\n", "utf-8")
    code = (
        "from pettingzoo.test import api_test, parallel_api_test\nimport gyoji_env\n"
        "api_test(gyoji_env.env('lanterns_v1'))\nparallel_api_test(gyoji_env.parallel_env('lanterns_v1'))\n"
    )
    path = ":".join([str(tmp_path), str(plugin), *[place for place in sys.path if place]])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Passed Parallel API test" in done.stdout


def test_nothing_is_loaded_of_pettingzoo_before_an_environment_is_made() -> None:
    code = "import sys, gyoji_env; sys.exit('pettingzoo' in sys.modules or 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": ":".join(filter(None, sys.path))}, check=False
    )
    assert done.returncode == 0
    assert gyoji_env.NAMES == NAMES
