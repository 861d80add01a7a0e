"""A match of which the last events were lost, and which went on otherwise: two stories, and what was signed of it."""

from typing import Any

import orjson

from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Restoration, Signer, public_bytes, signer
from gyoji.trust.receipts import make_receipt
from gyoji.trust.restorations import sign_restoration
from gyoji.trust.transparency.notes import Verifier, write_vkey
from replay.tampering import SIGNING, Lines, Parts, entries_of, file_of, forged

ENTRIES = entries_of("towai")
MATCH: str = orjson.loads(ENTRIES[0].body)["match"]
ORIGIN = SIGNING.origin
KNOWN = 4
"""The last event that was known."""
SEQ = 5
AT = "2026-03-01T12:30:45.000Z"
SUCCESSOR = signer(bytes(range(3, 35)), ORIGIN)
LOG = signer(bytes(range(5, 37)), f"{ORIGIN}/log/20260301123045")


def later(parts: Parts) -> None:
    """Another time for the first event after it, and so other hashes from there on."""
    parts.events[SEQ].document["at"] = "2026-01-01T00:00:05.001Z"


LOST: Lines = file_of(ENTRIES)
"""As it was until the restore."""
AFTER: Lines = forged(LOST, later, SUCCESSOR)
"""As it went on."""
BOTH_BY_ONE: Lines = forged(LOST, later)
"""The same by the key that has ended: a lie."""


def told(**changed: Any) -> Restoration:
    """What is said of it."""
    said = Restoration(
        origin=ORIGIN,
        generation=20260301123045,
        at=AT,
        until="2026-01-01T00:00:05.000Z",
        ended=(SIGNING.key,),
        key=SUCCESSOR.key,
        log=f"{ORIGIN}/log",
        size=7,
        root=bytes(32),
        log_ended=(),
        next=write_vkey(Verifier(LOG.origin, public_bytes(LOG.private))),
        open={MATCH: KNOWN},
    )
    return said._replace(**changed)


def key_of(signing: Signer, revoked: str | None = None) -> dict[str, Any]:
    """A key as it is published."""
    public = public_bytes(signing.private).hex()
    more = {"from": AT, "until": None, "revoked": revoked, "reason": None}
    return {"key": signing.key, "origin": signing.origin, "public": public, **more}


def published(*restorations: Any, keys: tuple[Signer, ...] = (SIGNING, SUCCESSOR), **revoked: str) -> dict[str, Any]:
    """The keys of the service, and what it has signed."""
    shown = [key_of(one, revoked.get(f"k{one.key}")) for one in keys]
    return {"keys": shown, "restorations": list(restorations)}


def signed(restoration: Restoration | None = None, *by: Signer) -> dict[str, Any]:
    """The document, as the service signs it unless said otherwise."""
    return sign_restoration(restoration or told(), by or (SIGNING, SUCCESSOR, LOG))


TRUST = published(signed())


def received(lines: Lines, seq: int, signing: Signer) -> dict[str, Any]:
    """The receipt of an event of a story."""
    (body,) = [line[:-1] for line in lines if line.startswith(b'{"actor"') and b'"seq":%d,"type"' % seq in line]
    entry = ENTRIES[seq]._replace(body=body, hash=leaf_hash(body), openings=(), position=None)
    return make_receipt(signing, MATCH, entry, "public")
