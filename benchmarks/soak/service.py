"""Starts the service that a soak asks: for it alone, on a free port, with a store and an operator."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex, token_urlsafe
from typing import NamedTuple

from benchmarks import servers

WORKERS, THREADS = 2, 8
OWN_POSTGRES = "postgresql"
"""In place of a URL: a PostgreSQL server that goes with the soak."""
STOPS_WITHIN = 45.0
STORE_KEY = ("GYOJI_STORE_KEY", "GYOJI_STORE_KEY_FILE")


class SoakService(NamedTuple):
    """A running service."""

    process: subprocess.Popen[bytes]
    port: int
    operator: dict[str, str]
    """What its operator sends."""
    store: Callable[[], int]
    """Bytes of its store."""
    log: Path


@contextmanager
def store_of(given: str | None) -> Iterator[str | None]:
    """Return the URL of the store that was asked for."""
    if given != OWN_POSTGRES:
        yield given
        return
    from benchmarks.postgres import create_database, run_cluster  # noqa: PLC0415 - only who asks for it needs it

    with run_cluster() as server:
        yield f"postgresql+psycopg://{create_database(server, 'soak')}"


@contextmanager
def run_service(folder: Path, store: str | None, server: str) -> Iterator[SoakService]:
    """Run the service from its start until it has stopped; without ``store`` with an SQLite database in that folder."""
    url = store or f"sqlite:///{folder / 'gyoji.db'}"
    port, key, log = servers.spare_port(), token_urlsafe(32), folder / "gyoji.log"
    own = {name: value for name, value in os.environ.items() if not name.startswith("GYOJI_")}
    settings = {"GYOJI_STORE": url, "GYOJI_OPERATOR_KEY": key, "GYOJI_ORIGIN": "soak", "GYOJI_SERVER": server}
    if not url.startswith("sqlite"):
        given = {name: os.environ[name] for name in STORE_KEY if os.environ.get(name)}
        settings |= given or {"GYOJI_STORE_KEY": token_hex(32)}
    command = [sys.executable, "-m", "gyoji", "serve", "--port", str(port)]
    command += ["--workers", str(WORKERS), "--threads", str(THREADS)]
    with log.open("ab") as lines:
        process = subprocess.Popen(command, stdout=lines, stderr=lines, env={**own, **settings})
        try:
            servers.wait_until_answering(servers.Server(process, port), "/readyz")
            bearer = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
            yield SoakService(process, port, bearer, _size_of(url), log)
        finally:
            _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOPS_WITHIN)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _size_of(url: str) -> Callable[[], int]:
    """Return what counts the bytes of a store."""
    if url.startswith("sqlite:///"):
        file = Path(url.removeprefix("sqlite:///"))
        return lambda: sum(part.stat().st_size for part in file.parent.glob(f"{file.name}*"))
    return lambda: _bytes_of_database(url.replace("+psycopg", "", 1))


def _bytes_of_database(url: str) -> int:
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(url) as database:
        found = database.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(found[0]) if found else 0
