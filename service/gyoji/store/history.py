"""Reads the rows of logs, wherever they are: in the database, in a copy of it, or in the archive."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gyoji.store.archive.reader import Archive
from gyoji.store.database.port import Database
from gyoji.store.database.sql import PAGE, Row
from gyoji.store.database.statements import ENTRIES

if TYPE_CHECKING:
    from gyoji.store.database.postgres.replica import Replica


class History:
    """Reads the rows of ``events`` of one store."""

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
