"""What was found of the log over all matches, in words."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from gyoji.messages.language import Language, Sentence, filled
from gyoji.trust.transparency.verification import Told, Wrong


@cache
def _sentences() -> Mapping[str, Mapping[str, Sentence]]:
    """A sentence for each code, by table."""
    return tomllib.loads(files("gyoji.messages").joinpath("transparency.toml").read_text("utf-8"))


def found_sentences() -> Mapping[str, Sentence]:
    """A sentence for each reason why something is wrong."""
    return _sentences()["found"]


def found_sentence(wrong: Wrong, language: Language) -> str:
    """What is wrong, and where."""
    return filled(found_sentences()[wrong.reason], {"place": wrong.place}, {}, language)


def told_phrase(told: Told, match: str, language: Language) -> str:
    """What the log tells of a match."""
    return filled(_sentences()["told"][told], {"place": match}, {}, language)
