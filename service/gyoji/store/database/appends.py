"""Reads the appends to the logs of all matches as they are committed, in the order of their numbers, and tells whoever
follows them.

Every append has a number, which says where it stands among all that were ever stored. PostgreSQL gives numbers out
before the commit, so that one may be found after a higher one. What is found is told at once, but the **position**
stays before the lowest number that is missing, until that is found, or all transactions have ended that may bring it.
So whoever goes on behind a position misses nothing, and may be told a little twice. SQLite writes one transaction after
the other, and leaves no number out.

What is read at a time is read by one query: of two appends to one match the second is never found without the first.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import Literal, NamedTuple, Protocol

from gyoji.store.database.statements import APPENDS_AFTER, GENERATION, LATEST_APPEND, PAGE, Row
from gyoji.store.database.writers import await_writers

WRITERS_SECONDS = 1.0
"""Seconds that the transactions are waited for that write when the first in a process begins to follow."""

KEPT = 1_000_000
"""Appends before the newest that somebody can go on from; older ones are forgotten in time."""

Topic = tuple[Literal["owner", "match", "tournament", "all"], str]
"""Which appends somebody follows: those of an account, of a match, or of a tournament; or all there are."""

ALL: Topic = ("all", "")


class Source(Protocol):
    """The database that appends are read from."""

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """Execute a query and give back its rows."""

    def writers(self, table: str) -> set[Row]:
        """Find the transactions that may have written to a table and have not ended."""


class NumberedAppend(NamedTuple):
    """An append to the log of a match, and the position among all of them once it is known."""

    number: int
    match: str
    first: int
    """Its first event."""
    last: int
    owner: str | None
    tournament: str | None
    position: int = 0
    """Behind which to go on for whoever has been told of it, and of all before it."""

    @property
    def topics(self) -> Sequence[Topic]:
        """Return the topics that it is of."""
        topics: list[Topic] = [ALL, ("match", self.match)]
        if self.owner is not None:
            topics.append(("owner", self.owner))
        if self.tournament is not None:
            topics.append(("tournament", self.tournament))
        return topics


Tell = Callable[[Sequence[NumberedAppend]], None]
"""Takes appends in the order in which they are told; none where the database does not answer or has gone back, so that
it is to be followed anew. Quick, and raises nothing."""


class Found(NamedTuple):
    """The numbers that have been found up to now: all up to ``position``, and those ``ahead`` of it."""

    position: int
    ahead: frozenset[int]
    generation: int
    """The generation of the store that the numbers are of."""

    @property
    def highest(self) -> int:
        """Return the highest number."""
        return max(self.ahead, default=self.position)

    def holds(self, number: int) -> bool:
        """Tell whether that number has been found, if there is an append of it."""
        return number <= self.position or number in self.ahead

    def reaches(self, position: int) -> bool:
        """Tell whether whoever goes on behind that position misses nothing."""
        return self.highest - KEPT <= position <= self.highest


class Followed(NamedTuple):
    """The appends as somebody follows them."""

    found: Found
    """What had been found when that began."""
    position: Callable[[], int]
    """Gives the position up to which every append has been told by now."""
    leave: Callable[[], None]
    """Ends it."""


class AppendReader:
    """Reads appends in order, and knows up to where none is missing."""

    def __init__(self, source: Source) -> None:
        """Begin behind all that there is now. ``Unavailable`` where it is not known in time what that is: transactions
        that write now may bring lower numbers."""
        self._source = source
        self._generation: int = source.query(GENERATION)[0][0]
        self._position: int = source.query(LATEST_APPEND)[0][0]
        await_writers(partial(source.writers, "appends"), WRITERS_SECONDS)
        self._ahead: set[int] = set()
        self._waits_for: tuple[int, set[Row]] | None = None
        """No number up to that one is missing any more when these transactions have ended."""
        self.has_more = False
        """Whether the last read did not read everything."""

    @property
    def found(self) -> Found:
        """Return what has been found up to now."""
        return Found(self._position, frozenset(self._ahead), self._generation)

    def is_current(self) -> bool:
        """Tell whether the numbers are those of the store as it is: where it has gone back they are given anew."""
        return self._source.query(GENERATION) == [(self._generation,)]

    def read(self) -> list[NumberedAppend]:
        """Read what has come, each with the position that holds with it; a page at most."""
        settled = self._settled()
        most = len(self._ahead) + PAGE
        rows = self._source.query(APPENDS_AFTER, (self._position, most))
        known = self.found
        read = [self._add(NumberedAppend(*row)) for row in rows if not known.holds(row[0])]
        self.has_more = len(rows) == most
        if settled is not None and not self.has_more:
            self._advance(settled)
        return read

    def _add(self, append: NumberedAppend) -> NumberedAppend:
        self._ahead.add(append.number)
        self._advance(self._position)
        return append._replace(position=self._position)

    def _advance(self, position: int) -> None:
        """Move on to a position, and over all that has been found behind it."""
        if position > self._position:
            self._position = position
            self._ahead = {number for number in self._ahead if number > position}
        while self._position + 1 in self._ahead:
            self._position += 1
            self._ahead.remove(self._position)

    def _settled(self) -> int | None:
        """Tell up to which number everything is found by the next query that will ever be: a number is taken by a
        transaction that writes, so one that was missing when they were looked for is nobody's once they have ended."""
        if not self._ahead:
            self._waits_for = None
            return None
        writing = self._source.writers("appends")
        until, left = self._waits_for or (max(self._ahead), writing)
        left = left & writing
        self._waits_for = (until, left) if left else None
        return None if left else until


