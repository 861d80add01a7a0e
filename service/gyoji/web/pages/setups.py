"""``/tournaments/new`` and ``/matches/new``: forms that set up a tournament or a match. ``…/plan`` says how many tables
and byes a tournament would have, for whoever fills in the form."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from flask import Response

from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.app.tournaments.management import rules_of
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.messages.language import Language
from gyoji.messages.tournaments import tournament_refused
from gyoji.players.players import players_of
from gyoji.tournaments.decisions import RefusedDecision
from gyoji.tournaments.pairings import plan_round
from gyoji.tournaments.rules import Pairing, TournamentRules
from gyoji.tournaments.tournament import MOST_ENTRANTS, MOST_ROUNDS
from gyoji.web.pages.templates import render_page, requested_page_language, words_of
from gyoji.web.responses import caller_json
from gyoji.web.routes import Routes

routes = Routes()

SIZES = re.compile(r"[1-9](\.[1-9]){0,7}")
"""The sizes of tables in a query, preferred ones first: ``4.3``."""

NO_CLOCK = {"clock": "none"}
EVENING = {"clock": "some", "/clock/move": 0, "/clock/bank": 10, "/clock/increment": 5, "/clock/on_expiry": "referee"}
"""Ten minutes for each player, and five seconds for each move."""
PLACES = {"/points/by": "rank"}

TOURNAMENTS: Mapping[str, Mapping[str, Any]] = {
    "club": {"/rounds": 3, "/pairing": "swiss", "/duplicate": False, **PLACES, **EVENING},
    "everybody": {"/pairing": "rotation", "/duplicate": False, **PLACES, **NO_CLOCK},
    "duplicate": {"/rounds": 3, "/pairing": "swiss", "/duplicate": True, "/points/by": "score", **EVENING},
    "friendly": {"/rounds": 2, "/pairing": "draw", "/duplicate": False, "/points/by": "score", **NO_CLOCK},
}
"""What can be begun with: the values of the fields, by pointer into the body of the request."""

MATCHES: Mapping[str, Mapping[str, Any]] = {
    "untimed": NO_CLOCK,
    "evening": EVENING,
    "fast": {**EVENING, "/clock/bank": 2, "/clock/increment": 2, "/clock/on_expiry": "default"},
    "letters": {**EVENING, "/clock/move": 172_800, "/clock/bank": "", "/clock/increment": 0},
}


@routes.handles("readNewTournament")
def new_tournament(context: RequestContext) -> Response:
    """Handle the form that sets up a tournament."""
    return _form(context, "new-tournament.html", TOURNAMENTS)


@routes.handles("readNewMatch")
def new_match(context: RequestContext) -> Response:
    """Handle the form that sets up a match."""
    return _form(context, "new-match.html", MATCHES)


def _form(context: RequestContext, template: str, presets: Mapping[str, Any]) -> Response:
    words, allowed = _said(requested_page_language().spoken), context.services.settings.players
    setup = {"games": _games(allowed), "presets": presets, "most": {"entrants": MOST_ENTRANTS, "rounds": MOST_ROUNDS}}
    return render_page(template, "setup", example=EXAMPLE.slug, presets=presets, said=words, setup=setup)


@cache
def _said(spoken: Language) -> Mapping[str, Any]:
    """What the scripts of the forms say."""
    return {**words_of("common", spoken), **words_of("setup-script", spoken)}


@cache
def _games(allowed: tuple[str, ...]) -> Mapping[str, Any]:
    """What the forms have to know of each game; ``allowed``: the players that may have seats here."""
    return {
        slug: {
            "least": game.min_seats,
            "most": game.max_seats,
            "teams": game.cooperative,
            "passes": bool(game.passes),
            "bots": [player for player in players_of(game) if player in allowed],
        }
        for slug, game in BY_SLUG.items()
    }


@routes.handles("readPlan")
def read_plan(context: RequestContext) -> Response:
    """Handle the plan of a tournament that is being set up: tables by size, byes, or why there is none."""
    entrants = context.whole_number("entrants", None, MOST_ENTRANTS)
    rules = _rules(context)
    if entrants is None or rules is None:
        raise HttpProblem("not-found")
    planned = plan_round(rules, entrants)
    if isinstance(planned, RefusedDecision):
        spoken = requested_page_language().spoken
        told = tournament_refused(planned.code, planned.facts, context.path, spoken).body["because"]
        return caller_json(context, {"because": told, "possible": planned.facts.get("possible", [])})
    tables = [{"seats": size, "tables": count} for size, count in Counter(planned.sizes).items()]
    return caller_json(context, {"tables": tables, "byes": planned.byes})


def _rules(context: RequestContext) -> TournamentRules | None:
    """Read the rules that tables follow from."""
    game, pairing = context.one_of("game", BY_SLUG), context.one_of("pairing", get_args(Pairing))
    seats, rounds = context.matching("seats", SIZES), context.whole_number("rounds", None, MOST_ROUNDS, 1)
    if game is None or pairing is None or seats is None or rounds is None:
        return None
    return rules_of({"game": game, "pairing": pairing, "seats": list(map(int, seats.split("."))), "rounds": rounds})
