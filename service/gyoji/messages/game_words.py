"""What is said of one game beside its rulebook, in both languages: its ``words.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import Sentence

Sentences = Mapping[str, Sentence]


class GameWords:
    """The words of one game, as its ``words.toml`` holds them. What it leaves out is empty."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.about: Sentence = data["about"]
        self.disputed: str = data["dispute"]["case"]
        """The conformance case of a move that breaks a rule which players argue about."""
        self.dispute: Sentence = data["dispute"]["question"]
        """What they ask."""
        self.problems: Mapping[str, str] = data.get("problem", {})
        """Of a game that examples are taken from: problem type -> a conformance case that leads to it."""
        self.sections: Sentences = data["section"]
        """What the sections of the rulebook are called, by number."""
        self.options: Sentences = data.get("option", {})
        """What each option decides."""
        self.events: Sentences = data["event"]
        """How each type of event is told; its members stand in braces."""
        self.piles: Sentences = data["pile"]
        """How the piles of a deal are told, by member."""
        self.hidden: Sentences = data.get("hidden", {})
        """What stands in the place of a member that the reader may not know, where that is no card."""
        self.by_seat: Sentences = data["position"].get("seat", {})
        """What members of the table with a value for each seat are called, in the order in which they stand."""
        self.named: Sentences = data["position"].get("named", {})
        """The same of those that name seats."""
        self.lying: Sentences = data["position"]["table"]
        """The same of all others."""
        self.table: Sentences = data["table"]
        """What the drawn table says beside the words of all tables."""
        self.members: Mapping[str, str] = data["member"]
        """What the members of its shapes mean, in English, for the contract."""


@cache
def game_words(slug: str) -> GameWords:
    """The words of the game with that slug."""
    return GameWords(tomllib.loads(files(BY_SLUG[slug].package).joinpath("words.toml").read_text("utf-8")))
