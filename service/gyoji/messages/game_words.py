"""Reads the words of one game beside its rulebook, in both languages: its ``words.toml``."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import DEALT, Game
from gyoji.games.known import NOTHING
from gyoji.games.records import Many, Member, Record, record, tag
from gyoji.messages.drawings import drawing
from gyoji.messages.language import LANGUAGES, Sentence
from gyoji.messages.rulebooks import rulebook

Sentences = Mapping[str, Sentence]


class GameWords:
    """The words of one game, as its ``words.toml`` holds them. Sections that are left out are empty."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.about: Sentence = data["about"]
        self.disputed: str = data["dispute"]["case"]
        """The conformance case of a move that breaks a rule which players argue about."""
        self.dispute: Sentence = data["dispute"]["question"]
        """What they ask."""
        self.problems: Mapping[str, str] = data.get("problem", {})
        """Of a game that examples are taken from: problem type -> a conformance case that leads to it."""
        self.summary: Sentences = data.get("summary", {})
        """The summary card: what is looked up at the table, by the id of the rule."""
        self.sections: Sentences = data.get("section", {})
        """What the sections of the rulebook are called, by number."""
        self.options: Sentences = data.get("option", {})
        """What each option decides."""
        self.events: Sentences = data.get("event", {})
        """How each type of event is told; its members stand in braces."""
        self.unseen: Sentences = data.get("unseen", {})
        """How those are told of which the reader may not know all."""
        self.piles: Sentences = data.get("pile", {})
        """How the piles of a deal are told, by member."""
        self.hidden: Sentences = data.get("hidden", {})
        """What stands in the place of a member that the reader may not know, where that is no card."""
        position: Mapping[str, Sentences] = data.get("position", {})
        self.by_seat: Sentences = position.get("seat", {})
        """What members of the table with a value for each seat are called, in the order in which they stand."""
        self.named: Sentences = position.get("named", {})
        """The same of those that name seats."""
        self.lying: Sentences = position.get("table", {})
        """The same of all others."""
        self.table: Sentences = data.get("table", {})
        """What the drawn table says beside the words of all tables."""
        question: Mapping[str, Sentences] = data.get("question", {})
        self.asked: Sentences = question.get("asked", {})
        """What is asked for each fact of a question that is not known, to be answered with yes or no."""
        self.permitted: Sentences = question.get("permitted", {})
        """Why a move is legal, by the reasons that the game gives."""
        self.choices: Sentences = question.get("choice", {})
        """What the page of quick rulings says: what each fact is asked by, and what of it is no card."""
        self.members: Mapping[str, str] = data.get("member", {})
        """What the members of its shapes mean, in English, for the contract."""


@cache
def game_words(slug: str) -> GameWords:
    """Return the words of the game with that slug."""
    return GameWords(tomllib.loads(files(BY_SLUG[slug].package).joinpath("words.toml").read_text("utf-8")))


def missing_words(game: Game[Any]) -> list[str]:
    """Lists what the game has and its words do not say, each as the table of ``words.toml`` and the name in it."""
    words, rules = game_words(game.slug), rulebook(game.slug)
    phases, dealt = game.phases[:-1], next(one for one in game.records.events if tag(one) == DEALT)
    parts = (part for rule in rules.rules for part in [rule["rule"].partition("-")[2].partition(".")[0]])
    moves = [tag(move) for move in game.records.moves if tag(move) != "play"]  # every table has a word for that
    asked: dict[str, tuple[list[str], Sentences]] = {
        "section": ([part for part in dict.fromkeys(parts) if part.isdecimal()], words.sections),
        "option": ([member.name for member in game.records.codec.options.members], words.options),
        "event": ([tag(event) for event in game.records.events], words.events),
        "pile": ([member.name for member in record(dealt).members if isinstance(member.kind, Many)], words.piles),
        "position.…": ([*_named(game.records.codec.table)], {**words.by_seat, **words.named, **words.lying}),
        "table": (
            [*(f"phase_{name}" for name in phases), *(f"suit_{suit}" for suit in drawing(game.slug).page["suits"])],
            words.table,
        ),
    }
    missing = [
        f"[{table}] {name}" for table, (names, said) in asked.items() for name in names if not _is_said(said, name)
    ]
    missing += [f"[table] move_{move}" for move in moves if not _has_move(words.table, move)]
    return missing if game.questions is None else [*missing, *_missing_of_questions(game, words)]


def _missing_of_questions(game: Game[Any], words: GameWords) -> Iterator[str]:
    """The words without which no question can be answered: what is asked for each fact, and why moves are legal."""
    cards = {*game.questions.deck(game.read_options({}))}
    for fact, values in game.questions.values(game.read_options({})).items():
        found = {fact if value in cards else f"{fact}_{value or NOTHING}": None for value in values}
        yield from (f"[question.asked] {name}" for name in found if not _is_said(words.asked, name))
    first, values = next(iter(game.questions.values(game.read_options({})).items()))
    choices = (first, *(f"{first}_{NOTHING}" for value in values if value is None))
    yield from (f"[question.choice] {name}" for name in choices if not _is_said(words.choices, name))
    for name in game.questions.permitted:
        if not _is_said(words.permitted, name):
            yield f"[question.permitted] {name}"


def _is_said(said: Sentences, name: str) -> bool:
    return name in said and all(said[name].get(language, "").strip() for language in LANGUAGES)


def _has_move(table: Sentences, move: str) -> bool:
    """Whether the move has a word, or one for when it has a certain member."""
    return any(_is_said(table, name) for name in table if f"{name}_".startswith(f"move_{move}_"))


def _named(table: tuple[Member, ...]) -> Iterator[str]:
    """The members of the table that have to be called something. Hands stand in a column of their own, and what is kept
    of earlier rounds can be told as points or as a seat alone, so that it may be left out."""
    for member in table:
        if isinstance(member.kind, Record):
            yield from _named(member.kind.members)
        elif member.name not in ("hands", "rounds"):
            yield member.name
