"""Reads the rows of logs, wherever they are: in the database, in a copy of it, or in the packs of the archive.

The database holds the head of an archived match and the digest of its part of the pack; the events are checked against
both before any of them is given out. What does not agree is ``Unavailable``, as if the storage did not answer, never
another log and never a part of one.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING

from gyoji.store.archive.packs import BadPack, is_whole, unpack_rows
from gyoji.store.database.port import Database
from gyoji.store.database.statements import ENTRIES, PAGE, Row
from gyoji.store.object_storage import OBJECT_SECONDS, Gone, Objects, objects
from gyoji.store.records import Unavailable

if TYPE_CHECKING:
    from gyoji.store.database.postgres.replica import Replica


PART = """SELECT a.pack, a.start, a.length, a.digest, m.seq, m.hash
FROM archived AS a JOIN matches AS m ON m.match = a.match WHERE a.match = ?"""
FIRST = "SELECT 0, body, hash, openings FROM archived WHERE match = ?"

KEPT = 16
"""Matches whose events are kept in memory: who reads one asks for it several times, and without this each time takes
1.7 times as long on a local disk."""
MOST_KEPT = 1 << 18
"""Bytes of a part beyond which it is not kept."""

UNKNOWN = "the match is in the archive, and GYOJI_ARCHIVE does not say where that is"
DAMAGED = "what the archive holds of the match is not what was put there; gyoji store check tells more"


INTERACTIVE_SECONDS = 4.0
"""Seconds that the storage has for an answer where callers wait."""

REST = 5.0
"""Seconds for which a storage that has not answered is not asked again."""

AWAY = "the storage did not answer a moment ago"


class Archive:
    """The archive of one store, for reading."""

    def __init__(
        self, database: Database, url: str | None, is_interactive: bool = False, clock: Callable[[], float] = monotonic
    ) -> None:
        """``url``: where the packs are; ``None``: nobody has said. ``is_interactive``: callers wait, told within
        seconds where the storage does not answer."""
        self._database = database
        self._clock = clock
        self._again = 0.0
        self.place = open_archive_storage(url, INTERACTIVE_SECONDS if is_interactive else None)
        self._kept = lru_cache(KEPT)(self._checked)

    def rows(self, match: str) -> list[Row] | None:
        """Read all events of a match as rows of (seq, body, hash, encrypted openings); ``None`` if it is not
        archived."""
        found = self._database.query(PART, (match,))
        if not found:
            return None
        placed = tuple(found[0])
        return self._kept(*placed) if placed[2] <= MOST_KEPT else self._checked(*placed)

    def first(self, match: str) -> list[Row] | None:
        """Read the first event alone, which the database keeps: lists name the players."""
        return [tuple(row) for row in self._database.query(FIRST, (match,))] or None

    def _checked(self, pack: str, start: int, length: int, digest: bytes, seq: int, head: bytes) -> list[Row]:
        if self.place is None:
            raise Unavailable(UNKNOWN, "storage-away")
        return unpack_checked(self._read(self.place, pack, start, length), digest, seq, head)

    def _read(self, place: Objects, pack: str, start: int, length: int) -> bytes:
        """Read a part of a pack. Where the storage does not answer, whoever asks in the seconds after is refused at
        once."""
        if self._clock() < self._again:
            raise Unavailable(AWAY, "storage-away")
        try:
            return place.read(pack, start, length)
        except Gone:
            raise
        except Unavailable:
            self._again = self._clock() + REST
            raise


def open_archive_storage(url: str | None, seconds: float | None = None) -> Objects | None:
    """Open the place of an archive, if there is one. Raises ``BadPlace`` if it cannot be opened here."""
    if url is None:
        return None
    return objects(url, seconds or OBJECT_SECONDS)


def unpack_checked(part: bytes, digest: bytes, seq: int, head: bytes) -> list[Row]:
    """Unpack a part and check it: ``Unavailable`` unless it has its digest and is a whole log that ends with the
    head."""
    if sha256(part).digest() != digest:
        raise Unavailable(DAMAGED, "damaged")
    try:
        rows = unpack_rows(part)
    except BadPack:
        raise Unavailable(DAMAGED, "damaged") from None
    if not is_whole(rows, seq, head):
        raise Unavailable(DAMAGED, "damaged")
    return rows


class History:
    """The event rows of one store, for reading: in the database, in a copy of it, or in the archive."""

    def __init__(self, database: Database, archive: Archive, replica: "Replica | None") -> None:
        self._database = database
        self._archive = archive
        self._replica = replica

    def rows(self, match: str, after: int, last: int, lasting: bool) -> Iterator[Row]:
        """Read the rows of a match with ``after < seq <= last``, in order. Where a page is empty, the match may have
        been archived since the last one, or brought back. ``lasting``: they are all there, and none of them ever
        changes."""
        looked = False
        while after < last:
            page = self._page((match, after, last, PAGE), lasting)
            yield from page
            if page and len(page) < PAGE:
                return
            if page:
                after = page[-1][0]
                continue
            archived = self._archive.first(match) if last == 0 else self._archive.rows(match)
            if archived is not None:
                yield from [row for row in archived if after < row[0] <= last]
            if looked or archived is not None:
                return
            looked = True

    def _page(self, put: tuple[str, int, int, int], lasting: bool) -> list[Row]:
        """Read a page; of a log that grows no more from the copy, where that has the whole page."""
        found = None
        if lasting and self._replica is not None:
            _match, after, last, most = put
            found = self._replica.query(ENTRIES, put, min(most, last - after))
        return self._database.query(ENTRIES, put) if found is None else found
