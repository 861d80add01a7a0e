"""The process that delivers: it looks for news and for lines that are due, and carries several lines at a time.

No request waits for it. Several such processes share the work by holding lines; one that dies leaves what it held to
the others, or to the one that is started in its place.
"""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import random
from threading import Event, Lock

from gyoji.store.interface import Unavailable
from gyoji.store.webhooks import Line
from gyoji.web.desk import Desk
from gyoji.web.logs import log_aside
from gyoji.web.metrics import Meters
from gyoji.web.times import written_time
from gyoji.web.webhooks.carrying import Carrier
from gyoji.web.webhooks.schedule import KEPT
from gyoji.web.webhooks.sending import Sending
from gyoji.web.webhooks.spreading import spread
from gyoji.web.webhooks.telling import Table

POLL = 0.25
"""Seconds between two looks: what has happened is on its way that late at most."""

AT_ONCE = 16
"""Lines that are carried at a time."""

AT_ONCE_EACH = 4
"""Of one webhook; of one whose last attempt failed, one: who does not answer keeps nobody else waiting."""

TIDYING = 3600.0
COUNTING = 10.0


class Deliverer:
    """Delivers until it is told to stop."""

    def __init__(self, desk: Desk, sending: Sending, meters: Meters) -> None:
        self.carrier = Carrier(Table(desk.store, desk.standings), sending, desk.clock, random, meters.delivered)
        self._desk = desk
        self._meters = meters
        self._pool = ThreadPoolExecutor(AT_ONCE, "line")
        self._carried: set[tuple[str, str]] = set()
        self._lock = Lock()
        self._wake = Event()
        self._next: dict[Callable[[], None], float] = {}

    def run(self, stop: Event) -> None:
        """Deliver until ``stop`` is set. A store that cannot be read now is asked again."""
        well = True
        while not stop.is_set():
            self._wake.clear()
            try:
                again = self.turn()
                well = True
            except Unavailable as failure:
                if well:
                    log_aside("webhooks-not-delivered", failure)
                well = again = False
            self._wake.wait(0 if again else POLL)
        self.carrier.sending.stop()

    def close(self) -> None:
        """Wait for whatever is under way; that was cut before."""
        self._pool.shutdown()

    def wake(self) -> None:
        """Look now."""
        self._wake.set()

    def turn(self) -> bool:
        """One look: news is spread, lines that are due are carried. Whether to look again at once."""
        self.carrier.sending.cut_late()
        more = spread(self.carrier.table, self._desk.at())
        for line in self._due():
            self._begin(line)
        self._now_and_then(self._tidy, TIDYING)
        self._now_and_then(self._count, COUNTING)
        return more

    def _due(self) -> list[Line]:
        """The lines to be carried now, with room for them."""
        with self._lock:
            carried = set(self._carried)
        taken = Counter([webhook for webhook, _subject in carried])
        busy = [webhook for webhook, lines in taken.items() if lines >= self._most(webhook)]
        room, chosen = AT_ONCE - len(carried), list[Line]()
        if room <= 0:
            return []
        for line in self.carrier.table.store.webhooks.due(self._desk.at(), 4 * AT_ONCE, busy):
            free = len(chosen) < room and taken[line.webhook] < self._most(line.webhook)
            if free and (line.webhook, line.subject) not in carried:
                taken[line.webhook] += 1
                chosen.append(line)
        return chosen

    def _most(self, webhook: str) -> int:
        return 1 if webhook in self.carrier.ill else AT_ONCE_EACH

    def _begin(self, line: Line) -> None:
        with self._lock:
            self._carried.add((line.webhook, line.subject))
        self._pool.submit(self._carry, line)

    def _carry(self, line: Line) -> None:
        try:
            self.carrier.carry(line)
        except Exception as failure:  # the line is held for a while yet, and then due again
            log_aside("line-not-carried", failure)
        finally:
            with self._lock:
                self._carried.discard((line.webhook, line.subject))
            self._wake.set()

    def _now_and_then(self, work: Callable[[], None], seconds: float) -> None:
        now = self._desk.clock()
        if self._next.get(work, 0) <= now:
            self._next[work] = now + seconds
            work()

    def _tidy(self) -> None:
        self.carrier.table.store.webhooks.forget(written_time(self._desk.clock() - KEPT))

    def _count(self) -> None:
        self._meters.undelivered.set(self.carrier.table.store.webhooks.waiting())
