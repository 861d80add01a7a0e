"""The whole service in one process and without a socket, asked by its operator against the clock of the thread."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

import orjson
from werkzeug.test import EnvironBuilder, run_wsgi_app

from gyoji.app.application import Desk, head_of
from gyoji.app.logs import configure_logs
from gyoji.app.preparation import prepared
from gyoji.app.settings import Settings
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import SimulatedLog
from gyoji.store.interface import Match, Seating
from gyoji.web.app import create_app

OPERATOR = "an-operators-key-for-one-benchmark-run"
ACCOUNT = "operator"
"""Whose matches are those that are made with the configured operator's key."""


class House(NamedTuple):
    """The service and its desk."""

    app: WSGIApplication
    desk: Desk


def settings(folder: Path, rng: Random) -> Settings:
    """Those of a store in that folder."""
    key = rng.randbytes(32).hex()
    return Settings(store=f"sqlite:///{folder / 'gyoji.db'}", store_key=key, operator_key=OPERATOR, webhooks=False)


@contextmanager
def house(service: Settings) -> Iterator[House]:
    """A process's worth of the service: it remembers nothing yet."""
    configure_logs()
    prepared(service)
    app = create_app(service)
    desk: Desk = app.extensions["gyoji.desk"]
    try:
        yield House(app, desk)
    finally:
        desk.store.close()


class Told(NamedTuple):
    """An answer: its JSON document, and the seconds of processor time that it took."""

    document: Any
    took: float


def asked(here: House, method: str, path: str, body: Any = None, bearer: str = OPERATOR) -> Told:
    """One request, which has to be granted; by the operator, or by whoever has that token."""
    return through(here.app, method, path, body, bearer)


def through(app: WSGIApplication, method: str, path: str, body: Any = None, bearer: str = OPERATOR) -> Told:
    """One request through any application."""
    sent = None if body is None else orjson.dumps(body)
    headers = [("Authorization", f"Bearer {bearer}")]
    kind = None if body is None else "application/json"
    with closing(EnvironBuilder(path, method=method, data=sent, headers=headers, content_type=kind)) as request:
        environ = request.get_environ()
        begun = thread_time()
        pieces, status, _headers = run_wsgi_app(app, environ, buffered=True)
        content = b"".join(pieces)
        took = thread_time() - begun
    if not status.startswith("2"):
        raise RuntimeError(f"{method} {path}: {status}")
    return Told(orjson.loads(content), took)


def keep(here: House, log: SimulatedLog) -> str:
    """Put a simulated match into the store, as the operator's; its id."""
    here.desk.store.create(match_of(log.standing), log.entries)
    return log.standing.match


def match_of(standing: MatchState) -> Match:
    """What a store keeps of a simulated match beside its log."""
    seats = (Seating(0, 0),) * (standing.state.seats + 1)
    return Match(
        standing.match,
        standing.game.slug,
        standing.game.version,
        ACCOUNT,
        timestamp(0),
        "private",
        standing.disclosure,
        False,
        False,
        (),
        standing.secret,
        seats,
        head_of(standing),
    )
