"""Measures what keeping a move costs: appends in one process, and moves in stored matches over HTTP.

On SQLite everything lies on a memory file system where there is one, so that the disk's share, which is the machine's
and not the code's, stays out. On PostgreSQL everything lies on the disk, and both sides sync what they acknowledge.
"""

import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks import installation, postgres, servers
from benchmarks.effort import Effort
from benchmarks.engines import PEERS
from benchmarks.figures import Goal, Row, as_limit, times_as_fast
from benchmarks.load import CONNECTIONS, run_load
from benchmarks.programs import peer_environment
from benchmarks.stored_moves import run_players
from benchmarks.surroundings import progress
from benchmarks.turns import Driver, keep_drivers, order_of_turn
from benchmarks.workplace import memory_folder

EVENTSOURCING, CORE = "eventsourcing's Application.save", "SQLAlchemy Core, 8 connections, synchronous=NORMAL"
PSYCOPG = "psycopg, UPDATE and INSERT, 8 connections, durable"
IN_PROCESS = Goal("G7", floor=0.7, aim=2)
ON_SQLITE = Goal("G8", floor=0.25, aim=0.40)
ON_POSTGRES = Goal("G9", floor=0.35, aim=0.55)
NO_WRK = "not measured: wrk is not installed"
NO_GRANIAN = "not measured: granian is not installed"
OURS, GRANIAN, CONSTANT, PEER = "ours", "granian", "constant answer", "peer"

Rates = Mapping[str, list[float]]


class StorageKind(NamedTuple):
    """Stored moves on one database, and what they are compared with."""

    name: str
    measure: str
    peer: str
    goal: Goal


SQLITE = StorageKind(
    "SQLite", "move in a stored match over HTTP, SQLite, synced before the answer, a second", CORE, ON_SQLITE
)
POSTGRES = StorageKind(
    "PostgreSQL", "move in a stored match over HTTP, PostgreSQL, durable, on disk, a second", PSYCOPG, ON_POSTGRES
)


def measure(effort: Effort) -> list[Row]:
    """Measure ours and the peers in turn."""
    return [*_in_process(effort), *_on_sqlite(effort), *_on_postgres(effort)]


def _peers(kind: str, target: str, seconds: float) -> dict[str, tuple[list[str], Mapping[str, str] | None]]:
    """Return the driver of a peer, unless it is not installed."""
    python = sys.executable if kind == "psycopg" else installation.python_of(installation.STORES)
    command = [str(python), str(PEERS / "appends.py"), kind, target, str(seconds)]
    return {} if python is None else {PEER: (command, peer_environment())}


def _in_process(effort: Effort) -> list[Row]:
    rates: dict[str, list[float]] = defaultdict(list)
    with memory_folder() as folder:
        ours = [sys.executable, "-m", "benchmarks.appends", folder, str(effort.slice), "1"]
        with keep_drivers({OURS: (ours, None), **_peers("eventsourcing", folder, effort.slice)}) as running:
            for number in range(effort.turns):
                progress(f"appends, round {number + 1} of {effort.turns}")
                for name in order_of_turn([*running], number):
                    found = running[name]()
                    rates[name].append(found["appends_per_second"])
                    if name == OURS:
                        rates["least"].append(found["least"])
    statements = "its two statements alone, on SQLite as ours is set, a second of CPU"
    return [
        _row("append in one process, a second of CPU", OURS, EVENTSOURCING, rates, IN_PROCESS),
        as_limit(IN_PROCESS.id, _row(statements, "least", EVENTSOURCING, rates, IN_PROCESS)),
    ]


def _row(measure: str, ours: str, peer: str, rates: Rates, goal: Goal) -> Row:
    mine, theirs = tuple(rates[ours]), tuple(rates[PEER][: len(rates[ours])])
    return Row(measure, mine, peer, theirs, times_as_fast(mine, theirs), goal)


