"""``/``: what this is, the games, the newest public matches, how to start."""

from flask import Blueprint, Response

from gyoji.web.pages.look import page
from gyoji.wire import descriptions

blueprint = Blueprint("home", __name__, template_folder="../templates")


@blueprint.get("/")
def index() -> Response:
    """What this is, and where to go."""
    return page("index.html", "home", catalogue=descriptions.games()["games"])
