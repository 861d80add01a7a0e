"""The effective history of a match: the events of its log that no ruling has taken back, and the rulings that last
although one went back to before them; for reading (``gyoji-line/1``).

It does not verify by itself, and says so: what was taken back is not in it, and no event is in the bytes that were
hashed. The hash of each tells where it stands in the log, whose replay file verifies.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson

from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.readers import Reader, project_event
from gyoji.match.rulings.ruling_made import RULING_KINDS

FORMAT = "gyoji-line/1"


def history_lines(reader: Reader, entries: Iterable[Entry], taken: Mapping[int, int]) -> Iterator[bytes]:
    """The lines: first what this is, then the events as the feed shows them to the reader.

    ``entries`` are the whole log, ``taken`` what ``taken_back_events`` says of it.
    """
    for entry in entries:
        if entry.seq == 0:
            yield canonical(_header(reader, entry)) + b"\n"
        if entry.seq not in taken or lasts(entry):
            yield canonical(project_event(reader, entry)) + b"\n"


def _header(reader: Reader, first: Entry) -> Mapping[str, object]:
    created = orjson.loads(first.body)
    data = created["data"]
    return {
        "format": FORMAT,
        "match": created["match"],
        "game": data["game"],
        "version": data["version"],
        "rules_digest": data["rules_digest"],
        "line": "ruled",
        "audience": {"seat": reader} if isinstance(reader, int) else reader,
        "verifies": False,
    }


def taken_back_events(entries: Iterable[Entry]) -> dict[int, int]:
    """The events of a log that were taken back: ``seq`` -> ``seq`` of the ruling that did. All others are in force.
    Reads only ``type`` and ``data.ruling``, so it serves any reader."""
    taken: dict[int, int] = {}
    in_force: list[int] = []
    for entry in entries:
        ruling = ruling_in(entry)
        to = ruling["to"] if ruling is not None and ruling["kind"] == "take_back" else None
        while to is not None and in_force and in_force[-1] > to:
            taken[in_force.pop()] = entry.seq
        in_force.append(entry.seq)
    return taken


def lasts(entry: Entry) -> bool:
    """Whether that is a ruling whose effect no take-back takes back."""
    ruling = ruling_in(entry)
    kind = None if ruling is None else RULING_KINDS.get(ruling["kind"])
    return kind is not None and kind.lasts


def ruling_in(entry: Entry) -> Mapping[str, Any] | None:
    """``data.ruling`` of a ``ruling_made``; ``None`` of any other event."""
    if b'"ruling_made"' not in entry.body:  # most events need not be read
        return None
    document = orjson.loads(entry.body)
    return document["data"]["ruling"] if document["type"] == "ruling_made" else None
