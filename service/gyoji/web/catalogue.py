"""The games and their rulebooks, for reading."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Blueprint, Response

from gyoji.api.media import JSON
from gyoji.app import catalogue
from gyoji.app.problems import HttpProblem
from gyoji.games.catalogue import BY_SLUG
from gyoji.web.requests import must_accept
from gyoji.web.responses import READABLE, json_response

blueprint = Blueprint("catalogue", __name__)


def _readable(body: Mapping[str, Any]) -> Response:
    must_accept(JSON)
    return json_response(body, READABLE)


def _known(game: str) -> str:
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    return game


@blueprint.get("/v1/games")
def list_games() -> Response:
    """The games this service referees."""
    return _readable(catalogue.games())


@blueprint.get("/v1/games/<game>")
def describe_game(game: str) -> Response:
    """One game: options, phases, moves, cards, rulings."""
    return _readable(_description(_known(game)))


@cache
def _description(game: str) -> Mapping[str, Any]:
    return catalogue.game(game)


@blueprint.get("/v1/games/<game>/rules")
def list_rules(game: str) -> Response:
    """The rulebook of one game."""
    return _readable(catalogue.rules(_known(game)))


@blueprint.get("/v1/games/<game>/rules/<rule>")
def read_rule(game: str, rule: str) -> Response:
    """One rule or ruling."""
    found = catalogue.rule(_known(game), rule)
    if found is None:
        raise HttpProblem("not-found")
    return _readable(found)
