"""The outcome of the audit of one replay, and what all outcomes come to: summary and exit status."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.audit.verdicts import EXITS, Explanation, ListedRuling, worst
from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.audits import AuditedReplay, audit_locations
from gyoji.bulk.impact import impact_label, impact_label_in, impact_line, impact_status, impact_summary, replay_impact
from gyoji.bulk.locations import Location, printable_name
from gyoji.log.statements import Contradiction, Statement
from gyoji.messages.language import Language
from gyoji.messages.verdicts import reason, ruling_line, verdict_document
from gyoji.store.object_storage import shown

Document = dict[str, Any]
UNREADABLE = "unreadable"
"""The label of a replay that could not be read."""


class Outcome(NamedTuple):
    """The outcome of the audit of one replay."""

    name: str
    label: str
    """It is counted under this: its verdict, or ``unreadable``; under ``--rules`` what would become of it."""
    document: bytes
    """JSON, as ``--json`` prints it."""
    line: str
    """For people; empty where nothing is worth one."""
    claims: bytes
    """JSON: where it was found and what it says of itself, which a report adds to the document."""
    head: Statement | None = None
    moves: int = 0
    proof: Mapping[str, Any] | None = None


def outcomes_of(terms: AuditTerms, chunk: Sequence[Location]) -> list[Outcome]:
    """Audit everything in the places, each of which is one replay."""
    return [outcome_of(terms, one, place) for one, place in zip(audit_locations(terms, chunk), chunk, strict=True)]


def unreadable(terms: AuditTerms, place: Location, why: str) -> Outcome:
    """Return the outcome of a replay that could not be read."""
    return outcome_of(terms, AuditedReplay(printable_name(place.name), None, why, mark=place.mark), place)


def outcome_of(terms: AuditTerms, one: AuditedReplay, place: Location) -> Outcome:
    """Return the outcome of one replay."""
    if terms.version is not None:
        document, label, line = replay_impact(one, terms.lang), impact_label(one), impact_line(one, terms.lang)
    else:
        document = _document(one, terms.lang)
        label, line = label_in(document), outcome_line(document, terms.lang)
    claims = orjson.dumps(_claims(one, place))
    return Outcome(one.name, label, orjson.dumps(document), line, claims, one.claims.head, one.claims.moves, one.proof)


def _claims(one: AuditedReplay, place: Location) -> Document:
    """Return what it takes to know a replay again, and to compare it with others of its match."""
    head = one.claims.head
    signed = {name: getattr(head, name) for name in ("seq", "key", "sig")} if head else {}
    return {
        "kind": place.kind,
        "archive": printable_name(shown(place.where)) if place.kind == "member" else None,
        "mark": one.mark,
        "origin": head.origin if head else None,
        "head": {**signed, "hash": head.hash.hex()} if head else None,
        "file": one.claims.file,
        "moves": one.claims.moves,
    }


def head_in(document: Document) -> Statement | None:
    """Read the signed head of a replay from a line of a report."""
    head = document.get("head")
    if not head:
        return None
    hashed = bytes.fromhex(head["hash"])
    return Statement("head", document["origin"], document["match"], head["seq"], hashed, head["key"], head["sig"])


def label_in(document: Document) -> str:
    """Read the label of a replay, which it is counted under, from the document on it."""
    if "changes" in document:
        return impact_label_in(document)
    return document["verdict"] or UNREADABLE


def _document(one: AuditedReplay, lang: Language) -> Document:
    if one.verdict is None:
        return {"replay": one.name, "verdict": None, "failure": one.failure}
    return {"replay": one.name, **verdict_document(one.verdict, lang)}


def outcome_line(document: Document, lang: Language) -> str:
    """Write a document on a replay as a line for people, with one more line for each ruling."""
    name = document["replay"]
    if document["verdict"] is None:
        return f"{UNREADABLE:<18} {name}: {document['failure']}"
    rulings = [f"    {ruling_line(ListedRuling(**ruling), lang)}" for ruling in document["rulings"]]
    return "\n".join([f"{document['verdict']:<18} {name}{_because(document)}", *rulings])


def _because(document: Document) -> str:
    """Give the reason that a reader looks for first: of what failed, else of what could not be checked."""
    first = document["first_divergence"]
    if first is not None:
        place = "" if first["seq"] is None else f"event {first['seq']}, "
        cited = "" if first["rule"] is None else f" [{first['rule']}]"
        why = next((checked["why"] for checked in document["checks"] if checked["check"] == first["check"]), None)
        return f": {place}{first['check']}{cited}: {why or ''}"
    if document["verdict"] == "verified_partial":
        whys = (one["why"] for one in document["checks"] if one["result"] == "not_checkable" and one["why"])
        return f": {next(whys, '')}"
    return ""


def as_equivocation(document: Document, seq: int, pair: Contradiction, lang: Language) -> Document:
    """Return the document on a replay whose verdict becomes ``equivocation``. Another replay of the match has shown
    that of the event at ``seq`` two things are signed."""
    first = document["first_divergence"]
    if first is None or first["seq"] is None or first["seq"] >= seq:
        first = {"seq": seq, "check": "head", "expected": pair[0].hash.hex(), "found": None, "rule": None}
    fails = {"check": "head", "result": "fail", "why": reason(Explanation("heads-apart"), lang)}
    checks = [fails if one["check"] == "head" else one for one in document["checks"]]
    return {**document, "verdict": "equivocation", "first_divergence": first, "checks": checks}


def summary_of(counts: Counter[str], version: int | None) -> tuple[dict[str, Any], str]:
    """Return how many replays have each label, as a document and for people.

    ``version``: the version of the rules that was asked about, if the labels are those of ``--rules``.
    """
    some = Counter({label: counts[label] for label in sorted(counts) if counts[label]})
    if version is not None:
        return impact_summary(some)
    parts = ", ".join(f"{count} {label}" for label, count in some.items())
    document = {"audited": some.total(), "verdicts": dict(some)}
    return document, f"{some.total()} audited: {parts}" if some else "0 audited"


def status_of(counts: Counter[str], version: int | None, *, is_whole: bool) -> int:
    """Return the exit status; ``is_whole``: nothing is missing, and everything has been compared with everything."""
    if version is not None:
        return impact_status(counts) or (0 if is_whole else 1)
    status = EXITS[worst({word for word in EXITS if counts[word] > 0})]
    # what could not be read may be anything; a verdict that something is wrong says more than that
    return 1 if (counts[UNREADABLE] or not is_whole) and status <= EXITS["verified_partial"] else status
