"""A receipt in the hands of whoever was given it: whether it is good, and whether a log keeps what it promises.

Everything needed is in the receipt, beside the keys that its holder trusts: the event's bytes, their hash, the holder's
own openings and the signature. Whatever the documents are, the answer is a verdict.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.audit.recorded import Openings
from gyoji.audit.verdicts import Ledger, Outcome, Why, Word, lost_why, worst
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.parser import (
    HEX_32,
    HEX_64,
    KEY,
    LIMITS,
    OverLimits,
    Unreadable,
    document,
    event,
    header,
    is_text,
    opening,
)
from gyoji.log.signatures import Trusted, indexed
from gyoji.log.statements import Contradiction, Statement, contradiction, doubt, excuse, of_head, was_lost

Aspect = Literal["event", "openings", "signature", "log", "others"]
"""``others``: the receipts beside it, see ``rival_receipts``."""

MEMBERS = frozenset(["event", "hash", "openings", "key", "sig"])
UNREADABLE = (Unreadable, OverLimits, UnicodeEncodeError)


class Weighed(NamedTuple):
    """How one aspect came out, and which verdict follows from it; ``why`` unless it passed."""

    aspect: Aspect
    result: Outcome
    word: Word
    why: Why | None


class Held(NamedTuple):
    """What is said of one receipt."""

    verdict: Word
    match: str | None
    seq: int | None
    weighed: tuple[Weighed, ...]
    told: Statement | None = None
    """What it says, if a trusted key has signed it."""
    prev: bytes = b""
    """The hash of the event before its own, as that one says."""
    contradiction: Contradiction | None = None
    """What it says, and another statement of a trusted key that cannot be true as well."""


class Receipt(NamedTuple):
    """A receipt whose parts have been read: that is not to say that they fit together."""

    match: str
    seq: int
    hash: bytes
    """Of the event's bytes, whatever the receipt says of it."""
    event: Mapping[str, Any]
    document: Mapping[str, Any]

    def statement(self, origin: str) -> Statement:
        """What it says, if it is of that origin: it does not name it itself."""
        key, sig = self.document["key"], self.document["sig"]
        return Statement("receipt", origin, self.match, self.seq, self.hash, key, sig)


class Logged(NamedTuple):
    """What a log holds in the places that receipts tell of."""

    origin: str
    match: str
    hashes: Mapping[int, bytes]
    """Of the events that were asked for, by ``seq``; each hash is that of the bytes."""
    last: int
    """The ``seq`` of its last event; -1 where there is none."""
    tied: int
    """From this ``seq`` on every event names the hash of the one before."""
    head: Statement | None
    tip: bytes | None
    """The hash of the last event."""

    def is_tied_at(self, seq: int) -> bool:
        """Whether the event there is what the head, if that is signed, says by the chain of hashes."""
        head = self.head
        return head is not None and self.tied <= seq <= head.seq == self.last and head.hash == self.tip


def nothing_logged(origin: str, match: str) -> Logged:
    """The log of a match that a store has not got."""
    return Logged(origin, match, {}, -1, 0, None, None)


def logged(lines: Iterable[bytes], wanted: frozenset[int]) -> Logged | None:
    """What the lines of a replay file hold at the ``wanted`` places; ``None`` if they are no replay file.

    One line is held at a time, whatever the length of the log.
    """
    lines = iter(lines)
    first = header(next(lines, b""), LIMITS)
    if first is None:
        return None
    hashes: dict[int, bytes] = {}
    last, tied, tip, head = -1, 0, None, None
    for found, line in _documents(lines):
        if "head" in found:
            head = of_head(first["origin"], found["head"])
            break
        hashed, seq = leaf_hash(line), found["seq"]
        if seq != last + 1 or found["prev"] != (tip or bytes(32)).hex() or found["match"] != first["match"]:
            tied = seq
        if seq in wanted:
            hashes[seq] = hashed
        last, tip = seq, hashed
    return Logged(first["origin"], first["match"], hashes, last, tied, head, tip)


