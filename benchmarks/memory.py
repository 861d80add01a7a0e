"""Measures the memory of a worker under load, against a worker of a constant Flask application."""

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import servers
from benchmarks.bodies import choose_adjudications, request_body
from benchmarks.effort import Effort
from benchmarks.figures import Goal, Row, times_as_fast
from benchmarks.load import run_load
from benchmarks.surroundings import progress
from gyoji.games.catalogue import BY_SLUG

PEER = "constant Flask app"
COST = Goal(at_most=True)
KINDS = ("Pss", "Rss")
TITLES = {
    "Pss": "memory a worker under load, its share of what is shared (PSS), MiB",
    "Rss": "the same in all (RSS), MiB",
}
LOADS = 3

Memory = dict[str, tuple[float, ...]]


def measure(effort: Effort) -> list[Row]:
    """Measure both servers after some seconds of load, worker by worker."""
    if not (servers.PROC / "self" / "smaps_rollup").exists():
        return [Row(TITLES["Pss"], (), PEER, missing="not measured: the system does not tell")]
    progress("memory of the workers")
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        ours, theirs = (
            _measure_ours(Path(folder), effort.load * LOADS),
            _measure_theirs(Path(folder), effort.load * LOADS),
        )
    return [
        Row(TITLES[kind], ours[kind], PEER, theirs[kind], times_as_fast(ours[kind], theirs[kind]), COST)
        for kind in KINDS
    ]


def _measure_ours(folder: Path, seconds: float) -> Memory:
    """Measure ours after all four games have been asked about."""
    bodies = {slug: folder / f"{slug}.jsonl" for slug in BY_SLUG}
    for slug, game in BY_SLUG.items():
        lines = [request_body(game, state, move) for state, move in choose_adjudications(game)]
        bodies[slug].write_bytes(b"\n".join(lines) + b"\n")
    port = servers.spare_port()
    with servers.run_server(servers.gyoji_command(port, folder), port, folder / "gyoji.log") as server:
        servers.wait_until_answering(server, "/readyz")
        for slug, file in bodies.items():
            run_load(port, f"/v1/games/{slug}/adjudications", file, seconds)
        return _workers_of(server)


def _measure_theirs(folder: Path, seconds: float) -> Memory:
    port = servers.spare_port()
    with servers.run_server(servers.echo_command(port), port, folder / "echo.log") as server:
        servers.wait_until_answering(server, "/constant")
        run_load(port, "/constant", None, seconds)
        return _workers_of(server)


def _workers_of(server: servers.Server) -> Memory:
    """Return the processes below the first one that have worked most: those that answer."""
    spent = servers.cpu_by_process(server.process.pid)
    del spent[server.process.pid]
    workers = sorted(spent, key=lambda pid: spent[pid], reverse=True)[: servers.WORKERS]
    rolled = [_read_rollup(pid) for pid in workers]
    return {kind: tuple(sorted(each[kind] for each in rolled)) for kind in KINDS}


def _read_rollup(pid: int) -> dict[str, float]:
    """Read MiB of each kind from ``/proc/<pid>/smaps_rollup``."""
    lines = (servers.PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]
    fields = (line.split() for line in lines)
    return {name.rstrip(":"): int(size) / 1024 for name, size, *_unit in fields}
