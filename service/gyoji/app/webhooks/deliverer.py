"""Delivers messages to webhooks: looks for news and for lanes that are due, and sends from several lanes at once.

No request waits for it. Several such processes share the work by holding lanes; one that dies leaves what it held to
the others, or to the one that is started in its place.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from random import random
from threading import Event, Lock

from gyoji.app.clock import seconds_of, written_time
from gyoji.app.logs import log_aside
from gyoji.app.metrics import Meters
from gyoji.app.services import Services
from gyoji.app.webhooks.fan_out import make_deliveries
from gyoji.app.webhooks.http_sender import HttpSender
from gyoji.app.webhooks.lanes import KEPT_SECONDS, LaneSender
from gyoji.app.webhooks.messages import MessageSource
from gyoji.store.interface import Unavailable
from gyoji.store.webhooks.records import Lane

MOST_LANES = 16
"""Lanes that are carried at a time. An account gets one more while it has fewer than are free: one that wants all of
them gets half, two in turn get a half and a quarter, and even four leave a place to the next."""

MOST_LANES_OF_WEBHOOK = 4
"""Of one webhook; of one that is ill, one."""

MOST_FAILING_WEBHOOKS = 4
"""Of the webhooks of one account that are ill, so that its others get through."""


class Shares:
    """Counts how many lanes each webhook and account is sent from at once, and tells which may have more."""

    def __init__(self, carried: Iterable[Lane], ill: Mapping[str, str]) -> None:
        """``ill`` has the accounts of the webhooks that fail, or take long."""
        self._ill = ill
        self._of_account: Counter[str | None] = Counter()
        self._of_webhook: Counter[str] = Counter()
        self._of_ill: Counter[str | None] = Counter()
        for lane in carried:
            self._count(lane)

    @property
    def free(self) -> int:
        """Return how many more lanes can be sent from."""
        return MOST_LANES - self._of_account.total()

    def take(self, lane: Lane) -> bool:
        """Count a lane as taken if its webhook and account may have one more; tell whether they may."""
        if lane.webhook in self.busy() or self._is_full(lane.owner):
            return False
        self._count(lane)
        return True

    def busy(self) -> list[str]:
        """List the webhooks that may have no more lanes now, whatever their accounts have."""
        busy = [webhook for webhook, lanes in self._of_webhook.items() if lanes >= self._most(webhook)]
        return busy + [webhook for webhook, owner in self._ill.items() if self._of_ill[owner] >= MOST_FAILING_WEBHOOKS]

    def full(self) -> list[str]:
        """List the accounts that may have no more lanes now."""
        return [owner for owner in self._of_account if owner is not None and self._is_full(owner)]

    def _is_full(self, owner: str | None) -> bool:
        return self._of_account[owner] >= self.free

    def _most(self, webhook: str) -> int:
        return 1 if webhook in self._ill else MOST_LANES_OF_WEBHOOK

    def _count(self, lane: Lane) -> None:
        self._of_account[lane.owner] += 1
        self._of_webhook[lane.webhook] += 1
        if lane.webhook in self._ill:
            self._of_ill[lane.owner] += 1


POLL = 0.25
"""Seconds between two looks: what has happened is on its way that late at most."""

MOST_LOOKED_AT = 4 * MOST_LANES
"""Lanes that are due of which one look is made."""

TIDY_SECONDS = 3600.0
COUNT_SECONDS = 10.0


class Deliverer:
    """Delivers messages to webhooks until it is told to stop."""

    def __init__(self, services: Services, sender: HttpSender, meters: Meters) -> None:
        self.carrier = LaneSender(
            MessageSource(services.store, services.match_states), sender, services.clock, random, meters.delivered
        )
        self._services = services
        self._meters = meters
        self._pool = ThreadPoolExecutor(MOST_LANES, "lane")
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
        self.carrier.sender.stop()

    def close(self) -> None:
        """Wait until all attempts under way have ended, which have to be cut before."""
        self._pool.shutdown()

    def wake(self) -> None:
        """End the pause before the next look for news."""
        self._wake.set()

    def turn(self) -> bool:
        """Make deliveries of news, and begin to send from lanes that are due; tell whether there may be more news."""
        more = make_deliveries(self.carrier.source, self._services.at())
        for lane in self._due():
            self._begin(lane)
        self._now_and_then(self._tidy, TIDY_SECONDS)
        self._now_and_then(self._count, COUNT_SECONDS)
        return more

    def _due(self) -> list[Lane]:
        """Choose the lanes to be carried now, with room for them. Where the oldest are of those who have their share,
        others are looked for."""
        with self._lock:
            carried = dict(self._carried)
        shares, chosen = Shares(carried.values(), dict(self.carrier.ill)), list[Lane]()
        while shares.free:
            webhooks = self.carrier.source.store.webhooks
            found = webhooks.due(self._services.at(), MOST_LOOKED_AT, shares.busy(), shares.full())
            taken = [lane for lane in found if _name(lane) not in carried and shares.take(lane)]
            carried |= {_name(lane): lane for lane in taken}
            chosen += taken
            if not taken or len(found) < MOST_LOOKED_AT:
                break
        return chosen

    def _begin(self, lane: Lane) -> None:
        with self._lock:
            self._carried[_name(lane)] = lane
        self._pool.submit(self._carry, lane)

    def _carry(self, lane: Lane) -> None:
        try:
            self.carrier.carry(lane)
        except Exception as failure:  # the lane is held for a while yet, and then due again
            log_aside("line-not-carried", failure)
        finally:
            with self._lock:
                del self._carried[_name(lane)]
            self._wake.set()

    def _now_and_then(self, work: Callable[[], None], seconds: float) -> None:
        now = self._services.clock()
        if self._next.get(work, 0) <= now:
            self._next[work] = now + seconds
            work()

    def _tidy(self) -> None:
        self.carrier.source.store.webhooks.forget(written_time(self._services.clock() - KEPT_SECONDS))

    def _count(self) -> None:
        waiting = self.carrier.source.store.webhooks.backlog()
        self._meters.undelivered.set(waiting.messages)
        age = 0.0 if waiting.oldest is None else self._services.clock() - seconds_of(waiting.oldest)
        self._meters.oldest_undelivered.set(max(0.0, age))


def _name(lane: Lane) -> tuple[str, str]:
    return lane.webhook, lane.subject
