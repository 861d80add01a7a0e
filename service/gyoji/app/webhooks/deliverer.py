"""The process that delivers: it looks for news and for lines that are due, and carries several lines at a time.

No request waits for it. Several such processes share the work by holding lines; one that dies leaves what it held to
the others, or to the one that is started in its place.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import random
from threading import Event, Lock

from gyoji.app.clock import seconds_of, written_time
from gyoji.app.logs import log_aside
from gyoji.app.metrics import Meters
from gyoji.app.services import Services
from gyoji.app.webhooks.fan_out import spread
from gyoji.app.webhooks.http_sender import Sending
from gyoji.app.webhooks.lanes import Carrier
from gyoji.app.webhooks.messages import Table
from gyoji.app.webhooks.schedule import KEPT
from gyoji.app.webhooks.shares import AT_ONCE, Shares
from gyoji.store.interface import Unavailable
from gyoji.store.webhooks.records import Lane

POLL = 0.25
"""Seconds between two looks: what has happened is on its way that late at most."""

MOST_LOOKED_AT = 4 * AT_ONCE
"""Lines that are due of which one look is made."""

TIDYING = 3600.0
COUNTING = 10.0


class Deliverer:
    """Delivers until it is told to stop."""

    def __init__(self, services: Services, sending: Sending, meters: Meters) -> None:
        self.carrier = Carrier(
            Table(services.store, services.match_states), sending, services.clock, random, meters.delivered
        )
        self._services = services
        self._meters = meters
        self._pool = ThreadPoolExecutor(AT_ONCE, "line")
        self._carried: dict[tuple[str, str], Lane] = {}
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
        more = spread(self.carrier.table, self._services.at())
        for line in self._due():
            self._begin(line)
        self._now_and_then(self._tidy, TIDYING)
        self._now_and_then(self._count, COUNTING)
        return more

    def _due(self) -> list[Lane]:
        """The lines to be carried now, with room for them. Where the oldest are of those who have their share, others
        are looked for."""
        with self._lock:
            carried = dict(self._carried)
        shares, chosen = Shares(carried.values(), dict(self.carrier.ill)), list[Lane]()
        while shares.free:
            webhooks = self.carrier.table.store.webhooks
            found = webhooks.due(self._services.at(), MOST_LOOKED_AT, shares.busy(), shares.full())
            taken = [line for line in found if _name(line) not in carried and shares.take(line)]
            carried |= {_name(line): line for line in taken}
            chosen += taken
            if not taken or len(found) < MOST_LOOKED_AT:
                break
        return chosen

    def _begin(self, line: Lane) -> None:
        with self._lock:
            self._carried[_name(line)] = line
        self._pool.submit(self._carry, line)

    def _carry(self, line: Lane) -> None:
        try:
            self.carrier.carry(line)
        except Exception as failure:  # the line is held for a while yet, and then due again
            log_aside("line-not-carried", failure)
        finally:
            with self._lock:
                del self._carried[_name(line)]
            self._wake.set()

    def _now_and_then(self, work: Callable[[], None], seconds: float) -> None:
        now = self._services.clock()
        if self._next.get(work, 0) <= now:
            self._next[work] = now + seconds
            work()

    def _tidy(self) -> None:
        self.carrier.table.store.webhooks.forget(written_time(self._services.clock() - KEPT))

    def _count(self) -> None:
        waiting = self.carrier.table.store.webhooks.backlog()
        self._meters.undelivered.set(waiting.messages)
        age = 0.0 if waiting.oldest is None else self._services.clock() - seconds_of(waiting.oldest)
        self._meters.oldest_undelivered.set(max(0.0, age))


def _name(line: Lane) -> tuple[str, str]:
    return line.webhook, line.subject
