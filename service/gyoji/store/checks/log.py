"""Checks one log, event by event, and that it is what the row of its match says."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from gyoji.log.canonical import ZERO, canonical, leaf_hash, secret_commitment
from gyoji.log.entries import Entry
from gyoji.match.state import STATUS_AFTER
from gyoji.store.database.statements import Row
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.records import Match
from gyoji.trust.transparency.leaves import OVER

COPIED = ("game", "version", "disclosure", "visibility")
"""Columns that repeat what the first event says."""


class Finding(NamedTuple):
    """A finding about a stored log: something that is wrong, and where, never with anything that was stored."""

    match: str | None
    seq: int | None
    what: str


class ReadLog:
    """A log that is being read event by event, and compared with the row of its match."""

    def __init__(self, match: Match, encryption: Encryption | None) -> None:
        self.match = match
        self.encryption = encryption
        self.seq = -1
        self.hash = ZERO
        self.status = "seeding"
        self.closed = False

    def wrong(self, row: Row) -> Iterator[str]:
        """Find what is wrong with the next event."""
        seq, body, digest, sealed = row
        if seq != self.seq + 1:
            yield f"events {self.seq + 1} to {seq - 1} are missing"
        prev, self.seq, self.hash = self.hash, seq, digest
        if leaf_hash(body) != digest:
            yield "the event does not have its hash"
        document = read_document(body)
        if document is None:
            yield "the event does not read"
            return
        if (document.get("match"), document.get("seq"), document.get("prev")) != (self.match.match, seq, prev.hex()):
            yield "the event does not continue the log"
        self.status = _status_after(document, self.status)
        self.closed = self.closed or document.get("type") == "seed_disclosed"
        yield from self._first(document) if seq == 0 else ()
        yield from self._openings(document, row, sealed)

    def _first(self, document: dict[str, Any]) -> Iterator[str]:
        said = document.get("data", {})
        yield from [
            f"{name} is not what the log says" for name in COPIED if getattr(self.match, name) != said.get(name)
        ]
        if self.match.withheld_until != said.get("withheld_until"):
            yield "withheld_until is not what the log says"
        if not self.match.imported and self.match.created != document.get("at"):
            yield "created is not what the log says"

    def _openings(self, document: dict[str, Any], row: Row, sealed: bytes | None) -> Iterator[str]:
        if self.encryption is None or sealed is None:
            return
        try:
            entry = self.encryption.entry(self.match.match, *row)
        except Damaged as failure:
            yield str(failure)
            return
        if not _opens(document, entry):
            yield "an opening is not what the event commits to"

    def wrong_at_end(self) -> Iterator[str]:
        """Find what is wrong with the whole log, once it is read."""
        head = self.match.head
        if (head.seq, head.hash) != (self.seq, self.hash):
            yield "its head is not the last event"
        if not 0 <= head.decision <= head.seq:
            yield "its decision is no event"
        if not self.match.imported and (head.status, head.closed) != (self.status, self.closed):
            yield "its status is not what the log says"


def _status_after(document: dict[str, Any], before: str) -> str:
    """Tell the status after an event. A take-back lets a match that was over run again."""
    kind = document.get("type", "")
    if kind == "ruling_made" and before in OVER and document["data"]["ruling"]["kind"] == "take_back":
        return "playing"
    return STATUS_AFTER.get(kind, before)


def read_document(body: bytes) -> dict[str, Any] | None:
    """Parse the bytes of an event; ``None`` if they are no JSON document."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, dict) else None


def _opens(document: dict[str, Any], entry: Entry) -> bool:
    """Whether every opening is that of its commitment."""
    secrets = document.get("secret")
    if not isinstance(secrets, list):
        return not entry.openings
    return all(
        opening.place < len(secrets)
        and secrets[opening.place].get("commit") == secret_commitment(opening.salt, canonical(opening.payload))
        for opening in entry.openings
    )
