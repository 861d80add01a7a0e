"""State + move -> ruling. Nothing is kept."""

from flask import Flask, Response, request

from gyoji.games.catalogue import BY_SLUG
from gyoji.web.errors import HttpProblem
from gyoji.web.logs import RULING
from gyoji.web.negotiation import language, must_accept, sent_json
from gyoji.web.responses import answer_response
from gyoji.wire.media import CALLS, JSON
from gyoji.wire.referee import answered


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


def add_stateless_calls(app: Flask) -> None:
    """The calls on the application itself: through a blueprint every request would pass one more layer."""
    for call in CALLS:
        app.add_url_rule(f"/v1/games/<game>/{call}", call, stateless_call, methods=["POST"], defaults={"call": call})
