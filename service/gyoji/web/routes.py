"""Binds each operation of the table to the function that handles it, and adds the routes to Flask."""

import re
from collections.abc import Callable, Iterable

from flask import Flask, Response

from gyoji.api.media import HTML
from gyoji.api.operations import OPERATIONS, ROWS
from gyoji.web.requests import Handler, flask_view

SPANNING = ("filename", "place", "schema")
"""The places of URLs that may hold slashes."""


class Routes:
    """The handlers of some operations, as Flask calls them: with path parameters, without the context."""

    def __init__(self) -> None:
        self.views: dict[str, Callable[..., Response]] = {}

    def handles(self, *operations: str, negotiates: bool = False) -> Callable[[Handler], Handler]:
        """Bind operations to the function below. Where the answer has one form a caller who does not accept it is
        refused first, unless the handler ``negotiates`` itself; a page does so when it is rendered."""

        def bind(handler: Handler) -> Handler:
            for row in map(OPERATIONS.__getitem__, operations):
                has_one = len(row.media) == 1 and row.media != (HTML,)
                self.views[row.name] = flask_view(handler, row, row.media[0] if has_one and not negotiates else None)
            return handler

        return bind


def add_routes(app: Flask, bound: Iterable[Routes]) -> None:
    """Add the route of every operation to the application; the log tells which of the calls of a game was made."""
    views = {operation: view for routes in bound for operation, view in routes.views.items()}
    for row in ROWS:
        more = {"call": row.path.rpartition("/")[2]} if row.of_game else None
        app.add_url_rule(url_rule(row.path), row.name, views[row.name], methods=[row.method.upper()], defaults=more)


def url_rule(path: str) -> str:
    """Return a path as Flask writes it: its parameters in angle brackets."""
    return re.sub(r"{(\w+)}", lambda found: f"<{'path:' * (found[1] in SPANNING)}{found[1]}>", path)
