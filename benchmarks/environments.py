"""Measures steps a second in environments for learners, against PettingZoo's and RLCard's card games."""

import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence

from benchmarks import installation
from benchmarks.effort import Effort
from benchmarks.engines import PEERS, Pairs, compare_slices, run_with_peers
from benchmarks.figures import Goal, Row
from benchmarks.programs import peer_environment
from benchmarks.surroundings import progress
from benchmarks.turns import keep_drivers, order_of_turn
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import CHECKOUT

TWICE = Goal(aim=2)
PETTINGZOO = ("texas_holdem_v4", "texas_holdem_no_limit_v6", "leduc_holdem_v4", "hanabi_v5")
RLCARD = ("uno", "gin-rummy", "doudizhu", "mahjong", "limit-holdem", "leduc-holdem")
STEPS = "what the agent observes, and an action, steps/s"

Command = tuple[Sequence[str], Mapping[str, str] | None]


def ours() -> dict[str, str]:
    """Return the environment of each game, by its slug."""
    return {slug: f"{slug.replace('-', '_')}_v{game.version}" for slug, game in BY_SLUG.items()}


def names_of_peers() -> list[str]:
    """List what ours are compared with."""
    return [*[f"PettingZoo {name}" for name in PETTINGZOO], *[f"RLCard {name}" for name in RLCARD]]


def commands(seconds: float) -> dict[str, Command]:
    """Return the drivers that can run here, by name: none where PettingZoo is not installed, which ours need too."""
    python = installation.python_of(installation.LEARNING)
    if python is None:
        return {}
    agents, more = str(PEERS / "agents.py"), (str(seconds), "1")
    (packages,) = python.parent.parent.glob("lib/python*/site-packages")
    path = os.pathsep.join([str(CHECKOUT / "clients" / "env"), *filter(None, sys.path), str(packages)])
    found: dict[str, Command] = {
        slug: ((sys.executable, agents, f"gyoji_env:{name}", *more), peer_environment(PYTHONPATH=path))
        for slug, name in ours().items()
    }
    for name in PETTINGZOO:
        found[f"PettingZoo {name}"] = (str(python), agents, f"pettingzoo.classic.{name}", *more), peer_environment()
    for name in RLCARD:
        found[f"RLCard {name}"] = (str(python), str(PEERS / "uno.py"), f"env:{name}", *more), peer_environment()
    return found


def measure(effort: Effort) -> list[Row]:
    """Run in every round each of ours, with every peer right after it."""
    pairs: Pairs = defaultdict(list)
    peers = names_of_peers()
    drivers = commands(effort.slice)
    with keep_drivers(drivers) as running:
        for number in range(effort.turns if drivers else 0):
            progress(f"environments, round {number + 1} of {effort.turns}")
            for slug in order_of_turn([*ours()], number):
                run_with_peers(slug, peers, running, pairs)
    return [
        compare_slices(f"{name}: {STEPS}", slug, peer, pairs, TWICE) for peer in peers for slug, name in ours().items()
    ]
