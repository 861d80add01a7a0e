"""Whether the database still has what was stored in it and signed; if not, nobody writes to it.

A database can go back: to a backup, to a point in time, to a standby that had not got everything. Whoever went on then
would sign a second event under a number that has one. So a connection is not written to before what the marker names
has been looked for on it, and every write asks, in its own transaction, whether the store waits to be recovered, and of
which generation it is: a recovery begins a new one.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Literal

from gyoji.store.database.marker import Kind, Mark, Marker, Record, let_go, shared_marker, written
from gyoji.store.database.sql import Ask
from gyoji.store.database.statements import STATE, WAITS
from gyoji.store.records import Restored, Unavailable

How = Literal["restore", "marker", "operator"]
"""Who says that the store has gone back: ``gyoji store restore``, a marker, or an operator."""

UNMET = -1

FOUND = """INSERT INTO restorations (number, found, how)
SELECT (SELECT coalesce(max(number), -1) + 1 FROM restorations), CAST(? AS TEXT), CAST(? AS TEXT)
WHERE NOT EXISTS (SELECT 1 FROM restorations WHERE generation IS NULL) ON CONFLICT DO NOTHING"""
IS_EMPTY = "SELECT NOT EXISTS (SELECT 1 FROM signing_keys) AND NOT EXISTS (SELECT 1 FROM matches)"
MATCH = """SELECT seq, (SELECT e.hash FROM events AS e WHERE e.match = m.match AND e.seq = ?) FROM matches AS m
WHERE m.match = ?"""
TOURNAMENT = "SELECT hash FROM tournament_events WHERE tournament = ? AND seq = ?"
CHECKPOINT = "SELECT root FROM tree_checkpoints WHERE number = ?"

TOLD = "the store was restored: gyoji store recover tells what to do"


class Guard:
    """What one process knows of the database, and the marker that it compares it with, if there is one."""

    def __init__(self, mark: Mark | None = None) -> None:
        self._mark = mark
        self._marker: Marker | None = None
        self._lock = Lock()
        self.recovers = False
        """Whether it is to be written to just because it waits."""
        self._generation = UNMET
        self._fault: Unavailable | None = None
        """Why the marker could not be read."""
        self._is_of_another = False
        """Whether the marker is of a store that was here before, and has nothing in common with this one."""

    def meet(self, ask: Ask) -> None:
        """Look at the database on a new connection. What is missing is noted in it, for everybody who writes to it."""
        found, lost = _state(ask), list[Record]()
        marker = None if found == WAITS else self.marker
        self._fault = None
        try:
            lost = [] if marker is None else missing(ask, self._own(marker), found)
        except Unavailable as fault:  # reads do not need it
            self._fault = fault
        self._is_of_another = bool(lost) and bool(ask(IS_EMPTY, ())[0][0])
        self._generation = WAITS if lost and not self._is_of_another else found
        if self._generation != found:
            note(ask, "marker")

    def expected(self) -> int:
        """The generation that a write is for: it does nothing in a database of another. As long as nothing may be
        written that is none which a database could be of."""
        if self._fault is not None or self._generation == WAITS:
            return UNMET
        self._prepare()
        return self._generation

    def refuse(self, ask: Ask, found: int) -> None:
        """``Restored`` unless the database of a write, which has been found to be of that generation, may be written
        to; ``Unavailable`` where the marker cannot be. What is not as it was known is looked at anew."""
        if found != self._generation or self._fault is not None:
            self.meet(ask)
        if self._fault is not None:
            raise self._fault
        if (self._generation == WAITS) != self.recovers:
            raise Restored(TOLD)
        self._prepare()

    def _prepare(self) -> None:
        marker = self._marker or self.marker
        if marker is not None and self._mark is not None:
            if self._is_of_another:
                marker.clear(self._mark.store)
                self._is_of_another = False
            marker.claim(self._mark.store)

    def _own(self, marker: Marker) -> list[Record]:
        """What the marker names of this store."""
        return [record for record in marker.records() if self._mark is not None and record.store == self._mark.store]

    def stored(self, kind: Kind, name: str, number: int, hashed: bytes) -> None:
        """What has just been committed; called before anybody is told of it."""
        marker = self._marker or self.marker
        if marker is not None and self._mark is not None:
            store = self._mark.store
            marker.put(store, written(store, self._generation, kind, name, number, hashed))

    def sync(self) -> None:
        """See that the marker outlasts a power cut."""
        marker = self.marker
        if marker is not None:
            marker.sync()

    @property
    def marker(self) -> Marker | None:
        """The marker, if there is to be one."""
        if self._marker is None and self._mark is not None:
            with self._lock:
                if self._marker is None:
                    self._marker = shared_marker(self._mark.path)
        return self._marker

    def close(self) -> None:
        """Let go of the marker."""
        with self._lock:
            if self._marker is not None:
                let_go(self._marker)
            self._marker = None


def note(ask: Ask, how: How) -> None:
    """Note in the database that it is a restored one, if it is not known yet."""
    ask(FOUND, (f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z", how))


def missing(ask: Ask, records: Sequence[Record], generation: int) -> list[Record]:
    """What the records name and the database has not got. What was stored before its last recovery may be gone."""
    return [record for record in records if record.generation >= generation and not _is_there(ask, record, generation)]


def _state(ask: Ask) -> int:
    found: int = ask(STATE, ())[0][0]
    return found


def _is_there(ask: Ask, record: Record, generation: int) -> bool:
    if record.generation > generation:
        return False
    if record.kind == "match":  # of one that is archived the event is no more in the database
        found = ask(MATCH, (record.number, record.name))
        return bool(found) and found[0][0] >= record.number and found[0][1] in (None, record.hash)
    if record.kind == "tournament":
        return [tuple(row) for row in ask(TOURNAMENT, (record.name, record.number))] == [(record.hash,)]
    return [tuple(row) for row in ask(CHECKPOINT, (record.number,))] == [(record.hash,)]
