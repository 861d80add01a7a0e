"""That the store has gone back to an earlier state, and what was signed of it when it was recovered."""

from contextlib import closing
from typing import Any

import orjson

from gyoji.store.database.guard import note
from gyoji.store.database.port import Database
from gyoji.store.database.statements import STATE, WAITS

GENERATION = "SELECT coalesce(max(generation), 0) FROM restorations"
DOCUMENTS = "SELECT documents FROM restorations WHERE generation IS NOT NULL ORDER BY generation"


class Restorations:
    """The times that a store has gone back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def generation(self) -> int:
        """When it was recovered last, as a number: year, month, day, hour, minute and second in UTC; 0 if never."""
        found: int = self._database.rows(GENERATION)[0][0]
        return found

    def waits(self) -> bool:
        """Whether it waits to be recovered."""
        return bool(self._database.rows(STATE)[0][0] == WAITS)

    def documents(self) -> list[dict[str, Any]]:
        """What was signed at each recovery, oldest first: ``gyoji-restoration/1``."""
        return [document for (stored,) in self._database.rows(DOCUMENTS) for document in orjson.loads(stored)]


def note_restored(database: Database) -> None:
    """Note in a store that has just been made of a backup that it is a restored one, if it is not known yet."""
    with closing(database):
        if not Restorations(database).waits():
            database.alone(lambda ask: note(ask, "restore"))
