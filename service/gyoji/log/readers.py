"""What a reader of a log gets to see: which openings, and the events with them merged in.

This is the one projection of logs: the feed, receipts, replay files and redaction all go through ``may_open``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import orjson

from gyoji.games.game import Seat
from gyoji.log.entries import Entry, Opening
from gyoji.log.redaction import merge

Reader = Seat | Literal["full", "public"]
"""One seat; everything; or what everybody may know."""


def may_open(reader: Reader, audience: Any) -> bool:
    """Whether the reader may have an opening for that audience (``for`` in the event)."""
    return reader == "full" or audience == "all" or (isinstance(reader, int) and reader in audience)


def openings_for(reader: Reader, entry: Entry, document: Mapping[str, Any]) -> tuple[Opening, ...]:
    """The openings of an entry that the reader may have. ``document`` is the event."""
    if reader == "full":
        return entry.openings
    secret = document["secret"]
    return tuple([opening for opening in entry.openings if may_open(reader, secret[opening.place]["for"])])


def project_event(reader: Reader, entry: Entry, document: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The event as the feed gives it: ``data`` with what the reader may know in its place. ``document`` is the event,
    for whoever has read it."""
    document = orjson.loads(entry.body) if document is None else document
    payloads = [opening.payload for opening in openings_for(reader, entry, document)]
    return {
        "seq": entry.seq,
        "type": document["type"],
        "at": document["at"],
        "actor": document["actor"],
        "data": merge(document["data"], payloads),
        "hash": entry.hash.hex(),
    }


def opening_documents(
    reader: Reader, entry: Entry, document: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """The reader's openings of an entry as replay files hold them, without the word ``opening`` around them.
    ``document`` is the event, for whoever has read it."""
    if entry.openings:  # most events hide nothing, and need not be read
        for opening in openings_for(reader, entry, orjson.loads(entry.body) if document is None else document):
            yield opening_document(entry.seq, opening)
    if reader == "full" and entry.position is not None:
        yield {"seq": entry.seq, "position": entry.position.hex()}


def opening_document(seq: int, opening: Opening) -> dict[str, Any]:
    """One opening as a document."""
    return {"seq": seq, "index": opening.place, "salt": opening.salt.hex(), "payload": opening.payload}
