"""The operations of webhooks, and their parameters."""

from gyoji.api import parameters as given
from gyoji.api.operations import Operation
from gyoji.api.parameters import MATCH, Parameter
from gyoji.api.seeding_operations import ACCESS, ONCE, READING
from gyoji.api.webhook_words import MESSAGE, STATES
from gyoji.api.webhooks import DELIVERIES, DELIVERY, NEW_WEBHOOK, WEBHOOK, WEBHOOK_CREATED, WEBHOOKS

OF = Parameter("path", "webhook", "The id of a webhook", {"type": "string", "pattern": f"^{MATCH}$"})
OF_DELIVERY = Parameter("path", "delivery", "The id of a delivery", {"type": "string", "pattern": f"^{MESSAGE}$"})
STATE = Parameter("query", "state", "Only deliveries that stand so", {"type": "string", "enum": list(STATES)})
ABOUT = Parameter(
    "query", "about", "Only deliveries about this match or tournament", {"type": "string", "pattern": f"^{MATCH}$"}
)
LISTED = given.LISTED_ASKED._replace(about="How many deliveries at most")

ONE = "/v1/webhooks/{webhook}"
WEBHOOK_ID = {"webhook": "$response.body#/webhook"}

WEBHOOK_OPERATIONS = (
    Operation(
        "createWebhook",
        "post",
        "/v1/webhooks",
        "Have an address told what happens in matches and tournaments; the secret is shown once",
        "webhooks",
        WEBHOOK_CREATED,
        good=(201,),
        request=NEW_WEBHOOK,
        problems=(*ACCESS, *ONCE),
        parameters=(given.KEYED_ONCE,),
        headers=("Location",),
        callers="known",
        links={"readWebhook": WEBHOOK_ID, "listDeliveries": WEBHOOK_ID, "testWebhook": WEBHOOK_ID},
    ),
    Operation(
        "listWebhooks",
        "get",
        "/v1/webhooks",
        "The account's webhooks, oldest first",
        "webhooks",
        WEBHOOKS,
        problems=ACCESS,
        callers="known",
    ),
    Operation(
        "readWebhook",
        "get",
        ONE,
        "A webhook: what it is told, and whether it listens",
        "webhooks",
        WEBHOOK,
        problems=READING,
        parameters=(OF,),
        callers="known",
    ),
    Operation(
        "deleteWebhook",
        "delete",
        ONE,
        "Take a webhook away, with all that waits for it",
        "webhooks",
        good=(204,),
        problems=READING,
        parameters=(OF,),
        callers="known",
    ),
    Operation(
        "testWebhook",
        "post",
        f"{ONE}/test",
        "Send a message that tells of nothing",
        "webhooks",
        DELIVERY,
        good=(202,),
        problems=(*READING, "webhook-disabled"),
        parameters=(OF,),
        callers="known",
    ),
    Operation(
        "enableWebhook",
        "post",
        f"{ONE}/enable",
        "Tell a webhook again, from now on, that was disabled",
        "webhooks",
        WEBHOOK,
        problems=READING,
        parameters=(OF,),
        callers="known",
    ),
    Operation(
        "listDeliveries",
        "get",
        f"{ONE}/deliveries",
        "What a webhook was sent, newest first, and how that went",
        "webhooks",
        DELIVERIES,
        problems=(*READING, "invalid-request"),
        parameters=(OF, STATE, ABOUT, given.CURSOR_ASKED, LISTED),
        headers=("Link",),
        callers="known",
    ),
    Operation(
        "retryDelivery",
        "post",
        f"{ONE}/deliveries/{{delivery}}/retry",
        "Send a message again now, under its own id",
        "webhooks",
        DELIVERY,
        good=(202,),
        problems=(*READING, "webhook-disabled"),
        parameters=(OF, OF_DELIVERY),
        callers="known",
    ),
)
"""Every operation about webhooks."""
