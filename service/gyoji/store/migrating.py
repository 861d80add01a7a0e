"""Making the schema, and bringing it up to date. A revision is a file in ``migrations/versions``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from gyoji.store.addresses import Address, SqliteAddress, address
from gyoji.store.interface import Unavailable

SCRIPTS = Path(__file__).parent / "migrations"

VERSION_TABLE = "gyoji_revision"

TURN = 0x67796F6A69
"""The advisory lock under which a PostgreSQL schema is changed or filled."""


@contextmanager
def transaction(place: Address, make: bool = False) -> Iterator[Connection]:
    """A transaction over SQLAlchemy in which nobody else writes (SQLite) or changes the schema (PostgreSQL)."""
    with _engine(place, make) as engine:
        event.listen(engine, "begin", _take_turn)
        with engine.begin() as connection:
            yield connection


@contextmanager
def snapshot(place: Address) -> Iterator[Connection]:
    """A transaction over SQLAlchemy that reads the store as it is now, whatever is written meanwhile."""
    with _engine(place, make=False) as engine:
        event.listen(engine, "begin", _hold_still)
        with engine.begin() as connection:
            yield connection


@contextmanager
def _engine(place: Address, make: bool) -> Iterator[Engine]:
    database = place.database()
    kind = "sqlite" if isinstance(place, SqliteAddress) else "postgresql+psycopg"
    engine = create_engine(f"{kind}://", creator=lambda: database.raw(make), poolclass=NullPool)
    try:
        yield engine
    except DBAPIError as failure:
        unavailable = database.unavailable(failure.orig)
        if unavailable is None:  # of another database, within whose transaction this one is
            raise
        raise unavailable from None
    finally:
        engine.dispose()


def _take_turn(connection: Connection) -> None:
    """SQLite's driver opens no transaction by itself: see ``isolation_level`` in ``gyoji.store.sqlite``."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})


def _hold_still(connection: Connection) -> None:
    postgres = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
    connection.exec_driver_sql("BEGIN" if connection.dialect.name == "sqlite" else postgres)


def migrate(url: str) -> None:
    """The schema of this release."""
    with transaction(address(url), make=True) as connection:
        upgrade(connection)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """The schema of a revision, within the caller's transaction."""
    try:
        command.upgrade(configuration(connection), revision)
    except CommandError:
        raise Unavailable("the database is of a newer release") from None


def configuration(connection: Connection) -> Config:
    """What Alembic is told, in place of an ini file; ``migrations/env.py`` takes the connection from it."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
