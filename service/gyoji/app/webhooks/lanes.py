"""Sends the messages of a lane in order, each when the one before it was accepted or given up.

One that was not taken is sent again after a pause, which doubles each time; after three days it is given up.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from secrets import token_hex
from typing import Literal

import structlog

from gyoji.app.clock import written_time
from gyoji.app.metrics import Outcome
from gyoji.app.webhooks.http_sender import DeliveryAttempt, HttpSender
from gyoji.app.webhooks.messages import EventGone, MessageSource, body
from gyoji.app.webhooks.signatures import signed_headers
from gyoji.store.webhooks.records import Delivery, Lane, Webhook

FIRST = 5.0
"""Seconds after the first attempt; the pause doubles from one attempt to the next."""
LONGEST = 12 * 60 * 60.0
SPREAD = 0.2
"""Pauses are longer by up to this part of them, so that what failed together does not come back together."""

MOST_ATTEMPTS = 19
"""Over about three days."""

DISABLED_AFTER = 5 * 24 * 60 * 60.0
"""Seconds in which nothing at all got through, after which a webhook is told nothing any more."""

KEPT_SECONDS = 30 * 24 * 60 * 60.0
"""Seconds for which it is remembered what was delivered, or given up."""


def requested_pause(retry_after: str | None, now: float) -> float | None:
    """Read the seconds from ``now`` on that a ``Retry-After`` asks for, by their number or by a date (RFC 9110, section
    10.2.3); ``None`` where it is neither."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - now
    except (TypeError, ValueError, OverflowError):  # the last for a time zone of twenty digits
        return None


def pause(attempts: int, chance: float, asked: float | None = None) -> float:
    """Choose the seconds until the next attempt after so many; ``chance`` is from 0 to 1. A receiver may ask for a
    longer pause (``Retry-After``), up to the longest."""
    planned = min(FIRST * 2.0 ** (attempts - 1), LONGEST) * (1 + SPREAD * chance)
    return planned if asked is None else max(planned, min(asked, LONGEST))


LOG = structlog.get_logger("gyoji.webhooks")

HOLD_SECONDS = 120.0
"""Seconds for which a lane is held: far more than an attempt takes, name servers that do not answer included."""

MOST_IN_A_ROW = 50
"""Messages of a lane before others get their turn."""

SLOW = 3.0
"""Seconds after which an attempt has taken long, though the message was taken: such a webhook gets no more places than
one that fails, and gives up its place after each message."""


@dataclass(frozen=True)
class LaneSender:
    """Sends the messages of lanes: knows where messages come from, how they are sent, and who counts them."""

    source: MessageSource
    sender: HttpSender
    clock: Callable[[], float]
    chance: Callable[[], float]
    """A number from 0 to 1."""
    counted: Callable[[Outcome], None]
    ill: dict[str, str] = field(default_factory=dict)
    """Webhooks whose last attempt failed, or took long, with their accounts."""

    def carry(self, lane: Lane) -> None:
        """Send whatever messages of the lane can be sent now, if no other process holds the lane."""
        webhooks, holder = self.source.store.webhooks, token_hex(8)
        if not webhooks.hold(lane, holder, self._after(HOLD_SECONDS)):
            return
        hook = webhooks.get(lane.webhook)
        if hook is None:
            self.ill.pop(lane.webhook, None)
            webhooks.remove(lane.webhook)  # what was made for it while it was taken away
        elif hook.disabled is not None:
            webhooks.disable(hook.id, self._after(0), hook.reason or "failing")
        else:
            self._carried(hook, lane, holder)

    def _carried(self, hook: Webhook, lane: Lane, holder: str) -> None:
        webhooks = self.source.store.webhooks
        for _message in range(MOST_IN_A_ROW):
            now = webhooks.lane(lane.webhook, lane.subject)
            if now is None or now.holder != holder:
                return
            head = webhooks.head(lane)
            if head is None:
                if webhooks.finish(now, holder):
                    return
            elif not self._delivered(hook, head, holder):
                return
        webhooks.release(lane, holder, self._after(0))

    def _delivered(self, hook: Webhook, head: Delivery, holder: str) -> bool:
        """Deliver a message; whether the next can follow at once, and the lane is the holder's still."""
        try:
            content = body(self.source, head)
        except EventGone:
            return self._given_up(head, holder, DeliveryAttempt(None, "gone"))
        began = self.clock()
        headers = signed_headers(hook.secret, head.id, int(began), content)
        if head.trace is not None:
            headers = {**headers, "traceparent": head.trace}
        sent = self.sender.send(hook.url, headers, content)
        if sent.fault == "stopped":
            self.source.store.webhooks.release(_lane_of(head), holder, self._after(0))
            return False
        tried = head._replace(tried=written_time(began), status=sent.status, fault=sent.fault)
        if sent.fault is not None:
            return self._refused(hook, tried, holder, sent)
        is_slow = self.clock() - began > SLOW
        if is_slow:
            self.ill[hook.id] = hook.owner
        else:
            self.ill.pop(hook.id, None)
        return self._taken(tried, holder, keeps=not is_slow)

    def _taken(self, head: Delivery, holder: str, *, keeps: bool) -> bool:
        """Note that a message was taken; whether the lane goes on. One that does not ``keep`` its place is due at once,
        and waits for its turn."""
        webhooks = self.source.store.webhooks
        done = head._replace(state="delivered", settled=self._after(0))
        self.counted("delivered")
        mine = webhooks.record(done, holder, self._after(HOLD_SECONDS if keeps else 0), keeps=keeps)
        webhooks.mark_working(head.webhook)
        return mine and keeps

    def _refused(self, hook: Webhook, head: Delivery, holder: str, sent: DeliveryAttempt) -> bool:
        webhooks = self.source.store.webhooks
        self.ill[hook.id] = hook.owner
        webhooks.mark_failing(hook.id, self._after(0))
        if head.attempts + 1 >= MOST_ATTEMPTS:
            self._given_up(head, holder, sent)
        else:
            self.counted("failed")
            due = self._after(pause(head.attempts + 1, self.chance(), requested_pause(sent.retry_after, self.clock())))
            webhooks.record(head, holder, due, keeps=False)
        if sent.status == GONE:
            self._disabled(hook, "gone")
        elif hook.failing is not None and hook.failing <= self._after(-DISABLED_AFTER):
            self._disabled(hook, "failing")
        return False

    def _given_up(self, head: Delivery, holder: str, sent: DeliveryAttempt) -> bool:
        """Give a message up and say so; the next of the lane may be sent."""
        self.counted("given_up")
        LOG.warning("delivery-given-up", webhook=head.webhook, delivery=head.id, type=head.type, fault=sent.fault)
        now = self._after(0)
        done = head._replace(state="given_up", tried=head.tried or now, fault=sent.fault, settled=now)
        self.source.store.webhooks.record(done, holder, now, keeps=False)
        return False

    def _disabled(self, hook: Webhook, reason: Literal["failing", "gone"]) -> None:
        if self.source.store.webhooks.disable(hook.id, self._after(0), reason):
            LOG.error("webhook-disabled", webhook=hook.id, reason=reason, since=hook.failing)

    def _after(self, seconds: float) -> str:
        return written_time(self.clock() + seconds)


GONE = 410
"""A receiver that answers so wants nothing any more."""


def _lane_of(head: Delivery) -> Lane:
    return Lane(head.webhook, head.subject, None, None, 0)
