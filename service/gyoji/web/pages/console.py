"""``/console``: the referee's console: a position, a move, the ruling and the rule that it cites."""

from flask import Blueprint, Response

from gyoji.web.pages.look import page

blueprint = Blueprint("console", __name__)


@blueprint.get("/console")
def console() -> Response:
    """The console."""
    return page("console.html", "console")
