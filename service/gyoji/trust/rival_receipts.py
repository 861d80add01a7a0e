"""Receipts held against each other: of two that are signed and cannot both be true, neither is good.

Two may tell of one event in two ways; of an event and of another one before the next; or of an event that the log does
not hold which leads to the other. Whichever it is, whoever holds both knows that the service has told two stories.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from gyoji.audit.verdicts import Why, lost_why, worst
from gyoji.log.key_endings import Restoration
from gyoji.log.signatures import Trusted, indexed
from gyoji.log.statements import Contradiction, excuse, outlasts
from gyoji.trust.receipt_checks import Held, Logged, Weighed


class Rival(NamedTuple):
    """That another statement cannot be true as well."""

    seq: int
    """The event that two things are told of."""
    pair: Contradiction | None
    """The two; ``None`` where an event is missing that the proof would need, and where it is no lie."""
    lost: Restoration | None = None
    """That the event was lost, so that it is no lie."""


Place = tuple[int, bytes]
"""A ``seq`` and the hash that is told of it."""

Told = Mapping[int, Mapping[bytes, Held]]
"""What trusted keys have signed of one match, by place."""


def compare(
    found: Sequence[Held], logs: Mapping[str, Logged] | None, trusted: Sequence[Trusted] | None = None
) -> list[Held]:
    """The receipts, each with what the others make of it. ``trusted``: the keys of whoever holds them.

    ``logs``: by match, what they have been held against already; ``None`` without any.
    """
    told: dict[tuple[str, str], dict[int, dict[bytes, Held]]] = {}
    keys = indexed(trusted or ())
    for one in found:
        if one.told is not None:
            origin, match, seq, hashed = one.told[1:5]
            held = told.setdefault((origin, match), {}).setdefault(seq, {})
            before = held.setdefault(hashed, one)
            if before.told is not None and outlasts(one.told, before.told, keys):
                held[hashed] = one
    rivals = {
        (origin, match): _rivals(places, None if logs is None else logs[match], keys)
        for (origin, match), places in told.items()
    }
    return [_compared(one, None if one.told is None else rivals[one.told[1:3]].get(one.told[3:5])) for one in found]


def _compared(one: Held, rival: Rival | None) -> Held:
    if one.told is None:
        more = Weighed("others", "not_checkable", "verified", Why("receipt-unsigned"))
    elif rival is None:
        more = Weighed("others", "pass", "verified", None)
    elif rival.lost is not None:
        more = Weighed("others", "fail", "incomplete", lost_why(rival.seq, rival.lost))
    else:
        more = Weighed("others", "fail", "equivocation", Why("receipts-apart", {"seq": rival.seq}))
    weighed = (*one.weighed, more)
    pair = one.contradiction or (None if rival is None else rival.pair)
    return one._replace(verdict=worst({each.word for each in weighed}), weighed=weighed, contradiction=pair)


def _rivals(told: Told, log: Logged | None, trusted: Sequence[Trusted]) -> Mapping[Place, Rival]:
    """The statements of one match that another one contradicts. What is a proof by itself comes first, and what is no
    lie last."""
    found: dict[Place, Rival] = {}
    excused: dict[Place, Rival] = {}
    for rival, pair in (*_in_one_place(told), *_through_the_log(told, log), *_one_after_another(told)):
        why = excuse(pair, rival.seq, trusted)
        for statement in pair:
            place = statement.seq, statement.hash
            if why is None:
                found.setdefault(place, rival)
            else:
                excused.setdefault(place, Rival(rival.seq, None, why))
    return {**excused, **found}


def _in_one_place(told: Told) -> Iterator[tuple[Rival, Contradiction]]:
    for seq, held in told.items():
        for pair in combinations([one.told for one in held.values() if one.told is not None], 2):
            yield Rival(seq, pair), pair


def _through_the_log(told: Told, log: Logged | None) -> Iterator[tuple[Rival, Contradiction]]:
    """The last receipt that agrees with the log speaks, by the chain of hashes, for all before it."""
    if log is None:
        return
    agreed = [seq for seq, held in told.items() if log.hashes.get(seq) in held]
    if not agreed:
        return
    anchor = told[max(agreed)][log.hashes[max(agreed)]].told
    for seq, held in told.items():
        if anchor is not None and log.tied <= seq < anchor.seq and seq in log.hashes:
            for hashed, one in held.items():
                if one.told is not None and hashed != log.hashes[seq]:
                    yield Rival(seq, (one.told, anchor)), (one.told, anchor)


def _one_after_another(told: Told) -> Iterator[tuple[Rival, Contradiction]]:
    """An event names the hash of the one before it. That one itself would be needed for a proof."""
    for seq, held in told.items():
        earlier = told.get(seq - 1, {})
        later = {one.prev: one for one in held.values()}
        pairs = [
            *((_under_another(earlier, one.prev), one) for one in held.values()),
            *((one, _under_another(later, hashed)) for hashed, one in earlier.items()),
        ]
        for before, after in pairs:
            if before is not None and before.told is not None and after is not None and after.told is not None:
                yield Rival(seq - 1, None), (before.told, after.told)


def _under_another(found: Mapping[bytes, Held], hashed: bytes) -> Held | None:
    return next((one for key, one in found.items() if key != hashed), None)
