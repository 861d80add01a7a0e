"""Reports for each match what another version of the rules would change."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gyoji.audit.impact import Impact
from gyoji.bulk.audits import AuditedReplay
from gyoji.messages.impact import impact_document, impact_lines
from gyoji.messages.language import Language

CHANGES = 60
"""The exit status where something would change."""
NOT_COMPARED = 61
"""Where nothing would of what could be compared, and not everything could."""


def impact_label(one: AuditedReplay) -> str:
    """Return the label of a match: ``changes``, ``same``, ``not_compared``; or ``unreadable``."""
    impact = one.impact
    if impact is None:
        return "unreadable"
    return "changes" if impact.is_change else "same" if impact.left is None else "not_compared"


def replay_impact(one: AuditedReplay, lang: Language) -> dict[str, Any]:
    """Return the document on the impact for one match, as ``gyoji audit --rules --json`` prints it."""
    if one.impact is None:
        return {"replay": one.name, "verdict": None, "failure": one.failure}
    found = {"verdict": one.verdict.verdict, "match": one.verdict.match} if one.verdict else {}
    return {"replay": one.name, **found, **impact_document(one.impact, lang)}


def impact_line(one: AuditedReplay, lang: Language) -> str:
    """Return the impact for one match as a line for people; empty where nothing would change."""
    label = impact_label(one).replace("_", " ")
    if label == "same":
        return ""
    why = one.failure if one.impact is None else _sentences(one.impact, lang)
    return f"{label:<12} {one.name}: {why}"


def _sentences(impact: Impact, lang: Language) -> str:
    return ("; " if lang == "en" else "。").join(impact_lines(impact, lang))


def impact_label_in(document: Mapping[str, Any]) -> str:
    """Read the label of a match from the document on the impact."""
    if "changes" not in document:
        return "unreadable"
    return "changes" if document["changes"] else "same" if document["not_compared"] is None else "not_compared"


def impact_summary(counts: Counter[str]) -> tuple[dict[str, Any], str]:
    """Return how many matches have each label, as a document and for people."""
    parts = ", ".join(f"{count} {label.replace('_', ' ')}" for label, count in sorted(counts.items()))
    return {"compared": counts.total(), "impact": dict(counts)}, f"{counts.total()} compared: {parts}"


def impact_status(counts: Counter[str]) -> int:
    """Return the exit status that follows from how many matches have each label."""
    if counts["changes"]:
        return CHANGES
    if counts["unreadable"]:
        return 1
    return NOT_COMPARED if counts["not_compared"] else 0
