"""Files that are hostile to whoever reads them, in any size: twice the number, twice the bytes."""

import copy
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from golden.logs import FORKS
from gyoji.log.entries import Entry
from liar.ruled import Unchecked
from replay.refereed import REFEREE
from replay.tampering import SIGNING, Event, Lines, Parts, cut_at_lf, entries_of, file_of, forged, sealed, taken_apart

ZEROS = "0" * 64
WHOLE: Lines = file_of(entries_of("catte"))


def hidden(seq: int, number: int, payload: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A secret of an event, and the opening that tells it; the commitment is made when the file is sealed."""
    return {"for": [], "commit": ZEROS}, {"seq": seq, "index": number, "salt": ZEROS, "payload": dict(payload)}


def told_last(data: Mapping[str, Any], *payloads: Mapping[str, Any]) -> bytes:
    """The last event says that as well, with these openings."""

    def tell(parts: Parts) -> None:
        event = parts.events[-1]
        event.data.update(data)
        for payload in payloads:
            secret, opening = hidden(event.document["seq"], len(event.document["secret"]), payload)
            event.document["secret"].append(secret)
            event.openings.insert(secret_count(event) - 1, opening)

    return b"".join(forged(WHOLE, tell))


def secret_count(event: Event) -> int:
    """How many secrets the event has."""
    return len(event.document["secret"])


def repeated(size: int, data: Mapping[str, Any], secrets: int = 0) -> bytes:
    """So many moves that say that, each with so many openings; none of them can be one."""

    def repeat(parts: Parts) -> None:
        model = parts.events[2].document
        del parts.events[2:]
        for seq in range(2, 2 + size):
            pairs = [hidden(seq, at, {f"/hidden/{at}": at}) for at in range(secrets)]
            document = {**model, "seq": seq, "data": {**data, "hidden": [None] * secrets}, "position": None}
            document["secret"] = [secret for secret, _opening in pairs]
            parts.events.append(Event(document, [opening for _secret, opening in pairs]))

    return b"".join(forged(WHOLE, repeat))


def many_places(size: int) -> bytes:
    """One list, and as many places of it opened as there can be."""
    openings, each = 8 * size, 256
    told = [{f"/many/{each * at + place}": place for place in range(each)} for at in range(openings)]
    return told_last({"many": [None] * (25_000 * size)}, *told)


def many_openings(size: int) -> bytes:
    """Events with as many openings as there can be."""
    return repeated(20 * size, {}, secrets=64)


def deep(size: int) -> bytes:
    """Lists within lists, as deep as is read."""
    nested: Any = 0
    for _ in range(58):
        nested = [nested]
    return repeated(10 * size, {"deep": [nested] * 2_000})


def wide(size: int) -> bytes:
    """An object of many names."""
    return repeated(4 * size, {f"name{number}": number for number in range(20_000)})


def empty_lists(size: int) -> bytes:
    """Lists with nothing in them: few bytes and many things."""
    return repeated(4 * size, {"many": [[]] * 100_000})


def long_pointer(size: int) -> bytes:
    """A place that is nowhere, in very many steps."""
    return told_last({"a": None}, {"/a" * (60_000 * size): 1})


def long_texts(size: int) -> bytes:
    """Names, notes and tags as long as a line is."""

    def tell(parts: Parts) -> None:
        payload = parts.events[0].openings[0]["payload"]
        parts.events[0].data["tags"] = {"count": 10_000 * size}
        payload["/tags"] = ["x" * 6] * (10_000 * size)
        payload["/metadata"] = {"note": "é" * (15_000 * size)}

    return b"".join(forged(WHOLE, tell))


def long_audience(size: int) -> bytes:
    """A secret for more seats than there are."""

    def tell(parts: Parts) -> None:
        parts.events[1].document["secret"][0]["for"] = list(range(16_000 * size))

    return b"".join(forged(WHOLE, tell))


def many_lines_of_nothing(size: int) -> bytes:
    """Lines that are none."""
    return b"".join((*WHOLE[:3], b"[]\n" * (40_000 * size), *WHOLE[3:]))


def many_short_events(size: int) -> bytes:
    """Events that cannot stand there."""
    return repeated(3_000 * size, {})


def huge_pile(size: int) -> bytes:
    """A fork that begins with more cards than the game has."""
    fork = next(path for path in FORKS if path.parent.name == "towai")
    parts = copy.deepcopy(taken_apart(tuple(cut_at_lf(fork.read_bytes()))))
    parts.header["origin"] = SIGNING.origin
    parts.events[1].data["position"]["table"]["pile"] = ["D3"] * (20_000 * size)
    return b"".join(sealed(parts))


@cache
def ruled(times: int, *, far: bool) -> tuple[Entry, ...]:
    """So many times a note is made, and a move, and the move taken back: to the note, or as ``far`` as to the deal."""
    match = Unchecked("tomorrow-never-meows")
    for _ in range(times):
        match.rule("note")
        match.play(1)
        match.rule("take_back", to=1 if far else match.seq - 1)
    return tuple(match.entries)


def many_take_backs(size: int) -> bytes:
    """All of them to the deal."""
    return b"".join(file_of(ruled(80 * size, far=True)))


def take_backs_on_a_long_line(size: int) -> bytes:
    """Each leaves two more events in force."""
    return b"".join(file_of(ruled(80 * size, far=False)))


def many_choices(size: int) -> bytes:
    """One choice, told over and over, each time hidden."""

    def choose(parts: Parts) -> None:
        event = parts.events[2]
        event.data["events"] *= 2_000 * size
        del parts.events[3:]

    return b"".join(forged(file_of(entries_of("tomorrow-never-meows")), choose))


def many_rulings(size: int) -> bytes:
    """Notes without end."""

    def note(parts: Parts) -> None:
        parts.events[0].data["withheld_until"] = "group"
        model = parts.events[2].document
        del parts.events[2:]
        for seq in range(2, 2 + 2_000 * size):
            data = {"ruling": {"kind": "note"}, "rule": None, "reason": None}
            secret, opening = hidden(seq, 0, {"/reason": "because"})
            document = {**model, "seq": seq, "type": "ruling_made", "actor": REFEREE, "data": data}
            document |= {"secret": [secret], "position": ZEROS if seq % 16 == 0 else None}
            parts.events.append(Event(document, [opening]))

    return b"".join(forged(WHOLE, note))


SHAPES: Mapping[str, Callable[[int], bytes]] = {
    shape.__name__: shape
    for shape in (
        many_places,
        many_openings,
        deep,
        wide,
        empty_lists,
        long_pointer,
        long_texts,
        long_audience,
        many_lines_of_nothing,
        many_short_events,
        huge_pile,
        many_take_backs,
        take_backs_on_a_long_line,
        many_choices,
        many_rulings,
    )
}


def receipts(size: int) -> list[dict[str, Any]]:
    """So many receipts of nothing, kept beside a file."""
    event = json.dumps({"a": "x" * 400}, separators=(",", ":"))
    return [{"event": event, "hash": ZEROS, "openings": [], "key": "0" * 16, "sig": "0" * 128}] * (2_000 * size)
