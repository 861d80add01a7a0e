"""Limits the audits of a worker: so many at a time, each with a budget of processor time and for a caller who waits.

Anybody may ask for one, and a long file takes seconds. So the last place is for short files, which are soon done; and
where somebody waits for a place, an audit that has had its share makes room.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic, thread_time

from gyoji.app.problems import RETRY_AFTER, HttpProblem, malformed_header
from gyoji.app.shares import Shares

BUDGET_SECONDS = 20.0
"""Seconds of processor time that one audit may take: several times what the costliest honest file of 16 MiB takes."""

GUARANTEED_SECONDS = 0.5
"""Seconds of processor time that an audit has for certain, whoever waits."""

SHORT_FILE = 2**20
"""Bytes of a file that counts as short."""

QUEUE_SECONDS = 10.0
"""Seconds for which a place is waited for."""

POLL = 0.05


class AuditTurn:
    """One audit of a caller: how long its file is, how much processor time it has taken, and whether it has to end."""

    def __init__(self, caller: Hashable, size: int, hung_up: Callable[[], bool]) -> None:
        self.caller = caller
        self.is_long = size > SHORT_FILE
        self.hung_up = hung_up
        self.used = 0.0
        self.is_over = False
        """Whether it has to make room for another."""
        self._since = 0.0

    def begin(self) -> None:
        """Begin to count the processor time of this audit: the thread that calls this makes the audit from now on."""
        self._since = thread_time()

    def look(self) -> None:
        """End the audit with a problem where it may not go on; the thread that makes the audit calls this now and
        then."""
        self.used = thread_time() - self._since
        if self.used > BUDGET_SECONDS:
            raise HttpProblem("too-much-work", {"limit": int(BUDGET_SECONDS)})
        if self.is_over:
            raise HttpProblem("too-many-at-once", retry_after=RETRY_AFTER)
        if self.hung_up():
            raise malformed_header("Content-Length")  # as of a caller who is gone before the whole body has come


class AuditSlots(Shares):
    """The slots for audits that run at the same time, and a queue of as many callers."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._most_long = max(1, most - 1)
        self._room = Condition(self._lock)
        self._running: list[AuditTurn] = []
        self._waiting: list[AuditTurn] = []

    @contextmanager
    def turn(self, caller: Hashable, size: int, hung_up: Callable[[], bool]) -> Iterator[AuditTurn]:
        """Hold a slot for as long as the block takes. Raises a problem (503) where none becomes free soon."""
        turn = AuditTurn(caller, size, hung_up)
        with self._room:
            if not self._has_room(turn):
                self._wait(turn)
            self._running.append(turn)
            self._count(None, 1)
        try:
            turn.begin()
            yield turn
        finally:
            with self._room:
                self._running.remove(turn)
                self._count(None, -1)
                self._room.notify_all()

    def _has_room(self, turn: AuditTurn) -> bool:
        long = sum([other.is_long for other in self._running])
        return self._open["all"] < self._most and not (turn.is_long and long >= self._most_long)

    def _wait(self, turn: AuditTurn) -> None:
        self._queue(turn)
        try:
            until = monotonic() + QUEUE_SECONDS
            while not self._has_room(turn) or self._next() is not turn:
                self._make_room()
                if turn.is_over or monotonic() >= until or turn.hung_up():
                    raise HttpProblem("too-many-at-once", retry_after=RETRY_AFTER)
                self._room.wait(POLL)
        finally:
            self._waiting.remove(turn)

    def _queue(self, turn: AuditTurn) -> None:
        """Take a place in the queue; where it is full that of the last, by ``_order``, if this turn comes before it."""
        if not self._running:  # nobody who would make room
            raise HttpProblem("too-many-at-once", retry_after=RETRY_AFTER)
        waiting = [other for other in self._waiting if not other.is_over]
        if len(waiting) >= self._most:
            last = max(waiting, key=self._order)
            if self._order(last) <= self._order(turn, more=1):
                raise HttpProblem("too-many-at-once", retry_after=RETRY_AFTER)
            last.is_over = True
        self._waiting.append(turn)

    def _order(self, turn: AuditTurn, more: int = 0) -> tuple[bool, int]:
        """Return what turns are ordered by: short files first, then callers with the fewest audits here."""
        others = [*self._running, *self._waiting]
        return turn.is_long, sum([other.caller == turn.caller for other in others]) + more

    def _next(self) -> AuditTurn | None:
        return min([turn for turn in self._waiting if not turn.is_over], key=self._order, default=None)

    def _make_room(self) -> None:
        """End as many running audits as wait for a slot, of those that have had their share; the last by ``_order``
        first."""
        is_full = self._open["all"] >= self._most  # else there is room, but for short files
        served = [turn for turn in self._running if turn.used > GUARANTEED_SECONDS and (is_full or turn.is_long)]
        ending = sum([turn.is_over for turn in served])
        left = sorted([turn for turn in served if not turn.is_over], key=self._order, reverse=True)
        for turn in left[: max(0, len(self._waiting) - ending)]:
            turn.is_over = True
