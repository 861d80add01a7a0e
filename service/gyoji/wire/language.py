"""Sentences in the caller's language: templates filled with facts."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")

Sentence = Mapping[str, str]
"""One sentence, by language."""

COMMA: Mapping[Language, str] = {"en": ", ", "ja": "、"}


@cache
def messages() -> Mapping[str, Any]:
    """The sentences common to all games, by section and code."""
    return tomllib.loads(files("gyoji.wire").joinpath("messages.toml").read_text("utf-8"))


def message(section: str, code: str, language: Language) -> str:
    """One sentence without facts, by section and code."""
    text: str = messages()[section][code][language]
    return text


def filled(sentence: Sentence, facts: Mapping[str, Any], words: Mapping[str, Sentence], language: Language) -> str:
    """The sentence with every fact put in as a person says it."""
    return sentence[language].format_map({name: worded(fact, words, language) for name, fact in facts.items()})


def worded(fact: Any, words: Mapping[str, Sentence], language: Language) -> str:
    """A fact as a person says it: words of the game by name, lists joined."""
    if isinstance(fact, tuple | list):
        return COMMA[language].join(worded(item, words, language) for item in fact)
    if isinstance(fact, str) and fact in words:
        return words[fact][language]
    return str(fact)
