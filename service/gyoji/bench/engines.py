"""Measure 1: moves a second of processor time within one process, against boardgame.io and OpenSpiel."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.installing import node, node_modules, open_spiel_python
from gyoji.bench.surroundings import progress
from gyoji.games.catalogue import BY_SLUG

PEERS = Path(__file__).resolve().parent / "peers"
BOARDGAME, OPEN_SPIEL = "boardgame.io reducer", "OpenSpiel hearts"
GOALS: Mapping[str, Goal] = {BOARDGAME: Goal(floor=15, aim=30), OPEN_SPIEL: Goal(aim=0.25)}

Figures = dict[str, list[float]]


def commands() -> dict[str, list[str]]:
    """The drivers of what can be measured here, by name."""
    drivers = {slug: [sys.executable, "-m", "gyoji.bench.playouts", slug] for slug in BY_SLUG}
    if node_modules():
        drivers[BOARDGAME] = [node() or "node", str(PEERS / "boardgame.js")]
    if python := open_spiel_python():
        drivers[OPEN_SPIEL] = [str(python), str(PEERS / "openspiel.py")]
    return drivers


def measure(repeats: int, seconds: float) -> list[Row]:
    """All drivers in turn, each in a fresh process, as many times as there are repeats."""
    drivers = commands()
    rates: Figures = {name: [] for name in (*BY_SLUG, BOARDGAME, OPEN_SPIEL)}
    live: Figures = {slug: [] for slug in BY_SLUG}
    for repeat in range(repeats):
        progress(f"engines, repeat {repeat + 1} of {repeats}")
        for name, command in drivers.items():
            answer = driven(command, seconds, repeat)
            rates[name].append(answer["moves_per_second"])
            if "live" in answer:
                live[name].append(answer["live"])
    return [*_rows(rates), *_live_rows(rates, live)]


def driven(command: list[str], seconds: float, number: int, *more: str) -> dict[str, float]:
    """What a driver prints, run in a fresh process."""
    environment = {**os.environ, "NODE_ENV": "production", "NODE_PATH": str(node_modules() or "")}
    run = subprocess.run(
        [*command, str(seconds), str(number), *more],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{run.stderr}")
    answer: dict[str, float] = json.loads(run.stdout)
    return answer


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
