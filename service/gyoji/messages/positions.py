"""Lays out positions for a reader at a terminal, in English or Japanese: the seats, and what lies on the table."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from gyoji.log.redaction import Reader
from gyoji.messages.game_words import game_words
from gyoji.messages.language import COMMA, Language, Sentence, insert_facts, word_fact
from gyoji.messages.matches import flatten, is_hidden
from gyoji.messages.rulebooks import rulebook
from gyoji.names import isolate_direction

Document = Mapping[str, Any]
Names = Sequence[str | None]
"""The name of every seat, where it is told."""


class LabelledText(NamedTuple):
    """A labelled part of a position, as text."""

    label: str
    text: str


class SeatLayout(NamedTuple):
    """The part of a laid-out position that belongs to one seat."""

    seat: str
    is_to_act: bool
    has_won: bool
    score: int
    hand: str
    more: list[LabelledText]


class PositionLayout(NamedTuple):
    """A laid-out position."""

    heading: list[str]
    labels: Mapping[str, str]
    """What is said above the columns: ``score`` and ``hand``; and above the rest: ``table``."""
    places: list[SeatLayout]
    state: str
    """Who is to act, or who has won."""
    table: list[LabelledText]


@cache
def _words() -> Mapping[str, Mapping[str, Sentence]]:
    return tomllib.loads(files("gyoji.messages").joinpath("positions.toml").read_text("utf-8"))


def seat_name(seat: int, names: Names, language: Language) -> str:
    """Write a seat by its number, and its name where it is known."""
    said = _words()["heading"]["seat"][language].format(seat=seat)
    name = names[seat] if 0 <= seat < len(names) else None
    return said if name is None else f"{said} {isolate_direction(name)}"


def reader_name(reader: Reader, language: Language) -> str:
    """Name the reader whose view is shown; empty where nothing is hidden."""
    if reader == "full":
        return ""
    return _words()["heading"]["public"][language] if reader == "public" else seat_name(reader, (), language)


def round_heading(number: int, language: Language) -> str:
    """Return the heading of a round."""
    return _words()["heading"]["round_begins"][language].format(round=number)


def final_scores(language: Language) -> str:
    """Return the heading of the final scores."""
    return _words()["heading"]["final"][language]


class PositionWriter:
    """Lays out the positions of one match."""

    def __init__(self, slug: str, language: Language, names: Names) -> None:
        self._book = rulebook(slug)
        self._words = game_words(slug)
        self._language: Language = language
        self._names = names

    def layout(self, view: Document, seq: int) -> PositionLayout:
        """Lay out the position after event ``seq``, as its reader sees it."""
        table = flatten(view["table"])
        phase = word_fact(view["phase"], self._book.words, self._language)
        return PositionLayout(
            [self._say("after", seq=seq), self._say("round", round=view["round"]), phase],
            {label: self._say(label) for label in ("score", "hand", "table")},
            [self._place(view, table, seat) for seat in range(view["seats"])],
            self._state(view),
            [*self._lying(table)],
        )

    def _place(self, view: Document, table: Document, seat: int) -> SeatLayout:
        outcome = view["outcome"]
        more = [
            LabelledText(said[self._language], self._value(table[name][seat]))
            for name, said in self._words.by_seat.items()
            if table.get(name) is not None and table[name][seat] not in (None, False, (), [])
        ]
        return SeatLayout(
            seat_name(seat, self._names, self._language),
            seat in view["to_act"],
            outcome is not None and seat in outcome["winners"],
            view["scores"][seat],
            self._value(table["hands"][seat]),
            more,
        )

    def _state(self, view: Document) -> str:
        outcome = view["outcome"]
        if outcome is None:
            return self._say("to_act", seats=self._seats(view["to_act"]))
        won = self._say("won", seats=self._seats(outcome["winners"]) or self._say("none"))
        rating = outcome.get("rating")
        if rating is None:
            return won
        return f"{won} · {self._say('rating', rating=word_fact(rating, self._book.words, self._language))}"

    def _lying(self, table: Document) -> Iterator[LabelledText]:
        """What belongs to no seat; what is not there is passed over."""
        for name, said in self._words.named.items():
            if table.get(name) is not None:
                seats = table[name] if isinstance(table[name], list | tuple) else [table[name]]
                yield LabelledText(said[self._language], self._seats(seats))
        for name, said in self._words.lying.items():
            if name == "rounds" and table.get(name):
                yield LabelledText(said[self._language], self._rounds(table[name]))
            elif name in table and name != "rounds" and table[name] is not None:
                yield LabelledText(said[self._language], self._value(table[name]))

    def _rounds(self, rounds: Sequence[Any]) -> str:
        """The points of every seat by round, or whoever finished it."""
        told = [
            " ".join(f"{points:+}" for points in kept["points"]) if isinstance(kept, Mapping) else self._seats([kept])
            for kept in rounds
        ]
        return " | ".join(told)

    def _seats(self, seats: Sequence[int]) -> str:
        return COMMA[self._language].join(seat_name(seat, self._names, self._language) for seat in seats)

    def _value(self, value: Any) -> str:
        if value is True:
            return self._say("yes")
        if isinstance(value, Mapping):
            return self._pile(value)
        if isinstance(value, list | tuple):
            return "  ".join(map(self._played, value)) if _is_trick(value) else self._cards(value)
        return word_fact(value, self._book.words, self._language)

    def _pile(self, pile: Document) -> str:
        """A pile that is hidden, a card as it was played, or piles by level."""
        if is_hidden(pile):
            return self._say("cards", count=pile["count"])
        return COMMA[self._language].join(
            self._say("level", key=level, cards=self._value(cards)) for level, cards in sorted(pile.items())
        )

    def _played(self, played: Document) -> str:
        return f"{seat_name(played['seat'], self._names, self._language)}: {played['card']}"

    def _cards(self, cards: Sequence[Any]) -> str:
        return " ".join(map(str, cards)) or self._say("none")

    def _say(self, name: str, **facts: Any) -> str:
        return insert_facts(_words()["heading"][name][self._language], facts)


def _is_trick(value: Sequence[Any]) -> bool:
    return bool(value) and isinstance(value[0], Mapping)
