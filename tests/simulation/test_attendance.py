"""Who was there, told from the log alone."""

import json
from typing import Any

import pytest

from gyoji.simulation.attendance import attendance_faults


def log(paired: dict[str, Any], *, check_in: bool = True) -> list[bytes]:
    """A log of five entrants: e4 has withdrawn, e5 has left, and the others are there."""
    events = [
        {"type": "tournament_created", "data": {"rules": {"check_in": True} if check_in else {}}},
        *[{"type": "entrant_added", "data": {"entrant": f"e{number}"}} for number in range(1, 6)],
        *[{"type": "entrant_present", "data": {"entrant": f"e{number}"}} for number in range(1, 6) if check_in],
        {"type": "entrant_withdrawn", "data": {"entrant": "e4"}},
        *([{"type": "entrant_absent", "data": {"entrant": "e5"}}] if check_in else []),
        {"type": "round_paired", "data": {"round": 1, **paired}},
    ]
    return [json.dumps(each).encode() for each in [{"format": "gyoji-tournament/1"}, *events, {"head": {}}]]


GOOD = {"tables": [{"seats": ["e1", "e2"]}], "byes": ["e3"], "absent": ["e5"]}


def test_a_round_of_those_who_are_there_is_good() -> None:
    assert [*attendance_faults(log(GOOD))] == []
    assert [*attendance_faults(log({"tables": [{"seats": ["e1", "e2"]}], "byes": ["e3", "e5"]}, check_in=False))] == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"byes": []}, "round 1: e3 has 0 places"),
        ({"byes": ["e3", "e1"]}, "round 1: e1 has 2 places"),
        ({"absent": ["e3"], "byes": ["e5"]}, "round 1: e3 is absent and had checked in"),
        ({"absent": [], "byes": ["e3", "e5"]}, "round 1: e5 had not checked in"),
        ({"absent": ["e5", "e4"]}, "round 1: e4 does not take part"),
    ],
)
def test_every_fault_is_found(change: dict[str, Any], fault: str) -> None:
    assert fault in [*attendance_faults(log({**GOOD, **change}))]
