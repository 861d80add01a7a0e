"""``/matches/{match}``: the replay viewer and live table. The page is the same for every match: what it may show, it
asks for with the token of whoever looks, so that it tells nobody whether a match is there."""

from flask import Blueprint, Response

from gyoji.web.pages.look import page

blueprint = Blueprint("matches", __name__)


@blueprint.get("/matches/<match>")
def view_match(match: str) -> Response:
    """The viewer of one match."""
    return page("match.html", "match", match=match)
