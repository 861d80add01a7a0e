"""``/rules/{game}``: the rulebook by id."""

from flask import Blueprint, Response

from gyoji.games.catalogue import BY_SLUG
from gyoji.web.errors import HttpProblem
from gyoji.web.pages.look import page
from gyoji.wire.rulebooks import rulebook

blueprint = Blueprint("rulebooks", __name__)


@blueprint.get("/rules/<game>")
def read_rulebook(game: str) -> Response:
    """The rulebook of one game."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    return page("rules.html", "rules", game=game, book=rulebook(game))
