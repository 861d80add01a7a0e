"""What a service signs when its store has gone back: which keys have ended, and with what, and what goes on from there.

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
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.key_endings import Restoration
from gyoji.log.parser import AT, HEX_32, HEX_64, ID, KEY, MAX_INTEGER, MOST_EVENTS, is_object, is_text, is_whole
from gyoji.log.signatures import Signer

FORMAT = "gyoji-restoration/1"
MEMBERS = ("format", "statement", "signatures", "open")
SAID = ("v", "type", "origin", "generation", "at", "until", "ended", "key", "log", "open")
OF_LOG = ("origin", "size", "root", "ended", "next")
VKEY = re.compile(r"[^ +\x00-\x1f]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}")


def statement(told: Restoration) -> bytes:
    """The canonical bytes of what is said."""
    log = {
        "origin": told.log,
        "size": told.size,
        "root": told.root.hex(),
        "ended": list(told.log_ended),
        "next": told.next,
    }
    return canonical(
        {
            "v": 1,
            "type": "restored",
            "origin": told.origin,
            "generation": told.generation,
            "at": told.at,
            "until": told.until,
            "ended": list(told.ended),
            "key": told.key,
            "log": log,
            "open": {"count": len(told.open), "digest": sha256(canonical(_listed(told.open))).hexdigest()},
        }
    )


def document(told: Restoration, signing: Iterable[Signer]) -> dict[str, Any]:
    """The statement, signed by all of these keys."""
    body = statement(told)
    message = _message(told.origin, body)
    signatures = [{"key": signer.key, "sig": signer.private.sign(message).hex()} for signer in signing]
    return {"format": FORMAT, "statement": body.decode(), "signatures": signatures, "open": _listed(told.open)}


def _listed(known: Mapping[str, int]) -> list[dict[str, Any]]:
    return [{"log": log, "seq": known[log]} for log in sorted(known)]


def restoration(found: Any) -> Restoration | None:
    """What a document says, which may be anything; ``None`` if it is none. Whether it is to be believed says
    ``signers``."""
    if not is_object(found, *MEMBERS) or found["format"] != FORMAT or not isinstance(found["statement"], str):
        return None
    if not isinstance(found["signatures"], list) or not all(map(_is_signature, found["signatures"])):
        return None
    if not isinstance(found["open"], list) or not all(map(_is_end, found["open"])):
        return None
    known = {each["log"]: each["seq"] for each in found["open"]}
    try:
        body = found["statement"].encode()
        told = _understood(orjson.loads(body), known)
    except (UnicodeEncodeError, ValueError):
        return None
    return told if statement(told) == body and _listed(known) == found["open"] else None


def _is_signature(found: Any) -> bool:
    return is_object(found, "key", "sig") and is_text(found["key"], KEY) and is_text(found["sig"], HEX_64)


def _is_end(found: Any) -> bool:
    return is_object(found, "log", "seq") and is_text(found["log"], ID) and is_whole(found["seq"], 0, MOST_EVENTS)


def _understood(said: Any, known: Mapping[str, int]) -> Restoration:
    if not (is_object(said, *SAID) and is_object(said["log"], *OF_LOG)):
        raise ValueError
    log = said["log"]
    shaped = (
        isinstance(said["origin"], str)
        and is_whole(said["generation"], 1, MAX_INTEGER)
        and is_text(said["at"], AT)
        and (said["until"] is None or is_text(said["until"], AT))
        and _are_keys(said["ended"])
        and is_text(said["key"], KEY)
        and isinstance(log["origin"], str)
        and is_whole(log["size"], 0, MAX_INTEGER)
        and is_text(log["root"], HEX_32)
        and _are_keys(log["ended"])
        and is_text(log["next"], VKEY)
    )
    if not shaped:
        raise ValueError
    return Restoration(
        said["origin"],
        said["generation"],
        said["at"],
        said["until"],
        tuple(said["ended"]),
        said["key"],
        log["origin"],
        log["size"],
        bytes.fromhex(log["root"]),
        tuple(log["ended"]),
        log["next"],
        known,
    )


def _are_keys(found: Any) -> bool:
    return isinstance(found, list) and all(is_text(key, KEY) for key in found)


def signers(found: Mapping[str, Any], told: Restoration, publics: Mapping[str, bytes]) -> frozenset[str]:
    """The keys of these, by their ids, that have signed the document; none at all where one of them is said to have and
    has not."""
    message = _message(told.origin, found["statement"].encode())
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
