"""The games as games of OpenSpiel: its own tests, and its examples, which are run as they are."""

import json
import os
import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

from client.test_env_parts import TABLES
from gyoji_env.names import GAME_OF
from gyoji_env.spiel import load


def sampled(game: pyspiel.Game, seed: int, most: int = 400) -> pyspiel.State:
    """Play a game at random for some moves."""
    choices, state = Random(seed), game.new_initial_state()
    for _step in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(choices.choices(outcomes, chances)[0])
        else:
            state.apply_action(choices.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_random_sims(name: str, seats: int) -> None:
    pyspiel.random_sim_test(load(name, seats, max_plies=300), 2, True, False)


@pytest.mark.parametrize("name", GAME_OF)
def test_whole_games(name: str) -> None:
    state = sampled(load(name), 5, 20_000)
    assert state.is_terminal()
    assert state.course.point.state.outcome is not None
    game = state.get_game()
    assert all(game.min_utility() <= each <= game.max_utility() for each in state.returns())


@pytest.mark.parametrize("name", GAME_OF)
def test_a_game_and_its_states_can_be_pickled(name: str) -> None:
    game = load(name, max_plies=77, options={})
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    state = sampled(game, 3, 150)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_options_are_those_of_the_game() -> None:
    state = sampled(load("towai_v1", 4, options={"finishes_to_win": 1}), 3, 150)
    assert json.loads(str(state))["state"]["options"]["finishes_to_win"] == 1
    assert state.num_players() == 4


@pytest.mark.parametrize("name", GAME_OF)
def test_a_seat_is_told_what_its_view_says(name: str) -> None:
    state = sampled(load(name), 9, 150)
    position, table = state.course.point.state, state.course.table
    for seat in range(state.num_players()):
        assert json.loads(state.observation_string(seat)) == json.loads(json.dumps(table.game.view(position, seat)))
        row = table.encoding.observe(table.game, position, seat)
        assert state.observation_tensor(seat) == [*row]
        lines = state.information_state_string(seat).splitlines()
        assert lines[0] == f"seat {seat}"
        hands = json.loads(lines[1])["events"][0]["hands"]
        assert [isinstance(hand, list) for hand in hands] == [each == seat for each in range(len(hands))]


def test_the_probabilities_of_deals_are_those_of_a_shuffle() -> None:
    state = load("towai_v1").new_initial_state()
    outcomes = dict(state.chance_outcomes())
    assert sum(outcomes.values()) == pytest.approx(1)
    assert sorted(set(outcomes.values())) == pytest.approx([2 / 60, 3 / 60, 4 / 60])


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code that knows these arguments."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)


def example(module: str, *arguments: str) -> str:
    """Run one of OpenSpiel's examples with gyoji's games; what it prints."""
    code = (
        f"import gyoji_env.spiel, runpy; runpy.run_module('open_spiel.python.examples.{module}', run_name='__main__')"
    )
    done = run(code, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_mcts_example_plays() -> None:
    said = example(
        "mcts", "--game=gyoji_towai_v1(options=%7B%22finishes_to_win%22%3A1%7D)", "--max_simulations=5", "--quiet"
    )
    assert "Number of games played: 1" in said


def exploitabilities(said: str) -> list[float]:
    """What an example has printed."""
    return [float(line.rsplit(" ", 1)[1]) for line in said.splitlines() if line.startswith("Iteration")]


def test_the_cfr_example_gets_near_an_equilibrium() -> None:
    said = example("cfr_example", "--game=gyoji_towai_v1_small", "--iterations=11", "--print_freq=5")
    first, *_between, last = exploitabilities(said)
    assert 0 <= last < first


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_the_mccfr_example_runs(sampling: str) -> None:
    arguments = ("--game=gyoji_towai_v1_small", "--iterations=51", "--print_freq=50")
    first, last = exploitabilities(example("mccfr_example", f"--sampling={sampling}", *arguments))
    assert last < first


def test_observations_are_rows_of_32_bits() -> None:
    game: Any = load("catte_v1")
    assert game.observation_tensor_shape() == [len(game.new_initial_state().course.table.encoding.labels)]
    assert np.array(sampled(game, 1, 200).observation_tensor(0)).any()
