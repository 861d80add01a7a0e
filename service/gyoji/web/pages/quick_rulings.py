"""``/rule``: a quick ruling at the table. Real cards are tapped, and what is still missing is asked for, a fact at a
time."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Response

from gyoji.app.requests import RequestContext
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.known import NOTHING
from gyoji.games.records import Word, record, tag
from gyoji.messages.game_words import game_words
from gyoji.messages.language import Language
from gyoji.web.pages.templates import in_language, render_page, requested_page_language, words_of, words_of_all_tables
from gyoji.web.routes import Routes

routes = Routes()


@routes.handles("readQuickRuling")
def quick_ruling(_context: RequestContext) -> Response:
    """Handle the page of quick rulings, for every game that can be asked."""
    spoken = requested_page_language().spoken
    return render_page("rule.html", "rule", said=_said(spoken), asked=_asked(spoken))


@cache
def _said(spoken: Language) -> dict[str, Any]:
    """What the script of the page says, of the cards too."""
    return {**words_of("rule-script", spoken), "table": words_of_all_tables(spoken)}


@cache
def _asked(spoken: Language) -> dict[str, Any]:
    """What each game is asked by: its cards, its first fact, and the moves that may be asked about."""
    return {slug: _asked_of(slug, spoken) for slug, game in BY_SLUG.items() if game.questions is not None}


def _asked_of(slug: str, spoken: Language) -> dict[str, Any]:
    game = BY_SLUG[slug]
    options = game.read_options({})
    fact, values = next(iter(game.questions.values(options).items()))
    return {
        "fact": fact,
        "values": [NOTHING if value is None else value for value in values],
        "deck": list(game.questions.deck(options)),
        "choices": in_language(game_words(slug).choices, spoken),
        "moves": [_move(move) for move in game.records.moves if tag(move) in game.questions.moves],
    }


def _move(move: type[Any]) -> Mapping[str, Any]:
    """A move by what has to be chosen for it: a card, and a word where one leads."""
    members = [member for member in record(move).members if member.name not in ("type", "seat")]
    words = {one.name: one.kind.words for one in members if not one.required and isinstance(one.kind, Word)}
    return {"type": tag(move), "card": any(one.name == "card" for one in members), "words": words}
