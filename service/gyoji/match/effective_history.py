"""The effective history of a match is its log without the events that rulings have taken back.

Rulings that last stay in it although a take-back went back to before them. It is for reading (``gyoji-line/1``):
it does not verify by itself, and says so. What was taken back is not in it, and no event is in the bytes that were
hashed. The hash of each tells where it stands in the log, whose replay file verifies.

``undone_events`` lists what a take-back undoes but cannot make unknown: the events that told somebody something hidden,
and the shuffles. It follows from what anybody may know of the log, so a referee who sees no hidden card may know it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.games.game import Event, Seat
from gyoji.games.records import Knower
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.redaction import Audience, Reader, project_event
from gyoji.match.fold import opened_data
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.seeding import shuffles_in
from gyoji.match.state import MatchState

FORMAT = "gyoji-line/1"


def history_lines(reader: Reader, entries: Iterable[Entry], taken: Mapping[int, int]) -> Iterator[bytes]:
    """Write the lines of an effective history: first a header, then the events as the feed shows them to the reader.

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
    """Return the events of a log that were taken back: ``seq`` -> ``seq`` of the ruling that did. All others are in
    force. Reads only ``type`` and ``data.ruling``, so it serves any reader."""
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
    """Tell whether an entry is a ruling whose effect outlasts every take-back."""
    ruling = ruling_in(entry)
    kind = None if ruling is None else RULING_KINDS.get(ruling["kind"])
    return kind is not None and kind.lasts


def ruling_in(entry: Entry) -> Mapping[str, Any] | None:
    """Return ``data.ruling`` of a ``ruling_made``; ``None`` for any other event."""
    if b'"ruling_made"' not in entry.body:  # most events need not be read
        return None
    document = orjson.loads(entry.body)
    return document["data"]["ruling"] if document["type"] == "ruling_made" else None


class UndoneEvent(NamedTuple):
    """One event that is taken back."""

    seq: int
    type: str
    known_to: Audience
    """The seats that learned something by it; ``all``: everybody at the table."""
    shuffle: bool
    """Whether cards were shuffled."""


def undone_events(target: MatchState, entries: Sequence[Entry]) -> tuple[UndoneEvent, ...]:
    """Return the events in force among ``entries`` by which somebody learned something or cards were shuffled.
    ``entries`` follow the event of ``target``; every opening has to be there."""
    gone = taken_back_events(entries)
    return tuple([found for entry in entries if entry.seq not in gone for found in _undone(target, entry)])


def _undone(target: MatchState, entry: Entry) -> Iterator[UndoneEvent]:
    document = orjson.loads(entry.body)
    data = opened_data(entry, document)
    events, move = data.get("events", ()), data.get("move", {})
    shuffle = bool(shuffles_in(target.game, target.options, events))
    known = target.game.known(target.options).events
    informed = {seat for event in events for seat in _informed(event, known[event["type"]], move)}
    is_public = any(event["type"] in target.game.records.uncovering for event in events)
    if is_public or informed or shuffle:
        yield UndoneEvent(entry.seq, document["type"], "all" if is_public else tuple(sorted(informed)), shuffle)


def _informed(event: Event, fields: Mapping[str, Knower], move: Mapping[str, Any]) -> Iterator[Seat]:
    """The seats that learned something privately by one event. Of its own choice nobody learns anything."""
    for name, knower in fields.items():
        if knower == "own" and event.get(name) != move.get(name, ""):
            yield event["seat"]
        elif knower == "both":
            yield event["to"]
        elif knower == "each":
            yield from range(len(event[name]))
