"""Makes the schema and brings it up to date, by Alembic, and copies all rows from one database to another.

A revision is a file in ``migrations/versions``."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, Table, create_engine, event, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from gyoji.store.database.statements import REVISION
from gyoji.store.records import Progress, Unavailable
from gyoji.store.schema.dialect import ApswDialect
from gyoji.store.schema.tables import metadata
from gyoji.store.urls import SqliteUrl, StoreUrl, parse_url

SCRIPTS = Path(__file__).parent / "migrations"

VERSION_TABLE = "gyoji_revision"

SCHEMA_LOCK = 0x67796F6A69
"""The advisory lock under which a PostgreSQL schema is changed or filled."""

UNLIMITED = (
    "SET LOCAL lock_timeout TO 0",
    "SET LOCAL statement_timeout TO 0",
    "SET LOCAL idle_in_transaction_session_timeout TO 0",
    """SELECT set_config('client_connection_check_interval', '2s', true)
    WHERE current_setting('server_version_num')::int >= 140000""",
)
"""Settings of a PostgreSQL transaction that may take long, whatever the limits of its connection or its role are. But
where this process dies the server is not to finish its statement before it lets others in."""


@contextmanager
def transaction(place: StoreUrl, make: bool = False) -> Iterator[Connection]:
    """Run a transaction over SQLAlchemy in which nobody else writes (SQLite) or changes the schema (PostgreSQL)."""
    with _engine(place, make) as engine:
        event.listen(engine, "begin", _lock_schema)
        with engine.begin() as connection:
            yield connection


@contextmanager
def snapshot(place: StoreUrl) -> Iterator[Connection]:
    """Run a transaction over SQLAlchemy that reads the store as it is now, whatever is written meanwhile. The schema is
    not changed meanwhile."""
    with _schema_locked(place), _engine(place, make=False) as engine:
        event.listen(engine, "begin", _begin_snapshot)
        with engine.begin() as connection:
            yield connection


@contextmanager
def _engine(place: StoreUrl, make: bool) -> Iterator[Engine]:
    database = place.database()
    kind = f"sqlite+{ApswDialect.driver}" if isinstance(place, SqliteUrl) else "postgresql+psycopg"
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


def _lock_schema(connection: Connection) -> None:
    """Begin a transaction under the lock: SQLite's driver opens none by itself."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        _lift_limits(connection)
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SCHEMA_LOCK})


def _lift_limits(connection: Connection) -> None:
    for setting in UNLIMITED:
        connection.exec_driver_sql(setting)


def _begin_snapshot(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _lift_limits(connection)


@contextmanager
def _schema_locked(place: StoreUrl) -> Iterator[None]:
    """Let whoever wants to change the schema wait until the block ends, with nobody waiting behind. A transaction of
    its own: one that has seen the database before it had the lock may see an older schema. SQLite has but one lock."""
    if isinstance(place, SqliteUrl):
        yield
        return
    with _engine(place, make=False) as engine, engine.begin() as connection:
        _lift_limits(connection)
        if not connection.scalar(text("SELECT pg_try_advisory_xact_lock_shared(:lock)"), {"lock": SCHEMA_LOCK}):
            raise Unavailable("the schema is being changed: try again when that has ended", "busy")
        yield


class Migrated(NamedTuple):
    """The revisions of the schema before and after."""

    before: str | None
    """``None``: there was none."""
    now: str


def migrate(url: str) -> Migrated:
    """Migrate the schema of the store at ``url`` to that of this release, and make it where there is none."""
    with transaction(parse_url(url), make=True) as connection:
        before = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()
        upgrade(connection)
    return Migrated(before, REVISION)


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the schema to a revision, within the caller's transaction."""
    try:
        command.upgrade(configuration(connection), revision)
    except CommandError:
        raise Unavailable("the database is of a newer release", "newer-schema") from None


def configuration(connection: Connection) -> Config:
    """Configure Alembic, in place of an ini file; ``migrations/env.py`` takes the connection from here."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


ROWS = 500
"""Rows that are read and written at a time."""


def ignore_progress(_done: int, _total: int) -> None:
    """Do nothing, as the progress function where nobody asks for progress."""


def count_rows(connection: Connection, table: Table) -> int:
    """Count the rows of a table."""
    return connection.scalar(select(func.count()).select_from(table)) or 0


def copy_rows(source: Connection, target: Connection, progress: Progress) -> None:
    """Copy every row of every table, as it is; ``progress`` is called with rows."""
    total = sum([count_rows(source, table) for table in metadata.sorted_tables])
    done = 0
    for table in metadata.sorted_tables:
        with source.execute(select(table), execution_options={"yield_per": ROWS}) as found:
            for part in found.mappings().partitions():
                target.execute(table.insert(), [dict(row) for row in part])
                done += len(part)
                progress(done, total)
