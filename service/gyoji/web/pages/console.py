"""``/console``: the referee's console rules on a position and a move, and cites the rule. ``/console/cases/{case}``: a
conformance case on the console, ready to be tried."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Response

from gyoji.app.conformance import Case, cases, failures, this_engine, title_of
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.messages.game_words import game_words
from gyoji.messages.language import Language
from gyoji.messages.rulebooks import rulebook
from gyoji.web.pages.reference import format_json
from gyoji.web.pages.templates import in_language, render_page, requested_page_language, words_of, words_of_all_tables
from gyoji.web.routes import Routes

routes = Routes()


@routes.handles("readConsole")
def console(_context: RequestContext) -> Response:
    """Handle the console, with a first position of a game dealt."""
    return _console(None)


@routes.handles("readConsoleCase")
def console_case(_context: RequestContext, case: str) -> Response:
    """Handle the console with the position and the move of a conformance case; 404 where there is no case of that
    id."""
    return _console(case_of(case))


def case_of(name: str) -> Case:
    """Return the conformance case of that id; ``HttpProblem`` (404) where there is none."""
    found = _cases(_game_of(name)).get(name)
    if found is None:
        raise HttpProblem("not-found")
    return found


def _console(case: Case | None) -> Response:
    spoken = requested_page_language().spoken
    return render_page(
        "console.html",
        "console",
        case=None if case is None else _told(case, spoken),
        disputes={slug: _dispute(slug, spoken) for slug in BY_SLUG},
        seats={slug: [game.min_seats, game.max_seats] for slug, game in BY_SLUG.items()},
        example=EXAMPLE.slug,
        said=_said(spoken),
        telling=_telling(spoken),
    )


def _dispute(slug: str, spoken: Language) -> Mapping[str, str]:
    """A case of the game to begin with: a move that breaks a rule which players argue about, and what they ask."""
    return {"case": game_words(slug).disputed, "question": game_words(slug).dispute[spoken]}


@cache
def _prefixes() -> Mapping[str, str]:
    """What the ids of a game begin with -> its slug."""
    return {rulebook(slug).prefix: slug for slug in BY_SLUG}


def _game_of(name: str) -> str:
    slug = _prefixes().get(name.partition("-")[0])
    if slug is None:
        raise HttpProblem("not-found")
    return slug


@cache
def _cases(slug: str) -> Mapping[str, Case]:
    return {case["case"]: case for case in cases(slug)}


def _told(case: Case, spoken: Language) -> dict[str, Any]:
    """What the page tells of a case: what it shows, what is asked, what must be answered and whether it is."""
    slug = case["game"]
    ids = list(_cases(slug))
    at = ids.index(case["case"])
    return {
        "game": slug,
        "id": case["case"],
        "title": title_of(case, spoken),
        "call": case.get("call", "adjudications"),
        "rules": [rulebook(slug).rule(rule) for rule in case["rules"]],
        "expect": {name: format_json(value) for name, value in case["expect"].items()},
        "unmet": failures(case, this_engine()),
        "before": ids[at - 1] if at else None,
        "after": ids[at + 1] if at + 1 < len(ids) else None,
        "asked": _asked(case),
    }


def _asked(case: Case) -> dict[str, Any]:
    """What lies on the console to begin with."""
    asked = {name: case[name] for name in ("game", "move", "moves", "body") if name in case}
    asked["call"] = case.get("call", "adjudications")
    return {**asked, "state": case["position"]} if "position" in case else asked


@cache
def _said(spoken: Language) -> dict[str, Any]:
    """What the script of the page says, of the table too."""
    seat = words_of("common", spoken)["seat"]
    return {**words_of("console-script", spoken), "seat": seat, "table": words_of_all_tables(spoken)}


@cache
def _telling(spoken: Language) -> dict[str, Any]:
    """How events are told, and what each game's words for their facts are."""
    events = {slug: in_language(game_words(slug).events, spoken) for slug in BY_SLUG}
    return {"events": events, "words": {slug: in_language(rulebook(slug).words, spoken) for slug in BY_SLUG}}
