"""A run of ``gyoji audit``: counts the outcomes, writes the report and the proofs, compares the files of each match."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.head_comparison import ContradictingFile, compare_heads
from gyoji.bulk.heads import HeadedFile, Heads
from gyoji.bulk.locations import BulkError, Location
from gyoji.bulk.outcomes import (
    Document,
    Outcome,
    as_equivocation,
    head_in,
    label_in,
    outcome_line,
    status_of,
    summary_of,
)
from gyoji.bulk.reports import BY_ITSELF, ReportDraft
from gyoji.log.canonical import canonical
from gyoji.log.statements import Statement


class Summary(NamedTuple):
    """The summary of a run."""

    document: Document
    text: str
    status: int
    undecided: tuple[tuple[str, str], ...]
    """Pairs of files that could not be compared, as one cannot be read again."""


class AuditRun:
    """A run of the audit: collects outcomes, and gives back in order those that are to be printed."""

    def __init__(
        self, terms: AuditTerms, store: str | None, draft: ReportDraft | None, proofs: Path | None, *, held: int
    ) -> None:
        """``held``: so many outcomes wait before they are given back, so that what a later replay makes of them is
        part of them."""
        self._terms, self._draft, self._proofs = terms, draft, proofs
        compares = terms.for_stored_matches().trusted is not None and terms.version is None
        self._heads = Heads(store) if compares else None
        self._held = held if compares else 0
        self._waiting: deque[Outcome] = deque()
        self._rivals: Mapping[str, ContradictingFile] = {}
        self._undecided: tuple[tuple[str, str], ...] = ()
        self.counts: Counter[str] = Counter()
        self.earlier = 0
        """Replays that an earlier run has audited."""

    def close(self) -> None:
        """Free what the run holds."""
        if self._heads is not None:
            self._heads.close()

    def skip(self, place: Location) -> bool:
        """Tell whether an earlier run has audited the replay at a place, and count its outcome."""
        found = None if self._draft is None else self._draft.take_earlier(place.name, place.mark)
        if found is None:
            return False
        self.earlier += 1
        self._count(place, label_in(found), head_in(found))
        return True

    def add(self, chunk: Sequence[Location], outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Take the outcomes of some more replays; give back those whose turn it is to be printed."""
        for place, one in zip(chunk, outcomes, strict=True):
            self._count(place, one.label, one.head)
            self._prove(one.proof)
            if self._draft is not None:
                self._draft.write(b"%b,%b\n" % (one.document[:-1], one.claims[1:]))
        if self._draft is not None:
            self._draft.flush()
        self._waiting.extend(outcomes)
        return self._take(len(self._waiting) - self._held)

    def _count(self, place: Location, label: str, head: Statement | None) -> None:
        self.counts[label] += 1
        if self._heads is not None and head is not None and place.kind != "input":
            self._heads.add(HeadedFile(place, head, label))

    def _prove(self, proof: Mapping[str, Any] | None) -> None:
        if proof and self._proofs is not None:
            write_proof(self._proofs, proof)

    def _take(self, number: int) -> list[Outcome]:
        return [self._waiting.popleft() for _ in range(number)]

    def take_all(self) -> list[Outcome]:
        """Give back all outcomes that wait to be printed."""
        return self._take(len(self._waiting))

    def compare(self) -> list[Outcome]:
        """Compare the files of each match with each other; give back all that is left to be printed.

        A replay whose outcome was given back before, and that another has overruled, comes a second time.
        """
        if self._heads is not None:
            self._rivals, self._undecided = compare_heads(self._heads.differing(), self._terms)
        waiting = self.take_all()
        names = {one.name for one in waiting}
        late = [_given_back(name, rival) for name, rival in self._rivals.items() if name not in names]
        return [self._overrule(one, self._rivals.get(one.name)) for one in [*waiting, *late]]

    def _overrule(self, one: Outcome, rival: ContradictingFile | None) -> Outcome:
        """Return the outcome with the verdict that another replay has brought about."""
        if rival is None:
            return one
        self.counts[one.label] -= 1
        self.counts["equivocation"] += 1
        self._prove(rival.proof)
        document = as_equivocation(orjson.loads(one.document), rival.seq, rival.pair, self._terms.lang)
        return one._replace(document=orjson.dumps(document), line=outcome_line(document, self._terms.lang))

    def finish(self) -> Summary:
        """Finish the report, if one is made, and return the summary of the run."""
        document, text = summary_of(self.counts, self._terms.version)
        if self._draft is not None:
            self._draft.finish(document, self._amend if self._rivals else None)
        status = status_of(self.counts, self._terms.version, is_whole=not self._undecided)
        return Summary(document, text, status, self._undecided)

    def _amend(self, document: Document) -> Document:
        return amended_line(document, self._rivals, self._terms)


def _given_back(name: str, rival: ContradictingFile) -> Outcome:
    """Return the outcome of a replay that was given back before: what is new is its verdict."""
    document = {
        "replay": name,
        "verdict": None,
        "match": rival.pair[0].match,
        "first_divergence": None,
        "checks": [{"check": "head"}],
        "rulings": [],
    }
    return Outcome(name, rival.label, orjson.dumps(document), "", b"{}")


def amended_line(document: Document, rivals: Mapping[str, ContradictingFile], terms: AuditTerms) -> Document:
    """Return a line of a report with the verdict that another replay has brought about."""
    rival = rivals.get(document["replay"])
    if rival is None or document["verdict"] is None or BY_ITSELF in document:
        return document
    return {**as_equivocation(document, rival.seq, rival.pair, terms.lang), BY_ITSELF: document["verdict"]}


def write_proof(folder: Path, found: Mapping[str, Any]) -> None:
    """Write a proof, under a name that says the match and the place."""
    first = found["statements"][0]
    file = folder / f"equivocation-{first['match']}-{first['seq']}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(canonical(dict(found)) + b"\n")
    except OSError as error:
        raise BulkError(f"cannot write {file}: {error.strerror}") from None
