"""The addresses of webhooks. Every endpoint has the name of its operation, by which its rights are found."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, request

from gyoji.api.media import JSON
from gyoji.api.parameters import LISTED, MOST_LISTED
from gyoji.api.webhook_words import MESSAGE
from gyoji.messages.problems import Answer
from gyoji.store.webhooks.queue import Page, State
from gyoji.web.matches.asking import MATCH_ID, asked_alone
from gyoji.web.matches.creating import account_of
from gyoji.web.matches.reading import read_cursor, whole, written_cursor, wrong_query
from gyoji.web.negotiation import language, must_accept, sent_json
from gyoji.web.responses import Pairs, bodiless, own_headers, own_response
from gyoji.web.webhooks.hooks import (
    asked_hook,
    delivery_page,
    enabled,
    hook_document,
    new_webhook,
    retried,
    tested,
)

WORDS: tuple[State, ...] = ("waiting", "delivered", "given_up")


def create_webhook() -> Response:
    """POST /v1/webhooks."""
    must_accept(JSON)
    here, caller = asked_alone("createWebhook")
    answer = new_webhook(here, caller, sent_json(), language())
    return own_response(answer, language(), [("Location", answer.body["links"]["self"])])


def list_webhooks() -> Response:
    """GET /v1/webhooks."""
    must_accept(JSON)
    here, caller = asked_alone("listWebhooks")
    hooks = here.store.webhooks.of_owner(account_of(caller))
    return _own({"webhooks": [hook_document(hook) for hook in hooks]})


def _own(body: Any, status: int = 200, more: Pairs = ()) -> Response:
    return own_response(Answer(status, body), language(), more)


def read_webhook(webhook: str) -> Response:
    """GET /v1/webhooks/{webhook}."""
    must_accept(JSON)
    return _own(hook_document(asked_hook("readWebhook", webhook).hook))


def delete_webhook(webhook: str) -> Response:
    """DELETE /v1/webhooks/{webhook}."""
    must_accept(JSON)
    asked = asked_hook("deleteWebhook", webhook)
    asked.desk.store.webhooks.remove(asked.hook.id)
    return bodiless(own_headers(language()))


def test_webhook(webhook: str) -> Response:
    """POST /v1/webhooks/{webhook}/test."""
    must_accept(JSON)
    return _own(tested(asked_hook("testWebhook", webhook)), 202)


def enable_webhook(webhook: str) -> Response:
    """POST /v1/webhooks/{webhook}/enable."""
    must_accept(JSON)
    return _own(enabled(asked_hook("enableWebhook", webhook)))


def list_deliveries(webhook: str) -> Response:
    """GET /v1/webhooks/{webhook}/deliveries."""
    must_accept(JSON)
    asked = asked_hook("listDeliveries", webhook)
    limit = whole("limit", LISTED, MOST_LISTED, least=1) or LISTED
    found, last = delivery_page(asked, Page(asked.hook.id, _state(), _about(), read_cursor(MESSAGE), limit))
    if last is None:
        return _own({"deliveries": found, "next": None})
    following = written_cursor(last.created, last.id)
    query = urlencode({**request.args.to_dict(), "cursor": following})
    return _own({"deliveries": found, "next": following}, more=[("Link", f'<{request.path}?{query}>; rel="next"')])


def _state() -> State | None:
    text = request.args.get("state")
    if text is None:
        return None
    for word in WORDS:
        if word == text:
            return word
    raise wrong_query("state")


def _about() -> str | None:
    text = request.args.get("about")
    if text is not None and MATCH_ID.fullmatch(text) is None:
        raise wrong_query("about")
    return text


def retry_delivery(webhook: str, delivery: str) -> Response:
    """POST /v1/webhooks/{webhook}/deliveries/{delivery}/retry."""
    must_accept(JSON)
    return _own(retried(asked_hook("retryDelivery", webhook), delivery), 202)


ROUTES: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("createWebhook", "POST", "/v1/webhooks", create_webhook),
    ("listWebhooks", "GET", "/v1/webhooks", list_webhooks),
    ("readWebhook", "GET", "/v1/webhooks/<webhook>", read_webhook),
    ("deleteWebhook", "DELETE", "/v1/webhooks/<webhook>", delete_webhook),
    ("testWebhook", "POST", "/v1/webhooks/<webhook>/test", test_webhook),
    ("enableWebhook", "POST", "/v1/webhooks/<webhook>/enable", enable_webhook),
    ("listDeliveries", "GET", "/v1/webhooks/<webhook>/deliveries", list_deliveries),
    ("retryDelivery", "POST", "/v1/webhooks/<webhook>/deliveries/<delivery>/retry", retry_delivery),
)


def add_webhooks(app: Flask) -> None:
    """The addresses on the application."""
    for name, method, address, handler in ROUTES:
        app.add_url_rule(address, name, handler, methods=[method])
