"""A replay file taken apart by its lines: header, events with their openings, head."""

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple

from replay.independent_secrets import Audience, merged

Doc = dict[str, Any]

HEX = re.compile(r"[0-9a-f]+")
LARGEST = 2**53 - 1


class Fault(NamedTuple):
    """What does not hold: the check, the event (or null) and what was found."""

    check: str
    seq: int | None
    found: str


@dataclass
class Entry:
    """One event with its bytes and the openings that the file has of it."""

    doc: Doc
    raw: bytes
    openings: list[Doc] = field(default_factory=list)
    salt: str | None = None

    @property
    def seq(self) -> int:
        return int(self.doc["seq"])

    @property
    def leaf(self) -> str:
        return sha256(b"\0" + self.raw).hexdigest()

    @property
    def known(self) -> Doc:
        """The data with all that the file opens."""
        return merged(self.doc["data"], [opening["payload"] for opening in self.openings])

    def audience(self, index: int) -> Audience:
        seats = self.doc["secret"][index]["for"]
        return "all" if seats == "all" else tuple(seats)


class Replay(NamedTuple):
    """A file taken apart: its header, the entries, its last line, and the digest of what stands before that."""

    header: Doc
    entries: list[Entry]
    footer: Doc
    digest: str

    @property
    def created(self) -> Doc:
        data: Doc = self.entries[0].doc["data"]
        return data

    @property
    def deal(self) -> Entry | None:
        """The first deal; none where the match is void before, or still waits."""
        return next((entry for entry in self.entries if entry.doc["type"] == "dealt"), None)

    @property
    def secret(self) -> bytes | None:
        """The server's secret, where the file discloses it."""
        closed = [entry for entry in self.entries if entry.doc["type"] == "seed_disclosed"]
        found = closed[0].known["server_secret"] if closed else None
        return None if found is None else bytes.fromhex(found)


def taken_apart(file: bytes) -> Replay:
    """The lines by what they are; openings go to the event that they follow."""
    lines = file.split(b"\n")
    if lines.pop() != b"":
        raise ValueError("the file ends inside a line")
    header, *middle, footer = [json.loads(line) for line in lines]
    entries: list[Entry] = []
    for doc, raw in zip(middle, lines[1:-1], strict=True):
        if "opening" in doc:
            _taken_in(entries[-1], doc)
        else:
            entries.append(Entry(doc, raw))
    return Replay(header, entries, footer, sha256(file[: -len(lines[-1]) - 1]).hexdigest())


def _taken_in(entry: Entry, line: Doc) -> None:
    opening = line["opening"]
    if line.keys() != {"opening"} or opening["seq"] != entry.seq or entry.salt is not None:
        raise ValueError("an opening behind another event than its own")
    if opening.keys() == {"seq", "position"}:
        entry.salt = opening["position"]
    elif opening.keys() == {"seq", "index", "salt", "payload"}:
        entry.openings.append(opening)
    else:
        raise ValueError("an opening with other members")


def is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(name.isascii() and is_plain(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(is_plain(inner) for inner in value)
    return not isinstance(value, float) and (not isinstance(value, int) or abs(value) <= LARGEST)


def is_hex(text: str, size: int) -> bool:
    return bool(HEX.fullmatch(text)) and len(text) == 2 * size
