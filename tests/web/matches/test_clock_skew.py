"""Clocks of servers that do not agree: the times of a log never run backwards, and nobody's time is counted twice."""

from collections.abc import Iterator

import pytest

from gyoji.web.desk import Desk
from operators import OPERATOR
from web.matches.contributing import post
from web.matches.tables import House, Table

BEGUN = 1_800_000_000.0005
"""Unix seconds: 2027-01-15T08:00:00.000Z, and half a millisecond, so that no time is rounded to the one before."""


@pytest.fixture
def desk(house: House) -> Iterator[Desk]:
    """The desk of the house; its clock is put right again."""
    before = house.desk.clock
    yield house.desk
    house.desk.clock = before


def shows(desk: Desk, seconds: float) -> None:
    """What the clock of the server that is asked next shows."""
    desk.clock = lambda: BEGUN + seconds


def times(table: Table) -> list[str]:
    """When the events of the match were written down."""
    return [event["at"][17:-1] for event in table.feed(table.operator)]


def test_a_server_that_is_behind_writes_no_time_before_the_last_event(house: House, desk: Desk) -> None:
    shows(desk, 10)
    table = house.table(clock={"move": 20, "bank": 10, "increment": 0, "on_expiry": "referee"})
    first = table.turn()["viewer"]["seat"]
    for seconds in (12, 9, 13):
        shows(desk, seconds)
        assert table.move().status_code == 200
    assert times(table) == ["10.000", "10.000", "12.000", "12.000", "13.000"]
    clock = table.seen(table.operator)["clock"]["seats"]
    assert clock[first]["bank_ms"] == 10_000
    (running,) = [seat["deadline"] for seat in clock if seat["running"]]
    assert running == "2027-01-15T08:00:43.000Z"


def test_a_match_that_ends_there_ends_after_its_last_move(house: House, desk: Desk) -> None:
    shows(desk, 10)
    table = house.table()
    shows(desk, 5)
    assert post(table, "/void", OPERATOR).status_code == 200
    assert times(table) == ["10.000"] * 4
