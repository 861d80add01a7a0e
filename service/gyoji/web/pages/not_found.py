"""The page for people who have come to an address that leads nowhere, with ways on."""

from flask import Response, request

from gyoji.api.media import HTML
from gyoji.web.pages.templates import render_page
from gyoji.web.requests import prefers

OF_PROGRAMS = ("/v1/", "/schemas/", "/static/", "/problems/", "/openapi.json")
"""Where what is not there is answered with problem details, whoever asks: programs read these, and the contract says
so."""


def wants_page() -> bool:
    """Tell whether a browser asks for a page; whatever takes any media type gets problem details."""
    return request.method in ("GET", "HEAD") and not request.path.startswith(OF_PROGRAMS) and prefers(HTML)


def not_found_page() -> Response:
    """Make the response 404 as a page. It repeats nothing of the address."""
    response = render_page("not-found.html", "not-found")
    response.status_code = 404
    return response
