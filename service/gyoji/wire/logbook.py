"""What was found of the log over all matches, in words."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from gyoji.replay.logbook import Wrong
from gyoji.wire.language import Language, Sentence, filled


@cache
def found_sentences() -> Mapping[str, Sentence]:
    """A sentence for each code."""
    found: Mapping[str, Sentence] = tomllib.loads(files("gyoji.wire").joinpath("logbook.toml").read_text("utf-8"))[
        "found"
    ]
    return found


def found_sentence(wrong: Wrong, language: Language) -> str:
    """What is wrong, and where."""
    return filled(found_sentences()[wrong.reason], {"place": wrong.place}, {}, language)