def _on_sqlite(effort: Effort) -> list[Row]:
    if shutil.which("wrk") is None:
        return [_missing(SQLITE, NO_WRK)]
    with memory_folder() as folder:
        peers = _peers("sqlalchemy", folder, effort.stored)
        return _over_http(SQLITE, dict.fromkeys((OURS, GRANIAN)), peers, Path(folder), effort)


def _on_postgres(effort: Effort) -> list[Row]:
    if shutil.which("wrk") is None:
        return [_missing(POSTGRES, NO_WRK)]
    if find_spec("psycopg") is None:
        return [_missing(POSTGRES, "not measured: psycopg is not installed")]
    try:
        with postgres.run_cluster() as server, memory_folder() as folder:  # which is for the logs alone
            urls = {name: f"postgresql+psycopg://{postgres.create_database(server, name)}" for name in (OURS, GRANIAN)}
            peers = _peers("psycopg", postgres.create_database(server, "theirs"), effort.stored)
            return _over_http(POSTGRES, urls, peers, Path(folder), effort)
    except postgres.NoPostgres as why:
        return [_missing(POSTGRES, f"not measured: PostgreSQL: {why}")]


def _missing(kind: StorageKind, why: str) -> Row:
    return Row(kind.measure, (), kind.peer, missing=why, goal=kind.goal)


def _over_http(
    kind: StorageKind,
    urls: Mapping[str, str | None],
    peers: Mapping[str, tuple[list[str], Mapping[str, str] | None]],
    folder: Path,
    effort: Effort,
) -> list[Row]:
    """Run ours between its peer and a constant answer, slice by slice; under granian in the first rounds alone."""
    rates: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        seconds, few = effort.stored, effort.less
        turns: dict[str, Callable[[], float]] = {}
        if servers.has_granian():
            turns[GRANIAN] = stack.enter_context(_play_slices(folder, urls[GRANIAN], seconds, few, GRANIAN))
        for name, driver in stack.enter_context(keep_drivers(peers)).items():
            turns[name] = _append_slices(driver)
        turns[OURS] = stack.enter_context(_play_slices(folder, urls[OURS], seconds, effort.rounds, "gunicorn"))
        turns[CONSTANT] = stack.enter_context(_constant(folder, seconds))
        for number in range(effort.rounds):
            progress(f"stored moves on {kind.name}, round {number + 1} of {effort.rounds}")
            for name in order_of_turn([*turns], number):
                if number < few or name != GRANIAN:
                    rates[name].append(turns[name]())
    return [
        _row(kind.measure, OURS, kind.peer, rates, kind.goal),
        as_limit(kind.goal.id, _row(LIMIT.format(kind.name), CONSTANT, kind.peer, rates, kind.goal)),
        _row(f"under granian: {kind.measure}", GRANIAN, kind.peer, rates, Goal())
        if GRANIAN in turns
        else Row(f"under granian: {kind.measure}", (), kind.peer, missing=NO_GRANIAN),
    ]


LIMIT = "constant answer of Flask over HTTP, beside {}, a second"


@contextmanager
def _play_slices(
    folder: Path, url: str | None, seconds: float, slices: int, server: str
) -> Iterator[Callable[[], float]]:
    place = folder / f"under-{server}"
    place.mkdir()
    with run_players(place, url, seconds, slices, server) as play:
        yield lambda: play().rate


def _append_slices(driver: Driver) -> Callable[[], float]:
    return lambda: driver()["appends_per_second"]


@contextmanager
def _constant(folder: Path, seconds: float) -> Iterator[Callable[[], float]]:
    """Measure requests a second for a constant answer, under the same load."""
    port = servers.spare_port()
    with servers.run_server(servers.echo_command(port), port, folder / "constant.log") as server:
        servers.wait_until_answering(server, "/constant")

        def asked() -> float:
            load = run_load(port, "/constant", None, seconds, CONNECTIONS)
            return load.requests / load.seconds

        yield asked
