"""Makes receipts, which players are given for accepted moves, and checks them for whoever holds one.

A check tells whether a receipt is good, and whether a log holds the event that it is of.

Everything needed is in the receipt, but for the keys that its holder trusts: the event's bytes, their hash, the
holder's own openings and the signature. Whatever the documents are, the answer is a verdict.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.audit.recorded import Openings
from gyoji.audit.verdicts import Explanation, Findings, Outcome, Word, lost_why, worst
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.parser import (
    HEX_32,
    HEX_64,
    KEY,
    OverLimits,
    Unreadable,
    check_event,
    is_text,
    parse_object,
    parse_opening,
)
from gyoji.log.redaction import Reader, opening_documents
from gyoji.log.signatures import Signer, Trusted, indexed, signature
from gyoji.log.statements import Contradiction, Statement, contradiction, excusing_restoration, was_lost, why_doubted
from gyoji.trust.log_excerpts import LogExcerpt


def make_receipt(
    signing: Signer, match: str, entry: Entry, reader: Reader, document: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Make the receipt of an accepted move, the same each time. ``document`` is the event, where it has been read."""
    return {
        "event": entry.body.decode(),
        "hash": entry.hash.hex(),
        "openings": list(opening_documents(reader, entry, document)),
        "key": signing.key,
        "sig": signature(signing, "receipt/1", match, entry.seq, entry.hash),
    }


Aspect = Literal["event", "openings", "signature", "log", "others"]
"""``others``: the receipts beside it, see ``receipt_comparison``."""

MEMBERS = frozenset(["event", "hash", "openings", "key", "sig"])
UNREADABLE = (Unreadable, OverLimits, UnicodeEncodeError)


class AspectCheck(NamedTuple):
    """How one aspect of a receipt came out, and which verdict follows from it; ``why`` unless it passed."""

    aspect: Aspect
    result: Outcome
    word: Word
    why: Explanation | None


class CheckedReceipt(NamedTuple):
    """A receipt that has been checked, and the verdict on it."""

    verdict: Word
    match: str | None
    seq: int | None
    checks: tuple[AspectCheck, ...]
    statement: Statement | None = None
    """What it states, if a trusted key has signed it."""
    prev: bytes = b""
    """The hash of the event before its own, as that one says."""
    contradiction: Contradiction | None = None
    """Its statement, and another one of a trusted key that cannot be true as well."""


class Receipt(NamedTuple):
    """A receipt that has been read; whether its parts fit together is another question."""

    match: str
    seq: int
    hash: bytes
    """Of the event's bytes, whatever the receipt says of it."""
    event: Mapping[str, Any]
    document: Mapping[str, Any]

    def statement(self, origin: str) -> Statement:
        """Return the statement of the receipt, as one of that origin: the receipt does not name it."""
        key, sig = self.document["key"], self.document["sig"]
        return Statement("receipt", origin, self.match, self.seq, self.hash, key, sig)


def read_receipt(found: Any) -> Receipt | None:
    """Read a receipt from a document, which may be anything; ``None`` if it is none, or its event is none."""
    if not isinstance(found, dict) or found.keys() != MEMBERS or not isinstance(found["openings"], list):
        return None
    is_signed = is_text(found["key"], KEY) and is_text(found["sig"], HEX_64) and is_text(found["hash"], HEX_32)
    if not is_signed or not isinstance(found["event"], str):
        return None
    try:
        body = found["event"].encode()
        found_event = parse_object(body + b"\n")
        check_event(found_event)
    except UNREADABLE:
        return None
    return Receipt(found_event["match"], found_event["seq"], leaf_hash(body), found_event, found)


def check_receipt(found: Any, trusted: Sequence[Trusted] | None, log: LogExcerpt | None) -> CheckedReceipt:
    """Check a receipt, of which ``found`` is the document.

    ``trusted``: the keys of whoever holds it, ``None`` without any. ``log``: what a log of that match holds, read with
    its ``seq`` among those wanted; ``None`` without any.
    """
    receipt = read_receipt(found)
    if receipt is None:
        return CheckedReceipt(
            "malformed", None, None, (AspectCheck("event", "fail", "malformed", Explanation("no-receipt")),)
        )
    origin, signature = _signature(receipt, trusted)
    checks = (_event(receipt), _openings(receipt), signature, _log(receipt, origin, trusted or (), log, signature))
    word = worst({one.word for one in checks})
    if signature.result != "pass":
        return CheckedReceipt(word, receipt.match, receipt.seq, checks)
    statement, prev = receipt.statement(origin), bytes.fromhex(receipt.event["prev"])
    head = log.head if log is not None and checks[-1].word == "equivocation" else None
    pair = None if head is None else (statement, head)
    return CheckedReceipt(word, receipt.match, receipt.seq, checks, statement, prev, pair)


