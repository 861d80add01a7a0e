"""The games and their rulebooks, for reading."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Response

from gyoji.api.media import JSON
from gyoji.app import catalogue
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.web.requests import must_accept
from gyoji.web.responses import READABLE, json_response
from gyoji.web.routes import Routes

routes = Routes()


def _readable(body: Mapping[str, Any]) -> Response:
    must_accept(JSON)
    return json_response(body, READABLE)


def _known(game: str) -> str:
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    return game


@routes.handles("listGames")
def list_games(_context: RequestContext) -> Response:
    """The games this service referees."""
    return json_response(catalogue.games(), READABLE)


@routes.handles("describeGame", negotiates=True)
def describe_game(_context: RequestContext, game: str) -> Response:
    """One game: options, phases, moves, cards, rulings."""
    return _readable(_description(_known(game)))


@cache
def _description(game: str) -> Mapping[str, Any]:
    return catalogue.game(game)


@routes.handles("listRules", negotiates=True)
def list_rules(_context: RequestContext, game: str) -> Response:
    """The rulebook of one game."""
    return _readable(catalogue.rules(_known(game)))


@routes.handles("readRule", negotiates=True)
def read_rule(_context: RequestContext, game: str, rule: str) -> Response:
    """One rule or ruling."""
    found = catalogue.rule(_known(game), rule)
    if found is None:
        raise HttpProblem("not-found")
    return _readable(found)
