"""The verdicts of ``gyoji audit`` on what lies at some places; made in processes of its own, on other machines too."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.audit.audit import audit
from gyoji.audit.beacons import Beacons
from gyoji.audit.impact import Impact, Left, impact
from gyoji.audit.verdicts import Verdict, Why
from gyoji.cli.audit_objects import fetched
from gyoji.cli.audit_sources import UNREADABLE, UNTOLD, WHOLE, Lines, Place, Source, said, sources, spoken
from gyoji.log.parser import LIMITS, OverLimits, Unreadable, document, header
from gyoji.log.signatures import Trusted
from gyoji.log.statements import Statement, of_head, of_kept
from gyoji.messages.impact import rules_of
from gyoji.messages.language import Language
from gyoji.messages.verdicts import rules_for
from gyoji.trust.proofs import proof

MOVES = (b'"type":"move_played","v":1}\n', b'"type":"choice_made","v":1}\n')


class Noted(NamedTuple):
    """What a replay says of itself in its first and last line, true or not."""

    match: str | None = None
    head: Statement | None = None
    file: str | None = None
    """The digest of all lines before the last."""
    moves: int = 0


class Judged(NamedTuple):
    """One replay and the verdict on it, or why it could not be read."""

    name: str
    verdict: Verdict | None
    failure: str | None = None
    proof: Mapping[str, Any] | None = None
    """Of ``equivocation``, if it was asked for: the proof that stands alone."""
    impact: Impact | None = None
    """What another version of the rules would change, if that was asked for."""
    noted: Noted = Noted()
    mark: str | None = None


class Receipts(NamedTuple):
    """Receipts and heads of many matches, found by the match that they speak of."""

    of_match: Mapping[str, tuple[Any, ...]]
    others: tuple[Any, ...]
    """What speaks of no match that could be told."""

    def speaking_of(self, match: str | None) -> tuple[Any, ...]:
        """Those that an audit of that match has to weigh. Of the others it says no more than that they are there, and
        so need not read them again for every file."""
        return (*self.of_match.get(match or "", ()), *[None] * len(self.others))


def sorted_receipts(documents: Iterable[Any]) -> Receipts:
    """The documents by match."""
    of_match: dict[str, list[Any]] = {}
    others = []
    for found in documents:
        told = of_kept("", found)
        if told is None:
            others.append(found)
        else:
            of_match.setdefault(told.match, []).append(found)
    return Receipts({match: tuple(found) for match, found in of_match.items()}, tuple(others))


class Terms(NamedTuple):
    """What an audit goes by, beside the rules."""

    trusted: tuple[Trusted, ...] | None
    receipts: Receipts | None
    store_key: bytes | None = None
    beacons: Beacons | None = None
    with_proofs: bool = False
    version: int | None = None
    """Another version of the rules, to say what would change under it."""
    own: tuple[Trusted, ...] = ()
    """What a store itself signs with: trusted for its matches."""
    lang: Language = "en"

    def wider(self) -> "Terms":
        """The terms for the matches of a store."""
        return self._replace(trusted=(*(self.trusted or ()), *self.own)) if self.own else self


def audited(terms: Terms, chunk: Sequence[Place]) -> list[Judged]:
    """The verdicts on everything in the places."""
    judged: list[Judged] = []
    for place in with_bodies(chunk):
        by = terms.wider() if place.kind == "match" else terms
        try:
            judged.extend([_judged(by, place, source) for source in sources(place, terms.store_key)])
        except UNREADABLE as failure:
            judged.append(Judged(spoken(place.name), None, said(failure), mark=place.mark))
    return judged


def with_bodies(chunk: Sequence[Place]) -> Iterator[Place]:
    """The places, the smaller objects among them fetched all at once."""
    bodies = fetched([place.where for place in chunk if place.kind == "object" and place.size <= WHOLE])
    for place in chunk:
        found = bodies.get(place.where) if place.kind == "object" and place.body is None else None
        if isinstance(found, bytes):
            yield place._replace(body=found)
        else:
            yield place if found is None else place._replace(failure=str(found))


def _judged(terms: Terms, place: Place, source: Source) -> Judged:
    name, mark = spoken(source.name), source.mark or place.mark
    if source.lines is None:
        return Judged(name, None, source.failure, mark=mark)
    try:
        return judged(terms, name, source.lines)._replace(mark=mark)
    except UNTOLD:
        if place.kind != "match":
            raise
        return Judged(name, None, "an event in the store cannot be read; see gyoji store check", mark=mark)


def judged(terms: Terms, name: str, lines: Lines) -> Judged:
    """The verdict on the lines of one file; with the proof of ``equivocation`` if it was asked for."""
    about = noted(lines())
    receipts = None if terms.receipts is None else terms.receipts.speaking_of(about.match)
    found = audit(lines, rules_for, terms.trusted, receipts, beacons=terms.beacons)
    if terms.version is not None:
        return Judged(name, found, impact=_compared(lines, found, terms.version), noted=about)
    if found.contradiction is None or not terms.with_proofs:
        return Judged(name, found, noted=about)
    return Judged(name, found, None, proof(found.contradiction, lines()), noted=about)


def noted(lines: Iterable[bytes]) -> Noted:
    """What the first and the last line say, and how many moves are between them."""
    lines = iter(lines)
    first = header(next(lines, b""), LIMITS)
    last, moves = b"", 0
    for last in lines:
        moves += last.endswith(MOVES)
    if first is None:
        return Noted()
    try:
        ending = document(last)
    except (Unreadable, OverLimits):
        return Noted(first["match"], moves=moves)
    file = ending.get("file")
    head = of_head(first["origin"], ending.get("head"))
    return Noted(first["match"], head, file if isinstance(file, str) else None, moves)


SOUND = ("verified", "verified_with_rulings", "verified_partial")
"""Of what the audit finds wrong nothing can be compared."""
UNFOLLOWED = "too-many-taken-back"
"""Nor of positions that it has not looked at, though nothing is wrong with what it has."""


def _compared(lines: Lines, found: Verdict, version: int) -> Impact:
    if found.verdict not in SOUND:
        return Impact(left=Left(0, Why("unsound", {"verdict": found.verdict})))
    if any(check.why is not None and check.why.code == UNFOLLOWED for check in found.checks):
        return Impact(left=Left(0, Why("not-reached")))
    return impact(lines, rules_for, lambda game: rules_of(game, version))
