"""Answers as bytes."""

from collections.abc import Mapping
from typing import Any

import orjson
from flask import Response

from gyoji.wire.language import Language
from gyoji.wire.operations import JSON, PROBLEM_JSON
from gyoji.wire.problems import Answer

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

PAGE_POLICY = "default-src 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'; connect-src 'self'; " + (
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every page: nothing inline, nothing from another host."""


def json_response(body: Mapping[str, Any], status: int = 200, media: str = JSON) -> Response:
    """The body as JSON, its members in the order in which they stand."""
    return Response(orjson.dumps(body), status, content_type=media)


def answer_response(answer: Answer, language: Language) -> Response:
    """What a call answered: the answer itself, or problem details in the caller's language."""
    response = json_response(answer.body, answer.status, JSON if answer.status == 200 else PROBLEM_JSON)
    response.headers["Content-Language"] = language
    response.headers["Vary"] = "Accept-Language"
    return response


def page_response(html: str, language: Language) -> Response:
    """A page under the strict policy."""
    response = Response(html, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Content-Language"] = language
    response.headers["Vary"] = "Accept-Language"
    return response
