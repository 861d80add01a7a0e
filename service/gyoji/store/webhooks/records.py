"""What a store of webhooks is handed and gives back: webhooks, news, deliveries, and the lanes that these wait in."""

from hashlib import sha256
from typing import Literal, NamedTuple

Kind = Literal["match", "tournament", "test"]
State = Literal["waiting", "delivered", "given_up"]


class Webhook(NamedTuple):
    """A webhook: a URL that is sent messages about an account's matches and tournaments. ``secret`` is decrypted."""

    id: str
    owner: str
    """The account whose matches and tournaments it is sent messages about."""
    created: str
    url: str
    types: tuple[str, ...]
    """The types of messages that it is sent; all where none is named."""
    match: str | None
    """Only of this match."""
    tournament: str | None
    """Only of this tournament and its matches."""
    secret: bytes
    """What messages are signed with."""
    failing: str | None = None
    """Since when no message has been taken."""
    disabled: str | None = None
    """Since when it is sent nothing any more."""
    reason: Literal["failing", "gone"] | None = None
    """Why it was disabled: it failed for days, or answered 410."""


class News(NamedTuple):
    """Events of a match, or of a tournament, of which no deliveries have been made yet: from ``first`` to ``last``."""

    kind: Kind
    subject: str
    """The id of the match or the tournament."""
    first: int
    last: int
    trace: str | None = None
    """The ``traceparent`` of the request that stored them."""


class Delivery(NamedTuple):
    """A message to one webhook, and how its delivery goes."""

    id: str
    webhook: str
    subject: str
    """The lane that it is in: the id of a match, of a tournament, or for a test of the webhook itself."""
    kind: Kind
    seq: int
    """The event of the subject's log that it is about."""
    place: int
    """Its place among the messages about one event."""
    type: str
    created: str
    state: State = "waiting"
    attempts: int = 0
    tried: str | None = None
    """When it was last sent."""
    status: int | None = None
    """What was answered then."""
    fault: str | None = None
    """Why it was not taken then."""
    settled: str | None = None
    """When it was delivered or given up."""
    trace: str | None = None
    """The ``traceparent`` of the request that led to it, which is sent along."""


class Lane(NamedTuple):
    """A queue of the deliveries about one subject to one webhook. One of them is under way at a time, the oldest."""

    webhook: str
    subject: str
    due: str | None
    """When the oldest is to be sent, or until when its holder may hold it; ``None``: nothing waits."""
    holder: str | None
    news: int
    """How often deliveries have been added."""
    owner: str | None = None
    """The account of the webhook, which only ``Webhooks.due`` tells."""


class Backlog(NamedTuple):
    """Counts of what has not been delivered yet, to any webhook."""

    messages: int
    oldest: str | None
    """When the oldest of its messages was made."""


class DeliveryPage(NamedTuple):
    """A page of deliveries: which are requested; ``None`` means no filter."""

    webhook: str
    state: State | None = None
    subject: str | None = None
    before: tuple[str, str] | None = None
    """(created, id) of the last one seen: newest first, ids break ties."""
    limit: int = 50


def delivery_id(webhook: str, subject: str, seq: int, place: int) -> str:
    """Make the id of a delivery, the same whoever makes it and however often."""
    return f"msg_{sha256(f'{webhook}|{subject}|{seq}|{place}'.encode()).hexdigest()[:32]}"
