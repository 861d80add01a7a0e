"""Splits a stateless adjudication over HTTP into its parts: a driver that takes turns, and the section that runs it.

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
from benchmarks.adjudications import write_bodies
from benchmarks.bodies import choose_adjudications, request_body
from benchmarks.effort import Effort
from benchmarks.in_process import ServiceInProcess, ask, ask_application, service_in_process, settings
from benchmarks.load import run_load
from benchmarks.splits import Split, least_of_each, make_split, time_calls
from benchmarks.surroundings import progress
from benchmarks.turns import alternate, answer_turns, keep_drivers
from benchmarks.workplace import memory_folder
from gyoji.api.bodies import body_errors, parse_json
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


class CallCosts(NamedTuple):
    """A request, and what becomes of it on its way."""

    body: bytes
    document: Any
    state: Any
    move: Move
    after: Accepted[Any]
    legal: list[Move]
    """What may be played then."""


def split_calls(effort: Effort) -> list[Split]:
    """Split the request of each game: the servers under load, and between them the parts alone."""
    if not (servers.PROC / "self" / "stat").exists():
        return []
    with TemporaryDirectory(prefix="gyoji-bench-") as folder, ExitStack() as stack:
        running = stack.enter_context(keep_drivers({"calls": (DRIVER, None)}))
        costs = _Costs(stack, Path(folder), effort.load)
        found = []
        for repeat in range(effort.repeats):
            progress(f"parts of an adjudication over HTTP, repeat {repeat + 1} of {effort.repeats}")
            found.append(_one(costs, running["calls"]()))
    bare = min(one[slug][BARE] for one in found for slug in BY_SLUG)
    return [make_split(WHOLE, slug, [without_server(one[slug], bare) for one in found]) for slug in BY_SLUG]


def without_server(found: Mapping[str, float], bare: float) -> dict[str, float]:
    """Put Flask's share of its constant answer in place of the answer: what is beyond the least bare one, as a
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
            slug: write_bodies(folder / slug, [one.body for one in choose_requests(game)])
            for slug, game in BY_SLUG.items()
        }
        self._servers: dict[str, servers.Server] = {}
        commands = {"bare": "/", "echo": "/constant", "gyoji": "/readyz"}
        for name, path in commands.items():
            port = servers.spare_port()
            command = servers.gyoji_command(port, folder) if name == "gyoji" else servers.echo_command(port, name)
            self._servers[name] = stack.enter_context(servers.run_server(command, port, folder / f"{name}.log"))
            servers.wait_until_answering(self._servers[name], path)
        for slug in BY_SLUG:
            self.of_game(slug)  # what is imported late, is imported by then

    def of(self, name: str, path: str, bodies: Path | None) -> float:
        """Return microseconds of a server's processor time a request."""
        server = self._servers[name]
        before = servers.cpu_seconds(server.process.pid)
        load = run_load(server.port, path, bodies, self._seconds)
        return (servers.cpu_seconds(server.process.pid) - before) / load.requests * 1e6

    def of_game(self, slug: str) -> float:
        """Return the same of the service, for one adjudication."""
        return self.of("gyoji", f"/v1/games/{slug}/{CALL}", self._bodies[slug])


def choose_requests(game: Game[Any]) -> list[CallCosts]:
    """Choose the requests of the measure."""
    found = []
    for state, move in choose_adjudications(game):
        body = request_body(game, state, move)
        after = game.adjudicate(state, move, deal_v1(state.seed))
        if not isinstance(after, Accepted):
            raise RuntimeError(f"{game.slug}: a listed move was refused")
        found.append(CallCosts(body, parse_json(body), state, move, after, game.legal_moves(after.state)))
    return found


def time_whole(here: ServiceInProcess, game: Game[Any], rulings: list[CallCosts]) -> dict[str, float]:
    """Time a request, in microseconds: the parts, and what the application takes beyond them and Flask, without a
    server."""
    path = f"/v1/games/{game.slug}/{CALL}"

    def once() -> dict[str, float]:
        took = [ask(here, "POST", path, one.document).took for one in rulings]
        return {**time_pieces(game, rulings), WHOLE: sum(took) / len(took) * 1e6, FLASK: flask_alone()}

    return beyond(least_of_each(once, TIMES))


def beyond(found: dict[str, float]) -> dict[str, float]:
    """Return the parts, with what lies between them in place of the whole application and of Flask."""
    application, flask = found.pop(WHOLE), found.pop(FLASK)
    return {**found, BETWEEN: application - flask - sum(found.values())}


def flask_alone(times: int = 60) -> float:
    """Time a constant answer of Flask without a server, in microseconds."""
    app = import_module("benchmarks.peers.echo").app
    return sum(ask_application(app, "GET", "/constant").took for _ in range(times)) / times * 1e6


def time_pieces(game: Game[Any], rulings: list[CallCosts]) -> dict[str, float]:
    """Time the parts, in microseconds a request, over the same requests each time."""
    times = len(rulings)
    record = RequestRecord("POST", "0" * 32)
    return {
        "JSON read": time_calls(lambda: [parse_json(one.body) for one in rulings], times),
        "its shape": time_calls(lambda: [body_errors(game.slug, CALL, one.document) for one in rulings], times),
        "state read": time_calls(lambda: [game.read_state(one.document["state"]) for one in rulings], times),
        "whether the state can be": time_calls(lambda: [game.findings(one.state) for one in rulings], times),
        "rules: the ruling": time_calls(
            lambda: [game.adjudicate(one.state, one.move, deal_v1(one.state.seed)) for one in rulings], times
        ),
        "rules: the legal list after it": time_calls(
            lambda: [game.legal_moves(one.after.state) for one in rulings], times
        ),
        "answer written": time_calls(lambda: [_answer(game, one) for one in rulings], times),
        "line of the log, counters": time_calls(partial(_accounted, record, times), times),
    }


def _answer(game: Game[Any], one: CallCosts) -> bytes:
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
        time_logging(record)


def time_logging(record: RequestRecord) -> None:
    """Time what follows every answer."""
    log_request(record, 200, 0.001)
    meters().count(record, 200, 0.001)


@contextmanager
def log_to_nowhere() -> Iterator[None]:
    """Log as the service does, to a file that keeps nothing."""
    with Path(os.devnull).open("w") as nowhere:
        sys.stderr = nowhere
        configure_logs()
        yield
        sys.stderr = sys.__stderr__


if __name__ == "__main__":
    with (
        shared(),
        log_to_nowhere(),
        memory_folder() as place,
        service_in_process(settings(Path(place), Random(1))) as kept,
    ):
        known = {slug: choose_requests(game) for slug, game in BY_SLUG.items()}
        games = {slug: partial(time_whole, kept, BY_SLUG[slug], rulings) for slug, rulings in known.items()}
        answer_turns(alternate(games))
