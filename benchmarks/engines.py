"""Measures moves a second of processor time in one process, against boardgame.io, OpenSpiel and RLCard."""

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import installation
from benchmarks.effort import Effort
from benchmarks.figures import Goal, Row, as_limit, times_as_fast
from benchmarks.programs import peer_environment, run_for_json
from benchmarks.surroundings import progress
from benchmarks.turns import Driver, keep_drivers, order_of_turn
from gyoji.games.catalogue import BY_SLUG

PEERS = Path(__file__).resolve().parent / "peers"
BOARDGAME, OPEN_SPIEL = "boardgame.io reducer", "OpenSpiel hearts, C++ through Python"
UNO, UNO_ENV = "RLCard UNO, rules alone", "RLCard UNO, environment"
GOALS: Mapping[str, Goal] = {
    BOARDGAME: Goal("G1", floor=15, aim=30),
    OPEN_SPIEL: Goal("G2", floor=0.12, aim=0.25),
    UNO: Goal(),
    UNO_ENV: Goal(),
}

REFERENCE = "reference: a trick game in 90 lines of Python"
MOVES = "legal list and adjudication, moves/s"

Pairs = dict[tuple[str, str], list[tuple[float, float | None]]]
"""(ours, peer) -> the rates of slices side by side; ``None`` without that peer."""


def commands() -> dict[str, list[str]]:
    """Return the drivers that can run here, by name."""
    drivers = {slug: [sys.executable, "-m", "benchmarks.playouts", slug] for slug in BY_SLUG}
    drivers[REFERENCE] = [sys.executable, "-m", "benchmarks.reference"]
    if boardgame := boardgame_io():
        drivers[BOARDGAME] = boardgame
    if python := installation.python_of(installation.OPEN_SPIEL):
        drivers[OPEN_SPIEL] = [str(python), str(PEERS / "openspiel.py")]
    if python := installation.python_of(installation.RLCARD):
        drivers[UNO] = [str(python), str(PEERS / "uno.py"), "game"]
        drivers[UNO_ENV] = [str(python), str(PEERS / "uno.py"), "env"]
    return drivers


def boardgame_io() -> list[str] | None:
    """Return the driver of boardgame.io, if that is installed."""
    return [installation.node() or "node", str(PEERS / "boardgame.js")] if installation.node_modules() else None


def measure(effort: Effort) -> list[Row]:
    """Run in every round each of ours, and the reference, with every peer right after it; those that no goal speaks of
    in the first rounds alone."""
    pairs: Pairs = defaultdict(list)
    live: dict[str, list[tuple[float, float]]] = {slug: [] for slug in BY_SLUG}
    drivers = {name: turn_driver(command, effort.slice) for name, command in commands().items()}
    with keep_drivers(drivers) as running:
        for number in range(effort.turns):
            progress(f"rules, round {number + 1} of {effort.turns}")
            for ours in order_of_turn((*BY_SLUG, REFERENCE), number):
                found = run_with_peers(ours, _peers(number < effort.less), running, pairs)
                if ours in live:
                    live[ours].append((found["live"], found["moves_per_second"]))
    return [*_rows(pairs), *_live_rows(live)]


def _peers(every: bool) -> list[str]:
    return [peer for peer, goal in GOALS.items() if every or goal.id]


def run_with_peers(ours: str, peers: Sequence[str], running: Mapping[str, Driver], pairs: Pairs) -> Mapping[str, float]:
    """Run a slice of ours and one of each peer that is there; return what ours found."""
    found = running[ours]()
    for peer in peers:
        theirs = running[peer]()["moves_per_second"] if peer in running else None
        pairs[ours, peer].append((found["moves_per_second"], theirs))
    return found


def turn_driver(command: list[str], seconds: float, *more: str) -> tuple[list[str], Mapping[str, str] | None]:
    """Return a driver that takes turns: its command and its environment."""
    return [*command, str(seconds), "1", *more], _environment(command)


def _environment(command: list[str]) -> Mapping[str, str] | None:
    """Return the environment of this process for ours; nothing of ours for a peer."""
    if command[0] == sys.executable:
        return None
    return peer_environment(NODE_ENV="production", NODE_PATH=str(installation.node_modules() or ""))


def compare_slices(measure: str, ours: str, peer: str, pairs: Pairs, goal: Goal) -> Row:
    """Make a row of slices side by side."""
    mine = tuple([rate for rate, _theirs in pairs[ours, peer]])
    theirs = tuple([rate for _mine, rate in pairs[ours, peer] if rate is not None])
    return Row(measure, mine, peer, theirs, times_as_fast(mine, theirs), goal)


def run_driver(command: list[str], seconds: float, number: int, *more: str) -> dict[str, float]:
    """Run a driver alone in a fresh process; return what it prints."""
    found: dict[str, float] = run_for_json([*command, str(seconds), str(number), *more], _environment(command))
    return found


def _rows(pairs: Pairs) -> list[Row]:
    rows = [
        compare_slices(f"{slug}: {MOVES}", slug, peer, pairs, goal) for peer, goal in GOALS.items() for slug in BY_SLUG
    ]
    limits = [
        as_limit(goal.id, compare_slices(f"{REFERENCE}, moves/s", REFERENCE, peer, pairs, Goal()))
        for peer, goal in GOALS.items()
        if goal.id
    ]
    return [*rows, *limits]


def _live_rows(live: Mapping[str, Sequence[tuple[float, float]]]) -> list[Row]:
    rows = []
    for slug, found in live.items():
        played, known = zip(*found, strict=True)
        measure = f"{slug}: the same with its deals on the clock, moves/s"
        rows.append(Row(measure, played, "deals beforehand", known, times_as_fast(played, known)))
    return rows
