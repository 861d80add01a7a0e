"""Keeps the signed heads of everything that has been audited: a hundred bytes of memory each, the rest on the disk."""

from collections.abc import Iterator
from hashlib import blake2b
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

import orjson

from gyoji.bulk.locations import Location, printable_name
from gyoji.log.statements import Statement

IN_MEMORY = 1 << 24
"""Bytes of heads that are kept in memory; more of them go to a file that has no name."""
NONE = -1


class HeadedFile(NamedTuple):
    """A file that ends with a head, whoever has signed it."""

    place: Location
    head: Statement
    label: str
    """The verdict on it by itself."""

    @property
    def name(self) -> str:
        """The name of the file, as it is printed."""
        return printable_name(self.place.name)


class Heads:
    """The signed heads of many files, by match."""

    def __init__(self, store: str | None = None) -> None:
        self._store = store or ""
        self._kept = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by ``close``
        self._last: dict[int, int] = {}
        """By match, where the last of its heads begins; each says where the one before it does."""
        self._differing: set[int] = set()
        """The matches whose heads are not all the same."""
        self._end = 0

    def close(self) -> None:
        """Free the memory and the disk that the heads take."""
        self._kept.close()

    def add(self, one: HeadedFile) -> None:
        """Add one head."""
        head = one.head
        named = f"{head.origin}\0{head.match}".encode("utf-8", "surrogatepass")
        key = int.from_bytes(blake2b(named, digest_size=8).digest(), "big")
        before = self._last.get(key, NONE)
        if before != NONE and self._read(before)[1].head[:5] != head[:5]:
            self._differing.add(key)
        self._kept.seek(self._end)
        self._last[key] = self._end
        self._end += self._kept.write(_write(before, one))

    def differing(self) -> Iterator[list[HeadedFile]]:
        """Return the files of each match that has several heads."""
        for key in sorted(self._differing):
            logs: dict[tuple[str, str], list[HeadedFile]] = {}
            at = self._last[key]
            while at != NONE:
                at, one = self._read(at)
                logs.setdefault((one.head.origin, one.head.match), []).append(one)
            yield from (log[::-1] for log in logs.values())

    def _read(self, at: int) -> tuple[int, HeadedFile]:
        self._kept.seek(at)
        before, label, kind, name, where, origin, match, seq, hashed, key, sig = orjson.loads(self._kept.readline())
        statement = Statement("head", origin, match, seq, bytes.fromhex(hashed), key, sig)
        found = self._store if kind == "match" else _read_name(where)
        return before, HeadedFile(Location(kind, _read_name(name), found), statement, label)


def _write(before: int, one: HeadedFile) -> bytes:
    place, head = one.place, one.head
    # the URL of a store may hold a password
    found = "" if place.kind == "match" else _write_name(place.where)
    named = [before, one.label, place.kind, _write_name(place.name), found]
    return orjson.dumps([*named, head.origin, head.match, head.seq, head.hash.hex(), head.key, head.sig]) + b"\n"


def _write_name(name: str) -> str:
    """Write a name of any bytes as a text that JSON can hold."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def _read_name(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")
