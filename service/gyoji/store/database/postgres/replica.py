"""Reads a replica of the database (a PostgreSQL standby) in place of it, where rows cannot change any more.

What is read there is either whole or not used: whoever asks knows how many rows there have to be. Where the copy lags,
has been stopped, does not answer in time, or is a copy of another database, the database itself is asked.
"""

from collections.abc import Callable
from time import monotonic

from gyoji.store.database.postgres.connection import Limits
from gyoji.store.database.postgres.database import PostgresDatabase
from gyoji.store.database.statements import Row
from gyoji.store.records import Unavailable

LIMITS = Limits(connecting=2, lock=2, statement=2, idle=60, answer=1.75)
"""How long the copy is waited for, at most: all of a question together, as long as one answer, so that it costs two
seconds even where it is noticed late."""

REST = 5.0
"""Seconds for which a copy that has failed is not asked again, and after which one that answers is looked at again."""

WHICH = "SELECT system_identifier, current_database(), pg_is_in_recovery() FROM pg_control_system()"
"""Which database it is, and whether it follows another. One that was restored from a backup, or was promoted, goes its
own way: it may have as many rows, and others."""


class Replica:
    """A replica of the database ``original``."""

    def __init__(
        self, database: PostgresDatabase, original: PostgresDatabase, clock: Callable[[], float] = monotonic
    ) -> None:
        self._database = database
        self._original = original
        self._clock = clock
        self._again = 0.0
        self._known = 0.0
        """Until when it is known to be a copy."""

    def query(self, sql: str, put: Row, number: int) -> list[Row] | None:
        """Execute a query on the replica; return its rows if there are ``number`` of them, else ``None``."""
        if self._clock() < self._again:
            return None
        try:
            with self._database.deadline(LIMITS.answer):
                found = self._database.query(sql, put) if self._is_copy() else None
        except Unavailable:
            found = None
        if found is None:
            self._again = self._clock() + REST
            return None
        return found if len(found) == number else None

    def _is_copy(self) -> bool:
        """Tell whether the replica follows the original."""
        if self._clock() >= self._known:
            which, of = self._database.query(WHICH)[0], self._original.query(WHICH)[0]
            if which[:2] != of[:2] or not which[2]:
                return False
            self._known = self._clock() + REST
        return True

    def close(self) -> None:
        """Close the connections of this process."""
        self._database.close()
