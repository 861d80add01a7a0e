"""That the store has gone back to an earlier state, and what was signed of it when it was recovered."""

from contextlib import closing
from typing import Any

import orjson

from gyoji.store.database.guard import mark_restored
from gyoji.store.database.port import Database
from gyoji.store.database.statements import GENERATION, WAITS

LAST_RECOVERY = "SELECT coalesce(max(generation), 0) FROM restorations"
DOCUMENTS = "SELECT documents FROM restorations WHERE generation IS NOT NULL ORDER BY generation"


class Restorations:
    """The times that a store has gone back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def generation(self) -> int:
        """When it was recovered last, as a number: year, month, day, hour, minute and second in UTC; 0 if never."""
        found: int = self._database.query(LAST_RECOVERY)[0][0]
        return found

    def waits(self) -> bool:
        """Whether it waits to be recovered."""
        return bool(self._database.query(GENERATION)[0][0] == WAITS)

    def documents(self) -> list[dict[str, Any]]:
        """What was signed at each recovery, oldest first: ``gyoji-restoration/1``."""
        return [document for (stored,) in self._database.query(DOCUMENTS) for document in orjson.loads(stored)]


def note_restored(database: Database) -> None:
    """Note in a store that has just been made of a backup that it is a restored one, if it is not known yet."""
    with closing(database):
        if not Restorations(database).waits():
            database.exclusively(lambda execute: mark_restored(execute, "restore"))
