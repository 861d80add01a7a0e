"""The parts of a stateless adjudication over HTTP: a driver that takes turns, and what is made of it.

usage: python -m benchmarks.parts.calls turns
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson

from benchmarks import servers
from benchmarks.adjudications import written
from benchmarks.bodies import adjudications, request_body
from benchmarks.effort import Effort
from benchmarks.in_process import House, asked, house, settings, through
from benchmarks.load import loaded
from benchmarks.splits import Split, added, leasts, timed
from benchmarks.surroundings import progress
from benchmarks.turns import alternating, answering, resident
from benchmarks.workplace import memory_folder
from gyoji.api.json_gate import parsed
from gyoji.api.validation import errors
from gyoji.app.logs import configure_logs, log_request
from gyoji.app.metrics import meters, shared
from gyoji.app.request_record import RequestRecord
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game, Move
from gyoji.published_files import rules_digest

WHOLE = "stateless adjudication over HTTP, µs of server CPU (G3, G4)"
BARE, FLASK = "gunicorn: the answer of a bare WSGI application", "Flask: what its constant answer costs more"
BETWEEN = "between these: routing, headers, rights, what is remembered"
DRIVER = [sys.executable, "-m", "benchmarks.parts.calls"]
CALL = "adjudications"
TIMES = 5


class Ruling(NamedTuple):
    """A request, and what becomes of it on its way."""

    body: bytes
    document: Any
    state: Any
    move: Move
    after: Accepted[Any]
    legal: list[Move]
    """What may be played then."""


def of_calls(effort: Effort) -> list[Split]:
    """Each game: the servers under load, and between them the parts alone."""
    if not (servers.PROC / "self" / "stat").exists():
        return []
    with TemporaryDirectory(prefix="gyoji-bench-") as folder, ExitStack() as stack:
        running = stack.enter_context(resident({"calls": (DRIVER, None)}))
        costs = _Costs(stack, Path(folder), effort.load)
        found = []
        for repeat in range(effort.repeats):
            progress(f"parts of an adjudication over HTTP, repeat {repeat + 1} of {effort.repeats}")
            found.append(_one(costs, running["calls"]()))
    bare = min(one[slug][BARE] for one in found for slug in BY_SLUG)
    return [added(WHOLE, slug, [without(one[slug], bare) for one in found]) for slug in BY_SLUG]


def without(found: Mapping[str, float], bare: float) -> dict[str, float]:
    """With Flask's share of its constant answer in place of the answer: what is beyond the least bare one, as a
    difference of two that one repeat found would be noise."""
    return {name: cost - bare if name == FLASK else cost for name, cost in found.items()}


def _one(costs: "_Costs", alone: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    bare, constant = costs.of("bare", "/", None), costs.of("echo", "/constant", None)
    return {slug: {"": costs.of_game(slug), BARE: bare, FLASK: constant, **alone[slug]} for slug in BY_SLUG}


class _Costs:
    """Three servers, and what a request costs each."""

    def __init__(self, stack: ExitStack, folder: Path, seconds: float) -> None:
        self._seconds = seconds
        self._bodies = {
            slug: written(folder / slug, [one.body for one in some(game)]) for slug, game in BY_SLUG.items()
        }
        self._servers: dict[str, servers.Server] = {}
        commands = {"bare": "/", "echo": "/constant", "gyoji": "/readyz"}
        for name, path in commands.items():
            port = servers.spare_port()
            command = servers.gyoji(port, folder) if name == "gyoji" else servers.echo(port, name)
            self._servers[name] = stack.enter_context(servers.running(command, port, folder / f"{name}.log"))
            servers.wait_until_answering(self._servers[name], path)
        for slug in BY_SLUG:
            self.of_game(slug)  # what is imported late, is imported by then

    def of(self, name: str, path: str, bodies: Path | None) -> float:
        """Microseconds of the processor time of that server a request."""
        server = self._servers[name]
        before = servers.cpu_seconds(server.process.pid)
        load = loaded(server.port, path, bodies, self._seconds)
        return (servers.cpu_seconds(server.process.pid) - before) / load.requests * 1e6

    def of_game(self, slug: str) -> float:
        """The same of the service, of one adjudication."""
        return self.of("gyoji", f"/v1/games/{slug}/{CALL}", self._bodies[slug])


def some(game: Game[Any]) -> list[Ruling]:
    """The requests of the measure."""
    found = []
    for state, move in adjudications(game):
        body = request_body(game, state, move)
        after = game.adjudicate(state, move, deal_v1(state.seed))
        if not isinstance(after, Accepted):
            raise RuntimeError(f"{game.slug}: a listed move was refused")
        found.append(Ruling(body, parsed(body), state, move, after, game.legal_moves(after.state)))
    return found


def whole(here: House, game: Game[Any], rulings: list[Ruling]) -> dict[str, float]:
    """Microseconds a request: the parts, and what the application takes beyond them and Flask, without a server."""
    path = f"/v1/games/{game.slug}/{CALL}"

    def once() -> dict[str, float]:
        took = [asked(here, "POST", path, one.document).took for one in rulings]
        return {**pieces(game, rulings), WHOLE: sum(took) / len(took) * 1e6, FLASK: flask_alone()}

    return beyond(leasts(once, TIMES))


def beyond(found: dict[str, float]) -> dict[str, float]:
    """The parts, with what lies between them in place of the whole application and of Flask."""
    application, flask = found.pop(WHOLE), found.pop(FLASK)
    return {**found, BETWEEN: application - flask - sum(found.values())}


def flask_alone(times: int = 60) -> float:
    """Microseconds of a constant answer of Flask, without a server."""
    app = import_module("benchmarks.peers.echo").app
    return sum(through(app, "GET", "/constant").took for _ in range(times)) / times * 1e6


def pieces(game: Game[Any], rulings: list[Ruling]) -> dict[str, float]:
    """Microseconds a request, over the same requests each time."""
    times = len(rulings)
    record = RequestRecord("POST", "0" * 32)
    return {
        "JSON read": timed(lambda: [parsed(one.body) for one in rulings], times),
        "its shape": timed(lambda: [errors(game.slug, CALL, one.document) for one in rulings], times),
        "state read": timed(lambda: [game.read_state(one.document["state"]) for one in rulings], times),
        "whether the state can be": timed(lambda: [game.findings(one.state) for one in rulings], times),
        "rules: the ruling": timed(
            lambda: [game.adjudicate(one.state, one.move, deal_v1(one.state.seed)) for one in rulings], times
        ),
        "rules: the legal list after it": timed(lambda: [game.legal_moves(one.after.state) for one in rulings], times),
        "answer written": timed(lambda: [_answer(game, one) for one in rulings], times),
        "line of the log, counters": timed(partial(_accounted, record, times), times),
    }


def _answer(game: Game[Any], one: Ruling) -> bytes:
    state = one.after.state
    return orjson.dumps(
        {
            "game": game.slug,
            "version": game.version,
            "rules_digest": rules_digest(game.slug),
            "state": game.write_state(state),
            "events": one.after.events,
            "legal_moves": one.legal,
            "scores": state.scores,
            "outcome": state.outcome,
        }
    )


def _accounted(record: RequestRecord, times: int) -> None:
    for _ in range(times):
        accounted(record)


def accounted(record: RequestRecord) -> None:
    """What follows every answer."""
    log_request(record, 200, 0.001)
    meters().count(record, 200, 0.001)


@contextmanager
def logging_to_nowhere() -> Iterator[None]:
    """Logs as the service writes them, to a file that keeps nothing."""
    with Path(os.devnull).open("w") as nowhere:
        sys.stderr = nowhere
        configure_logs()
        yield
        sys.stderr = sys.__stderr__


if __name__ == "__main__":
    with shared(), logging_to_nowhere(), memory_folder() as place, house(settings(Path(place), Random(1))) as kept:
        known = {slug: some(game) for slug, game in BY_SLUG.items()}
        games = {slug: partial(whole, kept, BY_SLUG[slug], rulings) for slug, rulings in known.items()}
        answering(alternating(games))
