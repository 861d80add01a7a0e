"""Says how a log differs from what the rules make of it, in the words of a table: names of seats and cards.

``verdicts`` names the place by its JSON Pointer where no sentence here fits.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from gyoji.audit.verdicts import Explanation, Table
from gyoji.games.game import Infraction
from gyoji.games.records import MAX_INTEGER
from gyoji.log.parser import AT, is_text, is_whole
from gyoji.messages.card_names import CODE, card_name, name_cards
from gyoji.messages.language import Language, insert_facts
from gyoji.messages.rulebooks import rulebook


class Place(NamedTuple):
    """A kind of places of an event, what stands there, and the sentence for it in each language."""

    at: re.Pattern[str]
    kind: str
    sentence: Mapping[str, str]


class Naming:
    """What the seats and cards of one table are called in one language.

    ``first``: the number of the first seat where seats have no names; 0 in the API, 1 on pages.
    """

    def __init__(self, table: Table, language: Language, first: int = 0) -> None:
        self._table = table
        self._language: Language = language
        self.first = first

    def seat(self, seat: int) -> str:
        """Return what a seat is called: its name, else its number."""
        names = self._table.names
        name = names[seat] if 0 <= seat < len(names) else None
        return insert_facts(_words("one", self._language), {"seat": seat + self.first}) if name is None else name

    def value(self, kind: str, value: Any) -> Any:
        """Return what stands at a place of that kind as people say it; ``None`` where it is something else."""
        if kind == "seat":
            if value is None:
                return _words("none", self._language)
            return self.seat(value) if is_whole(value) else None
        if kind == "card":
            is_card = isinstance(value, str) and CODE.fullmatch(value) and self._table.game is not None
            return card_name(self._table.game or "", value, self._language) if is_card else None
        if kind == "number":
            return str(value) if is_whole(value, -MAX_INTEGER) else None
        return value if kind == "time" and is_text(value, AT) else None


def explain(why: Explanation, table: Table, language: Language, first: int = 0) -> str | None:
    """Return the sentence of an explanation; ``None`` where none but that of its code fits.

    ``first``: as of ``Naming``.
    """
    naming = Naming(table, language, first)
    breach = why.facts.get("breach")
    if isinstance(breach, Infraction) and table.game is not None:
        return _refused(breach, table.game, naming, language)
    if why.code != "differs":
        return None
    return _differs(why.facts, naming, language)


def _differs(facts: Mapping[str, Any], naming: Naming, language: Language) -> str | None:
    for place in places():
        fit = place.at.fullmatch(facts["at"])
        if fit is not None:
            said = {name: naming.value(place.kind, facts.get(name)) for name in ("found", "expected")}
            if place.kind != "other" and None in said.values():
                return None
            return insert_facts(place.sentence[language], {**said, **_owner(fit.groupdict(), naming, language)})
    return None


def _owner(taken: Mapping[str, str | None], naming: Naming, language: Language) -> dict[str, str]:
    """The seat that a pointer names, as ``{seat}`` and ``{whose}``."""
    number = taken.get("seat")
    return {} if number is None else _seat_facts(int(number), naming, language)


def _seat_facts(number: int, naming: Naming, language: Language) -> dict[str, str]:
    seat = naming.seat(number)
    return {"seat": seat, "whose": insert_facts(_words("whose", language), {"seat": seat})}


def _refused(breach: Infraction, game: str, naming: Naming, language: Language) -> str:
    """Why the rules refuse a move, with the names of its cards."""
    facts = name_cards(game, breach.facts, language)
    if "seats" in facts:
        facts["seats"] = [seat + naming.first for seat in facts["seats"]]
    because = rulebook(game).because(breach._replace(seat=breach.seat + naming.first, facts=facts), language)
    return insert_facts(_words("move", language), {"because": because, **_seat_facts(breach.seat, naming, language)})


@cache
def places() -> Sequence[Place]:
    """Return the places that there are sentences for; the first that fits a pointer is its."""
    return [
        Place(re.compile(one["at"]), one["kind"], {"en": one["en"], "ja": one["ja"]}) for one in _sentences()["place"]
    ]


def _words(name: str, language: Language) -> str:
    text: str = _sentences()["seat"][name][language]
    return text


@cache
def _sentences() -> Mapping[str, Any]:
    return tomllib.loads(files("gyoji.messages").joinpath("divergences.toml").read_text("utf-8"))
