"""Sentences in the caller's language: templates filled with facts."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from gyoji.names import isolated

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")

Sentence = Mapping[str, str]
"""One sentence, by language."""

COMMA: Mapping[Language, str] = {"en": ", ", "ja": "、"}


@cache
def messages() -> Mapping[str, Any]:
    """The sentences common to all games, by section and code."""
    return tomllib.loads(files("gyoji.messages").joinpath("messages.toml").read_text("utf-8"))


def message(section: str, code: str, language: Language) -> str:
    """One sentence without facts, by section and code."""
    text: str = messages()[section][code][language]
    return text


def filled(sentence: Sentence, facts: Mapping[str, Any], words: Mapping[str, Sentence], language: Language) -> str:
    """The sentence with every fact put in as a person says it; what is written from right to left is isolated."""
    return sentence[language].format_map({name: worded(fact, words, language) for name, fact in facts.items()})


def worded(fact: Any, words: Mapping[str, Sentence], language: Language) -> str:
    """A fact as a person says it: words of the game by name, lists joined."""
    if isinstance(fact, tuple | list):
        return COMMA[language].join(worded(item, words, language) for item in fact)
    if isinstance(fact, str) and fact in words:
        return words[fact][language]
    return isolated(str(fact))


def put_in(sentence: str, facts: Mapping[str, Any]) -> str:
    """The sentence with facts that are texts as they are to be said, or numbers; whatever was written by somebody
    changes nothing around it."""
    return sentence.format_map(
        {name: isolated(fact) if isinstance(fact, str) else fact for name, fact in facts.items()}
    )
