"""The README of gyoji-env runs, and its numbers are those of the code."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from client.test_env_parts import PACKAGE, PINNED
from gyoji_env.names import GAME_OF
from gyoji_env.rewards import REWARDS
from gyoji_env.spiel import CardState, load

README = (PACKAGE / "README.md").read_text("utf-8")

COMMANDS = {
    "python": (sys.executable,),
    "gyoji": (sys.executable, "-m", "gyoji"),
    "gyoji-bot": (sys.executable, "-m", "gyoji_bot"),
}
"""What the README has in an environment of its own, as it is run here."""


def blocks(kind: str) -> list[str]:
    """The blocks of a kind."""
    return re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def typed_in(kind: str, folder: Path) -> str:
    """Write the files of the README, run its commands of that kind; what they print."""
    for name in ("play.py", "train.py", "trained.py", "spiel.py"):
        (text,) = blocks(f"python {name}")
        (folder / name).write_text(text.replace("range(3000)", "range(1000)"), "utf-8")
    (script,) = blocks(f"sh {kind}")
    script = re.sub(r"\blearners/bin/([a-z-]+)", lambda found: shlex.join(COMMANDS[found[1]]), script)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        ["sh", "-euc", script], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_game_is_played_and_verified(tmp_path: Path) -> None:
    assert "verified" in typed_in("play", tmp_path)


def test_a_policy_learns_and_plays_as_a_bot(tmp_path: Path) -> None:
    """A third of the training that the README asks for is enough to see it."""
    said = typed_in("train", tmp_path)
    (row,) = [line.split(" | ") for line in said.splitlines() if line.startswith("| catte")]
    assert row[2:5] == ["Trained", "random", "30"]
    assert int(row[5].split("%")[0]) > 33
    assert said.splitlines()[-1] == "30 matches, each audited: verified"


def test_open_spiel_and_its_examples_run(tmp_path: Path) -> None:
    said = typed_in("spiel", tmp_path)
    assert "Number of games played: 1" in said
    found = [float(line.rsplit(" ", 1)[1]) for line in said.splitlines() if line.startswith("Iteration")]
    cfr, sampled = found[:3], found[3:]
    assert cfr == sorted(cfr, reverse=True)
    assert sampled[-1] < sampled[0]


def test_the_numbers_of_the_readme_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+_v\d+)` \| ([\d to]+) \| (\d+) \| ([\d, ]+) \|$", README, re.MULTILINE)
    pinned = json.loads(PINNED.read_text("utf-8"))
    assert [row[0] for row in rows] == [*GAME_OF]
    for name, seats, actions, sizes in rows:
        assert re.findall(r"\d+", seats) == [str(each) for each in dict.fromkeys(bounds(name))]
        assert int(actions) == len(pinned[name]["actions"])
        assert [int(size) for size in sizes.split(", ")] == [
            each["size"] for each in pinned[name]["observations"].values()
        ]
    catte = pinned["catte_v1"]["actions"]
    assert (catte[0], catte[12], catte[13], catte[53]) == ("coffee B1", "coffee K15", "play B1", "play K15")
    rewards = README.split("## Rewards")[1].split("## Actions")[0]
    assert re.findall(r"^\| `(\w+)` \| \w", rewards, re.MULTILINE) == [*REWARDS]


def bounds(name: str) -> tuple[int, int]:
    """The fewest and the most seats."""
    return GAME_OF[name].min_seats, GAME_OF[name].max_seats


def states(state: CardState) -> int:
    """How many states there are from this one on."""
    if state.is_terminal():
        return 1
    return 1 + sum(states(state.child(action)) for action in state.legal_actions())


def test_the_small_game_is_as_small_as_the_readme_says() -> None:
    count = states(load("towai_v1", max_plies=3, deals=2).new_initial_state())
    assert f"{count} states in TOWAI" in README
