"""Measures ``gyoji audit`` as it is called, on folders of replay files: with two processes against one."""

import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import orjson

from benchmarks.effort import Effort
from benchmarks.figures import Goal, Row, as_limit, times_as_fast
from benchmarks.programs import await_output, run_for_json, start_program
from benchmarks.surroundings import progress

GOAL = Goal("G12", floor=1.7, aim=1.9)
GAMES = ("tomorrow-never-meows", "catte")
SEED = "be9c"
SEATS = 4
RUN_SECONDS = 300.0
COUNTING = 1.0
"""Seconds."""
MEASURED = "gyoji audit --jobs 2, start-up taken off, moves/s"


class Replays(NamedTuple):
    """Folders of files that are all signed with the key in ``trust``."""

    folders: tuple[Path, ...]
    files: int
    moves: int

    @property
    def trust(self) -> Path:
        """The file with the public key."""
        return self.folders[0] / "trust.json"


def audit_by_two(effort: Effort) -> list[Row]:
    """Audit by turns with one process and with two. What a start costs is measured on two files with the same options,
    and taken off. The limit is what the machine itself gives to two processes that count."""
    with TemporaryDirectory(prefix="gyoji-bench-") as place:
        few, many = _simulate(Path(place) / "few", 1), _simulate(Path(place) / "many", effort.files // len(GAMES))
        starts = {jobs: min(_seconds(few, jobs) for _ in range(effort.less)) for jobs in (1, 2)}
        rates: dict[int, list[float]] = {1: [], 2: []}
        counted: dict[int, list[float]] = {1: [], 2: []}
        for repeat in range(effort.repeats):
            progress(f"audits with one process and with two, repeat {repeat + 1} of {effort.repeats}")
            for jobs in (1, 2):
                rates[jobs].append((many.moves - few.moves) / (_seconds(many, jobs) - starts[jobs]))
                counted[jobs].append(_count_steps(jobs))
    return [
        _row(MEASURED, rates, f"--jobs 1 ({many.files:,} files)"),
        as_limit(GOAL.id, _row("two processes that count side by side, million steps/s", counted, "one that counts")),
    ]


def _row(measure: str, rates: dict[int, list[float]], peer: str) -> Row:
    one, two = tuple(rates[1]), tuple(rates[2])
    return Row(measure, two, peer, one, times_as_fast(two, one), GOAL)


def _count_steps(processes: int) -> float:
    """Count, in million steps a second of the clock, what all of them do together."""
    command = [sys.executable, "-m", "benchmarks.surroundings", str(COUNTING)]
    with ExitStack() as stack:
        running = [stack.enter_context(start_program(command)) for _ in range(processes)]
        return sum(float(await_output(process, RUN_SECONDS)) for process in running)


def _seconds(replays: Replays, jobs: int) -> float:
    options = ["--jobs", str(jobs), "--trust", str(replays.trust), "--json"]
    begun = perf_counter()
    summary = run_for_json([sys.executable, "-m", "gyoji", "audit", *map(str, replays.folders), *options])["summary"]
    took = perf_counter() - begun
    if summary["verdicts"] != {"verified": replays.files}:
        raise RuntimeError(f"of {replays.files} files: {summary['verdicts']}")
    return took


def _simulate(place: Path, games: int) -> Replays:
    """Write so many matches of each game, by two processes side by side."""
    progress(f"simulating {games * len(GAMES)} matches to audit")
    folders = tuple(place / slug for slug in GAMES)
    first, second = (_command(slug, games, folder) for slug, folder in zip(GAMES, folders, strict=True))
    with start_program(first) as one, start_program(second) as other:
        moves = sum(orjson.loads(await_output(process, RUN_SECONDS))["plies"] for process in (one, other))
    return Replays(folders, games * len(GAMES), moves)


def _command(slug: str, games: int, folder: Path) -> list[str]:
    options = ["--games", str(games), "--seats", str(SEATS), "--seed", SEED, "--out", str(folder), "--json"]
    return [sys.executable, "-m", "gyoji", "simulate", slug, *options]
