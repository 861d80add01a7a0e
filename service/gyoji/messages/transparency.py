"""Writes in both languages what is wrong with a transparency log, and what it holds of a match."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from gyoji.messages.language import Language, Sentence, fill_template
from gyoji.trust.transparency.faults import LogFault
from gyoji.trust.transparency.match_facts import MatchExtent


@cache
def _sentences() -> Mapping[str, Mapping[str, Sentence]]:
    """A sentence for each code, by table."""
    return tomllib.loads(files("gyoji.messages").joinpath("transparency.toml").read_text("utf-8"))


def fault_sentences() -> Mapping[str, Sentence]:
    """Return a sentence for each kind of fault of a transparency log."""
    return _sentences()["found"]


def fault_sentence(fault: LogFault, language: Language) -> str:
    """Say what is wrong with a log, and where."""
    return fill_template(fault_sentences()[fault.reason], {"place": fault.place}, {}, language)


def extent_phrase(extent: MatchExtent, match: str, language: Language) -> str:
    """Say what a log holds of a match."""
    return fill_template(_sentences()["told"][extent], {"place": match}, {}, language)
