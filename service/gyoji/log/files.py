"""Replay files hold a log as JSON Lines, each line canonical bytes ended by LF; this module writes and redacts them."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import orjson

from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry, Opening
from gyoji.log.redaction import Reader, may_open, opening_documents
from gyoji.log.signatures import Signer, head

FORMAT = "gyoji-replay/1"


class NotAReplay(Exception):
    """The lines are not a replay file that can be read at all; the text says what was expected."""


def write_replay(
    first: Entry, rest: Iterable[Entry], signing: Signer, reader: Reader, claimed: tuple[int, bytes] | None = None
) -> Iterator[bytes]:
    """Write the lines of a replay file for a reader, lazily. ``first`` is the entry at ``seq`` 0.

    ``claimed`` is where whoever keeps the log says that it ends (``seq`` and hash): that is what the head is signed
    for, so that a log that has lost its end does not pass for a shorter one.
    """
    created = orjson.loads(first.body)
    lines = _Digested()
    yield lines.line(header(created, signing.origin, reader))
    last = first
    for entry in _chained(first, rest):
        yield lines.raw(entry.body)
        for opening in opening_documents(reader, entry):
            yield lines.line({"opening": opening})
        last = entry
    seq, hashed = claimed or (last.seq, last.hash)
    yield lines.last(head(signing, created["match"], seq, hashed))


def header(created: dict[str, Any], origin: str, reader: Reader) -> dict[str, Any]:
    """Return the header of a replay file, its first line, made of the first event."""
    return {
        "format": FORMAT,
        "match": created["match"],
        "game": created["data"]["game"],
        "version": created["data"]["version"],
        "rules_digest": created["data"]["rules_digest"],
        "origin": origin,
        "audience": {"seat": reader} if isinstance(reader, int) else reader,
    }


def _chained(first: Entry, rest: Iterable[Entry]) -> Iterator[Entry]:
    yield first
    yield from rest


class _Digested:
    """Lines, and the digest of all that have been written."""

    def __init__(self) -> None:
        self._digest = sha256()

    def line(self, document: Any) -> bytes:
        return self.raw(canonical(document))

    def raw(self, body: bytes) -> bytes:
        line = body + b"\n"
        self._digest.update(line)
        return line

    def last(self, signed_head: dict[str, Any]) -> bytes:
        return canonical({"head": signed_head, "file": self._digest.hexdigest()}) + b"\n"


def redact_lines(lines: Iterable[bytes], reader: Reader) -> Iterator[bytes]:
    """Redact the lines of a replay file: keep only the openings that the reader may have. Events and head stay as they
    are.

    Raises ``NotAReplay`` for lines that are none; it redacts, it does not audit.
    """
    digested = _Digested()
    audiences: list[Any] = []
    for at, line in enumerate(lines):
        document = _object(line, at)
        if at == 0:
            yield digested.line(_narrowed(document, reader))
        elif "head" in document:
            yield digested.last(document["head"])
            return
        elif "opening" not in document:
            audiences = [secret["for"] for secret in document.get("secret", ())]
            yield digested.raw(line.rstrip(b"\n"))
        elif _kept(document["opening"], audiences, reader):
            yield digested.raw(line.rstrip(b"\n"))
    raise NotAReplay("the file ends before its head line")


def _narrowed(document: dict[str, Any], reader: Reader) -> dict[str, Any]:
    """The header with its new audience; a file that was redacted before cannot become another seat's."""
    if document.get("format") != FORMAT:
        raise NotAReplay(f"expected a first line with format {FORMAT}")
    before, after = document["audience"], {"seat": reader} if isinstance(reader, int) else reader
    if before not in ("full", after) and after != "public":
        raise NotAReplay("the file has been redacted for somebody else")
    return {**document, "audience": after}


def _object(line: bytes, at: int) -> dict[str, Any]:
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        raise NotAReplay(f"line {at + 1} is not a JSON object")
    return document


def _kept(opening: dict[str, Any], audiences: list[Any], reader: Reader) -> bool:
    if "index" not in opening:
        return reader == "full"
    return may_open(reader, audiences[opening["index"]])


def read_opening(document: dict[str, Any]) -> Opening:
    """Read one opening of a secret from its document."""
    return Opening(document["index"], bytes.fromhex(document["salt"]), document["payload"])
