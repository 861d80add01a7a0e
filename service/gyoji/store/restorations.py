"""Reads how often a store has gone back to an earlier state, and what was signed when it was recovered."""

from contextlib import closing
from typing import Any

import orjson

from gyoji.store.database.guard import mark_restored
from gyoji.store.database.port import Database
from gyoji.store.database.statements import GENERATION, WAITS

LAST_RECOVERY = "SELECT coalesce(max(generation), 0) FROM restorations"
DOCUMENTS = "SELECT documents FROM restorations WHERE generation IS NOT NULL ORDER BY generation"


class Restorations:
    """The restorations of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def generation(self) -> int:
        """Tell when the store was recovered last, as a number: year, month, day, hour, minute and second in UTC; 0 if
        never."""
        found: int = self._database.query(LAST_RECOVERY)[0][0]
        return found

    def waits(self) -> bool:
        """Whether the store waits to be recovered."""
        return bool(self._database.query(GENERATION)[0][0] == WAITS)

    def documents(self) -> list[dict[str, Any]]:
        """Read what was signed at each recovery, oldest first: ``gyoji-restoration/1``."""
        return [document for (stored,) in self._database.query(DOCUMENTS) for document in orjson.loads(stored)]


def note_restored(database: Database) -> None:
    """Mark a store that has just been made of a backup as restored, unless it is already."""
    with closing(database):
        if not Restorations(database).waits():
            database.exclusively(lambda execute: mark_restored(execute, "restore"))
