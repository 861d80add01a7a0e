"""Routes of the API: where the name of an operation, its method, its URL rule and its handler meet."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from flask import Flask, Response

from gyoji.web.requests import with_context


class Route(NamedTuple):
    """How requests come to one operation."""

    operation: str
    """The name of the operation, by which its rights are found."""
    method: str
    rule: str
    """The URL, with the places that are left open in angle brackets."""
    handler: Callable[..., Response]
    """Takes the ``RequestContext``, and what the URL holds in the open places by their names."""


def add_routes(app: Flask, routes: Iterable[Route]) -> None:
    """Add the routes to the application."""
    for route in routes:
        app.add_url_rule(route.rule, route.operation, with_context(route.handler), methods=[route.method])