def _passed(aspect: Aspect) -> AspectCheck:
    return AspectCheck(aspect, "pass", "verified", None)


def _event(receipt: Receipt) -> AspectCheck:
    if receipt.document["hash"] != receipt.hash.hex():
        return AspectCheck("event", "fail", "tampered", Explanation("receipt-hash"))
    return _passed("event")


def _openings(receipt: Receipt) -> AspectCheck:
    """Check that every opening fits its commitment; that of a position needs the position, which no receipt holds."""
    findings = Findings()
    openings = Openings(receipt.event, findings)
    for found in receipt.document["openings"]:
        try:
            openings.read(parse_opening(parse_object(canonical({"opening": found}) + b"\n")))
        except (*UNREADABLE, TypeError):  # what cannot be written down in canonical bytes is a matter of its type
            return AspectCheck("openings", "fail", "tampered", Explanation("receipt-opening"))
    if findings.has_failed():
        checks = findings.verdict(receipt.match, True).checks
        return AspectCheck("openings", "fail", "tampered", next(one.why for one in checks if one.check == "openings"))
    if openings.salt is not None:
        return AspectCheck("openings", "not_checkable", "verified_partial", Explanation("receipt-position"))
    return _passed("openings")


def _signature(receipt: Receipt, trusted: Sequence[Trusted] | None) -> tuple[str, AspectCheck]:
    """Check the signature; return the name that it was signed under too, empty if under none.

    A receipt names its key alone: each name is tried that the key is trusted for.
    """
    if trusted is None:
        return "", AspectCheck("signature", "not_checkable", "verified_partial", Explanation("no-trusted-keys"))
    key = receipt.document["key"]
    known = indexed(trusted).by_id.get(key, ())
    of_origin: dict[str, list[Trusted]] = {} if known else {"": []}
    for one in known:
        of_origin.setdefault(one.origin, []).append(one)
    doubts = {why_doubted(receipt.statement(origin), keys): origin for origin, keys in of_origin.items()}
    if None in doubts:
        return doubts[None], _passed("signature")
    if "signature" in doubts:
        return "", AspectCheck("signature", "fail", "tampered", Explanation("receipt-signature"))
    return "", AspectCheck("signature", "fail", "key_untrusted", Explanation(str(next(iter(doubts))), {"key": key}))


def _log(
    receipt: Receipt, origin: str, trusted: Sequence[Trusted], log: LogExcerpt | None, signature: AspectCheck
) -> AspectCheck:
    """Check that the log holds the event. A log owes nothing to a receipt that nobody has signed."""
    if log is None:
        return AspectCheck("log", "not_checkable", "verified", Explanation("receipt-no-log"))
    if log.match != receipt.match:
        return AspectCheck("log", "not_checkable", "verified_partial", Explanation("receipt-other-log"))
    seq = receipt.seq
    if log.hashes.get(seq) == receipt.hash:
        return _passed("log")
    if signature.result == "fail":
        return AspectCheck("log", "not_checkable", "verified_partial", Explanation("receipt-doubtful"))
    statement = receipt.statement(origin)
    is_believed = signature.result == "pass"
    if is_believed and log.head is not None and _contradicts_head(statement, log, log.head, trusted):
        why = excusing_restoration((statement, log.head), seq, trusted)
        if why is None:
            return AspectCheck("log", "fail", "equivocation", Explanation("receipt-against-head"))
        return AspectCheck("log", "fail", "incomplete", lost_why(seq, why))
    lost = was_lost(statement, trusted, has_log=log.last >= 0) if is_believed and seq not in log.hashes else None
    if lost is not None:
        return AspectCheck("log", "fail", "incomplete", lost_why(seq, lost))
    if seq > log.last:
        return AspectCheck("log", "fail", "incomplete", Explanation("receipt-beyond", {"from": log.last, "to": seq}))
    if seq not in log.hashes:
        return AspectCheck("log", "fail", "incomplete", Explanation("receipt-gap", {"seq": seq}))
    return AspectCheck("log", "fail", "tampered", Explanation("receipt"))


def _contradicts_head(statement: Statement, log: LogExcerpt, head: Statement, trusted: Sequence[Trusted]) -> bool:
    """Tell whether the log's signed head states otherwise of that place: by itself, or by the chain before it."""
    if log.origin != statement.origin or why_doubted(head, trusted) is not None:
        return False
    return contradiction(statement, head) or (statement.seq in log.hashes and log.is_chained_at(statement.seq))
