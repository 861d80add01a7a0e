"""Statements that a service has signed, in one form, so that two of them can be compared.

A head says with which event a match ends, a receipt which event a move has made. Two that cannot both be true are a
proof that needs nothing but the keys. For two checkpoints of the transparency log see ``trust``.
"""

from collections.abc import Sequence
from math import inf
from typing import Any, Literal, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji.log.canonical import leaf_hash
from gyoji.log.parser import (
    HEX_32,
    HEX_64,
    ID,
    KEY,
    MOST_EVENTS,
    OverLimits,
    Unreadable,
    is_object,
    is_text,
    is_whole,
    parse_object,
)
from gyoji.log.signatures import Restoration, Trusted, indexed, message

Kind = Literal["head", "receipt"]

Doubt = Literal["unknown-key", "other-origin", "revoked-key", "signature"]
"""Why nobody has to believe a statement: codes of ``messages/verdicts.toml``."""


class Statement(NamedTuple):
    """A statement that the event of a match at ``seq`` has a hash. Whether a trusted key has signed it, ``why_doubted``
    tells."""

    kind: Kind
    origin: str
    """The name that the service signs under."""
    match: str
    seq: int
    hash: bytes
    """32 bytes."""
    key: str
    """The key's id, 16 hex digits."""
    sig: str
    """128 hex digits."""


Contradiction = tuple[Statement, Statement]
"""Two that cannot both be true. If they are about two places, it is the chain of a file between these that shows it."""


def statement_of_head(origin: str, found: Any) -> Statement | None:
    """Read the statement of a head, ``found`` being the member ``head`` of a file's last line, or anything. ``None`` if
    it is none.

    ``origin`` is what the file's first line names: a head is signed for it without repeating it.
    """
    if not (
        is_object(found, "match", "seq", "hash", "key", "sig")
        and is_text(found["match"], ID)
        and is_whole(found["seq"], 0, MOST_EVENTS)
        and is_text(found["hash"], HEX_32)
        and is_text(found["key"], KEY)
        and is_text(found["sig"], HEX_64)
    ):
        return None
    hashed = bytes.fromhex(found["hash"])
    return Statement("head", origin, found["match"], found["seq"], hashed, found["key"], found["sig"])


def statement_of_receipt(origin: str, found: Any) -> Statement | None:
    """Read the statement of a receipt from its document, which may be anything; ``None`` if it is none.

    A receipt does not name its origin: it is that of the key, or of the file that it is compared with.
    """
    if not isinstance(found, dict) or not is_text(found.get("sig"), HEX_64) or not isinstance(found.get("key"), str):
        return None
    text = found.get("event")
    try:
        body = text.encode() if isinstance(text, str) else b""
        told = parse_object(body + b"\n")
    except (UnicodeEncodeError, Unreadable, OverLimits):
        return None
    match: Any = told.get("match")
    seq: Any = told.get("seq")
    hashed = leaf_hash(body)
    if not isinstance(match, str) or not is_whole(seq, 0, MOST_EVENTS) or found.get("hash") != hashed.hex():
        return None
    return Statement("receipt", origin, match, seq, hashed, found["key"], found["sig"])


def statement_of_document(origin: str, found: Any) -> Statement | None:
    """Read the statement of a document that somebody kept, which may be anything: a receipt, a head, or a head line.
    ``None`` if it is none of them."""
    head = found.get("head", found) if isinstance(found, dict) else None
    return statement_of_head(origin, head) or statement_of_receipt(origin, found)


def why_doubted(statement: Statement, trusted: Sequence[Trusted]) -> Doubt | None:
    """Return why a statement need not be believed; ``None`` if a key that is trusted for its origin has signed it."""
    known = indexed(trusted).by_id.get(statement.key, ())
    own = [key for key in known if key.origin == statement.origin]
    if not known:
        return "unknown-key"
    if not own:
        return "other-origin"
    if any(key.revoked for key in own):
        return "revoked-key"
    return None if _is_signed(own[0], statement) else "signature"


def _is_signed(trusted: Trusted, statement: Statement) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(trusted.public).verify(bytes.fromhex(statement.sig), signed_bytes(statement))
    except (InvalidSignature, ValueError):
        return False
    return True


def signed_bytes(statement: Statement) -> bytes:
    """Return the bytes that the signature of a statement is over."""
    kind, origin, match, seq, hashed, *_signature = statement
    return message("head/1" if kind == "head" else "receipt/1", origin, match, seq, hashed)


def excusing_restoration(pair: Contradiction, seq: int, trusted: Sequence[Trusted]) -> Restoration | None:
    """Return the restoration that explains why two contradicting statements are no lie; ``None`` if there is none. One
    is of a key that ended when the store went back, and of an event lost then; the other is of a later key."""
    for lost, other in (pair, pair[::-1]):
        for key in indexed(trusted).by_id.get(lost.key, ()):
            told = key.ended if key.origin == lost.origin else None
            if told is not None and other.key not in told.ended and told.has_lost(lost.match, seq):
                return told
    return None


def outlasts(one: Statement, other: Statement, trusted: Sequence[Trusted]) -> bool:
    """Tell whether of two statements that say the same, ``one`` is worth more: its key has not ended, or ended
    later."""
    return _end(one, trusted) > _end(other, trusted)


def _end(statement: Statement, trusted: Sequence[Trusted]) -> float:
    keys = [key for key in indexed(trusted).by_id.get(statement.key, ()) if key.origin == statement.origin]
    return max([inf if key.ended is None else key.ended.generation for key in keys], default=0)


def was_lost(statement: Statement, trusted: Sequence[Trusted], *, has_log: bool) -> Restoration | None:
    """Return the restoration that explains why a log does not reach to a signed event. The event was lost when the
    store went back, or with ``has_log`` ``False`` the whole log. ``None`` if there is none."""
    for key in indexed(trusted).by_id.get(statement.key, ()):
        ended = key.ended if key.origin == statement.origin else None
        if ended is not None and (
            ended.has_lost(statement.match, statement.seq) or not (has_log or statement.match in ended.open)
        ):
            return ended
    return None


def contradiction(a: Statement, b: Statement) -> bool:
    """Tell whether two statements contradict each other: of one place of one log they state different hashes. Who has
    signed them, ``why_doubted`` tells."""
    return (a.origin, a.match, a.seq) == (b.origin, b.match, b.seq) and a.hash != b.hash
