"""Compares receipts with each other: of two that are signed and cannot both be true, neither is good.

Two may state two hashes of one event; the event of one may name another predecessor than the other is of; or the log
may lead to the one and not to the other. Whichever it is, the service has signed both.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from gyoji.audit.verdicts import Explanation, lost_why, worst
from gyoji.log.signatures import Restoration, Trusted, indexed
from gyoji.log.statements import Contradiction, excusing_restoration, outlasts
from gyoji.trust.log_excerpts import LogExcerpt
from gyoji.trust.receipts import AspectCheck, CheckedReceipt


class ContradictingStatement(NamedTuple):
    """A contradiction: another statement of the same match that cannot be true as well."""

    seq: int
    """The event that two things are signed of."""
    pair: Contradiction | None
    """The two; ``None`` where an event is missing that the proof would need, and where it is no lie."""
    lost: Restoration | None = None
    """That the event was lost, so that it is no lie."""


Place = tuple[int, bytes]
"""A ``seq`` and the hash that is signed of it."""

SignedReceipts = Mapping[int, Mapping[bytes, CheckedReceipt]]
"""The receipts of one match that trusted keys have signed, by place."""


def compare_receipts(
    found: Sequence[CheckedReceipt], logs: Mapping[str, LogExcerpt] | None, trusted: Sequence[Trusted] | None = None
) -> list[CheckedReceipt]:
    """Compare the receipts; return each with what the others make of it. ``trusted``: the keys of whoever holds them.

    ``logs``: by match, what they have been compared with already; ``None`` without any.
    """
    signed: dict[tuple[str, str], dict[int, dict[bytes, CheckedReceipt]]] = {}
    keys = indexed(trusted or ())
    for one in found:
        if one.statement is not None:
            origin, match, seq, hashed = one.statement[1:5]
            held = signed.setdefault((origin, match), {}).setdefault(seq, {})
            before = held.setdefault(hashed, one)
            if before.statement is not None and outlasts(one.statement, before.statement, keys):
                held[hashed] = one
    rivals = {
        (origin, match): _rivals(places, None if logs is None else logs[match], keys)
        for (origin, match), places in signed.items()
    }
    return [
        _with_rival(one, None if one.statement is None else rivals[one.statement[1:3]].get(one.statement[3:5]))
        for one in found
    ]


def _with_rival(one: CheckedReceipt, rival: ContradictingStatement | None) -> CheckedReceipt:
    if one.statement is None:
        more = AspectCheck("others", "not_checkable", "verified", Explanation("receipt-unsigned"))
    elif rival is None:
        more = AspectCheck("others", "pass", "verified", None)
    elif rival.lost is not None:
        more = AspectCheck("others", "fail", "incomplete", lost_why(rival.seq, rival.lost))
    else:
        more = AspectCheck("others", "fail", "equivocation", Explanation("receipts-apart", {"seq": rival.seq}))
    checks = (*one.checks, more)
    pair = one.contradiction or (None if rival is None else rival.pair)
    return one._replace(verdict=worst({each.word for each in checks}), checks=checks, contradiction=pair)


def _rivals(
    receipts: SignedReceipts, log: LogExcerpt | None, trusted: Sequence[Trusted]
) -> Mapping[Place, ContradictingStatement]:
    """Find the statements of one match that another one contradicts. What is a proof by itself comes first, and what is
    no lie last."""
    found: dict[Place, ContradictingStatement] = {}
    excused: dict[Place, ContradictingStatement] = {}
    for rival, pair in (*_in_one_place(receipts), *_through_the_log(receipts, log), *_one_after_another(receipts)):
        why = excusing_restoration(pair, rival.seq, trusted)
        for statement in pair:
            place = statement.seq, statement.hash
            if why is None:
                found.setdefault(place, rival)
            else:
                excused.setdefault(place, ContradictingStatement(rival.seq, None, why))
    return {**excused, **found}


def _in_one_place(receipts: SignedReceipts) -> Iterator[tuple[ContradictingStatement, Contradiction]]:
    for seq, held in receipts.items():
        for pair in combinations([one.statement for one in held.values() if one.statement is not None], 2):
            yield ContradictingStatement(seq, pair), pair


def _through_the_log(
    receipts: SignedReceipts, log: LogExcerpt | None
) -> Iterator[tuple[ContradictingStatement, Contradiction]]:
    """Find receipts that the log contradicts: the last receipt that agrees with it confirms, by the chain of hashes,
    all events before."""
    if log is None:
        return
    agreed = [seq for seq, held in receipts.items() if log.hashes.get(seq) in held]
    if not agreed:
        return
    anchor = receipts[max(agreed)][log.hashes[max(agreed)]].statement
    for seq, held in receipts.items():
        if anchor is not None and log.chained_from <= seq < anchor.seq and seq in log.hashes:
            for hashed, one in held.items():
                if one.statement is not None and hashed != log.hashes[seq]:
                    yield ContradictingStatement(seq, (one.statement, anchor)), (one.statement, anchor)


def _one_after_another(receipts: SignedReceipts) -> Iterator[tuple[ContradictingStatement, Contradiction]]:
    """Find receipts whose events name another predecessor than a second receipt is of. A proof would need that
    predecessor itself, which no receipt holds."""
    for seq, held in receipts.items():
        earlier = receipts.get(seq - 1, {})
        later = {one.prev: one for one in held.values()}
        pairs = [
            *((_under_another(earlier, one.prev), one) for one in held.values()),
            *((one, _under_another(later, hashed)) for hashed, one in earlier.items()),
        ]
        for before, after in pairs:
            if (
                before is not None
                and before.statement is not None
                and after is not None
                and after.statement is not None
            ):
                yield ContradictingStatement(seq - 1, None), (before.statement, after.statement)


def _under_another(found: Mapping[bytes, CheckedReceipt], hashed: bytes) -> CheckedReceipt | None:
    return next((one for key, one in found.items() if key != hashed), None)
