"""Measures what adjudications over HTTP cost the server, against a constant answer and an echo of 4 KB."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import orjson

from benchmarks import servers
from benchmarks.bodies import batch_body, choose_adjudications, choose_batches, four_kilobytes, request_body
from benchmarks.effort import Effort
from benchmarks.figures import Goal, Row, as_limit, times_as_fast
from benchmarks.load import HEADERS, run_load
from benchmarks.random_games import play_move
from benchmarks.surroundings import progress
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1

AGAINST_ECHO = Goal("G3", floor=0.60, aim=0.70)
AGAINST_CONSTANT = Goal("G4", floor=0.45, aim=0.55)
LATENCY = Goal("G5", floor=2.0, aim=1.3, at_most=True)
BATCHED = Goal("G6", floor=1.5, aim=2.5)
CONSTANT, ECHO, OWN = "constant answer", "echo of 4 KB", "echo of gyoji's own requests"
UNIT = "µs of server CPU a request"
ONE = f"one adjudication, {UNIT}"
P99 = "p99 at 8 connections, ms"
NO_GRANIAN = "not measured: granian is not installed"

Which = Literal["gunicorn", "granian", "peer"]


class RequestKind(NamedTuple):
    """A kind of request: its path, what is sent, and how many adjudications each is."""

    name: str
    path: str
    bodies: Path | None
    server: Which = "peer"
    moves: int = 1
    is_rare: bool = False
    """In the first rounds alone: no goal is near it."""


class Sample(NamedTuple):
    """The figures of one turn of one round."""

    cost: float
    """Microseconds of the server's processor time an adjudication (or a request of the peer's)."""
    p99: float
    """Milliseconds."""


Samples = dict[str, list[Sample]]


def measure(effort: Effort) -> list[Row]:
    """Run the servers side by side, one at a time under load: in every round each game between an echo and a constant
    answer of its own; every other round goes backwards."""
    if not (servers.PROC / "self" / "stat").exists():
        return [Row(f"adjudications over HTTP, {UNIT}", (), ECHO, missing="not measured: there is no /proc")]
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        turns = list(_turns(Path(folder)))
        return list(_rows(turns, _samples(turns, Path(folder), effort)))


def _turns(folder: Path) -> Iterator[RequestKind]:
    """Return the turns of one round."""
    echoed = write_bodies(folder / "echo", [four_kilobytes()])
    own: list[bytes] = []
    for slug, game in BY_SLUG.items():
        lines = [request_body(game, state, move) for state, move in choose_adjudications(game)]
        many = choose_batches(game)
        own += lines
        path, file = f"/v1/games/{slug}/adjudications", write_bodies(folder / slug, lines)
        yield RequestKind(_with_peers(ECHO, slug), "/echo", echoed)
        yield RequestKind(slug, path, file, "gunicorn")
        yield RequestKind(_with_peers(CONSTANT, slug), "/constant", None)
        if servers.has_granian():
            yield RequestKind(_under_granian(slug), path, file, "granian", is_rare=True)
        batched = write_bodies(folder / f"{slug}-batches", [batch_body(game, batch) for batch in many])
        yield RequestKind(_batch_of(slug), path, batched, "gunicorn", len(many[0].moves), is_rare=True)
    yield RequestKind(OWN, "/echo", write_bodies(folder / "own", own))
    yield RequestKind(_with_peers(CONSTANT, OWN), "/constant", None)


def write_bodies(file: Path, lines: list[bytes]) -> Path:
    """Write bodies to a file, one a line."""
    file.write_bytes(b"\n".join(lines) + b"\n")
    return file


def _with_peers(peer: str, name: str) -> str:
    return f"{peer} beside {name}"


def _batch_of(slug: str) -> str:
    return f"{slug} in batches"


def _under_granian(slug: str) -> str:
    return f"{slug} under granian"


def _samples(turns: list[RequestKind], folder: Path, effort: Effort) -> Samples:
    with ExitStack() as stack:
        targets: dict[Which, servers.Server] = {
            "gunicorn": _serve_gyoji(stack, folder, "gunicorn"),
            "peer": _serve_peer(stack, servers.echo_command, folder / "echo.log", "/constant"),
        }
        if servers.has_granian():
            targets["granian"] = _serve_gyoji(stack, folder, "granian")
        for slug in BY_SLUG:
            _check_rulings(targets["gunicorn"].port, slug)
        return _rounds(turns, targets, effort)


def _serve_gyoji(stack: ExitStack, folder: Path, server: Which) -> servers.Server:
    """Run the service, with a store of its own that nobody asks for anything."""
    place = folder / f"under-{server}"
    place.mkdir()
    return _serve_peer(stack, lambda port: servers.gyoji_command(port, place, server=server), place / "log", "/readyz")


def _serve_peer(stack: ExitStack, command: Callable[[int], list[str]], log: Path, path: str) -> servers.Server:
    port = servers.spare_port()
    server = stack.enter_context(servers.run_server(command(port), port, log))
    servers.wait_until_answering(server, path)
    return server


def _rounds(turns: list[RequestKind], targets: Mapping[Which, servers.Server], effort: Effort) -> Samples:
    samples: Samples = {turn.name: [] for turn in turns}
    for turn in turns:
        run_load(targets[turn.server].port, turn.path, turn.bodies, effort.load)
    for number in range(effort.rounds):
        progress(f"HTTP, round {number + 1} of {effort.rounds}")
        for turn in turns[:: 1 if number % 2 == 0 else -1]:
            if number < effort.less or not turn.is_rare:
                samples[turn.name].append(_sample(turn, targets[turn.server], effort.load))
    return samples


def _sample(turn: RequestKind, server: servers.Server, seconds: float) -> Sample:
    before = servers.cpu_seconds(server.process.pid)
    load = run_load(server.port, turn.path, turn.bodies, seconds)
    spent = servers.cpu_seconds(server.process.pid) - before
    return Sample(spent / load.requests / turn.moves * 1e6, load.p99)


def _check_rulings(port: int, slug: str) -> None:
    """Check, before any load, that the service answers what the rules say."""
    game = BY_SLUG[slug]
    connection = HTTPConnection(servers.HOST, port, timeout=30)
    for state, move in choose_adjudications(game):
        _check_ruling(
            connection, slug, request_body(game, state, move), play_move(game, state, move, deal_v1(state.seed))
        )
    for batch in choose_batches(game):
        after = batch.state
        for move in batch.moves:
            after = play_move(game, after, move, deal_v1(batch.state.seed))
        _check_ruling(connection, slug, batch_body(game, batch), after)
    connection.close()


def _check_ruling(connection: HTTPConnection, slug: str, body: bytes, state: object) -> None:
    connection.request("POST", f"/v1/games/{slug}/adjudications", body, HEADERS)
    answer = orjson.loads(connection.getresponse().read())
    if answer.get("state") != orjson.loads(orjson.dumps(BY_SLUG[slug].write_state(state))):
        raise RuntimeError(f"{slug}: the service and its rules disagree")


Figures = Mapping[str, tuple[float, ...]]


def _rows(turns: list[RequestKind], samples: Samples) -> Iterator[Row]:
    costs = {name: tuple(sample.cost for sample in each) for name, each in samples.items()}
    p99 = {name: tuple(sample.p99 for sample in each) for name, each in samples.items()}
    for peer, goal in ((ECHO, AGAINST_ECHO), (CONSTANT, AGAINST_CONSTANT)):
        for slug in BY_SLUG:
            yield _cpu_row(f"{slug}: {ONE}", costs[slug], peer, costs[_with_peers(peer, slug)], goal)
    for slug in BY_SLUG:
        yield _latency_row(f"{slug}: {P99}", p99[slug], p99[_with_peers(ECHO, slug)])
    yield from _limits(costs, p99)
    sizes = {turn.name: turn.moves for turn in turns}
    for slug in BY_SLUG:
        name = f"{slug}: {sizes[_batch_of(slug)]} moves in a request, µs of server CPU a move"
        yield _cpu_row(name, costs[_batch_of(slug)], f"{ECHO}, a request", costs[_with_peers(ECHO, slug)], BATCHED)
    for slug in BY_SLUG:
        name, ours = f"{slug}: under granian, {ONE}", costs.get(_under_granian(slug), ())
        row = _cpu_row(name, ours, f"{ECHO}, on gunicorn", costs[_with_peers(ECHO, slug)] if ours else (), Goal())
        yield replace(row, missing=NO_GRANIAN)
    yield _mean_row(costs)


def _limits(costs: Figures, p99: Figures) -> Iterator[Row]:
    """Make the rows of the limits: an answer that costs nothing, and a request that is only read and sent back."""
    constant, echoed = _interleave(costs, CONSTANT), _interleave(costs, ECHO)
    yield as_limit(AGAINST_ECHO.id, _cpu_row(f"{CONSTANT}, {UNIT}", constant, ECHO, echoed, AGAINST_ECHO))
    beside = costs[_with_peers(CONSTANT, OWN)]
    yield as_limit(AGAINST_CONSTANT.id, _cpu_row(f"{OWN}, {UNIT}", costs[OWN], CONSTANT, beside, AGAINST_CONSTANT))
    yield as_limit(LATENCY.id, _latency_row(f"{CONSTANT}, {P99}", _interleave(p99, CONSTANT), _interleave(p99, ECHO)))


def _interleave(figures: Figures, peer: str) -> tuple[float, ...]:
    """Return the peers beside the first game, then those beside the second, and so on."""
    return tuple(figure for slug in BY_SLUG for figure in figures[_with_peers(peer, slug)])


def _cpu_row(measure: str, ours: tuple[float, ...], peer: str, theirs: tuple[float, ...], goal: Goal) -> Row:
    return Row(measure, ours, peer, theirs[: len(ours)], times_as_fast(theirs, ours), goal)


def _latency_row(measure: str, ours: tuple[float, ...], theirs: tuple[float, ...]) -> Row:
    return Row(measure, ours, ECHO, theirs, times_as_fast(ours, theirs), LATENCY)


def _mean_row(costs: Figures) -> Row:
    """Make the row of all four games at once, against an echo of the very requests."""
    every = tuple(sum(each) / len(each) for each in zip(*(costs[slug] for slug in BY_SLUG), strict=True))
    return _cpu_row(f"mean of the four games, {UNIT}", every, OWN, costs[OWN], Goal())
