"""The stateless calls over HTTP: a state and a move in, a ruling out, and nothing is kept."""

from flask import Response

from gyoji.access.rights import decision
from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.media import JSON
from gyoji.app import capsules
from gyoji.app.adjudication import ruled
from gyoji.app.authorization import identify, must_be_granted
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.problems import Answer, malformed
from gyoji.web.requests import must_accept
from gyoji.web.responses import answer_response
from gyoji.web.routes import Routes

routes = Routes()


@routes.handles("start", "adjudicate", "listLegalMoves", "score", "view", negotiates=True)
def stateless_call(context: RequestContext, game: str, call: str) -> Response:
    """One of the five stateless calls."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    must_accept(JSON)
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
        must_be_granted(decision("createMatch", identify(context), None))
    return capsules.answer(capsules.CapsuleRequest(context, BY_SLUG[game], body), call)
