"""Moves a second of processor time within one process, against boardgame.io, OpenSpiel and RLCard."""

import sys
from collections.abc import Mapping
from pathlib import Path

from gyoji.bench import installing
from gyoji.bench.calling import for_peers, printed
from gyoji.bench.effort import Effort
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.surroundings import progress
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

Figures = dict[str, list[float]]


def commands() -> dict[str, list[str]]:
    """The drivers of what can be measured here, by name."""
    drivers = {slug: [sys.executable, "-m", "gyoji.bench.playouts", slug] for slug in BY_SLUG}
    if boardgame := boardgame_io():
        drivers[BOARDGAME] = boardgame
    if python := installing.python_of(installing.OPEN_SPIEL):
        drivers[OPEN_SPIEL] = [str(python), str(PEERS / "openspiel.py")]
    if python := installing.python_of(installing.RLCARD):
        drivers[UNO] = [str(python), str(PEERS / "uno.py"), "game"]
        drivers[UNO_ENV] = [str(python), str(PEERS / "uno.py"), "env"]
    return drivers


def boardgame_io() -> list[str] | None:
    """The driver of boardgame.io, if that is installed."""
    return [installing.node() or "node", str(PEERS / "boardgame.js")] if installing.node_modules() else None


def measure(effort: Effort) -> list[Row]:
    """All drivers in turn, each in a fresh process, as many times as there are repeats."""
    drivers = commands()
    rates: Figures = {name: [] for name in (*BY_SLUG, *GOALS)}
    live: Figures = {slug: [] for slug in BY_SLUG}
    for repeat in range(effort.repeats):
        progress(f"rules, repeat {repeat + 1} of {effort.repeats}")
        for name, command in drivers.items():
            answer = driven(command, effort.seconds, repeat)
            rates[name].append(answer["moves_per_second"])
            if "live" in answer:
                live[name].append(answer["live"])
    return [*_rows(rates), *_live_rows(rates, live)]


def driven(command: list[str], seconds: float, number: int, *more: str) -> dict[str, float]:
    """What a driver prints, run in a fresh process."""
    whole = [*command, str(seconds), str(number), *more]
    if command[0] == sys.executable:
        ours: dict[str, float] = printed(whole)
        return ours
    modules = str(installing.node_modules() or "")
    theirs: dict[str, float] = printed(whole, for_peers(NODE_ENV="production", NODE_PATH=modules))
    return theirs


def _rows(rates: Figures) -> list[Row]:
    return [
        Row(
            f"{slug}: legal list and adjudication, moves/s",
            tuple(rates[slug]),
            peer,
            tuple(rates[peer]),
            times_as_fast(rates[slug], rates[peer]),
            goal,
        )
        for peer, goal in GOALS.items()
        for slug in BY_SLUG
    ]


def _live_rows(rates: Figures, live: Figures) -> list[Row]:
    return [
        Row(
            f"{slug}: the same with its deals on the clock, moves/s",
            tuple(live[slug]),
            "deals beforehand",
            tuple(rates[slug]),
            times_as_fast(live[slug], rates[slug]),
        )
        for slug in BY_SLUG
    ]
