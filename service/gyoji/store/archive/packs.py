"""Packs: one object that holds the stored events of many matches. The form is ``docs/archive.md``'s, byte for byte.

A pack is a head line, the parts one after another, an index as canonical JSON and a foot; a part is one match. Rows are
in it as they are stored: what is encrypted stays encrypted. Every part has its digest in the index and in the database,
so that one match costs one ranged read, and a pack can be understood without the database.
"""

import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from gyoji.log.canonical import ZERO, canonical, leaf_hash
from gyoji.store.database.statements import Row

MARK = b"gyoji-archive/1\n"
HASH = 32
COUNT = 4
SIZE = 8
FOOT = SIZE + HASH + len(MARK)
"""Bytes at the end: the length of the index, its digest, the mark again."""

NUL = b"\x00\x00\x00\x00"


class BadPack(ValueError):
    """The bytes are no pack, or not the part that was asked for."""


class Part(NamedTuple):
    """The part of a pack that holds one match, and where that match's log ends."""

    match: str
    start: int
    length: int
    digest: bytes
    """SHA-256 of its bytes."""
    seq: int
    hash: bytes
    """Those of its last event."""


def pack_rows(rows: Sequence[Row]) -> bytes:
    """Pack the rows of a match, of (seq, body, hash, encrypted openings), in order and from 0 on, into its part."""
    bodies = zlib.compress(b"".join([body + b"\n" for _seq, body, _hash, _sealed in rows]))
    return b"".join(
        [
            len(rows).to_bytes(COUNT),
            len(bodies).to_bytes(COUNT),
            bodies,
            *[digest for _seq, _body, digest, _sealed in rows],
            *[_counted(sealed) for _seq, _body, _hash, sealed in rows],
        ]
    )


def _counted(sealed: bytes | None) -> bytes:
    return NUL if sealed is None else len(sealed).to_bytes(COUNT) + sealed


def unpack_rows(part: bytes) -> list[Row]:
    """Unpack the rows of a part; ``BadPack`` if it is none."""
    events, size = int.from_bytes(part[:COUNT]), int.from_bytes(part[COUNT : 2 * COUNT])
    hashes = 2 * COUNT + size
    try:
        text = zlib.decompress(part[2 * COUNT : hashes])
    except zlib.error:
        raise BadPack("its events do not unpack") from None
    bodies = text.split(b"\n")[:-1]
    openings = list(_openings(part, hashes + events * HASH))
    if not len(bodies) == len(openings) == events:
        raise BadPack("its parts are not of one length")
    digests = [part[at : at + HASH] for at in range(hashes, hashes + events * HASH, HASH)]
    return list(zip(range(events), bodies, digests, openings, strict=True))


def _openings(part: bytes, at: int) -> Iterator[bytes | None]:
    while at < len(part):
        size = int.from_bytes(part[at : at + COUNT])
        at += COUNT + size
        if at > len(part):
            raise BadPack("it is cut short")
        yield part[at - size : at] if size else None


def is_whole(rows: Sequence[Row], seq: int, head: bytes) -> bool:
    """Tell whether rows are a log from its first event to the one at ``seq``, whose hash is ``head``. There is no gap,
    every hash is that of its event, and every event is chained to the one before."""
    if [row[0] for row in rows] != list(range(seq + 1)) or rows[-1][2] != head:
        return False
    if any(leaf_hash(body) != digest for _seq, body, digest, _sealed in rows):
        return False
    prevs = [ZERO, *[digest for _seq, _body, digest, _sealed in rows]]
    return all(_follows(row[1], prev) for row, prev in zip(rows, prevs, strict=False))


def _follows(body: bytes, prev: bytes) -> bool:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return isinstance(document, dict) and document.get("prev") == prev.hex()


def make_pack(logs: Sequence[tuple[str, Sequence[Row], bytes]]) -> tuple[bytes, list[Part]]:
    """Make a pack of some matches, each with its rows and its part; the pack, and where in it the parts are."""
    parts: list[Part] = []
    at = len(MARK)
    for match, rows, part in logs:
        parts.append(Part(match, at, len(part), sha256(part).digest(), rows[-1][0], rows[-1][2]))
        at += len(part)
    index = canonical({"parts": [_written(part) for part in parts]})
    foot = len(index).to_bytes(SIZE) + sha256(index).digest() + MARK
    return b"".join([MARK, *[part for _match, _rows, part in logs], index, foot]), parts


def _written(part: Part) -> dict[str, Any]:
    return {**part._asdict(), "digest": part.digest.hex(), "hash": part.hash.hex()}


def read_index(content: bytes) -> list[Part]:
    """Read the index of a whole pack; ``BadPack`` if it is none, or if a part does not have its digest."""
    if content[: len(MARK)] != MARK or content[-len(MARK) :] != MARK or len(content) < len(MARK) + FOOT:
        raise BadPack("it is no pack")
    foot = len(content) - FOOT
    start = foot - int.from_bytes(content[foot : foot + SIZE])
    index = content[max(start, 0) : foot]
    if start < len(MARK) or sha256(index).digest() != content[foot + SIZE : foot + SIZE + HASH]:
        raise BadPack("its index does not have its digest")
    parts = _parts(index)
    ends = [len(MARK), *[part.start + part.length for part in parts]]
    if [*[part.start for part in parts], start] != ends:
        raise BadPack("its parts do not lie side by side")
    if any(sha256(content[part.start : part.start + part.length]).digest() != part.digest for part in parts):
        raise BadPack("a part does not have its digest")
    return parts


def _parts(index: bytes) -> list[Part]:
    try:
        return [_read(said) for said in orjson.loads(index)["parts"]]
    except (ValueError, TypeError, KeyError):
        raise BadPack("its index does not read") from None


def _read(said: dict[str, Any]) -> Part:
    part = Part(**{**said, "digest": bytes.fromhex(said["digest"]), "hash": bytes.fromhex(said["hash"])})
    if not isinstance(part.match, str) or any(type(each) is not int for each in (part.start, part.length, part.seq)):
        raise BadPack("its index does not read")
    return part


def pack_name(digest: bytes) -> str:
    """Return the name of a pack below the archive's URL, made of its SHA-256."""
    text = digest.hex()
    return f"{text[:2]}/{text}.pack"
