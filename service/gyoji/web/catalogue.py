"""Handles the operations of the catalogue: games, rulebooks, and the stateless calls."""

from functools import cache

from flask import Response

from gyoji.access.rights import decide
from gyoji.api.bodies import Malformed, parse_json
from gyoji.api.media import JSON, QUESTIONS
from gyoji.app import capsules, catalogue, questions
from gyoji.app.adjudication import answer_parsed_call
from gyoji.app.authorization import identify, must_be_granted
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.problems import Answer, malformed
from gyoji.published_files import published_schema
from gyoji.web.requests import must_accept
from gyoji.web.responses import LastingBody, answer_response, lasting_json, lasting_response
from gyoji.web.routes import Routes

routes = Routes()


def _readable(body: LastingBody) -> Response:
    must_accept(JSON)
    return lasting_response(body, JSON)


def _known(game: str) -> str:
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    return game


@routes.handles("listGames")
def list_games(_context: RequestContext) -> Response:
    """Handle ``listGames``: the games that this service referees."""
    return lasting_response(_games(), JSON)


@cache
def _games() -> LastingBody:
    return lasting_json(catalogue.games())


@routes.handles("describeGame", negotiates=True)
def describe_game(_context: RequestContext, game: str) -> Response:
    """Handle ``describeGame``: options, phases, moves, cards and rulings of one game."""
    return _readable(_description(_known(game)))


@cache
def _description(game: str) -> LastingBody:
    return lasting_json(catalogue.game(game))


@routes.handles("listRules", negotiates=True)
def list_rules(_context: RequestContext, game: str) -> Response:
    """Handle ``listRules``: the rulebook of one game."""
    return _readable(_rules(_known(game)))


@cache
def _rules(game: str) -> LastingBody:
    return lasting_json(catalogue.rules(game))


@routes.handles("readRule", negotiates=True)
def read_rule(_context: RequestContext, game: str, rule: str) -> Response:
    """Handle ``readRule``: one rule or ruling of a rulebook."""
    return _readable(_rule(_known(game), rule))


@cache
def _rule(game: str, rule: str) -> LastingBody:
    """Return the rule, which is kept; for one that there is not nothing is."""
    found = catalogue.rule(game, rule)
    if found is None:
        raise HttpProblem("not-found")
    return lasting_json(found)


@routes.handles("readSchema", negotiates=True)
def read_schema(_context: RequestContext, schema: str) -> Response:
    """Handle ``readSchema``: one of the published JSON Schemas, or the rule data of a game."""
    return _readable(_schema(schema))


@cache
def _schema(name: str) -> LastingBody:
    found = published_schema(name)
    if found is None:
        raise HttpProblem("not-found")
    return LastingBody(found)


@routes.handles("start", "adjudicate", "listLegalMoves", "score", "view", "ask", negotiates=True)
def stateless_call(context: RequestContext, game: str, call: str) -> Response:
    """Handle ``start``, ``adjudicate``, ``listLegalMoves``, ``score``, ``view`` or ``ask``: a stateless call."""
    slug = _known(game)
    if call == QUESTIONS and BY_SLUG[slug].questions is None:
        raise HttpProblem("not-found")
    must_accept(JSON)
    answer = _answer(context, game, call)
    if answer.status != 200:
        context.record.problem = answer.body
    return answer_response(answer, context.language)


def _answer(context: RequestContext, game: str, call: str) -> Answer:
    try:
        body = parse_json(context.body.read_json())
        if call == QUESTIONS:
            return questions.answer_question(game, body, context.path, context.language)
        if isinstance(body, dict) and ("capsule" in body or "sealed" in body):
            return _answer_with_capsule(context, game, call, body)
        return answer_parsed_call(game, call, body, context.path, context.language)
    except Malformed as found:
        return malformed(found.why, found.facts, context.path, context.language)


def _answer_with_capsule(context: RequestContext, game: str, call: str, body: dict[str, object]) -> Answer:
    """Answer the call with a capsule in place of the state. A game whose newest capsule is remembered is begun by
    whoever may create matches."""
    if call == "states" and body.get("sealed") == "head":
        must_be_granted(decide("createMatch", identify(context), None))
    return capsules.answer(capsules.CapsuleRequest(context, BY_SLUG[game], body), call)
