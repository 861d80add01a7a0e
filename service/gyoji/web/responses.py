"""Makes HTTP responses of answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import orjson
from flask import Response
from werkzeug.datastructures import Headers

from gyoji.api.media import JSON, PROBLEM_JSON
from gyoji.app.requests import RequestContext
from gyoji.messages.language import LANGUAGES, Language
from gyoji.messages.problems import Answer

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

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


OWN: Mapping[Language, Pairs] = {
    language: [
        ("Cache-Control", "private, no-store"),
        ("Content-Language", language),
        ("Vary", "Authorization, Accept, Accept-Language"),
    ]
    for language in LANGUAGES
}
"""Headers of what depends on who asks."""


class Own(Headers):
    """Response headers that this service wrote itself; the server still looks whether one holds the end of a line."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._list = [*pairs]


class Whole(Response):
    """A response whose body is complete and whose headers need no correction by Werkzeug."""

    def __init__(self, body: bytes, media: str, status: int = 200, headers: Pairs = FRESH) -> None:
        own = Own((("Content-Type", media), ("Content-Length", str(len(body))), *headers))
        super().__init__([body], status, own)  # of bytes alone it would count the length once more

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        """Return the headers as they are; Werkzeug would copy them to look for a relative location."""
        return self.headers

    def get_app_iter(self, environ: "WSGIEnvironment") -> Iterable[bytes]:
        """Return the body as it is, unless there is something to do when it has been sent, or no body is to be sent."""
        if self._on_close or environ["REQUEST_METHOD"] == "HEAD":
            return super().get_app_iter(environ)
        return cast("list[bytes]", self.response)


def json_response(body: Mapping[str, Any], headers: Pairs = FRESH) -> Response:
    """Make a response of a body as JSON, its members in the order in which they stand."""
    return Whole(orjson.dumps(body), JSON, headers=headers)


def answer_response(answer: Answer, language: Language) -> Response:
    """Make a response of a call's answer: the answer itself, or problem details in the caller's language."""
    media = JSON if answer.status < 400 else PROBLEM_JSON
    return Whole(orjson.dumps(answer.body), media, answer.status, PRIVATE[language])


def own_headers(language: Language) -> list[tuple[str, str]]:
    """Return the headers of an answer that depends on who asks."""
    return list(OWN[language])


def bodiless(headers: Pairs) -> Response:
    """Make the response 204, which has no body, and so no type of one."""
    response = Response(status=204, headers=[*headers])
    del response.headers["Content-Type"]
    return response


def own_response(answer: Answer, language: Language, more: Pairs = ()) -> Response:
    """Make a response of an answer that depends on who asks: the answer itself, or problem details."""
    media = JSON if answer.status < 400 else PROBLEM_JSON
    return Whole(orjson.dumps(answer.body), media, answer.status, [*OWN[language], *more])


def own_json(context: RequestContext, body: Mapping[str, Any], headers: Pairs = (), status: int = 200) -> Response:
    """Make a response of a JSON body that depends on who asks."""
    return own_response(Answer(status, body), context.language, headers)


def entity_tag(seq: int) -> tuple[str, str]:
    """Return the header ``ETag``: the counter of the match or the tournament, which tells nothing of hidden cards."""
    return "ETag", f'"{seq}"'


def attachment(name: str) -> tuple[str, str]:
    """Return the header that has the answer saved as a file of that name."""
    return "Content-Disposition", f'attachment; filename="{name}"'


def closing(response: Response, close: Callable[[], None]) -> Response:
    """Return the response, at whose end ``close`` is called, also where not a byte of it was requested."""
    response.call_on_close(close)
    return response


def page_response(html: str, language: Language) -> Response:
    """Make the response of a page, under the strict content security policy."""
    headers = [*PRIVATE[language], ("Content-Security-Policy", PAGE_POLICY)]
    return Whole(html.encode(), "text/html; charset=utf-8", headers=headers)
