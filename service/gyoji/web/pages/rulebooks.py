"""``/rules``: the rulebooks; ``/rules/{game}``: one rulebook by rule id, with the cases that show each rule."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import orjson
from flask import Response

from gyoji.app import catalogue
from gyoji.app.conformance import Title, cases, title_of
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.game_words import game_words
from gyoji.messages.language import Language
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import schema
from gyoji.web.pages.templates import render_page, requested_page_language
from gyoji.web.routes import Routes

routes = Routes()

PROVENANCES = ("printed", "published", "derived", "reconstructed")
"""Where a rule or a card comes from, the surest first."""

ID = re.compile(r"([A-Z]{3}-(?:R\d+|\d+\.\d+))")
CODE = re.compile(r"(.*?)(\d+)")


class Section(NamedTuple):
    """A section of a rulebook: those with a number hold the rules whose ids begin with it; the rulings come last."""

    number: str
    """``R``: the rulings."""
    rules: Sequence[Mapping[str, Any]]


class Option(NamedTuple):
    """An option of a game, which may be agreed on before a match."""

    name: str
    default: str
    values: Sequence[str]
    """Where there are few; else empty."""
    rules: Sequence[str]
    """The ids of those that it changes."""


@routes.handles("listRulebooks")
def list_rulebooks(_context: RequestContext) -> Response:
    """Handle the list of all rulebooks."""
    books = [
        {**described, "rules": len(_numbered(described["game"])), "rulings": len(_rulings(described["game"]))}
        for described in catalogue.games()["games"]
    ]
    return render_page("rulebooks.html", "rules", books=books)


@routes.handles("readRulebook")
def read_rulebook(_context: RequestContext, game: str) -> Response:
    """Handle the page with the rulebook of one game."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    spoken = requested_page_language().spoken
    return render_page(
        "rules.html",
        "rules",
        game=game,
        described=catalogue.game(game),
        sections=sections(game),
        options=options(game),
        words=game_words(game),
        cards=[{**card, "counted": count_codes(card)} for card in rulebook(game).components],
        shown_by=titles_by_rule(game, spoken),
        provenances=PROVENANCES,
        texts={rule["rule"]: split_citations(rule["text"][spoken]) for rule in rulebook(game).rules},
    )


@cache
def sections(slug: str) -> Sequence[Section]:
    """Return the rulebook of a game in its sections, in the order of the ids."""
    grouped = groupby(_numbered(slug), key=lambda rule: _place(rule)[0])
    numbered = [Section(number, tuple(rules)) for number, rules in grouped]
    return (*numbered, Section("R", _rulings(slug)))


def _numbered(slug: str) -> Sequence[Mapping[str, Any]]:
    return [rule for rule in rulebook(slug).rules if rule["kind"] == "rule"]


def _rulings(slug: str) -> Sequence[Mapping[str, Any]]:
    """In the order of their numbers."""
    found = [rule for rule in rulebook(slug).rules if rule["kind"] == "ruling"]
    return sorted(found, key=lambda rule: int(_place(rule)[0].removeprefix("R")))


def _place(rule: Mapping[str, Any]) -> Sequence[str]:
    """``CAT-3.1`` is in section 3, in the first place."""
    place: str = rule["rule"].partition("-")[2]
    return place.split(".")


@cache
def options(slug: str) -> Sequence[Option]:
    """Return the options of a game, as they are published."""
    return [_option(slug, name, shape) for name, shape in schema(f"{slug}/new-options")["properties"].items()]


def _option(slug: str, name: str, shape: Mapping[str, Any]) -> Option:
    changed = [rule["rule"] for rule in rulebook(slug).rules if name in rule["options"]]
    return Option(name, _written(shape["default"]), [_written(value) for value in _values(shape)], changed)


def _values(shape: Mapping[str, Any]) -> Sequence[Any]:
    if shape.get("type") == "boolean":
        return (True, False)
    if shape.get("type") == "integer":
        return range(shape["minimum"], shape["maximum"] + 1)
    values: Sequence[Any] = shape.get("enum", ())
    return values


def _written(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


@cache
def titles_by_rule(slug: str, spoken: Language) -> Mapping[str, Sequence[Title]]:
    """Return the titles of the conformance cases that show each rule, by rule id."""
    return {
        rule["rule"]: [title_of(case, spoken) for case in cases(slug) if rule["rule"] in case["rules"]]
        for rule in rulebook(slug).rules
    }


def split_citations(text: str) -> Sequence[tuple[str, bool]]:
    """Split a text into pieces, each with whether it is the id of a rule."""
    return [(piece, ID.fullmatch(piece) is not None) for piece in ID.split(text) if piece]


def count_codes(card: Mapping[str, Any]) -> Sequence[tuple[str, int]]:
    """Return the codes of a kind of card as people list them, with how many cards there are of each."""
    counts: Mapping[str, int] = card.get("counts") or dict.fromkeys(card["codes"], card.get("count", 0))
    ordered = sorted(counts, key=lambda code: -counts[code])  # stable: codes of one count stay in their order
    return [(" ".join(join_runs([*codes])), count) for count, codes in groupby(ordered, key=counts.__getitem__)]


def join_runs(codes: Sequence[str]) -> Iterator[str]:
    """Write runs of more than two codes that follow on each other as one: ``B1``, ``B2``, ``B3`` is ``B1–B3``."""
    run: list[str] = []
    for code in codes:
        if run and not _follows(run[-1], code):
            yield from _listed(run)
            run = []
        run.append(code)
    yield from _listed(run)


def _listed(run: Sequence[str]) -> Sequence[str]:
    return run if len(run) < 3 else [f"{run[0]}–{run[-1]}"]


def _follows(before: str, code: str) -> bool:
    one, other = CODE.fullmatch(before), CODE.fullmatch(code)
    return one is not None and other is not None and one[1] == other[1] and int(one[2]) + 1 == int(other[2])
