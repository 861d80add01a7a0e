"""What ``gyoji audit`` tells of a replay: a document, and a line for people."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.audit.verdicts import Ruled, Why
from gyoji.cli.audit_sources import Place, spoken
from gyoji.cli.auditing import Judged, Terms, audited
from gyoji.cli.impact import impact_line, impact_told, impact_word
from gyoji.log.statements import Contradiction, Statement
from gyoji.messages.language import Language
from gyoji.messages.verdicts import reason, ruled, verdict_document
from gyoji.store.object_storage import shown

Document = dict[str, Any]
UNREAD = "unreadable"


class Told(NamedTuple):
    """What is told of one replay, made where it was judged."""

    name: str
    word: str
    """Its verdict, or ``unreadable``; under ``--rules`` what would become of it."""
    document: bytes
    """JSON, as ``--json`` prints it."""
    line: str
    """For people; empty where nothing is worth one."""
    at: bytes
    """JSON: where it was found and what it says of itself, which a report adds to the document."""
    head: Statement | None = None
    moves: int = 0
    mark: str | None = None
    proof: Mapping[str, Any] | None = None


def told(terms: Terms, chunk: Sequence[Place]) -> list[Told]:
    """What is to be told of everything in the places, each of which is one replay."""
    return [tell(terms, one, place) for one, place in zip(audited(terms, chunk), chunk, strict=True)]


def tell(terms: Terms, one: Judged, place: Place) -> Told:
    """What is to be told of one replay."""
    if terms.version is not None:
        document, word, line = impact_told(one, terms.lang), impact_word(one), impact_line(one, terms.lang)
    else:
        document = _document(one, terms.lang)
        word, line = document["verdict"] or UNREAD, line_of(document, terms.lang)
    about = one.noted
    return Told(
        one.name,
        word,
        orjson.dumps(document),
        line,
        orjson.dumps(_at(one, place)),
        about.head,
        about.moves,
        one.mark,
        one.proof,
    )


def _at(one: Judged, place: Place) -> Document:
    """What it takes to know a replay again, and to hold it against others of its match."""
    head = one.noted.head
    said = {name: getattr(head, name) for name in ("seq", "key", "sig")} if head else {}
    return {
        "kind": place.kind,
        "archive": spoken(shown(place.where)) if place.kind == "member" else None,
        "mark": one.mark,
        "origin": head.origin if head else None,
        "head": {**said, "hash": head.hash.hex()} if head else None,
        "file": one.noted.file,
        "moves": one.noted.moves,
    }


def _document(one: Judged, lang: Language) -> Document:
    if one.verdict is None:
        return {"replay": one.name, "verdict": None, "failure": one.failure}
    return {"replay": one.name, **verdict_document(one.verdict, lang)}


def line_of(document: Document, lang: Language) -> str:
    """The line that says what a document does, with one more for each ruling."""
    name = document["replay"]
    if document["verdict"] is None:
        return f"{UNREAD:<18} {name}: {document['failure']}"
    rulings = [f"    {ruled(Ruled(**ruling), lang)}" for ruling in document["rulings"]]
    return "\n".join([f"{document['verdict']:<18} {name}{_because(document)}", *rulings])


def _because(document: Document) -> str:
    """The reason that a reader looks for first: of what failed, else of what could not be checked."""
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


def overruled(document: Document, seq: int, pair: Contradiction, lang: Language) -> Document:
    """What is told of a replay, if another of the same match has shown that of the event at ``seq`` two things are
    signed."""
    first = document["first_divergence"]
    if first is None or first["seq"] is None or first["seq"] >= seq:
        first = {"seq": seq, "check": "head", "expected": pair[0].hash.hex(), "found": None, "rule": None}
    fails = {"check": "head", "result": "fail", "why": reason(Why("heads-apart"), lang)}
    checks = [fails if one["check"] == "head" else one for one in document["checks"]]
    return {**document, "verdict": "equivocation", "first_divergence": first, "checks": checks}
