"""What keeping a move costs: appends in one process, and moves in stored matches over HTTP.

On SQLite everything lies on a memory file system where there is one, so that the disk's share, which is the machine's
and not the code's, stays out. On PostgreSQL everything lies on the disk, and both sides sync what they acknowledge.
"""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from gyoji.bench import installing, postgres, stored_moves
from gyoji.bench.calling import for_peers, printed
from gyoji.bench.effort import Effort
from gyoji.bench.engines import PEERS
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.surroundings import progress
from gyoji.bench.workplace import memory_folder

EVENTSOURCING, CORE = "eventsourcing's Application.save", "SQLAlchemy Core, 8 connections, synchronous=NORMAL"
PSYCOPG = "psycopg, UPDATE and INSERT, 8 connections, durable"
IN_PROCESS = Goal("G7", floor=0.7, aim=2)
ON_SQLITE = Goal("G8", floor=0.25, aim=0.40)
ON_POSTGRES = Goal("G9", floor=0.35, aim=0.55)
NO_WRK = "not measured: wrk is not installed"


def measure(effort: Effort) -> list[Row]:
    """Ours and the peers in turn."""
    return [_in_process(effort), _on_sqlite(effort), _on_postgres(effort)]


def _peer(kind: str, target: str, seconds: float) -> list[float]:
    """What the peer does, or nothing where it is not installed."""
    python = sys.executable if kind == "psycopg" else installing.python_of(installing.STORES)
    if python is None:
        return []
    command = [str(python), str(PEERS / "appends.py"), kind, target, str(seconds)]
    return [printed(command, for_peers())["appends_per_second"]]


def _in_process(effort: Effort) -> Row:
    ours, theirs = [], []
    for repeat in range(effort.repeats):
        progress(f"appends, repeat {repeat + 1} of {effort.repeats}")
        with memory_folder() as folder:
            command = [sys.executable, "-m", "gyoji.bench.appends", folder, str(effort.seconds), str(repeat)]
            ours.append(printed(command)["appends_per_second"])
            theirs += _peer("eventsourcing", folder, effort.seconds)
    ratios = times_as_fast(ours, theirs)
    return Row("append in one process, a second of CPU", tuple(ours), EVENTSOURCING, tuple(theirs), ratios, IN_PROCESS)


def _on_sqlite(effort: Effort) -> Row:
    measured = "move in a stored match over HTTP, SQLite, synced before the answer, a second"
    if shutil.which("wrk") is None:
        return Row(measured, (), CORE, missing=NO_WRK, goal=ON_SQLITE)
    ours, theirs = [], []
    for repeat in range(effort.repeats):
        progress(f"stored moves on SQLite, repeat {repeat + 1} of {effort.repeats}")
        with memory_folder() as folder:
            ours.append(stored_moves.rate(Path(folder), effort.load, None))
            theirs += _peer("sqlalchemy", folder, effort.load)
    return Row(measured, tuple(ours), CORE, tuple(theirs), times_as_fast(ours, theirs), ON_SQLITE)


def _on_postgres(effort: Effort) -> Row:
    measured = "move in a stored match over HTTP, PostgreSQL, durable, on disk, a second"
    if shutil.which("wrk") is None:
        return Row(measured, (), PSYCOPG, missing=NO_WRK, goal=ON_POSTGRES)
    if find_spec("psycopg") is None:
        return Row(measured, (), PSYCOPG, missing="not measured: psycopg is not installed", goal=ON_POSTGRES)
    try:
        with postgres.cluster() as server:
            return _against(measured, server, effort)
    except postgres.NoPostgres as why:
        return Row(measured, (), PSYCOPG, missing=f"not measured: PostgreSQL: {why}", goal=ON_POSTGRES)


def _against(measured: str, server: str, effort: Effort) -> Row:
    ours, theirs = [], []
    for repeat in range(effort.repeats):
        progress(f"stored moves on PostgreSQL, repeat {repeat + 1} of {effort.repeats}")
        url = f"postgresql+psycopg://{postgres.made(server, f'ours_{repeat}')}"
        with memory_folder() as folder:  # for the log alone
            ours.append(stored_moves.rate(Path(folder), effort.load, url))
        theirs += _peer("psycopg", postgres.made(server, f"theirs_{repeat}"), effort.load)
    return Row(measured, tuple(ours), PSYCOPG, tuple(theirs), times_as_fast(ours, theirs), ON_POSTGRES)
