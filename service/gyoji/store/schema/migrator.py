"""Making the schema, and bringing it up to date. A revision is a file in ``migrations/versions``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from gyoji.store.database.statements import REVISION
from gyoji.store.records import Unavailable
from gyoji.store.urls import SqliteUrl, StoreUrl, parse_url

SCRIPTS = Path(__file__).parent / "migrations"

VERSION_TABLE = "gyoji_revision"

TURN = 0x67796F6A69
"""The advisory lock under which a PostgreSQL schema is changed or filled."""

UNHURRIED = (
    "SET LOCAL lock_timeout TO 0",
    "SET LOCAL statement_timeout TO 0",
    "SET LOCAL idle_in_transaction_session_timeout TO 0",
    """SELECT set_config('client_connection_check_interval', '2s', true)
    WHERE current_setting('server_version_num')::int >= 140000""",
)
"""Of a transaction of PostgreSQL, whatever the limits of its connection or its role are: it may take long. But where
this process dies the server is not to finish its statement before it lets others in."""


@contextmanager
def transaction(place: StoreUrl, make: bool = False) -> Iterator[Connection]:
    """A transaction over SQLAlchemy in which nobody else writes (SQLite) or changes the schema (PostgreSQL)."""
    with _engine(place, make) as engine:
        event.listen(engine, "begin", _take_turn)
        with engine.begin() as connection:
            yield connection


@contextmanager
def snapshot(place: StoreUrl) -> Iterator[Connection]:
    """A transaction over SQLAlchemy that reads the store as it is now, whatever is written meanwhile. The schema is not
    changed meanwhile."""
    with _schema_kept(place), _engine(place, make=False) as engine:
        event.listen(engine, "begin", _hold_still)
        with engine.begin() as connection:
            yield connection


@contextmanager
def _engine(place: StoreUrl, make: bool) -> Iterator[Engine]:
    database = place.database()
    kind = "sqlite" if isinstance(place, SqliteUrl) else "postgresql+psycopg"
    engine = create_engine(f"{kind}://", creator=lambda: database.open_connection(make), poolclass=NullPool)
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
    """SQLite's driver opens no transaction by itself: see ``isolation_level`` in ``gyoji.store.database.sqlite``."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        _unhurry(connection)
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})


def _unhurry(connection: Connection) -> None:
    for setting in UNHURRIED:
        connection.exec_driver_sql(setting)


def _hold_still(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _unhurry(connection)


@contextmanager
def _schema_kept(place: StoreUrl) -> Iterator[None]:
    """Whoever wants to change the schema waits until the block ends, and lets nobody wait behind. A transaction of its
    own: one that has seen the database before it had the lock may see an older schema. SQLite has but one lock."""
    if isinstance(place, SqliteUrl):
        yield
        return
    with _engine(place, make=False) as engine, engine.begin() as connection:
        _unhurry(connection)
        if not connection.scalar(text("SELECT pg_try_advisory_xact_lock_shared(:turn)"), {"turn": TURN}):
            raise Unavailable("the schema is being changed: try again when that has ended", "busy")
        yield


class Migrated(NamedTuple):
    """The schema before and after."""

    before: str | None
    """``None``: there was none."""
    now: str


def migrate(url: str) -> Migrated:
    """The schema of this release."""
    with transaction(parse_url(url), make=True) as connection:
        before = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()
        upgrade(connection)
    return Migrated(before, REVISION)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """The schema of a revision, within the caller's transaction."""
    try:
        command.upgrade(configuration(connection), revision)
    except CommandError:
        raise Unavailable("the database is of a newer release", "newer-schema") from None


def configuration(connection: Connection) -> Config:
    """What Alembic is told, in place of an ini file; ``migrations/env.py`` takes the connection from it."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
