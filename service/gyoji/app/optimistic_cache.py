"""What this process remembers of matches that are being played, so that a move need not read its match first.

A belief decides nothing. What was decided on it is stored only where the match stands, and is seated, in that very
transaction as it was believed; whatever does not come to be stored so is decided again on the match as the store has
it. So it makes no difference who else writes to the match, in whichever process of whichever server.

A belief that is wrong has cost a decision for nothing. So a match is believed in only once it was found as it was
remembered some times in a row: as it is where all its moves come to one process, and is not where they come to many.
"""

from threading import Lock
from typing import NamedTuple

from gyoji.app.cache import Recent
from gyoji.store.interface import Match

PROVEN = 4
"""How many times in a row a match was found as it was remembered before it is believed in."""


class Memory(NamedTuple):
    """A match as it was when it was last read for a move, and how often in a row it was found so."""

    row: Match
    proven: int


class Beliefs:
    """The matches that this process has read for a move lately."""

    def __init__(self) -> None:
        self._kept: Recent[str, Memory] = Recent()
        self._lock = Lock()

    def of(self, match: str) -> Match | None:
        """The match as it is believed to be, but for its head: where it stands is remembered elsewhere. ``None`` where
        it is to be read."""
        with self._lock:
            known = self._kept.get(match)
        return known.row if known is not None and known.proven >= PROVEN else None

    def found(self, row: Match, as_remembered: bool) -> None:
        """The match as the store has it, and whether it stands where this process has left it."""
        with self._lock:
            known = self._kept.get(row.match)
            is_same = as_remembered and known is not None and known.row._replace(head=row.head) == row
            self._kept.keep(row.match, Memory(row, known.proven + 1 if known is not None and is_same else 0))
