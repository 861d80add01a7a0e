"""Reads the rulebooks: what each rule id means, in English and Japanese, and the sentences that cite it."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Infraction, Line
from gyoji.messages.language import Language, Sentence, fill_template, messages


class Rulebook:
    """The rulebook of one game, as its ``rulebook.toml`` holds it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.title: Sentence = data["game"]["title"]
        self.source: str = data["game"]["rulebook"]
        self.components: Sequence[Mapping[str, Any]] = data["component"]
        self.rules: Sequence[Mapping[str, Any]] = [_published(entry) for entry in data["rule"]]
        self.words: Mapping[str, Sentence] = data["words"]
        self.prefix: str = self.rules[0]["rule"].partition("-")[0]
        """What the ids of its rules begin with."""
        self._by_id = {entry["rule"]: entry for entry in self.rules}
        self._because: Mapping[str, Sentence] = {**messages()["because"], **data["because"]}
        self._why: Mapping[str, Sentence] = data["why"]

    def rule(self, rule: str) -> Mapping[str, Any] | None:
        """Return the rule or ruling with that id, as it is published."""
        return self._by_id.get(rule)

    def because(self, infraction: Infraction, language: Language) -> str:
        """Say why a move is refused, in one sentence with the facts."""
        return fill_template(
            self._because[infraction.because], {"seat": infraction.seat, **infraction.facts}, self.words, language
        )

    def why(self, line: Line, language: Language) -> str:
        """Say what a score item is for, with its figures, and by how many times a figure counts where that varies."""
        key = f"{line['rule']}.{line['times']}" if "times" in line else line["rule"]
        return fill_template(self._why[key], line, self.words, language)


def _published(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "rule": entry["id"],
        "kind": entry["kind"],
        "heading": entry["heading"],
        "text": entry["text"],
        "print": entry["print"],
        "options": entry["options"],
        "provenance": entry["provenance"],
    }


@cache
def rulebook(slug: str) -> Rulebook:
    """Return the rulebook of the game with that slug."""
    return Rulebook(tomllib.loads(files(BY_SLUG[slug].package).joinpath("rulebook.toml").read_text("utf-8")))
