"""The addresses of groups of matches."""

from collections.abc import Callable

from flask import Response

from gyoji.api.media import JSON
from gyoji.messages.problems import Answer
from gyoji.web.matches.asking import asked_alone
from gyoji.web.matches.groups import closed_group, group_document, new_group, own_group
from gyoji.web.negotiation import language, must_accept, sent_json
from gyoji.web.responses import own_response


def create_group() -> Response:
    """POST /v1/groups."""
    must_accept(JSON)
    here, caller = asked_alone("createGroup")
    answer = new_group(here, caller, sent_json(), language())
    return own_response(answer, language(), [("Location", answer.body["links"]["self"])])


def read_group(group: str) -> Response:
    """GET /v1/groups/{group}."""
    must_accept(JSON)
    here, caller = asked_alone("readGroup")
    return own_response(Answer(200, group_document(here, own_group(here, caller, group))), language())


def close_group(group: str) -> Response:
    """POST /v1/groups/{group}/close."""
    must_accept(JSON)
    here, caller = asked_alone("closeGroup")
    return own_response(Answer(200, closed_group(here, own_group(here, caller, group))), language())


GROUP_ROUTES: tuple[tuple[str, str, str, Callable[..., Response]], ...] = (
    ("createGroup", "POST", "/v1/groups", create_group),
    ("readGroup", "GET", "/v1/groups/<group>", read_group),
    ("closeGroup", "POST", "/v1/groups/<group>/close", close_group),
)
