"""What ``gyoji audit`` makes of the verdicts as they come: what is printed, the report, the proofs, the summary."""

import sys
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import orjson

from gyoji.audit.verdicts import EXITS, worst
from gyoji.cli.audit_pace import Pace
from gyoji.cli.audit_reports import BY_ITSELF, Document, Draft
from gyoji.cli.audit_sources import Place
from gyoji.cli.audit_words import UNREAD, Told, line_of, overruled
from gyoji.cli.auditing import Terms
from gyoji.cli.impact import impact_status, impact_summary, word_of_impact
from gyoji.cli.rivals import Headed, Heads, Rival, rivals
from gyoji.cli.writing import prove
from gyoji.log.statements import Statement

HELD = 4096
"""So many replays wait before they are told of, so that what a later one makes of them is told in the same line.
Somebody who looks at a terminal does not wait."""


class Hearing:
    """The verdicts so far."""

    def __init__(
        self, terms: Terms, store: str | None, draft: Draft | None, proofs: Path | None, pace: Pace, *, as_json: bool
    ) -> None:
        self._terms, self._draft, self._proofs, self._pace, self._as_json = terms, draft, proofs, pace, as_json
        is_comparing = terms.wider().trusted is not None and terms.version is None
        self._heads = Heads(store) if is_comparing else None
        self._waiting: deque[Told] = deque()
        self.seen: Counter[str] = Counter()
        self.before = 0
        """Replays that an earlier run has judged."""
        self._held = 0 if self._heads is None or (sys.stdout.isatty() and not as_json) else HELD
        self.undecided: tuple[tuple[str, str], ...] = ()

    def close(self) -> None:
        """Forget it."""
        if self._heads is not None:
            self._heads.close()

    def knows(self, place: Place) -> bool:
        """Whether an earlier run has judged just that; what it has told counts."""
        found = None if self._draft is None else self._draft.known(place.name, place.mark)
        if found is None:
            return False
        self.before += 1
        self._count(place, word_in(found), head_in(found))
        return True

    def hear(self, chunk: Sequence[Place], batch: Sequence[Told]) -> None:
        """What is told of some more replays."""
        for place, one in zip(chunk, batch, strict=True):
            self._count(place, one.word, one.head)
            if one.proof is not None and self._proofs is not None:
                prove(self._proofs, one.proof)
            if self._draft is not None:
                self._draft.write(b"%b,%b\n" % (one.document[:-1], one.at[1:]))
        if self._draft is not None:
            self._draft.flush()
        self._waiting.extend(batch)
        self._say(len(self._waiting) - self._held)
        self._pace.go_on(len(batch), sum([one.moves for one in batch]), self.before)

    def _count(self, place: Place, word: str, head: Statement | None) -> None:
        self.seen[word] += 1
        if self._heads is not None and head is not None and place.kind != "input":
            self._heads.add(Headed(place, head, word))

    def _say(self, number: int) -> None:
        """Print what so many of those say that wait."""
        said = [self._waiting.popleft() for _ in range(number)]
        self._print([one.document if self._as_json else one.line.encode() for one in said])

    def _print(self, lines: Sequence[bytes]) -> None:
        lines = [line for line in lines if line]
        if lines:
            self._pace.make_room()
            click.echo(b"\n".join(lines))

    def break_off(self) -> None:
        """Say what is known so far."""
        self._say(len(self._waiting))
        self._pace.make_room()

    def end(self, report: Path | None) -> int:
        """Hold the files of each match against each other, say the rest and the summary; the exit status."""
        found: Mapping[str, Rival] = {}
        if self._heads is not None:
            found, self.undecided = rivals(self._heads.apart(), self._terms)
        self._overrule(found)
        summary, text = summary_of(self.seen, self._terms.version)
        if self._draft is not None and report is not None:
            self._draft.finish(report, summary, self._amended(found) if found else None)
        for pair in self.undecided:
            click.echo(f"not held against each other, as one cannot be read again: {pair[0]}, {pair[1]}", err=True)
        if self._as_json:
            already = {"judged_before": self.before} if self.before else {}
            click.echo(orjson.dumps({"summary": {**summary, **already, **self._pace.document()}}))
        else:
            click.echo(text + (f" ({self.before} of them by an earlier run)" if self.before else ""))
        self._pace.end()
        return status_of(self.seen, self._terms.version, is_whole=not self.undecided)

    def _overrule(self, found: Mapping[str, Rival]) -> None:
        waiting = list(self._waiting)
        self._waiting.clear()
        self._waiting.extend([self._overruled(one, found[one.name]) if one.name in found else one for one in waiting])
        self._say(len(waiting))
        told = {one.name for one in waiting}
        late = [self._overruled(_late(name, rival), rival) for name, rival in found.items() if name not in told]
        self._print([one.document if self._as_json else one.line.encode() for one in late])

    def _overruled(self, one: Told, rival: Rival) -> Told:
        """The replay with the verdict that another has brought about."""
        self.seen[one.word] -= 1
        self.seen["equivocation"] += 1
        if self._proofs is not None and rival.proof:
            prove(self._proofs, rival.proof)
        document = overruled(orjson.loads(one.document), rival.seq, rival.pair, self._terms.lang)
        return one._replace(document=orjson.dumps(document), line=line_of(document, self._terms.lang))

    def _amended(self, found: Mapping[str, Rival]) -> Any:
        return lambda document: amended(document, found, self._terms)


def _late(name: str, rival: Rival) -> Told:
    """A replay that has been told of before: what is new is its verdict."""
    match = rival.pair[0].match
    document = {
        "replay": name,
        "verdict": None,
        "match": match,
        "first_divergence": None,
        "checks": [{"check": "head"}],
    }
    return Told(name, rival.word, orjson.dumps({**document, "rulings": []}), "", b"{}")


def amended(document: Document, found: Mapping[str, Rival], terms: Terms) -> Document:
    """A line of a report, with the verdict that another replay has brought about."""
    rival = found.get(document["replay"])
    if rival is None or document["verdict"] is None or BY_ITSELF in document:
        return document
    return {**overruled(document, rival.seq, rival.pair, terms.lang), BY_ITSELF: document["verdict"]}


def head_in(document: Document) -> Statement | None:
    """The signed head that a line of a report tells of."""
    head = document.get("head")
    if not head:
        return None
    hashed = bytes.fromhex(head["hash"])
    return Statement("head", document["origin"], document["match"], head["seq"], hashed, head["key"], head["sig"])


def word_in(document: Document) -> str:
    """The word that a line of a report is counted under."""
    if "changes" in document:
        return word_of_impact(document)
    return document["verdict"] or UNREAD


def summary_of(seen: Counter[str], version: int | None) -> tuple[dict[str, Any], str]:
    """How many of each, as a document and for people."""
    some = Counter({word: seen[word] for word in sorted(seen) if seen[word]})
    if version is not None:
        return impact_summary(some)
    counts = ", ".join(f"{count} {name}" for name, count in some.items())
    return {
        "audited": some.total(),
        "verdicts": dict(some),
    }, f"{some.total()} audited: {counts}" if some else "0 audited"


def status_of(seen: Counter[str], version: int | None, *, is_whole: bool) -> int:
    """The exit status; ``is_whole``: nothing is missing, and everything has been held against everything."""
    if version is not None:
        return impact_status(seen) or (0 if is_whole else 1)
    status = EXITS[worst({word for word in EXITS if seen[word] > 0})]
    # what could not be read may be anything; a verdict that something is wrong says more than that
    return 1 if (seen[UNREAD] or not is_whole) and status <= EXITS["verified_partial"] else status
