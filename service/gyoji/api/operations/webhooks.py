"""The operations of webhooks."""

from gyoji.api.operation import Operation, about
from gyoji.api.parameters import CURSOR_PARAMETER, IDEMPOTENCY_HEADER, MATCH, limit, query, text, word
from gyoji.api.rights import Scope, for_operators
from gyoji.api.webhook_words import STATES

TELLING = for_operators(Scope.WEBHOOKS)
TO_MANAGE = for_operators(Scope.WEBHOOKS, "managed")

WEBHOOK = {"webhook": "$response.body#/webhook"}

WEBHOOKS = about(
    "webhooks",
    Operation(
        "createWebhook",
        "POST /v1/webhooks",
        "Have an address told what happens in matches and tournaments; the secret is shown once",
        TELLING,
        request="NewWebhook",
        answer="WebhookCreated",
        good=(201,),
        parameters=(IDEMPOTENCY_HEADER,),
        headers=("Location",),
        links={"readWebhook": WEBHOOK, "listDeliveries": WEBHOOK, "testWebhook": WEBHOOK},
    ),
    Operation("listWebhooks", "GET /v1/webhooks", "The account's webhooks, oldest first", TELLING, answer="Webhooks"),
    Operation(
        "readWebhook",
        "GET /v1/webhooks/{webhook}",
        "A webhook: what it is told, and whether it listens",
        TO_MANAGE,
        answer="Webhook",
    ),
    Operation(
        "deleteWebhook",
        "DELETE /v1/webhooks/{webhook}",
        "Take a webhook away, with all that waits for it",
        TO_MANAGE,
        good=(204,),
    ),
    Operation(
        "testWebhook",
        "POST /v1/webhooks/{webhook}/test",
        "Send a message that tells of nothing",
        TO_MANAGE,
        answer="WebhookDelivery",
        good=(202,),
        problems=("webhook-disabled",),
    ),
    Operation(
        "enableWebhook",
        "POST /v1/webhooks/{webhook}/enable",
        "Tell a webhook again, from now on, that was disabled",
        TO_MANAGE,
        answer="Webhook",
    ),
    Operation(
        "listDeliveries",
        "GET /v1/webhooks/{webhook}/deliveries",
        "What a webhook was sent, newest first, and how that went",
        TO_MANAGE,
        answer="WebhookDeliveries",
        parameters=(
            query("state", "Only deliveries that stand so", word(STATES)),
            query("about", "Only deliveries about this match or tournament", text(MATCH)),
            CURSOR_PARAMETER,
            limit("deliveries"),
        ),
        headers=("Link",),
    ),
    Operation(
        "retryDelivery",
        "POST /v1/webhooks/{webhook}/deliveries/{delivery}/retry",
        "Send a message again now, under its own id",
        TO_MANAGE,
        answer="WebhookDelivery",
        good=(202,),
        problems=("webhook-disabled",),
    ),
)
