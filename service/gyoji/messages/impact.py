"""Writes the impact of another version of the rules on a match, as a document and in words."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any

from gyoji.audit.impact import Forbidden, Impact
from gyoji.games.catalogue import BY_VERSION
from gyoji.match.setup import GameVersion
from gyoji.match.state import Result
from gyoji.messages.language import Language, Sentence, fill_template
from gyoji.messages.verdicts import fits
from gyoji.published_files import rule_ids

Versions = Mapping[str, tuple[int, ...]]


def versions() -> Versions:
    """Return the versions of every game, by slug."""
    found: dict[str, tuple[int, ...]] = {}
    for slug, version in BY_VERSION:
        found[slug] = tuple(sorted((*found.get(slug, ()), version)))
    return found


@cache
def rules_of(slug: str, version: int) -> GameVersion | None:
    """Return the rules of a version of a game, whatever their digest; ``None`` where there is no such version."""
    game = BY_VERSION.get((slug, version))
    return None if game is None else GameVersion(game, partial(fits, slug), rule_ids(slug))


@cache
def _sentences() -> Mapping[str, Mapping[str, Sentence]]:
    return tomllib.loads(files("gyoji.messages").joinpath("impact.toml").read_text("utf-8"))


def impact_document(impact: Impact, language: Language) -> dict[str, Any]:
    """Write the impact of other rules on a match, as ``gyoji audit --rules --json`` gives it."""
    scores, result, left = impact.scores, impact.result, impact.left
    return {
        "changes": impact.is_change,
        "illegal": [{**one._asdict(), "why": _unlawful(one, language)} for one in impact.unlawful],
        "scores": None if scores is None else scores._asdict(),
        "result": None if result is None else dict(zip(("recorded", "would_be"), map(_result, result), strict=True)),
        "not_compared": None if left is None else {"from": left.seq, "why": why_left(impact, language)},
    }


def _result(result: Result | None) -> dict[str, Any] | None:
    return None if result is None else result._asdict()


def why_left(impact: Impact, language: Language) -> str:
    """Say why a part of a match was not compared; empty if all was."""
    return "" if impact.left is None else _say("left", impact.left.why.code, language, impact.left.why.facts)


def impact_lines(impact: Impact, language: Language) -> Iterator[str]:
    """Write the impact of other rules on a match, one sentence for each change."""
    for one in impact.unlawful:
        yield _unlawful(one, language)
    if impact.scores is not None:
        yield _say("change", "scores", language, impact.scores._asdict())
    if impact.result is not None:
        recorded, would_be = (_worded(result, language) for result in impact.result)
        yield _say("change", "result", language, {"recorded": recorded, "would_be": would_be})
    if impact.left is not None:
        yield why_left(impact, language)


def _unlawful(one: Forbidden, language: Language) -> str:
    kind = one.reason if one.reason in _sentences()["illegal"] else "refused"
    rule = "" if one.rule is None else f" [{one.rule}]"
    said = _say("illegal", kind, language, {**one._asdict(), "rule": rule})
    return said + (_say("illegal", "taken-back", language, {}) if one.is_taken_back else "")


def _worded(result: Result | None, language: Language) -> str:
    if result is None:
        return _say("result", "none", language, {})
    return _say("result", _how(result.winners), language, {"winners": result.winners, "by": result.by})


def _how(winners: Sequence[int]) -> str:
    return "nobody" if not winners else "one" if len(winners) == 1 else "several"


def _say(section: str, code: str, language: Language, facts: Mapping[str, Any]) -> str:
    return fill_template(_sentences()[section][code], facts, {}, language)
