"""Makes receipts: what a player is given for an accepted move, signed, with the openings that are its own."""

from collections.abc import Mapping
from typing import Any

from gyoji.log.entries import Entry
from gyoji.log.readers import Reader, opening_documents
from gyoji.log.signatures import Signer, signature


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
