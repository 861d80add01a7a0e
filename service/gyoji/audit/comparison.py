"""Compares a recorded event with the event that the rules predict.

Every place where the two differ belongs to one check of the verdict.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import orjson

from gyoji.audit.judgement import AsRecorded
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.verdicts import Check
from gyoji.games.game import FINISHED
from gyoji.log.canonical import canonical
from gyoji.log.redaction import INDEX
from gyoji.match.events.kind import DecidedEvent
from gyoji.match.state import MatchState

Path = tuple[str | int, ...]
MOST = 50
"""More differences than these of one event are not looked at."""


class Difference(NamedTuple):
    """One place of an event (a path into the document) and what stands there."""

    path: Path
    expected: Any
    found: Any


def differences(expected: Any, found: Any, path: Path = ()) -> list[Difference]:
    """Return where two values differ, in the order of the canonical bytes. ``expected`` is plain data of the rules,
    with tuples."""
    return [*islice(_differences(orjson.loads(canonical(expected)), found, path), MOST)]


def _differences(expected: Any, found: Any, path: Path) -> Iterator[Difference]:
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted({*expected, *found}):
            if name in expected and name in found:
                yield from _differences(expected[name], found[name], (*path, name))
            else:
                yield Difference((*path, name), expected.get(name), found.get(name))
    elif isinstance(expected, list) and isinstance(found, list):
        yield from _items(expected, found, path)
    elif type(expected) is not type(found) or expected != found:
        yield Difference(path, expected, found)


def _items(expected: list[Any], found: list[Any], path: Path) -> Iterator[Difference]:
    """Return where two lists differ; of events no more is said after the first that are of different types, or after
    one has ended."""
    for at in range(max(len(expected), len(found))):
        one, other = [items[at] if at < len(items) else None for items in (expected, found)]
        if at >= min(len(expected), len(found)) or _kind(one) != _kind(other):
            yield Difference((*path, at), one, other)
            return
        yield from _differences(one, other, (*path, at))


def _kind(item: Any) -> Any:
    return item.get("type") if isinstance(item, dict) else None


SCORES = frozenset(["points", "scores", "lines"])
RESULT = frozenset(["winners", "reason", "rating", "outcome"])


def check_of(path: Path, events: Sequence[Mapping[str, Any]], shuffling: Sequence[bool]) -> Check:
    """Return the check that a difference at a path of an event belongs to. ``events`` are the predicted domain events;
    ``shuffling`` says which of them describe a shuffle."""
    if path[0] == "position":
        return "positions"
    if path[:2] == ("data", "outcome"):
        return "scores" if path[2:3] == ("scores",) else "result"
    if path[:2] == ("data", "result"):
        return "result"
    if path[:2] == ("data", "missing"):
        return "commitment"
    if path[:2] != ("data", "events") or len(path) < 4:
        return "moves"
    at, name = path[2], path[3]
    made = at if isinstance(at, int) and at < len(events) else None  # the log may state more events than there are
    if made is not None and shuffling[made] and isinstance(events[made].get(str(name)), list | tuple | dict):
        return "shuffles"  # of an event that records a shuffle all that is no number are piles of its cards
    if name in SCORES:
        return "scores"
    finished = made is not None and events[made]["type"] == FINISHED
    return "result" if finished and name in RESULT else "moves"


def cited(path: Path, events: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the rule that the event at that place cites, if it cites one."""
    if path[:2] == ("data", "events") and len(path) > 2 and isinstance(path[2], int) and path[2] < len(events):
        rule = events[path[2]].get("rule")
        return rule if isinstance(rule, str) else None
    return None


def pointer(path: Path) -> str:
    """Write the place as a JSON Pointer into the event."""
    return "".join([f"/{step}" for step in path])


def steps(place: str) -> Path:
    """Read a JSON Pointer into ``data`` as a path into the event; places of lists as numbers."""
    return ("data", *[int(step) if INDEX.fullmatch(step) else step for step in place.split("/")[1:]])


class Mismatch(NamedTuple):
    """One difference between a recorded event and the predicted one; ``is_hidden`` where it lies in a private part."""

    check: Check
    difference: Difference
    is_hidden: bool


def compare(recorded: RecordedEvent, made: DecidedEvent, position: str | None, match: MatchState) -> list[Mismatch]:
    """Compare a recorded event with the predicted one. Return the first difference of each check, none if all bytes
    agree, as far as openings show them.

    ``position`` is what has to stand in the member of that name.
    """
    expected = _event(recorded, made, position)
    payloads = [*enumerate(made.private.values())]
    hidden = [
        (payload, recorded.openings[at].payload)
        for at, payload in payloads
        if at in recorded.openings and canonical(payload) != recorded.openings[at].body
    ]
    if not hidden and canonical(expected) == recorded.body:
        return []
    shuffling = [bool(match.game.shuffles(match.options, event)) for event in made.events]
    by_check: dict[Check, Mismatch] = {}
    for difference, is_hidden in _all(expected, recorded.document, hidden):
        check = check_of(difference.path, made.events, shuffling)
        by_check.setdefault(check, Mismatch(check, difference, is_hidden))
    if len(by_check) > 1:
        by_check.pop("positions", None)  # another position follows from other events
    return [*by_check.values()]


def _event(recorded: RecordedEvent, made: DecidedEvent, position: str | None) -> dict[str, Any]:
    known = {"type": made.kind, "actor": made.actor, "data": made.data, "position": position}
    if isinstance(made, AsRecorded):
        return {**recorded.document, **known}
    secret = [
        {"for": audience, "commit": _commitment(recorded.document["secret"], at)}
        for at, audience in enumerate(made.private)
    ]
    return {**recorded.document, **known, "secret": secret}


def _commitment(secrets: Sequence[Mapping[str, Any]], at: int) -> str | None:
    """Return the commitment as it stands there: the openings have shown whether it is right."""
    return str(secrets[at]["commit"]) if at < len(secrets) else None


def _all(
    expected: Any, found: Any, hidden: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Iterator[tuple[Difference, bool]]:
    for difference in differences(expected, found):
        yield difference, False
    for payload, told in hidden:
        for place in sorted({*payload, *told}):
            if place in payload and place in told:
                for difference in differences(payload[place], told[place], steps(place)):
                    yield difference, True
            else:
                yield Difference(steps(place), payload.get(place), told.get(place)), True
