"""Makes HTTP responses of answers."""

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

import orjson
from flask import Response, request
from werkzeug.datastructures import Headers

from gyoji.api.media import JSON, PROBLEM_JSON
from gyoji.app.requests import RequestContext
from gyoji.messages.language import LANGUAGES, Language
from gyoji.messages.problems import Answer
from gyoji.web.requests import accepts_gzip

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

PAGE_POLICY = "default-src 'none'; img-src 'self' data:; script-src 'self'; style-src 'self'; connect-src 'self'; " + (
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every page: nothing inline, nothing from another host."""


HeaderPairs = Sequence[tuple[str, str]]
"""Headers as pairs, of which each response makes its own; into a ``Headers`` that it is given werkzeug would write."""

PUBLIC_HEADERS: HeaderPairs = [("Cache-Control", "public, max-age=300"), ("Vary", "Accept-Encoding")]
"""Headers of what is the same for everybody until the next release."""

UNCACHED_HEADERS: HeaderPairs = [("Cache-Control", "no-store")]
"""Headers of what is true at this moment."""

LOCALIZED_HEADERS: Mapping[Language, HeaderPairs] = {
    language: [*UNCACHED_HEADERS, ("Content-Language", language), ("Vary", "Accept-Language")] for language in LANGUAGES
}
"""Headers of what was made for one caller, by its language."""


CALLER_HEADERS: Mapping[Language, HeaderPairs] = {
    language: [
        ("Cache-Control", "private, no-store"),
        ("Content-Language", language),
        ("Vary", "Authorization, Accept, Accept-Language"),
    ]
    for language in LANGUAGES
}
"""Headers of what depends on who asks."""

LASTING_HEADERS: Mapping[Language, HeaderPairs] = {
    language: [
        ("Cache-Control", "private, max-age=31536000, immutable"),
        ("Content-Language", language),
        ("Vary", "Authorization, Accept, Accept-Encoding, Accept-Language"),
    ]
    for language in LANGUAGES
}
"""Headers of what depends on who asks, and will never be another for this caller."""


class RawHeaders(Headers):
    """Response headers that this service wrote itself; the server still looks whether one holds the end of a line."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._list = [*pairs]


class CompleteResponse(Response):
    """A response whose body is complete and whose headers need no correction by Werkzeug."""

    def __init__(self, body: bytes, media: str, status: int = 200, headers: HeaderPairs = UNCACHED_HEADERS) -> None:
        own = RawHeaders((("Content-Type", media), ("Content-Length", str(len(body))), *headers))
        super().__init__([body], status, own)  # of bytes alone it would count the length once more

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        """Return the headers as they are; Werkzeug would copy them to look for a relative location."""
        return self.headers

    def get_app_iter(self, environ: "WSGIEnvironment") -> Iterable[bytes]:
        """Return the body as it is, unless there is something to do when it has been sent, or no body is to be sent."""
        if self._on_close or environ["REQUEST_METHOD"] == "HEAD":
            return super().get_app_iter(environ)
        return cast("list[bytes]", self.response)


@dataclass(frozen=True)
class LastingBody:
    """A body that stays the same for as long as it is kept, as it is and packed.

    Only what holds nothing secret may be one: where a caller can choose a part of what is packed with a secret, the
    length tells whether the two are alike.
    """

    plain: bytes

    @cached_property
    def packed(self) -> bytes:
        """The body for whoever unpacks it (gzip)."""
        return gzip.compress(self.plain, mtime=0)

    @cached_property
    def tag(self) -> str:
        """What tells this body from every other."""
        return sha256(self.plain).hexdigest()[:32]


def lasting_json(body: Mapping[str, Any]) -> LastingBody:
    """Make a lasting body of a document, its members in the order in which they stand."""
    return LastingBody(orjson.dumps(body))


def lasting_response(body: LastingBody, media: str, headers: HeaderPairs = PUBLIC_HEADERS) -> Response:
    """Make the response of a body that stays the same: packed for whoever unpacks it, none (304) for whoever has it.
    ``headers`` say that it depends on ``Accept-Encoding``."""
    is_packed = accepts_gzip()
    tagged = [*headers, content_tag(body.tag, is_packed=is_packed)]
    if is_known(tagged):
        return unchanged_response(tagged)
    if is_packed:
        return CompleteResponse(body.packed, media, headers=[*tagged, PACKED])
    return CompleteResponse(body.plain, media, headers=tagged)


PACKED = ("Content-Encoding", "gzip")


def content_tag(content: str, *, is_packed: bool) -> tuple[str, str]:
    """Return the header ``ETag`` of bytes that stay the same: what they are made of, and whether they are packed (RFC
    9110, section 8.8.3.3)."""
    return "ETag", f'"{content}{"-gzip" * is_packed}"'


def is_known(headers: HeaderPairs) -> bool:
    """Tell whether the caller has already (``If-None-Match``) what the ``ETag`` among the headers is of."""
    return "HTTP_IF_NONE_MATCH" in request.environ and request.if_none_match.contains_weak(
        dict(headers)["ETag"].strip('"')
    )


def unchanged_response(headers: HeaderPairs) -> Response:
    """Make the response 304, which has no body: the caller has it."""
    response = empty_response(headers)
    response.status_code = 304
    return response


def json_response(body: Mapping[str, Any], headers: HeaderPairs = UNCACHED_HEADERS) -> Response:
    """Make a response of a body as JSON, its members in the order in which they stand."""
    return CompleteResponse(orjson.dumps(body), JSON, headers=headers)


def answer_response(answer: Answer, language: Language) -> Response:
    """Make a response of a call's answer: the answer itself, or problem details in the caller's language."""
    media = JSON if answer.status < 400 else PROBLEM_JSON
    return CompleteResponse(orjson.dumps(answer.body), media, answer.status, LOCALIZED_HEADERS[language])


def caller_headers(language: Language) -> list[tuple[str, str]]:
    """Return the headers of an answer that depends on who asks."""
    return list(CALLER_HEADERS[language])


def empty_response(headers: HeaderPairs) -> Response:
    """Make the response 204, which has no body, and so no type of one."""
    response = Response(status=204, headers=[*headers])
    del response.headers["Content-Type"]
    return response


def caller_response(answer: Answer, language: Language, more: HeaderPairs = ()) -> Response:
    """Make a response of an answer that depends on who asks: the answer itself, or problem details."""
    media = JSON if answer.status < 400 else PROBLEM_JSON
    return CompleteResponse(orjson.dumps(answer.body), media, answer.status, [*CALLER_HEADERS[language], *more])


def caller_json(
    context: RequestContext, body: Mapping[str, Any], headers: HeaderPairs = (), status: int = 200
) -> Response:
    """Make a response of a JSON body that depends on who asks."""
    return caller_response(Answer(status, body), context.language, headers)


def entity_tag(seq: int) -> tuple[str, str]:
    """Return the header ``ETag``: the counter of the match or the tournament, which tells nothing of hidden cards."""
    return "ETag", f'"{seq}"'


def attachment(name: str) -> tuple[str, str]:
    """Return the header that has the answer saved as a file of that name."""
    return "Content-Disposition", f'attachment; filename="{name}"'


def close_afterwards(response: Response, close: Callable[[], None]) -> Response:
    """Return the response, at whose end ``close`` is called, also where not a byte of it was requested."""
    response.call_on_close(close)
    return response


def page_response(html: str, language: Language) -> Response:
    """Make the response of a page, under the strict content security policy."""
    headers = [*LOCALIZED_HEADERS[language], ("Content-Security-Policy", PAGE_POLICY)]
    return CompleteResponse(html.encode(), "text/html; charset=utf-8", headers=headers)
