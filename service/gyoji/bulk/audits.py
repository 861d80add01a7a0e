"""Audits the replays at some places, in this process; other processes and machines call it too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.audit.audit import audit
from gyoji.audit.impact import Impact, NotCompared, impact
from gyoji.audit.verdicts import Explanation, Verdict
from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.locations import Location, failure_text, printable_name
from gyoji.bulk.objects import fetch
from gyoji.bulk.sources import UNREADABLE, WHOLE, Lines, Source, open_sources
from gyoji.bulk.stored_matches import DAMAGED_EVENT
from gyoji.log.parser import LIMITS, OverLimits, Unreadable, parse_header, parse_object
from gyoji.log.statements import Statement, statement_of_head
from gyoji.messages.impact import rules_of
from gyoji.messages.verdicts import rules_for
from gyoji.trust.proofs import make_proof

MOVES = (b'"type":"move_played","v":1}\n', b'"type":"choice_made","v":1}\n')


class Claims(NamedTuple):
    """The claims of a replay in its first and last line, true or not."""

    match: str | None = None
    head: Statement | None = None
    file: str | None = None
    """The digest of all lines before the last."""
    moves: int = 0


class AuditedReplay(NamedTuple):
    """One replay and the verdict on it, or why it could not be read."""

    name: str
    verdict: Verdict | None
    failure: str | None = None
    proof: Mapping[str, Any] | None = None
    """Of ``equivocation``, if it was asked for: the proof that stands alone."""
    impact: Impact | None = None
    """What another version of the rules would change, if that was asked for."""
    claims: Claims = Claims()
    mark: str | None = None


def audit_locations(terms: AuditTerms, chunk: Sequence[Location]) -> list[AuditedReplay]:
    """Audit every replay in the places."""
    audited: list[AuditedReplay] = []
    for place in _with_bodies(chunk):
        by = terms.for_stored_matches() if place.kind == "match" else terms
        try:
            audited.extend([_audit_source(by, place, source) for source in open_sources(place, terms.store_key)])
        except UNREADABLE as failure:
            audited.append(AuditedReplay(printable_name(place.name), None, failure_text(failure), mark=place.mark))
    return audited


def _with_bodies(chunk: Sequence[Location]) -> Iterator[Location]:
    """Give back the places, the smaller objects among them fetched all at once."""
    bodies = fetch([place.where for place in chunk if place.kind == "object" and place.size <= WHOLE])
    for place in chunk:
        found = bodies.get(place.where) if place.kind == "object" and place.body is None else None
        if isinstance(found, bytes):
            yield place._replace(body=found)
        else:
            yield place if found is None else place._replace(failure=str(found))


def _audit_source(terms: AuditTerms, place: Location, source: Source) -> AuditedReplay:
    name, mark = printable_name(source.name), source.mark or place.mark
    if source.lines is None:
        return AuditedReplay(name, None, source.failure, mark=mark)
    try:
        return audit_lines(terms, name, source.lines)._replace(mark=mark)
    except DAMAGED_EVENT:
        if place.kind != "match":
            raise
        return AuditedReplay(name, None, "an event in the store cannot be read; see gyoji store check", mark=mark)


def audit_lines(terms: AuditTerms, name: str, lines: Lines) -> AuditedReplay:
    """Audit the lines of one file; where proofs were asked for, add the proof of an ``equivocation``."""
    claims = read_claims(lines())
    receipts = None if terms.receipts is None else terms.receipts.about(claims.match)
    found = audit(lines, rules_for, terms.trusted, receipts, beacons=terms.beacons)
    if terms.version is not None:
        return AuditedReplay(name, found, impact=_impact(lines, found, terms.version), claims=claims)
    if found.contradiction is None or not terms.with_proofs:
        return AuditedReplay(name, found, claims=claims)
    return AuditedReplay(name, found, None, make_proof(found.contradiction, lines()), claims=claims)


def read_claims(lines: Iterable[bytes]) -> Claims:
    """Read what the first and the last line of a file say, and count the moves between them."""
    lines = iter(lines)
    first = parse_header(next(lines, b""), LIMITS)
    last, moves = b"", 0
    for last in lines:
        moves += last.endswith(MOVES)
    if first is None:
        return Claims()
    try:
        ending = parse_object(last)
    except (Unreadable, OverLimits):
        return Claims(first["match"], moves=moves)
    file = ending.get("file")
    head = statement_of_head(first["origin"], ending.get("head"))
    return Claims(first["match"], head, file if isinstance(file, str) else None, moves)


SOUND = ("verified", "verified_with_rulings", "verified_partial")
"""Of what the audit finds wrong nothing can be compared."""
UNFOLLOWED = "too-many-taken-back"
"""Nor of positions that it has not looked at, though nothing is wrong with what it has."""


def _impact(lines: Lines, found: Verdict, version: int) -> Impact:
    if found.verdict not in SOUND:
        return Impact(left=NotCompared(0, Explanation("unsound", {"verdict": found.verdict})))
    if any(check.why is not None and check.why.code == UNFOLLOWED for check in found.checks):
        return Impact(left=NotCompared(0, Explanation("not-reached")))
    return impact(lines, rules_for, lambda game: rules_of(game, version))
