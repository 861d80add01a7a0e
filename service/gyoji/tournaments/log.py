"""Writes the log of a tournament: events chained by hash like those of a match. Nothing in it is hidden."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson

from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.entries import Actor, Entry
from gyoji.log.signatures import Signer, signature
from gyoji.tournaments.decisions import Event

FORMAT = "gyoji-tournament/1"


def record_event(tournament: str, seq: int, prev: bytes, at: str, actor: Actor, event: Event) -> Entry:
    """Write an event as the log has it, after the one with the hash ``prev``; ``at`` is RFC 3339, UTC, milliseconds."""
    body = canonical(
        {
            "v": 1,
            "tournament": tournament,
            "seq": seq,
            "prev": prev.hex(),
            "at": at,
            "type": event.type,
            "actor": actor,
            "data": event.data,
        }
    )
    return Entry(seq, body, leaf_hash(body))


def read_event(entry: Entry) -> Mapping[str, Any]:
    """Read an event of the log as a document."""
    document: Mapping[str, Any] = orjson.loads(entry.body)
    return document


def export_log(tournament: str, entries: Iterable[Entry], signing: Signer) -> Iterator[bytes]:
    """Write the log as the lines of a file: what it is, every event, and the signed head.

    Each event names the SHA-256 of a zero byte and the event before it, so that whoever has the head has them all.
    """
    yield canonical({"format": FORMAT, "tournament": tournament, "origin": signing.origin}) + b"\n"
    seq, last = -1, b""
    for entry in entries:
        yield entry.body + b"\n"
        seq, last = entry.seq, entry.hash
    signed = signature(signing, "tournament/1", tournament, seq, last)
    head = {"tournament": tournament, "seq": seq, "hash": last.hex(), "key": signing.key, "sig": signed}
    yield canonical({"head": head}) + b"\n"
