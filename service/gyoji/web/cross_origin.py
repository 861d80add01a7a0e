"""Tells browsers which pages of other origins may call the service (CORS: https://fetch.spec.whatwg.org/#http-cors-protocol).

A caller is known by a key or a token that the page itself has to hold, never by a cookie or by anything else that a
browser adds, so the answers never allow credentials. What only people look at, the pages of HTML, is nobody else's.

The headers stand ready before a request comes: an adjudication pays for two pairs more. Flask-CORS looks for them anew
each time, and never meets what the worker answers without Flask.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from flask import Response

from gyoji.api.media import HTML
from gyoji.api.operations import ROWS
from gyoji.web.requests import HEADERS
from gyoji.web.responses import HeaderPairs

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

REQUEST_HEADERS = (
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "Traceparent",
    "Tracestate",
    "X-Request-ID",
)
"""The headers of requests that pages may send. Who sends the first of the two about traces sends the second."""

EXPOSED_HEADERS = (
    "Allow",
    "Content-Disposition",
    "Deprecation",
    "ETag",
    "Link",
    "Location",
    "Retry-After",
    "Sunset",
    "WWW-Authenticate",
    "X-Request-ID",
)
"""The headers of answers that pages may read, beside those that every page may (``Content-Language`` is one)."""

PREFLIGHT_SECONDS = 7200
"""Seconds for which a browser may remember what it was told before it asks; Chromium does for no longer."""

METHODS = sorted({"HEAD", *(row.method.upper() for row in ROWS)})

PREFLIGHT_HEADERS: HeaderPairs = [
    ("Access-Control-Allow-Methods", ", ".join(METHODS)),
    ("Access-Control-Allow-Headers", ", ".join(REQUEST_HEADERS)),
    ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
]

PAGES = frozenset(row.name for row in ROWS if row.media == (HTML,))
"""The operations of pages."""


def _with_policy(policy: str) -> list[tuple[str, str]]:
    """Return the headers of every answer with that ``Cross-Origin-Resource-Policy``: who may load the answer without
    being able to read it, as an image. It knows nobody by name."""
    return [*HEADERS, ("Cross-Origin-Resource-Policy", policy)]


class CrossOrigin:
    """Writes the headers that every answer carries, which depend on the origins whose pages may read it."""

    page_headers: HeaderPairs = _with_policy("same-origin")

    def __init__(self, origins: Sequence[str]) -> None:
        unnamed = _with_policy("cross-origin" if "*" in origins else "same-origin")
        exposed = ("Access-Control-Expose-Headers", ", ".join(EXPOSED_HEADERS))
        self._headers: Mapping[str, HeaderPairs] = {
            origin: [*unnamed, ("Access-Control-Allow-Origin", origin), exposed] for origin in origins
        }
        self._unnamed = unnamed
        self._is_alike = len(origins) < 2
        """Whether answers are the same for every origin."""
        self._alike = self._headers[origins[0]] if len(origins) == 1 else unnamed

    def headers(self, origin: str | None) -> HeaderPairs:
        """Return the headers of an answer to a request from that origin."""
        return self._alike if self._is_alike else self._headers.get(origin or "", self._unnamed)

    def add_headers(self, headers: list[tuple[str, str]], environ: "WSGIEnvironment", operation: str | None) -> None:
        """Add to an answer the headers that every answer carries; ``operation`` is what was asked for."""
        if operation in PAGES:
            headers += self.page_headers
            return
        headers += self.headers(environ.get("HTTP_ORIGIN"))
        if not self._is_alike:
            _vary_by_origin(headers)

    def allows_preflight(self, environ: "WSGIEnvironment", operation: str | None) -> bool:
        """Tell whether a request is the question of a browser whether a page may send another one, and it may."""
        if "HTTP_ORIGIN" not in environ or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in environ:
            return False
        return operation not in PAGES and len(self.headers(environ["HTTP_ORIGIN"])) > len(self._unnamed)


def preflight_response() -> Response:
    """Make the answer to a browser that asks whether a page may send a request: which methods and headers it may. It is
    the same at every URL, so that a page can read why a URL leads nowhere."""
    response = Response(status=204, headers=[*PREFLIGHT_HEADERS])
    del response.headers["Content-Type"]
    return response


def _vary_by_origin(headers: list[tuple[str, str]]) -> None:
    for at, (name, value) in enumerate(headers):
        if name == "Vary":
            headers[at] = name, f"{value}, Origin"
            return
    headers.append(("Vary", "Origin"))
