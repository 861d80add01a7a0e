"""Renders pages: their language, their words, the links on them."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from flask import Response, render_template, request
from markupsafe import Markup

from gyoji.api.media import HTML
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.drawings import drawing
from gyoji.messages.game_words import game_words
from gyoji.messages.language import LANGUAGES, Language, Sentence, insert_facts
from gyoji.messages.rulebooks import rulebook
from gyoji.names import isolate_direction, without_controls
from gyoji.web.requests import language, must_accept
from gyoji.web.responses import page_response

Words = Mapping[str, Any]


@cache
def _words() -> Mapping[str, Mapping[str, Sentence]]:
    return tomllib.loads(files("gyoji.web").joinpath("words.toml").read_text("utf-8"))


@cache
def words_of(table: str, spoken: Language) -> Words:
    """Return one table of ``words.toml`` in one language."""
    return in_language(_words()[table], spoken)


def in_language(sentences: Mapping[str, Sentence], spoken: Language) -> Words:
    """Return sentences by key, in one language."""
    return {key: sentence[spoken] for key, sentence in sentences.items()}


def words_of_table(slug: str, spoken: Language) -> Words:
    """Return the words of one game that ``table.mjs`` needs, and how the game is drawn."""
    said = in_language(game_words(slug).table, spoken)
    return {**said, "title": rulebook(slug).title[spoken], "drawing": drawing(slug).page}


def words_of_player(slug: str, spoken: Language) -> Words:
    """Return the words of one game that a player's table needs, with the headings of its rules and its summary card."""
    return {
        **words_of_table(slug, spoken),
        "rules": {entry["rule"]: entry["heading"][spoken] for entry in rulebook(slug).rules},
        "summary": [{"rule": rule, "text": said[spoken]} for rule, said in game_words(slug).summary.items()],
    }


@cache
def words_of_all_tables(spoken: Language, games: tuple[str, ...] = tuple(BY_SLUG)) -> Words:
    """Return the words that ``table.mjs`` needs: those of every game, and under ``games`` those of each."""
    return {**words_of("table", spoken), "games": {slug: words_of_table(slug, spoken) for slug in games}}


@cache
def words_of_viewer(table: str, spoken: Language, games: tuple[str, ...] = tuple(BY_SLUG)) -> Words:
    """Return the words that the scripts of a page with a viewer need. ``table`` is the page's own table of words,
    ``games`` are those whose words the page has."""
    own = {**words_of("common", spoken), **words_of(table, spoken)}
    return {**own, "viewer": words_of("viewer", spoken), "table": words_of_all_tables(spoken, games)}


@cache
def icon() -> str:
    """Return the icon as a data URL."""
    seal = files("gyoji.web").joinpath("static", "seal.svg").read_text("utf-8").strip()
    return f"data:image/svg+xml,{quote(seal, safe=' =:/')}"


class PageLanguage(NamedTuple):
    """The language of a page, with its words and links, as templates use them."""

    table: str
    spoken: Language
    chosen: bool
    """Whether the URL itself says the language; then the links on the page say it too."""

    def word(self, key: str, /, **facts: object) -> str:
        """Return a sentence of the page, or of all pages, with facts filled in."""
        own = words_of(self.table, self.spoken)
        text: str = own[key] if key in own else words_of("common", self.spoken)[key]
        return insert_facts(text, facts) if facts else text

    def link(self, path: str) -> str:
        """Return a URL of this service, in the language of this page if that was chosen."""
        if not self.chosen:
            return path
        url, mark, fragment = path.partition("#")
        return f"{url}{'&' if '?' in url else '?'}{urlencode({'lang': self.spoken})}{mark}{fragment}"


def render_page(template: str, table: str, /, **facts: Any) -> Response:
    """Render a page in the caller's language: ``?lang=``, else ``Accept-Language``. ``table`` is its table of words."""
    must_accept(HTML)
    look = requested_page_language()._replace(table=table)
    html = render_template(
        template,
        language=look.spoken,
        languages=LANGUAGES,
        w=look.word,
        to=look.link,
        games={slug: rulebook(slug).title[look.spoken] for slug in BY_SLUG},
        signs={slug: drawing(slug).sign for slug in BY_SLUG},
        here=request.path if request.url_rule else "/",
        icon=icon(),
        isolated=isolate_direction,
        **facts,
    )
    return page_response(html, look.spoken)


def escape_directions(value: object) -> object:
    """Make a value safe to be shown by a template: it turns the direction of nothing that stands around it."""
    if not isinstance(value, str) or isinstance(value, Markup) or value.isprintable():
        return value
    return "\n".join(map(without_controls, value.split("\n")))


def requested_page_language() -> PageLanguage:
    """Return the language that the caller wants: ``?lang=``, else ``Accept-Language``."""
    asked = request.args.get("lang")
    for known in LANGUAGES:
        if asked == known:
            return PageLanguage("common", known, chosen=True)
    return PageLanguage("common", language(), chosen=False)
