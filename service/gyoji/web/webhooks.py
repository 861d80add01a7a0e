"""Handles the operations of webhooks."""

from flask import Response

from gyoji.app.authorization import authorize
from gyoji.app.requests import RequestContext
from gyoji.app.webhooks import registrations
from gyoji.app.webhooks.registrations import authorize_webhook, hook_document
from gyoji.web.responses import caller_headers, caller_json, caller_response, empty_response
from gyoji.web.routes import Routes

routes = Routes()


@routes.handles("createWebhook")
def create_webhook(context: RequestContext) -> Response:
    """Handle ``createWebhook``: a new webhook with its secret."""
    caller = authorize(context)
    answer = registrations.create_webhook(context, caller, context.body.read_json())
    return caller_response(answer, context.language, [("Location", answer.body["links"]["self"])])


@routes.handles("listWebhooks")
def list_webhooks(context: RequestContext) -> Response:
    """Handle ``listWebhooks``: the account's webhooks, oldest first."""
    return caller_json(context, registrations.list_webhooks(context, authorize(context)))


@routes.handles("readWebhook")
def read_webhook(context: RequestContext, webhook: str) -> Response:
    """Handle ``readWebhook``: a webhook and its state."""
    return caller_json(context, hook_document(authorize_webhook(context, webhook).hook))


@routes.handles("deleteWebhook")
def delete_webhook(context: RequestContext, webhook: str) -> Response:
    """Handle ``deleteWebhook``: a webhook is deleted."""
    request = authorize_webhook(context, webhook)
    context.services.store.webhooks.remove(request.hook.id)
    return empty_response(caller_headers(context.language))


@routes.handles("testWebhook")
def test_webhook(context: RequestContext, webhook: str) -> Response:
    """Handle ``testWebhook``: a test message is sent."""
    request = authorize_webhook(context, webhook)
    return caller_json(context, registrations.test_webhook(request), status=202)


@routes.handles("enableWebhook")
def enable_webhook(context: RequestContext, webhook: str) -> Response:
    """Handle ``enableWebhook``: a disabled webhook is sent messages again."""
    return caller_json(context, registrations.enable_webhook(authorize_webhook(context, webhook)))


@routes.handles("listDeliveries")
def list_deliveries(context: RequestContext, webhook: str) -> Response:
    """Handle ``listDeliveries``: a page of what a webhook was sent, newest first."""
    body, following = registrations.list_deliveries(authorize_webhook(context, webhook))
    return caller_json(context, body, [] if following is None else [("Link", f'<{following}>; rel="next"')])


@routes.handles("retryDelivery")
def retry_delivery(context: RequestContext, webhook: str, delivery: str) -> Response:
    """Handle ``retryDelivery``: a message is sent again."""
    request = authorize_webhook(context, webhook)
    return caller_json(context, registrations.retry_delivery(request, delivery), status=202)
