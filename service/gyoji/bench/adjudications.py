"""What adjudications over HTTP cost the server, one and a hundred a request, against a constant and an echo of 4 KB."""

from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import orjson

from gyoji.bench import servers
from gyoji.bench.bodies import adjudications, batch_body, batches, four_kilobytes, request_body
from gyoji.bench.effort import Effort
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.load import HEADERS, loaded
from gyoji.bench.playing import accepted
from gyoji.bench.surroundings import progress
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1

AGAINST_ECHO = Goal("G3", floor=0.60, aim=0.70)
AGAINST_CONSTANT = Goal("G4", floor=0.45, aim=0.55)
LATENCY = Goal("G5", floor=2.0, aim=1.3, at_most=True)
BATCHED = Goal("G6", floor=1.5, aim=2.5)
CONSTANT, ECHO, OWN = "constant answer", "echo of 4 KB", "echo of gyoji's own requests"
UNIT = "µs of server CPU a request"


class Turn(NamedTuple):
    """A kind of request: where it goes, what is sent, and how many adjudications each is."""

    name: str
    path: str
    bodies: Path | None
    moves: int = 1
    is_ours: bool = False


class Sample(NamedTuple):
    """What one turn of one round showed."""

    cost: float
    """Microseconds of the server's processor time an adjudication (or a request of the peer's)."""
    p99: float
    """Milliseconds."""


Samples = dict[str, list[Sample]]


def measure(effort: Effort) -> list[Row]:
    """Both servers side by side, one at a time under load: in every round each game right after an echo of its own."""
    if not (servers.PROC / "self" / "stat").exists():
        return [Row(f"adjudications over HTTP, {UNIT}", (), ECHO, missing="not measured: there is no /proc")]
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        turns = list(_turns(Path(folder)))
        return list(_rows(turns, _samples(turns, Path(folder), effort)))


def _turns(folder: Path) -> Iterator[Turn]:
    """One round."""
    yield Turn(CONSTANT, "/constant", None)
    echoed = _written(folder / "echo", [four_kilobytes()])
    own: list[bytes] = []
    for slug, game in BY_SLUG.items():
        lines = [request_body(game, state, move) for state, move in adjudications(game)]
        many = batches(game)
        own += lines
        path = f"/v1/games/{slug}/adjudications"
        yield Turn(_echo_before(slug), "/echo", echoed)
        yield Turn(slug, path, _written(folder / slug, lines), is_ours=True)
        file = _written(folder / f"{slug}-batches", [batch_body(game, batch) for batch in many])
        yield Turn(_batch_of(slug), path, file, len(many[0].moves), is_ours=True)
    yield Turn(OWN, "/echo", _written(folder / "own", own))


def _written(file: Path, lines: list[bytes]) -> Path:
    """A body a line."""
    file.write_bytes(b"\n".join(lines) + b"\n")
    return file


def _echo_before(slug: str) -> str:
    return f"{ECHO} before {slug}"


def _batch_of(slug: str) -> str:
    return f"{slug} in batches"


def _samples(turns: list[Turn], folder: Path, effort: Effort) -> Samples:
    ports = servers.spare_port(), servers.spare_port()
    with (
        servers.running(servers.gyoji(ports[0], folder), ports[0], folder / "gyoji.log") as ours,
        servers.running(servers.echo(ports[1]), ports[1], folder / "echo.log") as peer,
    ):
        servers.wait_until_answering(ours, "/readyz")
        servers.wait_until_answering(peer, "/constant")
        for slug in BY_SLUG:
            _same_rulings(ours.port, slug)
        return _rounds(turns, {True: ours, False: peer}, effort)


def _rounds(turns: list[Turn], targets: Mapping[bool, servers.Server], effort: Effort) -> Samples:
    samples: Samples = {turn.name: [] for turn in turns}
    for turn in turns:
        loaded(targets[turn.is_ours].port, turn.path, turn.bodies, 1)
    for number in range(effort.rounds):
        progress(f"HTTP, round {number + 1} of {effort.rounds}")
        for turn in turns:
            samples[turn.name].append(_sample(turn, targets[turn.is_ours], effort.load))
    return samples


def _sample(turn: Turn, server: servers.Server, seconds: int) -> Sample:
    before = servers.cpu_seconds(server.process.pid)
    load = loaded(server.port, turn.path, turn.bodies, seconds)
    spent = servers.cpu_seconds(server.process.pid) - before
    return Sample(spent / load.requests / turn.moves * 1e6, load.p99)


def _same_rulings(port: int, slug: str) -> None:
    """Before any load: the service answers what the rules say."""
    game = BY_SLUG[slug]
    connection = HTTPConnection(servers.HOST, port, timeout=30)
    for state, move in adjudications(game):
        _must_lead_to(
            connection, slug, request_body(game, state, move), accepted(game, state, move, deal_v1(state.seed))
        )
    for batch in batches(game):
        after = batch.state
        for move in batch.moves:
            after = accepted(game, after, move, deal_v1(batch.state.seed))
        _must_lead_to(connection, slug, batch_body(game, batch), after)
    connection.close()


def _must_lead_to(connection: HTTPConnection, slug: str, body: bytes, state: object) -> None:
    connection.request("POST", f"/v1/games/{slug}/adjudications", body, HEADERS)
    answer = orjson.loads(connection.getresponse().read())
    if answer.get("state") != orjson.loads(orjson.dumps(BY_SLUG[slug].write_state(state))):
        raise RuntimeError(f"{slug}: the service and its rules disagree")


def _rows(turns: list[Turn], samples: Samples) -> Iterator[Row]:
    costs = {name: tuple(sample.cost for sample in each) for name, each in samples.items()}
    p99 = {name: tuple(sample.p99 for sample in each) for name, each in samples.items()}
    for slug in BY_SLUG:
        yield _cheaper(f"{slug}: one adjudication, {UNIT}", costs, slug, ECHO, _echo_before(slug), AGAINST_ECHO)
    for slug in BY_SLUG:
        yield _cheaper(f"{slug}: one adjudication, {UNIT}", costs, slug, CONSTANT, CONSTANT, AGAINST_CONSTANT)
    for slug in BY_SLUG:
        ours, theirs = p99[slug], p99[_echo_before(slug)]
        yield Row(f"{slug}: p99 at 8 connections, ms", ours, ECHO, theirs, times_as_fast(ours, theirs), LATENCY)
    sizes = {turn.name: turn.moves for turn in turns}
    for slug in BY_SLUG:
        name = f"{slug}: {sizes[_batch_of(slug)]} moves in a request, µs of server CPU a move"
        yield _cheaper(name, costs, _batch_of(slug), f"{ECHO}, a request", _echo_before(slug), BATCHED)
    yield _mean(costs)


def _cheaper(
    measure: str, costs: Mapping[str, tuple[float, ...]], ours: str, peer: str, theirs: str, goal: Goal
) -> Row:
    return Row(measure, costs[ours], peer, costs[theirs], times_as_fast(costs[theirs], costs[ours]), goal)


def _mean(costs: Mapping[str, tuple[float, ...]]) -> Row:
    """All four games at once, against an echo of the very requests."""
    every = tuple(sum(each) / len(each) for each in zip(*(costs[slug] for slug in BY_SLUG), strict=True))
    measure = f"mean of the four games, {UNIT}"
    return Row(measure, every, OWN, costs[OWN], times_as_fast(costs[OWN], every))
