"""What a failure of PostgreSQL means to whoever asked."""

import psycopg
from psycopg.errors import ConnectionTimeout

from gyoji.store.records import Cause, Unavailable

NO_PREPARED_STATEMENTS: tuple[Cause, str] = (
    "unreachable",
    "what lends connections to the database keeps no prepared statements: PgBouncer has to be 1.21 or later with"
    " max_prepared_statements, or in session mode",
)
"""A pooler has led the connection to somebody else's session, which has other statements of those names, or none."""

CAUSES: dict[str, tuple[Cause, str]] = {
    "53100": ("disk-full", "the disk is full"),
    "25006": ("read-only", "the database is read-only"),
    "55P03": ("busy", "the database is locked"),
    "57014": ("timeout", "the database is too slow"),
    "42P01": ("older-schema", "the database has no tables of this service yet"),
    "53300": ("busy", "the database takes no more connections"),
    "58030": ("disk-error", "the disk does not read or write"),
    "XX001": ("damaged", "the database is damaged"),
    "XX002": ("damaged", "the database is damaged"),
    "42P05": NO_PREPARED_STATEMENTS,
    "26000": NO_PREPARED_STATEMENTS,
}
"""By SQLSTATE."""


def unavailable(failure: psycopg.Error) -> Unavailable:
    """Translate a failure, without the words of PostgreSQL, which may quote data, and those of libpq, which name
    hosts."""
    cause, told = CAUSES.get(failure.sqlstate or "", _without_answer(failure))
    return Unavailable(f"{told} ({failure.sqlstate or type(failure).__name__})", cause)


def _without_answer(failure: psycopg.Error) -> tuple[Cause, str]:
    is_late = isinstance(failure, ConnectionTimeout)
    return "timeout" if is_late else "unreachable", "the database does not answer"
