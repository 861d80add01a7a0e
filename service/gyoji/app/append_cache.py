"""Keeps what was read and written of the latest appends, for all in this process whose matches they are of."""

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from gyoji.app.match_news import FRESH
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader
from gyoji.match.state import MatchState
from gyoji.store.database.appends import NumberedAppend
from gyoji.store.interface import Match

MOST_KEPT = 256
"""Appends that a process keeps; of older ones each reads anew what it has missed."""


@dataclass(slots=True)
class ReadAppend:
    """An append, and what was read of it."""

    append: NumberedAppend
    lock: Lock = field(default_factory=Lock)
    row: Match | None = None
    read_at: float = float("-inf")
    events: list[tuple[Entry, MatchState]] | None = None
    """Its entries, each with the state of the match after it."""
    written: dict[Reader, bytes] = field(default_factory=dict)
    """What was made of them, by reader."""

    @property
    def is_fresh(self) -> bool:
        """Tell whether what a reader may know can still be decided by the row."""
        return monotonic() < self.read_at + FRESH


class AppendCache:
    """The latest appends of a process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[int, NumberedAppend], ReadAppend] = OrderedDict()

    def get(self, generation: int, append: NumberedAppend) -> ReadAppend:
        """Return what was read of an append, of which that may be nothing yet; ``generation`` is that of the store: one
        that has gone back may give the same number anew."""
        with self._lock:
            kept = self._kept.setdefault((generation, append), ReadAppend(append))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return kept
