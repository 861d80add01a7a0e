"""``/``: the first page: what this is, a ruling, the games, the newest public matches, how to start."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from flask import Response, request

from gyoji.access.callers import Anonymous
from gyoji.access.rights import Granted, decide
from gyoji.app import catalogue
from gyoji.app.authorization import facts_of
from gyoji.app.conformance import request_of, this_engine
from gyoji.app.matches.documents import summary_or_damage
from gyoji.app.requests import RequestContext
from gyoji.app.services import Services
from gyoji.games.catalogue import EXAMPLE
from gyoji.messages.card_names import CODE, card_name
from gyoji.messages.game_words import game_words
from gyoji.messages.language import COMMA, Language
from gyoji.messages.rulebooks import rulebook
from gyoji.store.interface import Listing, Match, Unavailable, Unreadable
from gyoji.web.pages.console import case_of
from gyoji.web.pages.templates import render_page, requested_page_language
from gyoji.web.routes import Routes

routes = Routes()

NEWEST = 8
"""How many matches are listed."""


@routes.handles("readIndex")
def index(context: RequestContext) -> Response:
    """Handle the first page."""
    return render_page(
        "index.html",
        "home",
        catalogue=[{**game, "words": game_words(game["game"])} for game in catalogue.games()["games"]],
        shown=_ruling(requested_page_language().spoken),
        matches=newest(context.services),
        address=f"{request.scheme}://{request.host}",  # ``host_url`` fails where a name looks encoded and is not
    )


def newest(here: Services) -> list[dict[str, Any]] | None:
    """Return the newest matches that anybody may watch, as ``GET /v1/matches/{match}`` shows them. ``None`` while the
    store does not answer."""
    try:
        rows = here.store.listed(Listing(None, public=True, limit=NEWEST))
        shown = [
            summary_or_damage(here, row) for row in rows if isinstance(row, Unreadable) or _is_for_anybody(here, row)
        ]
        return [row for row in shown if not isinstance(row, Unreadable)]
    except Unavailable:
        return None


def _is_for_anybody(here: Services, row: Match) -> bool:
    """What its rights say, whatever the store has listed."""
    return isinstance(decide("readMatch", Anonymous(), facts_of(here, row)), Granted)


def _named(spoken: Language) -> Callable[[re.Match[str]], str]:
    return lambda code: card_name(EXAMPLE.slug, code[0], spoken)


@cache
def _ruling(spoken: Language) -> Mapping[str, Any]:
    """A real refusal, in that language and with cards by name, and the rule that it cites."""
    case = case_of(game_words(EXAMPLE.slug).disputed)
    refused = this_engine(spoken)(*request_of(case))[1]
    card, *instead = [
        card_name(EXAMPLE.slug, move["card"], spoken) for move in (refused["move"], *refused["legal_moves"])
    ]
    return {
        "game": EXAMPLE.slug,
        "case": case["case"],
        "refused": {**refused, "because": CODE.sub(_named(spoken), refused["because"])},
        "card": card,
        "instead": COMMA[spoken].join(instead),
        "cited": rulebook(EXAMPLE.slug).rule(refused["rule"]),
    }
