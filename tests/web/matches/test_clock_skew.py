"""Clocks of servers that do not agree: the times of a log never run backwards, and nobody's time is counted twice."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest

from gyoji.app.application import Desk
from gyoji.audit.audit import audit
from gyoji.audit.verdicts import Verdict
from gyoji.messages.verdicts import rules_for
from operators import OPERATOR
from web.matches.contributing import PLAYERS, commit, give, post, reveal
from web.matches.grouping import close, disclose, join, make, void
from web.matches.refereeing import claims, referee
from web.matches.tables import House, Table, read

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


# Every way in which a log grows, on a server whose clock falls back by a second whenever it is looked at

TIMED = {"move": 20, "bank": 10, "increment": 5, "on_expiry": "referee"}


def falling(desk: Desk, seconds: float) -> None:
    """From that time on it goes backwards."""
    shown = [BEGUN + seconds]

    def look() -> float:
        shown[0] -= 1
        return shown[0]

    desk.clock = look


def contributed(house: House, desk: Desk) -> Table:
    """Commitments, reveals, moves, and a cancelling."""
    falling(desk, 1_000)
    table = house.table(randomness=PLAYERS)
    for contribute in (commit, reveal):
        for seat in (2, 0, 1):
            falling(desk, 1_000 - 10 * seat)
            read(contribute(table, seat))
    table.move()
    read(post(table, "/void", OPERATOR))
    return table


def left_out(house: House, desk: Desk) -> Table:
    """A deal without the entropy of a seat."""
    shows(desk, 0)
    table = house.table(randomness={**PLAYERS, "missing": "empty"})
    for seat in range(3):
        read(commit(table, seat))
    shows(desk, 61)
    read(post(table, "/entropy/close", OPERATOR))
    falling(desk, 20)
    table.finish(Random(3))
    return table


def shared(house: House, desk: Desk) -> Table:
    """The share of a director."""
    falling(desk, 500)
    answer = house.create(randomness={"policy": "director"})
    table, director = house.seated(answer), read(answer)["director"]["token"]
    read(give(table, {"Authorization": f"Bearer {director}"}, entropy="ab" * 16))
    table.finish(Random(4))
    return table


def refereed(house: House, desk: Desk) -> Table:
    """Rulings of every kind that a match goes on after, an end, one more, and the disclosure of the group."""
    falling(desk, 1_000)
    group = make(house)
    table = join(house, group, clock=TIMED)
    falling(desk, 900)
    for _ply in range(5):
        table.move()
    judge = referee(house, table)
    judge.rules("play", move=table.legal())
    for kind, members in (
        ("pause", {}),
        ("resume", {}),
        ("take_back", {"to": 4}),
        ("time", {"seat": 0, "add": 30}),
        ("points", {"seat": 1, "points": 3}),
        ("substitute", {"seat": 2, "name": "Eve"}),
        ("note", {}),
        ("forfeit", {"seats": [2]}),
        ("points", {"seat": 0, "points": 1}),
    ):
        judge.rules(kind, **members)
    falling(desk, 100)
    close(house, group)
    return table


def claimed(house: House, desk: Desk) -> Table:
    """Time that is up, a referee who lets the match go on, and an end."""
    shows(desk, 0)
    table = house.table(clock=TIMED)
    shows(desk, 31)
    read(claims(table, table.sits(0)))
    falling(desk, 25)
    judge = referee(house, table)
    judge.rules("resume")
    judge.rules("result", winners=[1], scores=[1, 2, 0])
    return table


def forked(house: House, desk: Desk) -> Table:
    """A fork of a match that was played by a clock which is ahead."""
    falling(desk, 100_000)
    source = house.finished(5)
    falling(desk, 50_000)
    answer = house.client.post(f"{source.path}/fork", json={"seq": 3}, headers=OPERATOR)
    table = house.seated(answer)
    table.finish(Random(6))
    return table


def withheld(house: House, desk: Desk) -> Table:
    """A secret that is withheld until a time which one server has come to, and another has not."""
    shows(desk, 0)
    table = house.table(withheld_until="2027-01-15T08:01:00.000Z")
    shows(desk, 55)
    read(void(table))
    shows(desk, 61)
    read(disclose(table))
    return table


@pytest.mark.parametrize("course", [contributed, left_out, shared, refereed, claimed, forked, withheld])
def test_no_way_in_which_a_log_grows_writes_a_time_before_the_last_one(
    house: House, desk: Desk, course: Callable[[House, Desk], Table]
) -> None:
    table = course(house, desk)
    told = [event["at"] for event in table.feed(table.operator)]
    assert all(one <= other for one, other in pairwise(told))
    verdict = audited(desk, table)
    assert verdict.first_divergence is None
    assert verdict.verdict.startswith("verified")


def audited(desk: Desk, table: Table) -> Verdict:
    lines = table.get("/replay", OPERATOR).data.splitlines(keepends=True)
    return audit(lambda: lines, rules_for, desk.trusted())


def test_a_match_is_shown_by_no_earlier_clock_than_that_of_its_last_event(house: House, desk: Desk) -> None:
    """Else the seat that is to act would be told more time than it has."""
    shows(desk, 10)
    table = house.table(clock=TIMED)
    shows(desk, 4)
    clock = table.seen(table.operator)["clock"]
    assert clock["now"] == "2027-01-15T08:00:10.000Z"
    assert [seat["spent_ms"] for seat in clock["seats"]] == [0, 0, 0]
