"""A log told move by move, in English or Japanese: who did what, and by which rule."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from gyoji.wire.language import COMMA, Language, Sentence, worded
from gyoji.wire.rulebooks import Rulebook

Document = Mapping[str, Any]


@cache
def _sentences() -> Mapping[str, Mapping[str, Sentence]]:
    return tomllib.loads(files("gyoji.cli").joinpath("telling.toml").read_text("utf-8"))


class Telling:
    """The words of one game in one language."""

    def __init__(self, book: Rulebook, language: Language) -> None:
        self._book = book
        self._language: Language = language

    def entry(self, document: Document) -> list[str]:
        """A log event, as its reader sees it: a line for each thing that happened."""
        return [f"{document['seq']:>5}  {line}" if at == 0 else f"       {line}" for at, line in self._lines(document)]

    def _lines(self, document: Document) -> Iterator[tuple[int, str]]:
        return enumerate(_printable(line) for line in self._told(document))

    def _told(self, document: Document) -> Iterator[str]:
        kind, data, actor = document["type"], document["data"], document["actor"]
        if kind == "match_created":
            yield from self._created(data)
        elif kind == "seed_disclosed":
            yield self._say("log", "seed_kept" if data["server_secret"] is None else "seed_disclosed")
        elif kind == "match_finished":
            yield self._say("log", kind)
        elif kind in ("entropy_committed", "entropy_revealed"):
            yield self._say("log", f"{kind}_{actor['role']}", **actor)
        elif "missing" in data:
            missing = COMMA[self._language].join(_texts(data["missing"]))
            yield self._say("log", f"{kind}_{data['reason']}" if kind == "match_voided" else "missing", seats=missing)
        for event in data.get("events", ()):
            yield from self._event(event)
        if "position" in data:
            yield from self._piles({"hands": data["position"]["table"]["hands"]})
        if actor["role"] == "operator" and "seat" in actor:
            yield self._say("log", "by_operator")

    def _created(self, data: Document) -> Iterator[str]:
        options = orjson.dumps(data["options"]).decode()
        yield self._say("log", "match_created", seats=data["seats"], first=data["first"], options=options)
        names = data["names"]
        if isinstance(names, list):
            named = COMMA[self._language].join(f"{seat} {name}" for seat, name in enumerate(names) if name is not None)
            yield self._say("log", "names", names=named)
        withheld = data.get("withheld_until")
        if withheld is not None:
            yield self._say("log", "withheld_group" if withheld == "group" else "withheld_time", until=withheld)
        if "from" in data:
            yield self._say("log", "fork", seq=data["from"]["seq"], match=data["from"]["match"])

    def _event(self, event: Document) -> Iterator[str]:
        facts = {**event, **event.get("totals", {})}
        said = self._say("event", event["type"], **{name: self._worded(name, fact) for name, fact in facts.items()})
        yield f"{said} [{event['rule']}]" if "rule" in event else said
        if event["type"] == "hands_dealt":
            yield from self._piles(event)
        for line in event.get("lines", ()):
            why = self._book.why(line, self._language)
            yield f"  [{line['rule']}] {self._say('log', 'line', **line)} {why}"

    def _piles(self, dealt: Document) -> Iterator[str]:
        """Where the cards of a deal lie, as far as they may be told."""
        lying = {**dealt, **dealt.get("coffee", {})}
        for name in _sentences()["piles"]:
            if name in lying:
                for key, cards in _by_key(name, lying[name]):
                    yield "  " + self._say("piles", name, key=key, cards=self._cards(cards))

    def _worded(self, name: str, fact: Any) -> str:
        if fact is None:
            return self._say("hidden", "wish" if name == "wish" else "card")
        return self._cards(fact) if name in ("cards", "errands") else worded(fact, self._book.words, self._language)

    def _cards(self, cards: Any) -> str:
        """Cards by their codes, or how many they are."""
        if isinstance(cards, Mapping):
            return self._say("hidden", "cards", count=cards["count"])
        if isinstance(cards, str):
            return cards
        return " ".join(_texts(cards)) or self._say("hidden", "none")

    def _say(self, section: str, name: str, /, **facts: Any) -> str:
        return _sentences()[section][name][self._language].format_map(facts)


def _by_key(name: str, held: Any) -> Iterable[tuple[Any, Any]]:
    """What lies by seat or by level, or all of it at once."""
    if name == "piles":
        return sorted(held.items())
    return enumerate(held) if name in ("hands", "unused") else [("", held)]


def _texts(cards: Sequence[Any]) -> list[str]:
    return [str(card) for card in cards]


def _printable(line: str) -> str:
    """A line that no stranger's file can make into commands to the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


def position_table(view: Document) -> str:
    """A position as a compact table: first the envelope, then what lies on the table."""
    rows = [(name, value) for name, value in view.items() if name not in ("table", "options", "seed")]
    rows += [("seed", view["seed"])] if view["seed"] is not None else []
    return "\n".join(_rows(rows, "") + _rows(view["table"].items(), "  "))


def _rows(rows: Any, indent: str) -> list[str]:
    return [f"{indent}{name:14}{_compact(value)}" for name, value in rows]


def _compact(value: Any) -> str:
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, Mapping) and value.keys() == {"count"}:
        return f"({value['count']})"
    if isinstance(value, list | tuple):
        nested = any(isinstance(item, list | tuple | Mapping) for item in value)
        return (" | " if nested else " ").join(_compact(item) for item in value) or "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_compact(inner)}" for name, inner in value.items())
    return "-" if value is None else str(value)
