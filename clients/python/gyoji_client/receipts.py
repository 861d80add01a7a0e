"""Checks receipts: what the service signs when it accepts a move, and cannot deny later.

A receipt has the event as the log has it, byte for byte, and an Ed25519 signature of its hash (the guide *replays*,
section *Encodings*).
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji_client.errors import BadReceipt

Document = Mapping[str, Any]


def check_receipt(receipt: Document, keys: Sequence[Document], match: str, seq: int) -> None:
    """Check that a receipt proves an event: number ``seq`` of the match, signed with one of the keys.

    ``keys`` are those of ``GET /v1/keys``, or of a file that was obtained in another way, which proves more. Raises
    ``BadReceipt``.
    """
    line = str(receipt["event"]).encode("utf-8")
    digest = sha256(b"\0" + line).digest()
    if digest.hex() != receipt["hash"]:
        raise BadReceipt("the hash is not that of the event")
    event = json.loads(line)
    if (event["match"], event["seq"]) != (match, seq):
        raise BadReceipt(f"it is of event {event['seq']} of match {event['match']}")
    key = next((each for each in keys if each["key"] == receipt["key"]), None)
    if key is None or key["revoked"] is not None:
        raise BadReceipt(f"the key {receipt['key']} is not known, or revoked")
    signed = _lengths_and_fields(b"receipt/1", key["origin"].encode(), match.encode(), seq.to_bytes(4, "big"), digest)
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public"])).verify(bytes.fromhex(receipt["sig"]), signed)
    except InvalidSignature:
        raise BadReceipt("the signature is not that of the key") from None


def _lengths_and_fields(*fields: bytes) -> bytes:
    """The fields, each behind its length in four bytes: ``LP`` of the guide."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)
