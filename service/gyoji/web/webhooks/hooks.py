"""Webhooks as their owners see them: made, listed, tried, taken away; and what was delivered."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.access.callers import Caller
from gyoji.access.rights import may_manage
from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.validation import PointedError, errors
from gyoji.api.webhook_words import MOST_WEBHOOKS, TEST, TYPES
from gyoji.app.application import Desk
from gyoji.app.problems import HttpProblem
from gyoji.app.webhooks.destinations import Refused, target
from gyoji.app.webhooks.signatures import SECRET, written_secret
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, invalid_request, malformed
from gyoji.store.interface import Remembered
from gyoji.store.trace import TRACE
from gyoji.store.webhooks.queue import Delivery, Page, Webhook
from gyoji.web.matches.asking import MATCH_ID, Refusal, asked_alone
from gyoji.web.matches.creating import account_of, new_id
from gyoji.web.matches.preconditions import idempotency, once

ADDRESS = "/v1/webhooks"


class AskedHook(NamedTuple):
    """A request about a webhook that is its caller's."""

    desk: Desk
    hook: Webhook


def asked_hook(operation: str, name: str) -> AskedHook:
    """The request, if the webhook is the caller's; what is not is not found."""
    here, caller = asked_alone(operation)
    hook = here.store.webhooks.one(name) if MATCH_ID.fullmatch(name) else None
    if hook is None or not may_manage(caller, hook.owner):
        raise HttpProblem("not-found")
    return AskedHook(here, hook)


def new_webhook(here: Desk, caller: Caller, body: bytes, language: Language) -> Answer:
    """``createWebhook``: the webhook with its secret, which is shown to whoever made it, and to nobody again."""
    account = account_of(caller)
    key = idempotency(here, caller, f"owner:{account}", b"createWebhook\n", body)

    def made() -> Answer:
        hook = _webhook(here, account, _sent(body, language), language)
        here.store.webhooks.add(hook, key)
        return created(hook)

    return once(here, key, made, lambda known: _created_before(here, known))


def _created_before(here: Desk, known: Remembered) -> Answer:
    hook = here.store.webhooks.one(known.match)
    if hook is None:
        raise HttpProblem("not-found")
    return created(hook)


def _sent(body: bytes, language: Language) -> Any:
    try:
        document = parsed(body)
        wrong = errors("webhooks", "webhooks", document)
    except Malformed as found:
        raise Refusal(malformed(found.why, ADDRESS, language), language) from None
    if wrong:
        raise Refusal(invalid_request(wrong, ADDRESS, language), language)
    return document


def _webhook(here: Desk, account: str, sent: Mapping[str, Any], language: Language) -> Webhook:
    wrong = [*_url_errors(here, sent["url"]), *_filter_errors(here, account, sent)]
    if len(here.store.webhooks.of_owner(account)) >= MOST_WEBHOOKS:
        wrong.append(("", "too-many-webhooks"))
    if wrong:
        raise Refusal(invalid_request(wrong, ADDRESS, language), language)
    types = tuple([kind for kind in TYPES if kind in sent.get("types", ())])
    match, tournament = sent.get("match"), sent.get("tournament")
    return Webhook(new_id(here), account, here.at(), sent["url"], types, match, tournament, here.random(SECRET))


def _url_errors(here: Desk, url: str) -> list[PointedError]:
    """What the URL itself shows. Names are looked up when something is sent, and not in anybody's request."""
    try:
        target(url, here.settings.webhooks_to == "anywhere")
    except Refused as refused:
        return [("/url", refused.fault)]
    return []


def _filter_errors(here: Desk, account: str, sent: Mapping[str, Any]) -> list[PointedError]:
    """A match or a tournament that is not the account's: whether there is one is not told."""
    wrong = []
    if sent.get("match") is not None:
        row = here.store.match(sent["match"])
        if row is None or row.owner != account:
            wrong.append(("/match", "not-yours"))
    if sent.get("tournament") is not None:
        held = here.store.tournaments.tournament(sent["tournament"])
        if held is None or held.owner != account:
            wrong.append(("/tournament", "not-yours"))
    return wrong


def created(hook: Webhook) -> Answer:
    """201: the webhook, and its secret."""
    return Answer(201, {**hook_document(hook), "secret": written_secret(hook.secret)})


def hook_document(hook: Webhook) -> dict[str, Any]:
    """``readWebhook``: everything but the secret."""
    address = f"{ADDRESS}/{hook.id}"
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


def enabled(asked: AskedHook) -> dict[str, Any]:
    """``enableWebhook``: it is told again; what happened meanwhile it can read in the logs."""
    here, hook = asked
    here.store.webhooks.enable(hook.id)
    return hook_document(hook._replace(disabled=None, reason=None, failing=None) if hook.disabled else hook)


def tested(asked: AskedHook) -> dict[str, Any]:
    """``testWebhook``: a message of its own, which waits like any other."""
    here, hook = asked
    _must_listen(hook)
    name = f"msg_{here.random(16).hex()}"
    delivery = Delivery(
        name, hook.id, hook.id, "test", int(here.clock() * 1000) % 2**31, 0, TEST, here.at(), trace=TRACE.get()
    )
    here.store.webhooks.enqueue(delivery)
    return delivery_document(here, delivery)


def retried(asked: AskedHook, name: str) -> dict[str, Any]:
    """``retryDelivery``: sent again now, whether it was given up, waits, or was even delivered."""
    here, hook = asked
    _must_listen(hook)
    delivery = here.store.webhooks.delivery(hook.id, name)
    if delivery is None:
        raise HttpProblem("not-found")
    here.store.webhooks.retry(delivery, here.at())
    return delivery_document(here, here.store.webhooks.delivery(hook.id, name) or delivery)


def _must_listen(hook: Webhook) -> None:
    if hook.disabled is not None:
        raise HttpProblem("webhook-disabled")


def delivery_page(asked: AskedHook, page: Page) -> tuple[list[dict[str, Any]], Delivery | None]:
    """``listDeliveries``: a page, and its last one if there are more."""
    here, hook = asked
    found = here.store.webhooks.deliveries(page._replace(webhook=hook.id, limit=page.limit + 1))
    shown = found[: page.limit]
    return [delivery_document(here, each) for each in shown], shown[-1] if len(found) > page.limit else None


def delivery_document(here: Desk, delivery: Delivery) -> dict[str, Any]:
    """A delivery. When it is sent next is known of one that has failed; others wait for those before them, or are
    about to be sent."""
    line = None
    if delivery.state == "waiting" and delivery.attempts:
        line = here.store.webhooks.line(delivery.webhook, delivery.subject)
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
        "next_attempt": None if line is None or line.holder is not None else line.due,
        "settled": delivery.settled,
    }
