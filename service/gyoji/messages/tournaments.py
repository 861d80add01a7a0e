"""Writes the texts about tournaments: refusals, and the reasons for figures of the standings."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from gyoji.messages.language import Language, Sentence, fill_template
from gyoji.messages.problems import Answer, problem
from gyoji.tournaments.tie_breaks import FigureItem


@cache
def _sentences() -> Mapping[str, Mapping[str, Sentence]]:
    """A sentence for each code, by table."""
    return tomllib.loads(files("gyoji.messages").joinpath("tournaments.toml").read_text("utf-8"))


def refusals() -> Mapping[str, Sentence]:
    """Return the sentences for why a tournament refuses a change, by code."""
    return _sentences()["refused"]


def lines() -> Mapping[str, Sentence]:
    """Return the sentences for where a figure of the standings comes from, by code."""
    return _sentences()["line"]


def columns() -> Mapping[str, Sentence]:
    """Return the headings of the table of standings."""
    return _sentences()["column"]


def standings_sentences() -> Mapping[str, Sentence]:
    """Return the sentences above the table of standings: by the status of the tournament, and which tables still
    play."""
    return _sentences()["standing"]


def holds() -> Mapping[str, Sentence]:
    """Return the reasons of the rulings by which all matches of a round pause or go on."""
    return _sentences()["hold"]


def stand_in_reason() -> Sentence:
    """Return the reason of the ruling by which a stand-in plays on for an entrant who has forfeited."""
    return _sentences()["no_show"]["stand_in"]


def faults() -> Mapping[str, Sentence]:
    """Return the sentences for what is wrong with tables that were made by hand, by code."""
    return _sentences()["fault"]


def tournament_refused(reason: str, facts: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Write the problem 409: the tournament refuses a change, and stays as it is. What is wrong with tables that were
    made by hand is listed fault by fault."""
    wrong = [_fault(fault, language) for fault in facts.get("faults", ())]
    said = {**{name: _said(fact) for name, fact in facts.items()}, "faults": tuple([fault["why"] for fault in wrong])}
    because = fill_template(refusals()[reason], said, {}, language)
    refused = problem("tournament-refused", instance, language, {"because": because})
    return Answer(refused.status, {**refused.body, "reason": reason, "because": because, "faults": wrong})


def _fault(fault: Mapping[str, Any], language: Language) -> dict[str, Any]:
    return {
        "code": fault["code"],
        "table": fault.get("table") or None,  # 0 is a bye
        "entrant": fault.get("entrant"),
        "why": fill_template(faults()[fault["code"]], fault, {}, language),
    }


def _said(fact: Any) -> Any:
    """A fact as a person says it; tables by their round and number, and nothing as a dash."""
    if isinstance(fact, Mapping):
        return "-".join(str(part) for part in fact.values())
    return (tuple(_said(part) for part in fact) or "–") if isinstance(fact, list | tuple) else fact


def why(line: FigureItem, names: Mapping[str, str], language: Language) -> str:
    """Say where an item of a figure comes from; ``names`` are those of entrants by their ids."""
    facts = {name: names.get(fact, fact) if name == "entrant" else fact for name, fact in line.facts.items()}
    shared = line.what == "place" and line.facts["first"] != line.facts["last"]
    return fill_template(lines()["shared-place" if shared else line.what], facts, {}, language)
