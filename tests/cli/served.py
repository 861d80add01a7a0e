"""Serves a service with a store of its own, which commands ask over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from werkzeug.serving import make_server

from contract.services import Quiet
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.web.app import create_app
from operators import OPERATOR_KEY
from web.matches.conftest import quiet
from web.matches.tables import House, house


@contextmanager
def run_service(folder: Path, origin: str = "club.example", name: str = "gyoji.db") -> Iterator[tuple[House, str]]:
    """Run a service; gives it, and its URL."""
    folder.mkdir(exist_ok=True)
    settings = Settings(store=f"sqlite:///{folder / name}", operator_key=OPERATOR_KEY, origin=origin)
    prepare_store(settings)
    here = house(create_app(settings))
    server = make_server("127.0.0.1", 0, here.app, threaded=False, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        with quiet():
            yield here, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        here.services.store.close()
