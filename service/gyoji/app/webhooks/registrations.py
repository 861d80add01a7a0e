"""Serves the owners of webhooks: makes, lists, tests and enables them, and tells what was delivered."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from gyoji.access.callers import Caller
from gyoji.access.rights import may_manage
from gyoji.api.bodies import PointedError
from gyoji.api.parameters import LISTED, MOST_LISTED
from gyoji.api.webhook_words import MESSAGE, MOST_WEBHOOKS, TEST, TYPES
from gyoji.app.authorization import UUID, account_of, authorize
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_document, write_cursor
from gyoji.app.services import Services
from gyoji.app.webhooks.destinations import RefusedDestination, parse_target
from gyoji.app.webhooks.signatures import SECRET, written_secret
from gyoji.messages.problems import Answer
from gyoji.store.database.statements import TRACE
from gyoji.store.interface import Remembered
from gyoji.store.webhooks.records import Delivery, DeliveryPage, State, Webhook

ROOT = "/v1/webhooks"

STATES: tuple[State, ...] = ("waiting", "delivered", "given_up")


class WebhookRequest(NamedTuple):
    """A request about a webhook that is its caller's."""

    context: RequestContext
    hook: Webhook

    @property
    def services(self) -> Services:
        """The services of this process."""
        return self.context.services


def authorize_webhook(context: RequestContext, name: str) -> WebhookRequest:
    """Accept a request about a webhook that is the caller's; others are not found."""
    caller = authorize(context)
    hook = context.services.store.webhooks.get(name) if UUID.fullmatch(name) else None
    if hook is None or not may_manage(caller, hook.owner):
        raise HttpProblem("not-found")
    return WebhookRequest(context, hook)


def create_webhook(context: RequestContext, caller: Caller, body: bytes) -> Answer:
    """``createWebhook``: create a webhook and answer with its secret, which is shown to whoever made it, and to nobody
    again."""
    services, account = context.services, account_of(caller)
    key = read_key(context, caller, f"owner:{account}", b"createWebhook\n", body)

    def create() -> Answer:
        hook = _webhook(context, account, parse_document(context, "webhooks", "webhooks", body))
        services.store.webhooks.add(hook, key)
        return created_answer(hook)

    return do_once(services, key, create, lambda known: _created_before(services, known))


def _created_before(services: Services, known: Remembered) -> Answer:
    hook = services.store.webhooks.get(known.match)
    if hook is None:
        raise HttpProblem("not-found")
    return created_answer(hook)


def list_webhooks(context: RequestContext, caller: Caller) -> dict[str, Any]:
    """``listWebhooks``: list the webhooks of the caller's account."""
    hooks = context.services.store.webhooks.of_owner(account_of(caller))
    return {"webhooks": [hook_document(hook) for hook in hooks]}


def _webhook(context: RequestContext, account: str, sent: Mapping[str, Any]) -> Webhook:
    services = context.services
    wrong = [*_url_errors(services, sent["url"]), *_filter_errors(services, account, sent)]
    if len(services.store.webhooks.of_owner(account)) >= MOST_WEBHOOKS:
        wrong.append(("", "too-many-webhooks"))
    if wrong:
        raise context.invalid(wrong)
    types = tuple([kind for kind in TYPES if kind in sent.get("types", ())])
    match, tournament = sent.get("match"), sent.get("tournament")
    return Webhook(
        services.new_id(), account, services.at(), sent["url"], types, match, tournament, services.random(SECRET)
    )


def _url_errors(services: Services, url: str) -> list[PointedError]:
    """Find what is wrong with the URL itself. Names are looked up when something is sent, and not in anybody's
    request."""
    try:
        parse_target(url, services.settings.webhooks_to == "anywhere")
    except RefusedDestination as refused:
        return [("/url", refused.fault)]
    return []


def _filter_errors(services: Services, account: str, sent: Mapping[str, Any]) -> list[PointedError]:
    """Refuse a match or a tournament that is not the account's: whether there is one is not told."""
    wrong = []
    if sent.get("match") is not None:
        row = services.store.match(sent["match"])
        if row is None or row.owner != account:
            wrong.append(("/match", "not-yours"))
    if sent.get("tournament") is not None:
        held = services.store.tournaments.tournament(sent["tournament"])
        if held is None or held.owner != account:
            wrong.append(("/tournament", "not-yours"))
    return wrong


