"""State + move -> ruling. Nothing is kept."""

from flask import Blueprint, Response, request

from gyoji.games.catalogue import BY_SLUG
from gyoji.web.accounting import RULING
from gyoji.web.errors import HttpProblem
from gyoji.web.negotiation import language, must_accept, sent_json
from gyoji.web.responses import answer_response
from gyoji.wire.media import CALLS, JSON
from gyoji.wire.referee import answered

blueprint = Blueprint("stateless", __name__)


def stateless_call(game: str, call: str) -> Response:
    """One of the five stateless calls."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    must_accept(JSON)
    spoken = language()
    answer = answered(game, call, sent_json(), f"/v1/games/{game}/{call}", spoken)
    if answer.status != 200:
        request.environ[RULING] = answer.body
    return answer_response(answer, spoken)


for name in CALLS:
    blueprint.add_url_rule(f"/v1/games/<game>/{name}", name, stateless_call, methods=["POST"], defaults={"call": name})
