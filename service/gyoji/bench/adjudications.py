"""Measure 2: what one adjudication with a full state costs the server, against an echo of 4 KB."""

from collections.abc import Mapping
from http.client import HTTPConnection
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import orjson

from gyoji.bench import servers
from gyoji.bench.bodies import adjudications, four_kilobytes, request_body
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.load import HEADERS, answered
from gyoji.bench.playing import accepted
from gyoji.bench.surroundings import progress
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1

GOAL = Goal(floor=0.60, aim=0.70)
ECHO, OWN = "echo of 4 KB", "echo of gyoji's own requests"
UNIT = "µs of server CPU a request"

Costs = dict[str, list[float]]


def measure(rounds: int, seconds: int) -> list[Row]:
    """Both servers side by side, one at a time under load: in every round each game right after an echo of its own."""
    if not (servers.PROC / "self" / "stat").exists():
        return [Row(f"one adjudication over HTTP, {UNIT}", (), ECHO, missing="not measured: there is no /proc")]
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        return _rows(_costs(Path(folder), rounds, seconds))


def _costs(folder: Path, rounds: int, seconds: int) -> Costs:
    bodies = _files(folder)
    ports = servers.spare_port(), servers.spare_port()
    with (
        servers.running(servers.gyoji(ports[0], folder), ports[0], folder / "gyoji.log") as ours,
        servers.running(servers.echo(ports[1]), ports[1], folder / "echo.log") as peer,
    ):
        servers.wait_until_answering(ours, "/readyz")
        servers.wait_until_answering(peer, "/constant")
        for slug in BY_SLUG:
            _same_rulings(ours.port, slug)
        return _rounds({name: (ours if name in BY_SLUG else peer) for name in bodies}, bodies, rounds, seconds)


def _rounds(targets: Mapping[str, servers.Server], bodies: Mapping[str, Path], rounds: int, seconds: int) -> Costs:
    costs: Costs = {OWN: [], **{name: [] for slug in BY_SLUG for name in (_echo_before(slug), slug)}}
    for name, server in targets.items():
        answered(server.port, _path(name), bodies[name], 1)
    for number in range(rounds):
        progress(f"HTTP, round {number + 1} of {rounds}")
        for turn, figures in costs.items():
            name = turn if turn in bodies else ECHO
            figures.append(_cost(targets[name], _path(name), bodies[name], seconds))
    return costs


def _echo_before(slug: str) -> str:
    return f"{ECHO} before {slug}"


def _cost(server: servers.Server, path: str, bodies: Path, seconds: int) -> float:
    before = servers.cpu_seconds(server.process.pid)
    count = answered(server.port, path, bodies, seconds)
    return (servers.cpu_seconds(server.process.pid) - before) / count * 1e6


def _path(name: str) -> str:
    return f"/v1/games/{name}/adjudications" if name in BY_SLUG else "/echo"


def _files(folder: Path) -> dict[str, Path]:
    """The bodies of every kind of request, a file a kind, a body a line."""
    lines = {
        slug: [request_body(game, state, move) for state, move in adjudications(game)] for slug, game in BY_SLUG.items()
    }
    own = [line for kind in lines.values() for line in kind]
    files: dict[str, Path] = {}
    for name, kind in {ECHO: [four_kilobytes()], **lines, OWN: own}.items():
        files[name] = folder / f"{len(files)}.jsonl"
        files[name].write_bytes(b"\n".join(kind) + b"\n")
    return files


def _same_rulings(port: int, slug: str) -> None:
    """Before any load: the service answers what the rules say."""
    game = BY_SLUG[slug]
    connection = HTTPConnection(servers.HOST, port, timeout=10)
    for state, move in adjudications(game):
        connection.request("POST", _path(slug), request_body(game, state, move), HEADERS)
        answer = orjson.loads(connection.getresponse().read())
        expected = game.write_state(accepted(game, state, move, deal_v1(state.seed)))
        if answer.get("state") != orjson.loads(orjson.dumps(expected)):
            raise RuntimeError(f"{slug}: the service and its rules disagree")
    connection.close()


def _rows(costs: Costs) -> list[Row]:
    own = tuple(costs[OWN])
    every = tuple(fmean(costs[slug][number] for slug in BY_SLUG) for number in range(len(own)))
    mean = Row(f"mean of the four games, {UNIT}", every, OWN, own, times_as_fast(own, every))
    return [*(_row(slug, costs[slug], costs[_echo_before(slug)]) for slug in BY_SLUG), mean]


def _row(slug: str, ours: list[float], peer: list[float]) -> Row:
    ratios = times_as_fast(peer, ours)
    return Row(f"{slug}: one adjudication, {UNIT}", tuple(ours), ECHO, tuple(peer), ratios, GOAL)
