"""Writes the events of a log as sentences, in English or Japanese: who did what, and by which rule."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import orjson

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import DEALT
from gyoji.games.records import MAX_INTEGER, MOST_SEATS, Kind, Many, Member, Number, Record, Text, Word, record, tag
from gyoji.messages.card_names import card_name
from gyoji.messages.game_words import game_words
from gyoji.messages.language import COMMA, Language, Sentence, insert_facts, word_fact
from gyoji.messages.rulebooks import rulebook
from gyoji.names import isolate_direction

Document = Mapping[str, Any]

SEATED = re.compile(r"(?:[Ss]eats? |席)\{(\w+)\}")
"""Where a sentence puts in a seat, or several: its number, with the word for it before it."""


class EventSentence(NamedTuple):
    """One thing that happened in a match, as a sentence."""

    text: str
    rule: str | None = None
    """The id of the rule by which it happened."""
    detail: bool = False
    """Whether it says more of what was told before it: a hand that was dealt, a line of a score."""
    deals: int | None = None
    """The round that begins with it."""


@cache
def _sentences() -> Mapping[str, Mapping[str, Sentence]]:
    return tomllib.loads(files("gyoji.messages").joinpath("matches.toml").read_text("utf-8"))


@cache
def _usual_options(slug: str) -> Document:
    """The options of a game as they are where nobody has chosen, as plain data."""
    game = BY_SLUG[slug]
    usual: Document = orjson.loads(orjson.dumps(game.write_options(game.read_options({}))))
    return usual


class Narrator:
    """Writes the events of one game's logs as sentences in one language: with seats by number and cards by code, or,
    for people at a table, both by their names."""

    def __init__(self, slug: str, language: Language, seats: Sequence[str] | None = None) -> None:
        """``seats``: what the seats are called; ``None``: numbers and codes."""
        self._called = seats
        self._cards_of_events = _members_with_cards(slug)
        self._slug = slug
        self._book = rulebook(slug)
        self._words = game_words(slug)
        self._codes = _lists_of_codes(slug)
        self._language: Language = language
        self._usual: Document = _usual_options(slug)

    def sentences(self, document: Document) -> Iterator[EventSentence]:
        """Write a log event, as its reader sees it, as sentences: everything that happened, in order.

        Raises one of ``UNFOLDABLE`` where the event is none that a service writes.
        """
        kind, data, actor = document["type"], document["data"], document["actor"]
        if kind == "match_created":
            yield from self._created(data)
        elif kind == "ruling_made":
            yield from self._ruled(data)
        else:
            yield from self._happened(kind, data, actor)
        for event in data.get("events", ()):
            yield from self._event(event)
        if "position" in data:
            yield from self._piles({"hands": data["position"]["table"]["hands"]})
        if actor["role"] == "operator" and "seat" in actor:
            yield self._log("by_operator")

    def _happened(self, kind: str, data: Document, actor: Document) -> Iterator[EventSentence]:
        """What one sentence says; nothing of a move, which its own events tell."""
        if kind == "seed_disclosed":
            yield self._log("seed_kept" if data["server_secret"] is None else "seed_disclosed")
        elif kind == "match_finished":
            yield self._over(data)
        elif kind == "clock_expired":
            yield self._log(f"{kind}_{data['then']}", seats=self._seats(data["seats"]))
        elif kind in ("match_paused", "match_resumed"):
            yield self._log(kind)
        elif kind in ("entropy_committed", "entropy_revealed"):
            yield self._log(f"{kind}_{actor['role']}", **actor)
        elif "missing" in data:
            missing = self._seats(data["missing"])
            yield self._log(f"{kind}_{data['reason']}" if kind == "match_voided" else "missing", seats=missing)

    def _created(self, data: Document) -> Iterator[EventSentence]:
        yield self._log("match_created", seats=data["seats"], first=data["first"])
        chosen = [
            f"{name} {orjson.dumps(value).decode()}"
            for name, value in data["options"].items()
            if name not in self._usual or self._usual[name] != value
        ]
        if chosen:
            yield self._log("options", options=COMMA[self._language].join(chosen))
        names = data["names"]
        if isinstance(names, list):
            sits = [(seat, isolate_direction(str(name))) for seat, name in enumerate(names) if name is not None]
            listed = [name if self._called is not None else f"{seat} {name}" for seat, name in sits]
            yield self._log("names", names=COMMA[self._language].join(listed))
        if "clock" in data:
            yield self._clock(data["clock"])
        withheld = data.get("withheld_until")
        if withheld is not None:
            yield self._log("withheld_group" if withheld == "group" else "withheld_time", until=withheld)
        if "from" in data:
            yield self._log("fork", seq=data["from"]["seq"], match=data["from"]["match"])

    def _clock(self, clock: Document) -> EventSentence:
        """How time is kept, and what a claim does once it is up."""
        seconds = {name.removesuffix("_ms"): (ms or 0) // 1000 for name, ms in clock.items() if name.endswith("_ms")}
        return self._log("clock", **seconds, on_expiry=self._say("log", f"on_expiry_{clock['on_expiry']}"))

    def _over(self, data: Document) -> EventSentence:
        result = data.get("result")
        if result is None:
            return self._log("match_finished")
        scores = self._by_seat(result["scores"])
        return self._log(f"result_{result['by']}", scores=scores, winners=self._seats(result["winners"]))

    def _ruled(self, data: Document) -> Iterator[EventSentence]:
        """What a referee has ruled, by which rule, and why as far as the reader may know."""
        facts = {**data.get("move", {}), **data["ruling"]}
        said = {name: self._ruling_fact(name, fact) for name, fact in facts.items()}
        yield EventSentence(self._say("log", f"ruling_{facts['kind']}", **said), data["rule"])
        if data["reason"] is not None:
            yield EventSentence(self._say("log", "ruling_reason", reason=data["reason"]), detail=True)

    def _ruling_fact(self, name: str, fact: Any) -> Any:
        if name in ("seats", "winners"):
            return self._seats(fact)
        if name == "scores":
            return self._say("log", "as_they_are") if fact is None else self._by_seat(fact)
        if name == "name" and fact is None:
            return self._say("log", "somebody_else")
        return fact // 1000 if name == "add_ms" else fact

    def _event(self, event: Document) -> Iterator[EventSentence]:
        kind, members = event["type"], flatten(event)
        is_unseen = kind in self._words.unseen and None in members.values()
        template = (self._words.unseen if is_unseen else self._words.events)[kind][self._language]
        said = self._insert(template, members, lambda name, fact: self._worded(kind, name, fact))
        yield EventSentence(said, event.get("rule"), deals=event["round"] if kind == DEALT else None)
        if kind == DEALT:
            yield from self._piles(event)
        for line in event.get("lines", ()):
            why = self._book.why(line, self._language)
            yield EventSentence(f"{self._say('log', 'line', **line)} {why}", line["rule"], detail=True)

    def _piles(self, dealt: Document) -> Iterator[EventSentence]:
        """Where the cards of a deal lie, as far as they may be told."""
        lying = flatten(dealt)
        for name, sentence in self._words.piles.items():
            if name in lying:
                for key, cards in _by_key(lying[name]):
                    facts = {"key": key, "cards": self._cards(cards, (DEALT, name))}
                    yield EventSentence(self._insert(sentence[self._language], facts), detail=True)

    def _worded(self, kind: str, name: str, fact: Any) -> str:
        if fact is None:
            own = self._words.hidden.get(name)
            return self._say("hidden", "card") if own is None else own[self._language]
        if (kind, name) in self._codes:
            return self._cards(fact, (kind, name))
        if isinstance(fact, str) and self._is_named((kind, name)):
            return self._card(fact)
        if isinstance(fact, list | tuple) and (kind, name) in _figures_by_seat(self._slug):
            return self._by_seat(fact)
        return word_fact(fact, self._book.words, self._language)

    def _by_seat(self, figures: Sequence[Any]) -> str:
        """A figure of each seat, or the one of a team."""
        if self._called is None:
            return word_fact(figures, self._book.words, self._language)
        listed = [str(figure).replace("-", "−") for figure in figures]
        if BY_SLUG[self._slug].cooperative and len(set(listed)) == 1:
            return listed[0]
        return COMMA[self._language].join(f"{self._names(seat)} {figure}" for seat, figure in enumerate(listed))

    def _is_named(self, member: tuple[str, str]) -> bool:
        """Whether that member of an event is a card, or cards, and these are called by their names."""
        return self._called is not None and member in self._cards_of_events

    def _card(self, code: str) -> str:
        return card_name(self._slug, code, self._language)

    def _cards(self, cards: Any, member: tuple[str, str]) -> str:
        """Cards by their codes or names, or how many they are."""
        if isinstance(cards, Mapping):
            return self._say("hidden", "cards", count=cards["count"])
        if isinstance(cards, str):
            return self._card(cards) if self._is_named(member) else cards
        listed = _texts(cards)
        if self._is_named(member):
            return COMMA[self._language].join(map(self._card, listed)) or self._say("hidden", "none")
        return " ".join(listed) or self._say("hidden", "none")

    def _seats(self, seats: Sequence[int]) -> str:
        if not seats:
            return self._say("seats", "none")
        if self._called is not None:
            return self._names(seats)
        listed = self._say("seats", "between").join(_texts(seats))
        return self._say("seats", "one" if len(seats) == 1 else "several", seats=listed)

    def _log(self, name: str, /, **facts: Any) -> EventSentence:
        return EventSentence(self._say("log", name, **facts))

    def _say(self, section: str, name: str, /, **facts: Any) -> str:
        return self._insert(_sentences()[section][name][self._language], facts)

    def _insert(
        self, sentence: str, facts: Document, worded: Callable[[str, Any], Any] = lambda _name, fact: fact
    ) -> str:
        """Fill a sentence with facts; seats stand there by their names, where these are known."""
        if self._called is None:
            return insert_facts(sentence, {name: worded(name, fact) for name, fact in facts.items()})
        seated = set(SEATED.findall(sentence))
        said = {name: self._names(fact) if name in seated else worded(name, fact) for name, fact in facts.items()}
        return insert_facts(SEATED.sub(r"{\1}", sentence), said)

    def _names(self, seats: Any) -> str:
        """What one seat, or several, are called; what is no seat of the table stays as it is."""
        called = self._called or ()
        known = {seat: isolate_direction(name) for seat, name in enumerate(called)}
        listed = seats if isinstance(seats, list | tuple) else [seats]
        return COMMA[self._language].join(
            known[seat] if isinstance(seat, int) and seat in known else str(seat) for seat in listed
        )


@cache
def _lists_of_codes(slug: str) -> frozenset[tuple[str, str]]:
    """The members of events that are lists of codes: type and name."""
    return frozenset(
        [
            (tag(one), member.name)
            for one in BY_SLUG[slug].records.events
            for member in record(one).members
            if isinstance(member.kind, Many) and isinstance(member.kind.item, Word | Text)
        ]
    )


@cache
def _members_with_cards(slug: str) -> frozenset[tuple[str, str]]:
    """The members of events that are cards, or lists of them: type and name. What has another name in the contract is
    something else."""
    return frozenset(
        [
            (event, member.name)
            for event, member in _members(slug)
            if isinstance(kind := _item(member.kind), Word | Text) and (kind.name or "Card").endswith("Card")
        ]
    )


@cache
def _figures_by_seat(slug: str) -> frozenset[tuple[str, str]]:
    """The members of events that have a number for each seat, as scores and points have: type and name."""
    return frozenset([(event, member.name) for event, member in _members(slug) if _is_by_seat(member.kind)])


def _is_by_seat(kind: Kind) -> bool:
    if not isinstance(kind, Many) or not isinstance(kind.item, Number):
        return False
    return kind.by_seat or (kind.item.low, kind.most) == (-MAX_INTEGER, MOST_SEATS)


def _members(slug: str) -> Iterator[tuple[str, Member]]:
    """The members of events, and those of the records in them, with the type of the event."""
    for one in BY_SLUG[slug].records.events:
        waiting = [*record(one).members]
        for member in waiting:
            kind = _item(member.kind)
            if isinstance(kind, Record):
                waiting += kind.members
            yield tag(one), member


def _item(kind: Kind) -> Kind:
    """What lists, and lists of lists, are of."""
    while isinstance(kind, Many):
        kind = kind.item
    return kind


def flatten(held: Document) -> Document:
    """Return the members of an object together with the members of the objects in it."""
    inner = [value for value in held.values() if isinstance(value, Mapping) and not is_hidden(value)]
    return {name: value for members in (*inner, held) for name, value in members.items()}


def is_hidden(value: Document) -> bool:
    """Tell whether a value is the placeholder of a pile that the reader may not know."""
    return value.keys() == {"count"}


def _by_key(held: Any) -> Iterable[tuple[Any, Any]]:
    """What lies in several piles, by seat or by their names, or all of it at once."""
    if isinstance(held, Mapping) and not is_hidden(held):
        return sorted(held.items())
    is_several = isinstance(held, list | tuple) and any(isinstance(pile, list | tuple | Mapping) for pile in held)
    return enumerate(held) if is_several else [("", held)]


def _texts(listed: Sequence[Any]) -> list[str]:
    return [str(each) for each in listed]
