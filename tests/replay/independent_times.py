"""The times of a log, a second time: moments that there are, in their order, and one for what is written together.

It knows the calendar from the standard library, and reckons in moments where the package compares texts.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

from replay.independent_file import Doc, Entry, Fault, Replay

WRITTEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
ENDS = ("match_finished", "match_voided")


def moment(text: str) -> datetime | None:
    """The moment that a log writes so; ``None`` where it is none."""
    if not WRITTEN.fullmatch(text):
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")
    except ValueError:
        return None


def of_times(replay: Replay) -> Iterator[Fault]:
    """Every time that is none, that is before the one before it, or that is not the one of what it was written with."""
    until = replay.created.get("withheld_until")
    if until not in {None, "group"} and moment(until) is None:
        yield Fault("times", 0, f"withheld until {until}")
    for entry in replay.entries:
        yield from _of_deadlines(entry)
    for before, entry in pairwise(replay.entries):
        one, other = moment(before.doc["at"]), moment(entry.doc["at"])
        if one is None or other is None or other < one:
            yield Fault("times", entry.seq, f"{before.doc['at']} and then {entry.doc['at']}")
        elif one != other and is_together(replay.created, before, entry):
            yield Fault("times", entry.seq, f"{entry.doc['type']} later than what it was written with")
        if entry.doc["type"] != "seed_disclosed" and is_due(replay.created, before):
            yield Fault("times", entry.seq, "the secret is due")


def _of_deadlines(entry: Entry) -> Iterator[Fault]:
    if entry.doc["type"] == "clock_expired":
        now, deadlines = moment(entry.doc["at"]), [moment(text) for text in entry.doc["data"]["deadlines"]]
        if now is None or any(deadline is None or now <= deadline for deadline in deadlines):
            yield Fault("times", entry.seq, "nobody's time was up")


def is_due(created: Doc, entry: Entry) -> bool:
    """Whether that is an end after which the secret is told at once."""
    until, now = created.get("withheld_until"), moment(entry.doc["at"])
    if entry.doc["type"] not in ENDS or until == "group" or now is None:
        return False
    waits = None if until is None else moment(until)
    return (waits or datetime.min.replace(tzinfo=UTC)) <= now


def is_together(created: Doc, before: Entry, entry: Entry) -> bool:
    """Whether both were written down in one go."""
    kind, data, told = entry.doc["type"], entry.doc["data"], before.doc["data"]
    if kind == "clock_expired":
        claimed = before.doc["type"] == "clock_expired" and told["then"] in {"default", "pass"}
        return claimed and min(data["deadlines"]) < before.doc["at"]
    return (
        kind in {"match_finished", "match_paused", "match_resumed"}
        or (kind == "dealt" and not data.get("missing"))
        or (kind == "match_voided" and data["reason"] == "ruling")
        or (kind == "seed_disclosed" and is_due(created, before))
    )