def _documents(lines: Iterator[bytes]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The events, and whatever has a head; what cannot be read ties nothing to what follows, as its hash shows."""
    for line in lines:
        if line.startswith(b'{"opening":'):
            continue
        try:
            found = document(line)
            if "head" not in found:
                event(found)
        except UNREADABLE:
            continue
        yield found, line[:-1]


def read(found: Any) -> Receipt | None:
    """The receipt of a document, which may be anything; ``None`` if it is none, or its event is none."""
    if not isinstance(found, dict) or found.keys() != MEMBERS or not isinstance(found["openings"], list):
        return None
    is_signed = is_text(found["key"], KEY) and is_text(found["sig"], HEX_64) and is_text(found["hash"], HEX_32)
    if not is_signed or not isinstance(found["event"], str):
        return None
    try:
        body = found["event"].encode()
        told = document(body + b"\n")
        event(told)
    except UNREADABLE:
        return None
    return Receipt(told["match"], told["seq"], leaf_hash(body), told, found)


def held(found: Any, trusted: Sequence[Trusted] | None, log: Logged | None) -> Held:
    """What is to be said of a receipt, of which ``found`` is the document.

    ``trusted``: the keys of whoever holds it, ``None`` without any. ``log``: what a log of that match holds, read with
    its ``seq`` among those wanted; ``None`` without any.
    """
    receipt = read(found)
    if receipt is None:
        return Held("malformed", None, None, (Weighed("event", "fail", "malformed", Why("no-receipt")),))
    origin, signature = _signature(receipt, trusted)
    weighed = (_event(receipt), _openings(receipt), signature, _log(receipt, origin, trusted or (), log, signature))
    word = worst({one.word for one in weighed})
    if signature.result != "pass":
        return Held(word, receipt.match, receipt.seq, weighed)
    told, prev = receipt.statement(origin), bytes.fromhex(receipt.event["prev"])
    head = log.head if log is not None and weighed[-1].word == "equivocation" else None
    pair = None if head is None else (told, head)
    return Held(word, receipt.match, receipt.seq, weighed, told, prev, pair)


def _passed(aspect: Aspect) -> Weighed:
    return Weighed(aspect, "pass", "verified", None)


def _event(receipt: Receipt) -> Weighed:
    if receipt.document["hash"] != receipt.hash.hex():
        return Weighed("event", "fail", "tampered", Why("receipt-hash"))
    return _passed("event")


def _openings(receipt: Receipt) -> Weighed:
    """Whether every opening fits its commitment; that of a position needs the position, which no receipt holds."""
    ledger = Ledger()
    openings = Openings(receipt.event, ledger)
    for found in receipt.document["openings"]:
        try:
            openings.read(opening(document(canonical({"opening": found}) + b"\n")))
        except (*UNREADABLE, TypeError):  # what cannot be written down in canonical bytes is a matter of its type
            return Weighed("openings", "fail", "tampered", Why("receipt-opening"))
    if ledger.has_failed():
        checks = ledger.verdict(receipt.match, True).checks
        return Weighed("openings", "fail", "tampered", next(one.why for one in checks if one.check == "openings"))
    if openings.salt is not None:
        return Weighed("openings", "not_checkable", "verified_partial", Why("receipt-position"))
    return _passed("openings")


def _signature(receipt: Receipt, trusted: Sequence[Trusted] | None) -> tuple[str, Weighed]:
    """Under which name it has been signed, empty if under none. It names its key alone: each name is tried that the
    key is trusted for."""
    if trusted is None:
        return "", Weighed("signature", "not_checkable", "verified_partial", Why("no-trusted-keys"))
    key = receipt.document["key"]
    known = indexed(trusted).by_id.get(key, ())
    of_origin: dict[str, list[Trusted]] = {} if known else {"": []}
    for one in known:
        of_origin.setdefault(one.origin, []).append(one)
    doubts = {doubt(receipt.statement(origin), keys): origin for origin, keys in of_origin.items()}
    if None in doubts:
        return doubts[None], _passed("signature")
    if "signature" in doubts:
        return "", Weighed("signature", "fail", "tampered", Why("receipt-signature"))
    return "", Weighed("signature", "fail", "key_untrusted", Why(str(next(iter(doubts))), {"key": key}))


def _log(receipt: Receipt, origin: str, trusted: Sequence[Trusted], log: Logged | None, signature: Weighed) -> Weighed:
    """Whether the log holds the event. A log owes nothing to a receipt that nobody has signed."""
    if log is None:
        return Weighed("log", "not_checkable", "verified", Why("receipt-no-log"))
    if log.match != receipt.match:
        return Weighed("log", "not_checkable", "verified_partial", Why("receipt-other-log"))
    seq = receipt.seq
    if log.hashes.get(seq) == receipt.hash:
        return _passed("log")
    if signature.result == "fail":
        return Weighed("log", "not_checkable", "verified_partial", Why("receipt-doubtful"))
    told = receipt.statement(origin)
    is_believed = signature.result == "pass"
    if is_believed and log.head is not None and _cannot_both_be(told, log, log.head, trusted):
        why = excuse((told, log.head), seq, trusted)
        if why is None:
            return Weighed("log", "fail", "equivocation", Why("receipt-against-head"))
        return Weighed("log", "fail", "incomplete", lost_why(seq, why))
    lost = was_lost(told, trusted, has_log=log.last >= 0) if is_believed and seq not in log.hashes else None
    if lost is not None:
        return Weighed("log", "fail", "incomplete", lost_why(seq, lost))
    if seq > log.last:
        return Weighed("log", "fail", "incomplete", Why("receipt-beyond", {"from": log.last, "to": seq}))
    if seq not in log.hashes:
        return Weighed("log", "fail", "incomplete", Why("receipt-gap", {"seq": seq}))
    return Weighed("log", "fail", "tampered", Why("receipt"))


def _cannot_both_be(told: Statement, log: Logged, head: Statement, trusted: Sequence[Trusted]) -> bool:
    """Whether the log's signed head says another thing of that place: by itself, or by the chain that leads to it."""
    if log.origin != told.origin or doubt(head, trusted) is not None:
        return False
    return contradiction(told, head) or (told.seq in log.hashes and log.is_tied_at(told.seq))
