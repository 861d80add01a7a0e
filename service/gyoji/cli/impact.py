"""``gyoji audit --rules``: which matches would come out otherwise under another version of the rules."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import click

from gyoji.audit.impact import Impact
from gyoji.cli.auditing import Judged
from gyoji.messages.impact import impact_document, impact_lines, versions
from gyoji.messages.language import Language

CHANGES = 60
"""The exit status where something would change."""
NOT_COMPARED = 61
"""Where nothing would of what could be compared, and not everything could."""


def known_version(_context: click.Context, _parameter: click.Parameter, version: int | None) -> int | None:
    """The version, if any game has it; else a usage error that names those there are."""
    known = versions()
    if version is None or any(version in of_game for of_game in known.values()):
        return version
    listed = "; ".join(f"{slug} {', '.join(map(str, of_game))}" for slug, of_game in known.items())
    raise click.BadParameter(f"no game has a version {version}; there are {listed}")


RULES_OPTION = click.option(
    "--rules",
    "version",
    type=click.IntRange(1),
    callback=known_version,
    metavar="VERSION",
    help="In place of verdicts, say what would change in each match under that version of the rules of its game.",
)


def impact_word(one: Judged) -> str:
    """What would become of a match: ``changes``, ``same``, ``not_compared``; or ``unreadable``."""
    impact = one.impact
    if impact is None:
        return "unreadable"
    return "changes" if impact.is_change else "same" if impact.left is None else "not_compared"


def impact_told(one: Judged, lang: Language) -> dict[str, Any]:
    """What is told of a match."""
    if one.impact is None:
        return {"replay": one.name, "verdict": None, "failure": one.failure}
    told = {"verdict": one.verdict.verdict, "match": one.verdict.match} if one.verdict else {}
    return {"replay": one.name, **told, **impact_document(one.impact, lang)}


def impact_line(one: Judged, lang: Language) -> str:
    """The same for people; empty where nothing would change."""
    word = impact_word(one).replace("_", " ")
    if word == "same":
        return ""
    if one.impact is None:
        return f"{word:<12} {one.name}: {one.failure}"
    return f"{word:<12} {one.name}: {_said(one.impact, lang)}"


def _said(impact: Impact, lang: Language) -> str:
    return ("; " if lang == "en" else "。").join(impact_lines(impact, lang))


def word_of_impact(document: Mapping[str, Any]) -> str:
    """The word of a match, from what was told of it."""
    if "changes" not in document:
        return "unreadable"
    return "changes" if document["changes"] else "same" if document["not_compared"] is None else "not_compared"


def impact_summary(seen: Counter[str]) -> tuple[dict[str, Any], str]:
    """How many of each, as a document and for people."""
    counts = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in sorted(seen.items()))
    return {"compared": seen.total(), "impact": dict(seen)}, f"{seen.total()} compared: {counts}"


def impact_status(seen: Counter[str]) -> int:
    """The exit status."""
    if seen["changes"]:
        return CHANGES
    if seen["unreadable"]:
        return 1
    return NOT_COMPARED if seen["not_compared"] else 0
