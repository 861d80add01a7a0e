"""Makes and checks restorations: signed statements that a store has gone back, and which keys have ended.

``{"format":"gyoji-restoration/1","statement","signatures":[{"key","sig"},…],"open":[{"log","seq"},…]}``. The statement
is canonical JSON, as text; each signature is over ``LP("restoration/1", origin, hash)`` with the hash of these bytes,
by keys that have ended and by those that follow them. ``open`` says with which event every match and tournament was
known that was not closed, by id, and is what the statement has the digest of.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji.games.chance import length_prefixed
from gyoji.games.records import MAX_INTEGER
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.parser import AT, HEX_32, HEX_64, ID, KEY, MOST_EVENTS, is_object, is_text, is_whole
from gyoji.log.signatures import Restoration, Signer

FORMAT = "gyoji-restoration/1"
MEMBERS = ("format", "statement", "signatures", "open")
STATEMENT = ("v", "type", "origin", "generation", "at", "until", "ended", "key", "log", "open")
OF_LOG = ("origin", "size", "root", "ended", "next")
VKEY = re.compile(r"[^ +\x00-\x1f]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}")


def statement_bytes(restored: Restoration) -> bytes:
    """Return the canonical bytes of a restoration, which are signed."""
    log = {
        "origin": restored.log,
        "size": restored.size,
        "root": restored.root.hex(),
        "ended": list(restored.log_ended),
        "next": restored.next,
    }
    return canonical(
        {
            "v": 1,
            "type": "restored",
            "origin": restored.origin,
            "generation": restored.generation,
            "at": restored.at,
            "until": restored.until,
            "ended": list(restored.ended),
            "key": restored.key,
            "log": log,
            "open": {"count": len(restored.open), "digest": sha256(canonical(_write_open(restored.open))).hexdigest()},
        }
    )


def sign_restoration(restored: Restoration, signing: Iterable[Signer]) -> dict[str, Any]:
    """Sign a restoration with all of these keys; return its document."""
    body = statement_bytes(restored)
    message = _message(restored.origin, body)
    signatures = [{"key": signer.key, "sig": signer.private.sign(message).hex()} for signer in signing]
    return {"format": FORMAT, "statement": body.decode(), "signatures": signatures, "open": _write_open(restored.open)}


def _write_open(known: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"log": log, "seq": known[log]} for log in sorted(known)]


def read_restoration(found: Any) -> Restoration | None:
    """Read a restoration from a document, which may be anything; ``None`` if it is none. Whether to believe it,
    ``verified_signers`` tells."""
    if not is_object(found, *MEMBERS) or found["format"] != FORMAT or not isinstance(found["statement"], str):
        return None
    if not isinstance(found["signatures"], list) or not all(map(_is_signature, found["signatures"])):
        return None
    if not isinstance(found["open"], list) or not all(map(_is_end, found["open"])):
        return None
    known = {each["log"]: each["seq"] for each in found["open"]}
    try:
        body = found["statement"].encode()
        restored = _read_statement(orjson.loads(body), known)
    except (UnicodeEncodeError, ValueError):
        return None
    return restored if statement_bytes(restored) == body and _write_open(known) == found["open"] else None


def _is_signature(found: Any) -> bool:
    return is_object(found, "key", "sig") and is_text(found["key"], KEY) and is_text(found["sig"], HEX_64)


def _is_end(found: Any) -> bool:
    return is_object(found, "log", "seq") and is_text(found["log"], ID) and is_whole(found["seq"], 0, MOST_EVENTS)


def _read_statement(found: Any, known: Mapping[str, int]) -> Restoration:
    if not (is_object(found, *STATEMENT) and is_object(found["log"], *OF_LOG)):
        raise ValueError
    log = found["log"]
    shaped = (
        isinstance(found["origin"], str)
        and is_whole(found["generation"], 1, MAX_INTEGER)
        and is_text(found["at"], AT)
        and (found["until"] is None or is_text(found["until"], AT))
        and _are_keys(found["ended"])
        and is_text(found["key"], KEY)
        and isinstance(log["origin"], str)
        and is_whole(log["size"], 0, MAX_INTEGER)
        and is_text(log["root"], HEX_32)
        and _are_keys(log["ended"])
        and is_text(log["next"], VKEY)
    )
    if not shaped:
        raise ValueError
    return Restoration(
        found["origin"],
        found["generation"],
        found["at"],
        found["until"],
        tuple(found["ended"]),
        found["key"],
        log["origin"],
        log["size"],
        bytes.fromhex(log["root"]),
        tuple(log["ended"]),
        log["next"],
        known,
    )


def _are_keys(found: Any) -> bool:
    return isinstance(found, list) and all(is_text(key, KEY) for key in found)


def verified_signers(found: Mapping[str, Any], restored: Restoration, publics: Mapping[str, bytes]) -> frozenset[str]:
    """Return which of these keys, by their ids, have signed the document; none at all where a signature that names one
    of them is wrong."""
    message = _message(restored.origin, found["statement"].encode())
    by: set[str] = set()
    for each in found["signatures"]:
        if each["key"] in publics:
            try:
                key = Ed25519PublicKey.from_public_bytes(publics[each["key"]])
                key.verify(bytes.fromhex(each["sig"]), message)
            except InvalidSignature:
                return frozenset()
            by.add(each["key"])
    return frozenset(by)


def _message(origin: str, body: bytes) -> bytes:
    return length_prefixed("restoration/1", origin, leaf_hash(body))
