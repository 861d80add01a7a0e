"""The stateless calls over HTTP: a state and a move in, a ruling out, and nothing is kept."""

from flask import Flask, Response

from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.media import CALLS, JSON
from gyoji.app import capsules
from gyoji.app.adjudication import ruled
from gyoji.app.authorization import authorize
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.problems import Answer, malformed
from gyoji.web.requests import must_accept, request_context
from gyoji.web.responses import answer_response


def stateless_call(game: str, call: str) -> Response:
    """One of the five stateless calls."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    must_accept(JSON)
    context = request_context()
    answer = _answer(context, game, call)
    if answer.status != 200:
        context.record.problem = answer.body
    return answer_response(answer, context.language)


def _answer(context: RequestContext, game: str, call: str) -> Answer:
    try:
        body = parsed(context.body.read_json())
        if isinstance(body, dict) and ("capsule" in body or "sealed" in body):
            return _answer_with_capsule(context, game, call, body)
        return ruled(game, call, body, context.path, context.language)
    except Malformed as found:
        return malformed(found.why, context.path, context.language)


def _answer_with_capsule(context: RequestContext, game: str, call: str, body: dict[str, object]) -> Answer:
    """The call with a capsule in place of the state. A game whose newest capsule is remembered is begun by whoever may
    create matches."""
    if call == "states" and body.get("sealed") == "head":
        authorize(context, "createMatch")
    return capsules.answer(capsules.CapsuleRequest(context, BY_SLUG[game], body), call)


def add_stateless_calls(app: Flask) -> None:
    """The calls on the application itself: through a blueprint every request would pass one more layer."""
    for call in CALLS:
        app.add_url_rule(f"/v1/games/<game>/{call}", call, stateless_call, methods=["POST"], defaults={"call": call})
