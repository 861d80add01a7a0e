"""Rulings of referees, and claims that the time of a seat is up, over HTTP."""

from flask import Response

from gyoji.api.media import JSON
from gyoji.app.matches.authorization import authorize_match
from gyoji.app.matches.claims import claim_expiry as claim
from gyoji.app.matches.rulings import make_ruling as rule
from gyoji.app.requests import RequestContext
from gyoji.web.requests import must_accept
from gyoji.web.responses import entity_tag, own_json
from gyoji.web.routes import Route


def make_ruling(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/rulings."""
    must_accept(JSON)
    made = rule(authorize_match(context, "makeRuling", match), context.body.read_json())
    return own_json(context, made.body, [] if made.seq is None else [entity_tag(made.seq)])


def claim_expiry(context: RequestContext, match: str) -> Response:
    """POST /v1/matches/{match}/claims."""
    must_accept(JSON)
    made = claim(authorize_match(context, "claimExpiry", match))
    return own_json(context, made.body, [entity_tag(made.seq)])


RULING_ROUTES = (
    Route("makeRuling", "POST", "/v1/matches/<match>/rulings", make_ruling),
    Route("claimExpiry", "POST", "/v1/matches/<match>/claims", claim_expiry),
)
