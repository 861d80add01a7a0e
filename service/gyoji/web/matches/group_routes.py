"""Groups of matches over HTTP."""

from flask import Response

from gyoji.api.media import JSON
from gyoji.app.authorization import authorize
from gyoji.app.matches import groups
from gyoji.app.requests import RequestContext
from gyoji.web.requests import must_accept
from gyoji.web.responses import own_json, own_response
from gyoji.web.routes import Route


def create_group(context: RequestContext) -> Response:
    """POST /v1/groups."""
    must_accept(JSON)
    caller = authorize(context, "createGroup")
    answer = groups.create_group(context, caller, context.body.read_json())
    return own_response(answer, context.language, [("Location", answer.body["links"]["self"])])


def read_group(context: RequestContext, group: str) -> Response:
    """GET /v1/groups/{group}."""
    must_accept(JSON)
    found = groups.find_group(context.services, authorize(context, "readGroup"), group)
    return own_json(context, groups.group_document(context.services, found))


def close_group(context: RequestContext, group: str) -> Response:
    """POST /v1/groups/{group}/close."""
    must_accept(JSON)
    found = groups.find_group(context.services, authorize(context, "closeGroup"), group)
    return own_json(context, groups.close_group(context.services, found))


GROUP_ROUTES = (
    Route("createGroup", "POST", "/v1/groups", create_group),
    Route("readGroup", "GET", "/v1/groups/<group>", read_group),
    Route("closeGroup", "POST", "/v1/groups/<group>/close", close_group),
)
