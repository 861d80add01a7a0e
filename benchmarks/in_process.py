"""Runs the whole service in one process and without a socket, and asks it against the clock of the thread."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

import orjson
from werkzeug.test import EnvironBuilder, run_wsgi_app

from gyoji.app.logs import configure_logs
from gyoji.app.preparation import prepare_store
from gyoji.app.services import Services
from gyoji.app.settings import Settings
from gyoji.simulation.matches import SimulatedLog, match_record
from gyoji.web.app import create_app

OPERATOR = "an-operators-key-for-one-benchmark-run"


class ServiceInProcess(NamedTuple):
    """The service of one process: its application and its services."""

    app: WSGIApplication
    services: Services


def settings(folder: Path, rng: Random) -> Settings:
    """Return the settings of a service with a store in that folder."""
    key = rng.randbytes(32).hex()
    return Settings(store=f"sqlite:///{folder / 'gyoji.db'}", store_key=key, operator_key=OPERATOR, webhooks=False)


@contextmanager
def service_in_process(service: Settings) -> Iterator[ServiceInProcess]:
    """Start the service in this process; nothing is cached yet."""
    configure_logs()
    prepare_store(service)
    app = create_app(service)
    services: Services = app.extensions["gyoji.services"]
    try:
        yield ServiceInProcess(app, services)
    finally:
        services.store.close()


class TimedAnswer(NamedTuple):
    """An answer: its JSON document, and the seconds of processor time that it took."""

    document: Any
    took: float


def ask(here: ServiceInProcess, method: str, path: str, body: Any = None, bearer: str = OPERATOR) -> TimedAnswer:
    """Send one request, which has to be granted; by the operator, or by whoever has that token."""
    return ask_application(here.app, method, path, body, bearer)


def ask_application(
    app: WSGIApplication, method: str, path: str, body: Any = None, bearer: str = OPERATOR
) -> TimedAnswer:
    """Send one request to any application."""
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
    return TimedAnswer(orjson.loads(content), took)


def store_match(here: ServiceInProcess, log: SimulatedLog) -> str:
    """Put a simulated match into the store, as the operator's; return its id."""
    here.services.store.create(match_record(log.match), log.entries)
    return log.match.match
