"""Checks from the log of a tournament alone that every round was paired of those who were there, and of nobody else.

Like ``recount`` beside it, it shares no code with the service and knows nothing but the formats on the pages.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from gyoji.simulation.recount_matches import Document


def attendance_faults(lines: Iterable[bytes]) -> Iterator[str]:
    """Find rounds in which somebody has two places or none, or is absent or paired against what the log says."""
    events = [found for found in map(json.loads, lines) if "type" in found]
    checks_in = events[0]["data"]["rules"].get("check_in", False)
    playing, here = dict[str, None](), set[str]()
    for kind, data in [(event["type"], event["data"]) for event in events[1:]]:
        if kind in ("entrant_added", "entrant_returned"):
            playing[data["entrant"]] = None
        elif kind == "entrant_withdrawn":
            del playing[data["entrant"]]
            here.discard(data["entrant"])
        elif kind == "entrant_present":
            here.add(data["entrant"])
        elif kind == "entrant_absent":
            here.remove(data["entrant"])
        elif kind == "round_paired":
            expected = here if checks_in else {*playing}
            yield from _round_faults(data, [*playing], expected)


def _round_faults(paired: Document, playing: list[str], expected: set[str]) -> Iterator[str]:
    number, absent = paired["round"], paired.get("absent", [])
    placed = [entrant for table in paired["tables"] for entrant in dict.fromkeys(table["seats"])]
    places = Counter([*placed, *paired["byes"], *absent])
    yield from (f"round {number}: {who} has {places[who]} places" for who in playing if places[who] != 1)
    yield from (f"round {number}: {who} does not take part" for who in places if who not in playing)
    yield from (f"round {number}: {who} is absent and had checked in" for who in absent if who in expected)
    yield from (
        f"round {number}: {who} had not checked in" for who in (*placed, *paired["byes"]) if who not in expected
    )
