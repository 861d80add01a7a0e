"""The operations of webhooks over HTTP."""

from flask import Response

from gyoji.api.media import JSON
from gyoji.app.authorization import authorize
from gyoji.app.requests import RequestContext
from gyoji.app.webhooks import registrations
from gyoji.app.webhooks.registrations import authorize_webhook, hook_document
from gyoji.web.requests import must_accept
from gyoji.web.responses import bodiless, own_headers, own_json, own_response
from gyoji.web.routes import Route


def create_webhook(context: RequestContext) -> Response:
    """POST /v1/webhooks."""
    must_accept(JSON)
    caller = authorize(context, "createWebhook")
    answer = registrations.create_webhook(context, caller, context.body.read_json())
    return own_response(answer, context.language, [("Location", answer.body["links"]["self"])])


def list_webhooks(context: RequestContext) -> Response:
    """GET /v1/webhooks."""
    must_accept(JSON)
    return own_json(context, registrations.list_webhooks(context, authorize(context, "listWebhooks")))


def read_webhook(context: RequestContext, webhook: str) -> Response:
    """GET /v1/webhooks/{webhook}."""
    must_accept(JSON)
    return own_json(context, hook_document(authorize_webhook(context, "readWebhook", webhook).hook))


def delete_webhook(context: RequestContext, webhook: str) -> Response:
    """DELETE /v1/webhooks/{webhook}."""
    must_accept(JSON)
    request = authorize_webhook(context, "deleteWebhook", webhook)
    context.services.store.webhooks.remove(request.hook.id)
    return bodiless(own_headers(context.language))


def test_webhook(context: RequestContext, webhook: str) -> Response:
    """POST /v1/webhooks/{webhook}/test."""
    must_accept(JSON)
    request = authorize_webhook(context, "testWebhook", webhook)
    return own_json(context, registrations.test_webhook(request), status=202)


def enable_webhook(context: RequestContext, webhook: str) -> Response:
    """POST /v1/webhooks/{webhook}/enable."""
    must_accept(JSON)
    return own_json(context, registrations.enable_webhook(authorize_webhook(context, "enableWebhook", webhook)))


def list_deliveries(context: RequestContext, webhook: str) -> Response:
    """GET /v1/webhooks/{webhook}/deliveries."""
    must_accept(JSON)
    body, following = registrations.list_deliveries(authorize_webhook(context, "listDeliveries", webhook))
    return own_json(context, body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


def retry_delivery(context: RequestContext, webhook: str, delivery: str) -> Response:
    """POST /v1/webhooks/{webhook}/deliveries/{delivery}/retry."""
    must_accept(JSON)
    request = authorize_webhook(context, "retryDelivery", webhook)
    return own_json(context, registrations.retry_delivery(request, delivery), status=202)


ROUTES = (
    Route("createWebhook", "POST", "/v1/webhooks", create_webhook),
    Route("listWebhooks", "GET", "/v1/webhooks", list_webhooks),
    Route("readWebhook", "GET", "/v1/webhooks/<webhook>", read_webhook),
    Route("deleteWebhook", "DELETE", "/v1/webhooks/<webhook>", delete_webhook),
    Route("testWebhook", "POST", "/v1/webhooks/<webhook>/test", test_webhook),
    Route("enableWebhook", "POST", "/v1/webhooks/<webhook>/enable", enable_webhook),
    Route("listDeliveries", "GET", "/v1/webhooks/<webhook>/deliveries", list_deliveries),
    Route("retryDelivery", "POST", "/v1/webhooks/<webhook>/deliveries/<delivery>/retry", retry_delivery),
)
