"""The shapes of the requests and answers about webhooks."""

from gyoji.api.fields import Integer, ListOf, OpenCards, Text, Word
from gyoji.api.log_events import time_field
from gyoji.api.parameters import CURSOR, MATCH, MOST_LISTED
from gyoji.api.shapes import Fields, Shape, many, nested, shape
from gyoji.api.webhook_words import (
    FAULTS,
    MESSAGE,
    MOST_WEBHOOKS,
    REASONS,
    STATES,
    TEST,
    TYPES,
    URL,
)

SECRET = "whsec_[A-Za-z0-9+/]{43}="  # noqa: S105 - the form of one
KINDS = ("match", "tournament", "test")


def _filters(required: bool) -> Fields:
    return {name: Text(MATCH, allow_none=True, required=required) for name in ("match", "tournament")}


NEW_WEBHOOK = shape(
    "NewWebhook",
    {
        "url": Text(URL, unlike="bad-url", required=True),
        "types": OpenCards(f"({'|'.join(TYPES).replace('.', '[.]')})", len(TYPES), distinct=True),
        **_filters(required=False),
    },
)

DISABLED = shape("WebhookDisabled", {"at": time_field(), "reason": Word(*REASONS, required=True)})
LINKS = shape("WebhookLinks", {name: Text(required=True) for name in ("self", "deliveries", "test", "enable")})


def _webhook(name: str, more: Fields) -> Shape:
    return shape(
        name,
        {
            "webhook": Text(MATCH, required=True),
            "url": Text(URL, required=True),
            "types": ListOf(Word(*TYPES), len(TYPES), required=True),
            **_filters(required=True),
            "created": time_field(),
            "failing_since": time_field(allow_none=True),
            "disabled": nested(DISABLED, allow_none=True),
            **more,
            "links": nested(LINKS),
        },
    )


WEBHOOK = _webhook("Webhook", {})
WEBHOOK_CREATED = _webhook("WebhookCreated", {"secret": Text(SECRET, required=True)})
WEBHOOKS = shape("Webhooks", {"webhooks": many(WEBHOOK, MOST_WEBHOOKS)})

DELIVERY_MEMBERS: Fields = {
    "delivery": Text(MESSAGE, required=True),
    "type": Word(*TYPES, TEST, required=True),
    "about": nested(shape("DeliverySubject", {"kind": Word(*KINDS, required=True), "id": Text(MATCH, required=True)})),
    "seq": Integer(required=True),
    "created": time_field(),
    "state": Word(*STATES, required=True),
    "attempts": Integer(required=True),
    "last_attempt": time_field(allow_none=True),
    "status": Integer(100, 999, required=True, allow_none=True),
    "fault": Word(*FAULTS, required=True, allow_none=True),
    "next_attempt": time_field(allow_none=True),
    "settled": time_field(allow_none=True),
}
DELIVERY = shape("WebhookDelivery", DELIVERY_MEMBERS)
DELIVERIES = shape(
    "WebhookDeliveries",
    {"deliveries": many(DELIVERY, MOST_LISTED), "next": Text(CURSOR, required=True, allow_none=True)},
)