def created_answer(hook: Webhook) -> Answer:
    """Answer 201 with the webhook and its secret."""
    return Answer(201, {**hook_document(hook), "secret": written_secret(hook.secret)})


def hook_document(hook: Webhook) -> dict[str, Any]:
    """``readWebhook``: write everything about a webhook but its secret."""
    address = f"{ROOT}/{hook.id}"
    return {
        "webhook": hook.id,
        "url": hook.url,
        "types": hook.types or TYPES,
        "match": hook.match,
        "tournament": hook.tournament,
        "created": hook.created,
        "failing_since": hook.failing,
        "disabled": None if hook.disabled is None else {"at": hook.disabled, "reason": hook.reason},
        "links": {
            "self": address,
            "deliveries": f"{address}/deliveries",
            "test": f"{address}/test",
            "enable": f"{address}/enable",
        },
    }


def enable_webhook(request: WebhookRequest) -> dict[str, Any]:
    """``enableWebhook``: send messages to a disabled webhook again. Its owner can read in the logs what happened
    meanwhile."""
    services, hook = request.services, request.hook
    services.store.webhooks.enable(hook.id)
    return hook_document(hook._replace(disabled=None, reason=None, failing=None) if hook.disabled else hook)


def test_webhook(request: WebhookRequest) -> dict[str, Any]:
    """``testWebhook``: enqueue a test message, which waits like any other."""
    services, hook = request.services, request.hook
    _must_listen(hook)
    name = f"msg_{services.random(16).hex()}"
    delivery = Delivery(
        name, hook.id, hook.id, "test", int(services.clock() * 1000) % 2**31, 0, TEST, services.at(), trace=TRACE.get()
    )
    services.store.webhooks.enqueue(delivery)
    return delivery_document(services, delivery)


def retry_delivery(request: WebhookRequest, name: str) -> dict[str, Any]:
    """``retryDelivery``: send a message again now, whether it was given up, waits, or was even delivered."""
    services, hook = request.services, request.hook
    _must_listen(hook)
    delivery = services.store.webhooks.delivery(hook.id, name)
    if delivery is None:
        raise HttpProblem("not-found")
    services.store.webhooks.retry(delivery, services.at())
    return delivery_document(services, services.store.webhooks.delivery(hook.id, name) or delivery)


def _must_listen(hook: Webhook) -> None:
    if hook.disabled is not None:
        raise HttpProblem("webhook-disabled")


def list_deliveries(request: WebhookRequest) -> tuple[dict[str, Any], str | None]:
    """``listDeliveries``: list a page of a webhook's deliveries, newest first, and give the URL of the next one."""
    context, services, hook = request.context, request.services, request.hook
    limit = context.whole_number("limit", LISTED, MOST_LISTED, least=1) or LISTED
    state, about = context.one_of("state", STATES), context.matching("about", UUID)
    found = services.store.webhooks.deliveries(DeliveryPage(hook.id, state, about, context.cursor(MESSAGE), limit + 1))
    page = found[:limit]
    following = write_cursor(page[-1].created, page[-1].id) if len(found) > limit else None
    body = {"deliveries": [delivery_document(services, each) for each in page], "next": following}
    if following is None:
        return body, None
    return body, f"{context.path}?{urlencode({**context.query, 'cursor': following})}"


def delivery_document(services: Services, delivery: Delivery) -> dict[str, Any]:
    """Write a delivery. When it is sent next is known of one that has failed; others wait for those before them, or are
    about to be sent."""
    lane = None
    if delivery.state == "waiting" and delivery.attempts:
        lane = services.store.webhooks.lane(delivery.webhook, delivery.subject)
    return {
        "delivery": delivery.id,
        "type": delivery.type,
        "about": {"kind": delivery.kind, "id": delivery.subject},
        "seq": delivery.seq,
        "created": delivery.created,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "last_attempt": delivery.tried,
        "status": delivery.status,
        "fault": delivery.fault,
        "next_attempt": None if lane is None or lane.holder is not None else lane.due,
        "settled": delivery.settled,
    }
