"""Caches the states of matches that this process used lately, and applies events that the log has gained before use.

The state of a match follows from its log alone, so that nothing here has to be stored, or agreed on with others.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from gyoji.games.catalogue import BY_VERSION
from gyoji.games.game import Game
from gyoji.log.entries import Entry
from gyoji.match.fold import apply_entries, apply_entry, first_state, replay_log
from gyoji.match.state import MatchState
from gyoji.store.interface import Head, Match, Store, Unavailable

K = TypeVar("K")
V = TypeVar("V")

MOST_STATES = 4096
"""Matches whose latest state a process keeps in memory, at most; and as many milestones."""

IDLE_SECONDS = 300.0
"""Seconds after which a state that has not been used is let go of: what a process remembers follows what is being
played, and not how many matches there have ever been."""

TIMES_UNCHANGED = 4
"""How many times in a row a match has to be found unchanged before a move is decided without reading it: a decision on
a row that has changed is made twice, which would be the rule where several processes move in the match."""

MILESTONE = 64
"""Of earlier states those at every such ``seq`` are kept, once they have been asked for."""


class RecentCache(Generic[K, V]):
    """Values that were used lately, for all threads of a process."""

    def __init__(
        self, most: int = MOST_STATES, idle: float = IDLE_SECONDS, clock: Callable[[], float] = monotonic
    ) -> None:
        """``most``: how many are kept; ``idle``: seconds after which one that has not been used is let go of."""
        self._most = most
        self._idle = idle
        self._clock = clock
        self._kept: OrderedDict[K, tuple[V, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """Return the value of that key, if it is remembered, and keep it for longer."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._keep(key, found[0])
        return None if found is None else found[0]

    def keep(self, key: K, value: V) -> None:
        """Cache a value, and drop those that have not been used for long."""
        with self._lock:
            self._keep(key, value)

    def _keep(self, key: K, value: V) -> None:
        now = self._clock()
        self._kept[key] = value, now
        self._kept.move_to_end(key)
        while len(self._kept) > self._most or next(iter(self._kept.values()))[1] < now - self._idle:
            self._kept.popitem(last=False)


class ReadRow(NamedTuple):
    """The row of a match as it was last read for a move, and how often in a row it was unchanged."""

    row: Match
    unchanged: int


class MatchRowCache:
    """The rows of matches that this process alone moves in, so that a move need not read its match first.

    What is decided on such a row is stored only if the match still has that head and those seats, in the transaction
    itself; whatever else comes of it is decided again on the row that the store has. Reading the row each time costs a
    stored move 1.2 times the processor time and 1.3 times the time that its caller waits on PostgreSQL, 1.05 on SQLite.
    """

    def __init__(self) -> None:
        self._rows: RecentCache[str, ReadRow] = RecentCache()

    def find(self, match: str) -> Match | None:
        """Return the row of a match but for its head, which is that of the remembered state; ``None`` where the match
        is to be read."""
        known = self._rows.get(match)
        return known.row if known is not None and known.unchanged >= TIMES_UNCHANGED else None

    def note(self, row: Match, is_own: bool) -> None:
        """Note a row that was read, and whether its head is the one that this process has stored."""
        known = self._rows.get(row.match)
        is_unchanged = is_own and known is not None and known.row._replace(head=row.head) == row
        self._rows.keep(row.match, ReadRow(row, known.unchanged + 1 if known is not None and is_unchanged else 0))


class MatchStateCache:
    """A cache of the states of matches that were used lately, for all threads of a process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._latest: RecentCache[str, MatchState] = RecentCache()
        self._milestones: RecentCache[tuple[str, int], MatchState] = RecentCache()
        self._lock = Lock()

    def latest(self, row: Match) -> MatchState:
        """Return the state of the match when ``row`` was read, or a later one."""
        known = self._latest.get(row.match)
        if known is not None and known.seq >= row.head.seq:
            return known
        state = self._caught_up(row, known, row.head.seq)
        self.remember(state)
        return state

    def has(self, row: Match) -> bool:
        """Tell whether the remembered state of a match is the one that its row names."""
        known = self._latest.get(row.match)
        return known is not None and known.seq == row.head.seq

    def at(self, row: Match, seq: int) -> MatchState:
        """Return the state of the match after event ``seq``, which it has had."""
        latest = self._latest.get(row.match)
        before = range(seq - seq % MILESTONE, 1, -MILESTONE)
        milestone = next(filter(None, (self._milestones.get((row.match, at)) for at in before)), None)
        if latest is not None and latest.seq == seq:
            return latest
        near = latest if latest is not None and latest.seq < seq else milestone
        state = self._caught_up(row, near, seq)
        if state.seq % MILESTONE == 0:
            self._milestones.keep((row.match, seq), state)
        return state

    def after_each(self, row: Match, entries: Sequence[Entry]) -> list[MatchState]:
        """Return the state of the match after each of some entries that follow on from one another. Each is applied
        once; of those before them at most the ones since a remembered state are."""
        if not entries:
            return []
        first, latest = entries[0].seq, self._latest.get(row.match)
        if latest is not None and first == entries[-1].seq == latest.seq:
            return [latest]
        states = [first_state(entries[0], game_of(row), row.secret)] if first == 0 else [self.at(row, first - 1)]
        for entry in entries[1:] if first == 0 else entries:
            states.append(apply_entry(states[-1], entry))
        self.remember(states[-1])
        return states[-len(entries) :]

    def remember(self, state: MatchState) -> None:
        """Cache the state of a match after an append by this process."""
        with self._lock:
            known = self._latest.get(state.match)
            if known is not None and known.seq > state.seq:
                return
            self._latest.keep(state.match, state)

    def _caught_up(self, row: Match, known: MatchState | None, seq: int) -> MatchState:
        """Return the state after event ``seq``, from the state that is ``known``; keep that at the last milestone."""
        milestone = seq - seq % MILESTONE
        if (1 if known is None else known.seq) < milestone < seq:
            known = self._folded(row, known, milestone)
            self._milestones.keep((row.match, milestone), known)
        return self._folded(row, known, seq)

    def _folded(self, row: Match, known: MatchState | None, seq: int) -> MatchState:
        if known is not None:
            return apply_entries(known, self._store.entries(row.match, known.seq, seq, lasting=row.head.closed))
        return replay_log(game_of(row), row.secret, self._store.entries(row.match, -1, seq, lasting=row.head.closed))


def head_of(state: MatchState) -> Head:
    """Return the head of the log as the store keeps it."""
    return Head(state.seq, state.hash, state.status, state.decision, state.closed)


def entry_of(store: Store, match: str, seq: int, *, lasting: bool = False) -> Entry:
    """Return an entry that the log of a match has to have. Raises ``Unavailable`` if the store has lost it."""
    return first_of(store.entries(match, seq - 1, seq, lasting=lasting))


def first_of(entries: Iterator[Entry]) -> Entry:
    """Return the first of some entries, of which there has to be one. Raises ``Unavailable`` if the store has lost
    it."""
    for entry in entries:
        return entry
    raise Unavailable("an event is missing; gyoji store check tells more", "damaged")


def game_of(row: Match) -> Game[Any]:
    """Return the version of the game that the match is played by."""
    return BY_VERSION[row.game, row.version]
