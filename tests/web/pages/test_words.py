"""The words of the pages: both languages say the same facts, and scripts ask for no word that is not there."""

import re
import tomllib
from importlib.resources import files
from typing import get_args

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.match.clocks import Expiry
from gyoji.match.rulings.kind import Kind
from gyoji.match.state import ResultBy
from gyoji.messages.game_words import game_words
from gyoji.messages.language import LANGUAGES

WEB = files("gyoji.web")
GAMES = {f"table-{slug}": game_words(slug).table for slug in BY_SLUG}
WORDS = {**tomllib.loads(WEB.joinpath("words.toml").read_text("utf-8")), **GAMES}
TABLES = [*GAMES]

SAID: dict[str, tuple[str, tuple[str, ...]]] = {
    "match": (r'\bsay\("([\w-]+)"', ("match", "common")),
    "match-head": (r'\bsay\("([\w-]+)"', ("match", "common")),
    "match-links": (r'\bsay\("([\w-]+)"', ("match", "common")),
    "clocks": (r'\bsay\("([\w-]+)"', ("match", "common")),
    "ruling": (r'\bsay\("([\w-]+)"', ("ruling",)),
    "ruling-book": (r'\bsay\("([\w-]+)"', ("ruling",)),
    "ruling-fields": (r'\bsay\("([\w-]+)"', ("ruling",)),
    "viewer": (r'\bsay\("([\w-]+)"', ("viewer",)),
    "steps": (r'\bsay\("([\w-]+)"', ("viewer",)),
    "scores": (r'\bsay\("([\w-]+)"', ("viewer",)),
    "setup": (r'\bsay\("([\w-]+)"', ("setup-script", "common")),
    "new-tournament": (r'\bsay\("([\w-]+)"', ("setup-script", "common")),
    "projector": (r'\bsay\("([\w-]+)"', ("projector", "tournament", "common")),
    "join": (r'\bsay\("([\w-]+)"', ("join",)),
    "slips": (r'\bsay\("([\w-]+)"', ("join",)),
    "place": (r'\bsay\("([\w-]+)"', ("place",)),
    "new-match": (r'\bsay\("([\w-]+)"', ("setup-script", "common")),
    "table": (r'\bsay\("([\w-]+)"', ("table", *TABLES)),
    "cards": (r'\bsay\(words, game, "([\w-]+)"', ("table", *TABLES)),
}
"""Scripts whose pages have no such test of their own: how they ask for words, and of which tables."""


def test_both_languages_have_every_word_and_put_the_same_facts_in() -> None:
    for table, words in WORDS.items():
        for key, sentence in words.items():
            assert sentence.keys() == set(LANGUAGES), (table, key)
            assert all(text.strip() for text in sentence.values()), (table, key)
            facts = {language: set(re.findall(r"\{(\w+)\}", sentence[language])) for language in LANGUAGES}
            assert facts["en"] == facts["ja"], (table, key)


def test_a_word_that_a_game_has_in_place_of_a_common_one_says_the_same_facts() -> None:
    for table in TABLES:
        for key in WORDS[table].keys() & WORDS["table"].keys():
            assert re.findall(r"\{\w+\}", WORDS[table][key]["en"]) == re.findall(r"\{\w+\}", WORDS["table"][key]["en"])


@pytest.mark.parametrize("script", SAID)
def test_a_script_asks_for_no_word_that_is_not_there(script: str) -> None:
    pattern, tables = SAID[script]
    asked = set(re.findall(pattern, WEB.joinpath("static", f"{script}.mjs").read_text("utf-8")))
    known = {key for table in tables for key in WORDS[table]}
    assert len(asked) > 3
    assert asked - known == set()


def test_words_whose_keys_are_put_together_are_there() -> None:
    """By role, by status, and by what a key of the keyboard does, by kind of ruling."""
    match = WORDS["match"]
    assert {
        f"role_{role}" for role in ("seat", "spectator", "director", "operator", "referee", "auditor")
    } <= match.keys()
    statuses = ("seeding", "playing", "paused", "finished", "withheld", "voided")
    assert {f"status_{status}" for status in statuses} <= match.keys()
    assert {f"clock_{said}" for said in ("runs", "still", "paused", "flag", *get_args(Expiry))} <= match.keys()
    assert {f"result_by_{by}" for by in get_args(ResultBy) if by != "play"} <= match.keys()
    kinds = {f"{said}_{kind}" for said in ("kind", "about") for kind in get_args(Kind)}
    assert kinds <= WORDS["ruling"].keys()
    assert {f"audience_{who}" for who in ("all", "some", "none")} <= WORDS["ruling"].keys()
    assert {f"line_{line}{more}" for line in ("played", "ruled") for more in ("", "_about")} <= WORDS["viewer"].keys()
    assert {f"keys_{what}" for what in ("step", "landmark", "ends", "space", "help", "swipe")} <= WORDS["viewer"].keys()
