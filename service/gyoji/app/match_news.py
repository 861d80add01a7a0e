"""Reads the news of a match once for all who follow it in this process."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import monotonic

from gyoji.app.match_states import MatchStateCache
from gyoji.log.entries import Entry
from gyoji.match.state import MatchState
from gyoji.store.database.subscriptions import Wake
from gyoji.store.interface import Head, Match, Store
from gyoji.store.referee_calls import NO_CALLS, CallsOfMatch

MOST = 64
"""Entries of one piece of news; whoever has missed more reads them alone."""

FRESH = 1.0
"""Seconds for which what a reader may know of news is decided by the row that was read with it."""


@dataclass(slots=True)
class News:
    """The entries that came to a match last, and its row as it was read after them."""

    row: Match
    before: int
    """The ``seq`` of the head before them."""
    entries: list[Entry] = field(default_factory=list)
    states: list[MatchState] = field(default_factory=list)
    """The state of the match after each of them."""
    read_at: float = field(default_factory=monotonic)
    written: dict[Hashable, bytes | None] = field(default_factory=dict)
    """What was made of them, by whom it is for; ``None`` for whoever may not know them any more."""

    @property
    def head(self) -> Head:
        """Return the head that they lead to."""
        return self.row.head

    def is_all_since(self, seq: int) -> bool:
        """Tell whether these entries are all that came after ``seq``, and their row is still to be gone by."""
        return seq == self.before and monotonic() < self.read_at + FRESH


class MatchNews:
    """The news of one match, and who follows it."""

    def __init__(self, store: Store, states: MatchStateCache, match: str) -> None:
        self._store = store
        self._states = states
        self._match = match
        self._lock = Lock()
        self._is_stale = True
        self._news: News | None = None
        self._calls = NO_CALLS
        self._are_calls_stale = True
        self.followers: dict[object, Wake] = {}

    def wake(self) -> None:
        """Note that there may be news, and wake everybody."""
        self._is_stale = True
        self._are_calls_stale = True
        for wake in list(self.followers.values()):
            wake()

    def latest(self) -> News | None:
        """Return the latest news; ``None`` of a match that is not there. Raises ``Unavailable``."""
        with self._lock:
            if self._is_stale:
                self._is_stale = False  # first: what comes meanwhile is news again
                try:
                    self._news = self._read(self._news)
                except BaseException:
                    self._is_stale = True
                    raise
            return self._news

    def calls(self) -> CallsOfMatch:
        """Return who calls the referee, read once for all who follow the match. Raises ``Unavailable``."""
        with self._lock:
            if self._are_calls_stale:
                self._are_calls_stale = False  # first, as above
                try:
                    self._calls = self._store.referee_calls.of(self._match)
                except BaseException:
                    self._are_calls_stale = True
                    raise
            return self._calls

    def _read(self, known: News | None) -> News | None:
        head = self._store.head(self._match)
        if head is not None and known is not None and head == known.head:
            return known
        row = None if head is None else self._store.match(self._match)
        if row is None:
            return None
        seq = row.head.seq
        if known is None or not known.head.seq < seq <= known.head.seq + MOST:
            return News(row, seq)
        before = known.head.seq
        entries = list(self._store.entries(self._match, before, seq, lasting=row.head.closed))
        return News(row, before, entries, self._states.after_each(row, entries))


class NewsBoard:
    """The news of all matches that are followed in this process."""

    def __init__(self, store: Callable[[], Store], states: Callable[[], MatchStateCache]) -> None:
        """``store`` and ``states`` give the store and the states of matches when they are first needed."""
        self._store = store
        self._states = states
        self._lock = Lock()
        self._followed: dict[str, tuple[MatchNews, Callable[[], None]]] = {}

    def follow(self, match: str, wake: Wake) -> tuple[MatchNews, Callable[[], None]]:
        """Follow a match: give its news, and what ends that. ``wake`` is called whenever there may be more."""
        key = object()
        with self._lock:
            if match not in self._followed:
                store = self._store()
                news = MatchNews(store, self._states(), match)
                self._followed[match] = news, store.subscribe(match, news.wake)
            news, _unsubscribe = self._followed[match]
            news.followers[key] = wake
        return news, partial(self._leave, match, key)

    def _leave(self, match: str, key: object) -> None:
        with self._lock:
            if match not in self._followed:
                return
            news, unsubscribe = self._followed[match]
            news.followers.pop(key, None)
            if not news.followers:
                del self._followed[match]
                unsubscribe()
