"""A copy of the database that PostgreSQL keeps (a standby), read in place of the database where nothing can change.

What is read there is either whole or not used: whoever asks knows how many rows there have to be. Where the copy lags,
has been stopped, or does not answer in time, the database itself is asked.
"""

from collections.abc import Callable
from time import monotonic

from gyoji.store.database import Row
from gyoji.store.interface import Unavailable
from gyoji.store.postgres import PostgresDatabase

PATIENCE = 2
"""Seconds that the copy is waited for, at most, to connect and to answer."""

REST = 5.0
"""Seconds for which a copy that has failed is not asked again."""


class Replica:
    """The copy."""

    def __init__(self, database: PostgresDatabase, clock: Callable[[], float] = monotonic) -> None:
        self._database = database
        self._clock = clock
        self._again = 0.0

    def rows(self, sql: str, put: Row, number: int) -> list[Row] | None:
        """What a query finds, if it finds so many rows; else ``None``."""
        if self._clock() < self._again:
            return None
        try:
            found = self._database.rows(sql, put)
        except Unavailable:
            self._again = self._clock() + REST
            return None
        return found if len(found) == number else None

    def close(self) -> None:
        """Close this process's connections."""
        self._database.close()
