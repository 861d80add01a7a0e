"""Writes sentences in the caller's language: templates filled with facts."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from gyoji.names import isolate_direction

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")

Sentence = Mapping[str, str]
"""One sentence, by language."""

COMMA: Mapping[Language, str] = {"en": ", ", "ja": "、"}


@cache
def messages() -> Mapping[str, Any]:
    """Return the sentences common to all games, by section and code."""
    return tomllib.loads(files("gyoji.messages").joinpath("messages.toml").read_text("utf-8"))


def message(section: str, code: str, language: Language) -> str:
    """Return one sentence without facts, by section and code."""
    text: str = messages()[section][code][language]
    return text


def fill_template(
    sentence: Sentence, facts: Mapping[str, Any], words: Mapping[str, Sentence], language: Language
) -> str:
    """Fill a sentence's template with facts, worded for people; text written from right to left is isolated."""
    return sentence[language].format_map({name: word_fact(fact, words, language) for name, fact in facts.items()})


def word_fact(fact: Any, words: Mapping[str, Sentence], language: Language) -> str:
    """Word a fact for people: words of the game by name, lists joined."""
    if isinstance(fact, tuple | list):
        return COMMA[language].join(word_fact(item, words, language) for item in fact)
    if isinstance(fact, str) and fact in words:
        return words[fact][language]
    return isolate_direction(str(fact))


def insert_facts(sentence: str, facts: Mapping[str, Any]) -> str:
    """Fill a sentence with facts that are texts or numbers; texts that somebody has written change nothing around
    them."""
    return sentence.format_map(
        {name: isolate_direction(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
    )
