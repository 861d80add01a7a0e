"""State + move -> ruling. Nothing is kept."""

from typing import Any

from flask import Flask, Response, request

from gyoji.api.json_gate import Malformed, parsed
from gyoji.api.media import CALLS, JSON
from gyoji.app.adjudication import ruled
from gyoji.app.problems import HttpProblem
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer, malformed
from gyoji.web.accounting import RECORD
from gyoji.web.matches.asking import asked_alone, desk
from gyoji.web.negotiation import language, must_accept, sent_json
from gyoji.web.responses import answer_response


def stateless_call(game: str, call: str) -> Response:
    """One of the five stateless calls."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    must_accept(JSON)
    spoken = language()
    answer = _answer(game, call, f"/v1/games/{game}/{call}", spoken)
    if answer.status != 200:
        request.environ[RECORD].problem = answer.body
    return answer_response(answer, spoken)


def _answer(game: str, call: str, instance: str, spoken: Language) -> Answer:
    try:
        body = parsed(sent_json())
        if isinstance(body, dict) and ("capsule" in body or "sealed" in body):
            return _sealed(game, call, body, instance, spoken)
        return ruled(game, call, body, instance, spoken)
    except Malformed as found:
        return malformed(found.why, instance, spoken)


def _sealed(game: str, call: str, body: dict[str, Any], instance: str, spoken: Language) -> Answer:
    """The call with a capsule in place of the state; what it needs is imported by the first one. A game whose newest
    capsule is remembered is begun by whoever may create matches."""
    from gyoji.web.sealed import Sealed, sealed_answer  # noqa: PLC0415

    here = asked_alone("createMatch")[0] if call == "states" and body.get("sealed") == "head" else desk()
    return sealed_answer(Sealed(here, BY_SLUG[game], body, instance, spoken), call)


def add_stateless_calls(app: Flask) -> None:
    """The calls on the application itself: through a blueprint every request would pass one more layer."""
    for call in CALLS:
        app.add_url_rule(f"/v1/games/<game>/{call}", call, stateless_call, methods=["POST"], defaults={"call": call})
