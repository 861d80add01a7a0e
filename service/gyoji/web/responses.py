"""Answers as bytes."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from flask import Response

from gyoji.wire.language import LANGUAGES, Language
from gyoji.wire.media import JSON, PROBLEM_JSON
from gyoji.wire.problems import Answer

PAGE_POLICY = "default-src 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'; connect-src 'self'; " + (
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every page: nothing inline, nothing from another host."""


Pairs = Sequence[tuple[str, str]]
"""Headers as pairs, of which each response makes its own; into a ``Headers`` that it is given werkzeug would write."""

READABLE: Pairs = [("Cache-Control", "public, max-age=300")]
"""Headers of what is the same for everybody until the next release."""

FRESH: Pairs = [("Cache-Control", "no-store")]
"""Headers of what is true at this moment."""

PRIVATE: Mapping[Language, Pairs] = {
    language: [*FRESH, ("Content-Language", language), ("Vary", "Accept-Language")] for language in LANGUAGES
}
"""Headers of what was made for one caller, by its language."""


def json_response(body: Mapping[str, Any], headers: Pairs = FRESH) -> Response:
    """The body as JSON, its members in the order in which they stand."""
    return Response(orjson.dumps(body), headers=headers, content_type=JSON)


def answer_response(answer: Answer, language: Language) -> Response:
    """What a call answered: the answer itself, or problem details in the caller's language."""
    media = JSON if answer.status == 200 else PROBLEM_JSON
    return Response(orjson.dumps(answer.body), answer.status, PRIVATE[language], content_type=media)


def page_response(html: str, language: Language) -> Response:
    """A page under the strict policy."""
    response = Response(html, headers=PRIVATE[language], content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response
