"""Guards a database that may have gone back to an earlier state: nobody writes to it before it is recovered.

A database can go back: to a backup, to a point in time, to a standby that had not got everything. Whoever went on then
would sign a second event under a number that has one. So a new connection is not written to before all that the marker
names has been looked for on it; and every write asks, in its own transaction, whether the store waits to be recovered
and of which generation it is. A recovery begins a new generation.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Literal

from gyoji.store.database.marker import Kind, Marker, MarkerPlace, Record, close_marker, encoded, open_marker
from gyoji.store.database.statements import GENERATION, WAITS, Execute
from gyoji.store.records import Restored, Unavailable

FoundBy = Literal["restore", "marker", "operator"]
"""Who says that the store has gone back: ``gyoji store restore``, a marker, or an operator."""

UNKNOWN = -1
"""A generation that no database is of."""

MARK_RESTORED = """INSERT INTO restorations (number, found, how)
SELECT (SELECT coalesce(max(number), -1) + 1 FROM restorations), CAST(? AS TEXT), CAST(? AS TEXT)
WHERE NOT EXISTS (SELECT 1 FROM restorations WHERE generation IS NULL) ON CONFLICT DO NOTHING"""
IS_EMPTY = "SELECT NOT EXISTS (SELECT 1 FROM signing_keys) AND NOT EXISTS (SELECT 1 FROM matches)"
MATCH = """SELECT seq, (SELECT e.hash FROM events AS e WHERE e.match = m.match AND e.seq = ?) FROM matches AS m
WHERE m.match = ?"""
TOURNAMENT = "SELECT hash FROM tournament_events WHERE tournament = ? AND seq = ?"
CHECKPOINT = "SELECT root FROM tree_checkpoints WHERE number = ?"

RESTORED = "the store was restored: gyoji store recover tells what to do"


class Guard:
    """What one process knows of the database's generation, and the marker that it compares the database with."""

    def __init__(self, place: MarkerPlace | None = None) -> None:
        """``place``: where the marker is; ``None``: there is none."""
        self._place = place
        self._marker: Marker | None = None
        self._lock = Lock()
        self.is_recovering = False
        """Whether the database is to be written to just because it waits to be recovered."""
        self._generation = UNKNOWN
        self._fault: Unavailable | None = None
        """Why the marker could not be read."""
        self._is_of_another = False
        """Whether the marker is of a store that was here before, and has nothing in common with this one."""

    def inspect(self, execute: Execute) -> None:
        """Compare the database at the other end of a new connection with the marker. Where something is missing, mark
        the store as restored, for everybody who writes to it."""
        found, lost = _generation(execute), list[Record]()
        marker = None if found == WAITS else self.marker
        self._fault = None
        try:
            lost = [] if marker is None else missing(execute, self._own(marker), found)
        except Unavailable as fault:  # reads do not need it
            self._fault = fault
        self._is_of_another = bool(lost) and bool(execute(IS_EMPTY, ())[0][0])
        self._generation = WAITS if lost and not self._is_of_another else found
        if self._generation != found:
            mark_restored(execute, "marker")

    def expected_generation(self) -> int:
        """Return the generation of the store that a write is meant for. The write does nothing in a database of another
        generation. As long as nothing may be written this is ``UNKNOWN``."""
        if self._fault is not None or self._generation == WAITS:
            return UNKNOWN
        self._prepare()
        return self._generation

    def require_writable(self, execute: Execute, found: int) -> None:
        """Refuse a write to a database of the generation ``found`` unless it may be written to: ``Restored``, or
        ``Unavailable`` where the marker cannot be read or written. What is not as it was known is inspected anew."""
        if found != self._generation or self._fault is not None:
            self.inspect(execute)
        if self._fault is not None:
            raise self._fault
        if (self._generation == WAITS) != self.is_recovering:
            raise Restored(RESTORED)
        self._prepare()

    def _prepare(self) -> None:
        """See that this thread has a line in the marker for what it is about to write."""
        marker = self._marker or self.marker
        if marker is not None and self._place is not None:
            if self._is_of_another:
                marker.clear(self._place.store)
                self._is_of_another = False
            marker.claim(self._place.store)

    def _own(self, marker: Marker) -> list[Record]:
        """Return the records of this store in the marker."""
        return [record for record in marker.records() if self._place is not None and record.store == self._place.store]

    def record(self, kind: Kind, name: str, number: int, hashed: bytes) -> None:
        """Write into the marker what has just been committed; called before anybody is told of it."""
        marker = self._marker or self.marker
        if marker is not None and self._place is not None:
            store = self._place.store
            marker.put(store, encoded(store, self._generation, kind, name, number, hashed))

    def sync(self) -> None:
        """See that the marker outlasts a power cut."""
        marker = self.marker
        if marker is not None:
            marker.sync()

    @property
    def marker(self) -> Marker | None:
        """The marker, if there is to be one; opened when it is first asked for."""
        if self._marker is None and self._place is not None:
            with self._lock:
                if self._marker is None:
                    self._marker = open_marker(self._place.path)
        return self._marker

    def close(self) -> None:
        """Close the marker."""
        with self._lock:
            if self._marker is not None:
                close_marker(self._marker)
            self._marker = None


def mark_restored(execute: Execute, by: FoundBy) -> None:
    """Mark the store in the database as a restored one, unless it is already."""
    execute(MARK_RESTORED, (f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z", by))


def missing(execute: Execute, records: Sequence[Record], generation: int) -> list[Record]:
    """Find the marker's records of things that the database has not got. What was stored before its last recovery may
    be gone."""
    return [each for each in records if each.generation >= generation and not _is_there(execute, each, generation)]


def _generation(execute: Execute) -> int:
    found: int = execute(GENERATION, ())[0][0]
    return found


def _is_there(execute: Execute, record: Record, generation: int) -> bool:
    if record.generation > generation:
        return False
    if record.kind == "match":  # of one that is archived the event is no more in the database
        found = execute(MATCH, (record.number, record.name))
        return bool(found) and found[0][0] >= record.number and found[0][1] in (None, record.hash)
    if record.kind == "tournament":
        return [tuple(row) for row in execute(TOURNAMENT, (record.name, record.number))] == [(record.hash,)]
    return [tuple(row) for row in execute(CHECKPOINT, (record.number,))] == [(record.hash,)]
