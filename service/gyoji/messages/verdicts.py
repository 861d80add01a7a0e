"""Writes verdicts in the caller's language, and supplies audits with the rules that this service knows."""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

import jsonschema_rs

from gyoji.audit.verdicts import Checked, Explanation, ListedRuling, Table, Verdict
from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game
from gyoji.match.setup import GameVersion, Part
from gyoji.messages.divergences import explain
from gyoji.messages.language import Language, Sentence, fill_template
from gyoji.names import printable
from gyoji.published_files import rule_ids, rules_digest, schema
from gyoji.trust.proofs import CheckedProof


def rules_for(game: str, version: int, digest: str) -> GameVersion | None:
    """Return the rules of a version of a game, if they have that digest; ``audit`` takes this function as its
    rulebook."""
    return _known().get((game, version, digest))


@cache
def _known() -> Mapping[tuple[str, int, str], GameVersion]:
    return {(game.slug, game.version, rules_digest(game.slug)): _rules(game) for game in GAMES}


def _rules(game: Game[Any]) -> GameVersion:
    return GameVersion(game, partial(fits, game.slug), rule_ids(game.slug))


def fits(slug: str, part: Part, value: Any) -> bool:
    """Tell whether plain data has the published shape of one part of a game."""
    try:
        return _validator(slug, part)(value)
    except ValueError:  # more levels than the validator reads
        return False


@cache
def _validator(slug: str, part: Part) -> Callable[[Any], bool]:
    validates: Callable[[Any], bool] = jsonschema_rs.validator_for(schema(f"{slug}/{part}")).is_valid
    return validates


def verdict_document(verdict: Verdict, language: Language, first_seat: int = 0) -> dict[str, Any]:
    """Write a verdict as ``POST /v1/audits`` and ``gyoji audit --json`` give it. Seats without names are counted from
    ``first_seat``."""
    first = verdict.first_divergence
    return {
        "verdict": verdict.verdict,
        "match": verdict.match,
        "first_divergence": None if first is None else first._asdict(),
        "checks": [_checked(checked, verdict.table, language, first_seat) for checked in verdict.checks],
        "rulings": [ruling._asdict() for ruling in verdict.rulings],
    }


def _checked(checked: Checked, table: Table, language: Language, first_seat: int) -> dict[str, Any]:
    why = None
    if checked.why is not None:
        why = explain(checked.why, table, language, first_seat) or reason(checked.why, language)
    return {"check": checked.check, "result": checked.result, "why": why}


def proved_document(proved: CheckedProof, language: Language) -> dict[str, Any]:
    """Write the result of checking a proof as ``gyoji proof check --json`` gives it."""
    return {**proved._asdict(), "why": reason(proved.why, language)}


def reason(why: Explanation, language: Language) -> str:
    """Write a reason as a sentence."""
    return fill_template(sentences()["why"][why.code], why.facts, {}, language)


def ruling_line(ruling: ListedRuling, language: Language) -> str:
    """Write a ruling that a log records as a line."""
    code = "overrides" if ruling.overrides else "stands"
    cited = "" if ruling.rule is None else f" [{printable(ruling.rule)}]"
    return fill_template(sentences()["ruling"][code], {"seq": ruling.seq, "kind": ruling.kind}, {}, language) + cited


@cache
def sentences() -> Mapping[str, Mapping[str, Sentence]]:
    """Return the sentences of verdicts, by section and code."""
    return tomllib.loads(files("gyoji.messages").joinpath("verdicts.toml").read_text("utf-8"))
