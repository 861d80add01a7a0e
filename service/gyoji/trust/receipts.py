"""What a mover gets in hand: the event, signed, with the openings that are its own."""

from collections.abc import Mapping
from typing import Any

from gyoji.log.entries import Entry
from gyoji.log.readers import Reader, opening_documents
from gyoji.log.signatures import Signer, signature


def receipt(
    signing: Signer, match: str, entry: Entry, reader: Reader, document: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The receipt of an accepted move. The same each time it is asked for. ``document`` is the event, for whoever has
    read it."""
    return {
        "event": entry.body.decode(),
        "hash": entry.hash.hex(),
        "openings": list(opening_documents(reader, entry, document)),
        "key": signing.key,
        "sig": signature(signing, "receipt/1", match, entry.seq, entry.hash),
    }