class AppendFollowers:
    """Whoever follows the appends in this process; they are read once for all of them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = Lock()
        self._reader: AppendReader | None = None
        self._tells: dict[object, Tell] = {}
        self._by_topic: dict[Topic, set[object]] = defaultdict(set)

    def __bool__(self) -> bool:
        return bool(self._tells)

    def follow(self, topics: Sequence[Topic], tell: Tell) -> Followed:
        """Have ``tell`` called with the appends of these topics that are found from now on. What any process has found
        by now has been found here then. Raises ``Unavailable``."""
        key = object()
        reader = self._reader or AppendReader(self._source)  # which may wait: nobody else waits behind it
        with self._lock:
            reader = self._read(self._reader or reader)
            self._tells[key] = tell
            for topic in topics:
                self._by_topic[topic].add(key)
            return Followed(reader.found, partial(self._position, reader), partial(self._leave, key, topics))

    def _position(self, reader: AppendReader) -> int:
        with self._lock:
            return reader.found.position

    def _leave(self, key: object, topics: Sequence[Topic]) -> None:
        with self._lock:
            self._tells.pop(key, None)
            for topic in topics:
                self._by_topic[topic].discard(key)
                if not self._by_topic[topic]:
                    del self._by_topic[topic]
            if not self._tells:
                self._reader = None

    def read(self) -> None:
        """Read what has come, and tell each follower of what is its. Raises ``Unavailable``."""
        with self._lock:  # whoever begins to follow is told of what is found after that, and of nothing before
            if self._reader is not None:
                self._read(self._reader)

    def _read(self, reader: AppendReader) -> AppendReader:
        if not reader.is_current():
            reader = AppendReader(self._source)
            self._doubt()
        self._reader = reader
        reader.has_more = True
        while reader.has_more:
            told: dict[object, list[NumberedAppend]] = defaultdict(list)
            for append in reader.read():
                for key in dict.fromkeys(key for topic in append.topics for key in self._by_topic.get(topic, ())):
                    told[key].append(append)
            for key, appends in told.items():
                self._tells[key](appends)
        return reader

    def doubt(self) -> None:
        """Tell everybody that the database does not answer."""
        with self._lock:
            self._doubt()

    def _doubt(self) -> None:
        for tell in self._tells.values():
            tell(())
