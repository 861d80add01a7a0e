"""A service on a port of its own, with matches to ask about, for requests that nobody thought of."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from gyoji.web.app import create_app
from gyoji.web.desk import prepared
from gyoji.web.settings import Settings
from gyoji.web.stopping import STOP
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House, Table, house

SERVER = {"policy": "server"}
BEACON = {"policy": "external", "beacon": "a lottery", "reference": "its next draw"}
SHORTLY = {"policy": "players", "within": 1}


@dataclass(frozen=True)
class Fuzzed:
    """Where the service is, and what it has: public matches, so that whoever has no key is told that it needs one."""

    url: str
    over: Table
    tables: Mapping[str, Table]
    """What an operation is tried at that changes a match, by its name: one that it can be done with."""
    group: str
    replays: tuple[bytes, ...]
    """Of a service whose keys this one trusts: a match that is new here, and what becomes of its file when it is cut or
    altered."""


class Quiet(WSGIRequestHandler):
    """Connections that stay open, and no lines on them."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - the name is the server's
        """Nothing."""


@contextmanager
def fuzzed_service(folder: Path) -> Iterator[Fuzzed]:
    """The service, while the block lasts. It has been told to stop, so that nobody waits for news."""
    trust = folder / "trust.json"
    with _opened(folder / "elsewhere.db", None) as there:
        replay = there.finished().get("/replay", OPERATOR).data
        trust.write_bytes(there.client.get("/v1/keys").data)
    with _opened(folder / "gyoji.db", trust) as here, _served(here.app) as url:
        over = here.finished(visibility="public")
        settings = {"playMove": SERVER, "voidMatch": SERVER, "giveEntropy": BEACON, "closeSeeding": SHORTLY}
        tables = {name: here.table(visibility="public", randomness=policy) for name, policy in settings.items()}
        group = here.client.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=OPERATOR).json or {}
        STOP.set()
        try:
            yield Fuzzed(
                url,
                over,
                tables,
                group["group"],
                (replay, replay[:-200], replay.replace(b'"seq":3', b'"seq":4'), b"{}\n"),
            )
        finally:
            STOP.clear()


@contextmanager
def _opened(store: Path, trust: Path | None) -> Iterator[House]:
    settings = Settings(
        store=f"sqlite:///{store}",
        operator_key=OPERATOR_KEY,
        origin=store.stem,
        trust=None if trust is None else str(trust),
    )
    prepared(settings)
    opened = house(create_app(settings))
    with closing(opened.desk.store):
        yield opened


@contextmanager
def _served(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
