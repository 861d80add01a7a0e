"""Clocks of servers that do not agree: the times of a log never run backwards, and nobody's time is counted twice."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random

import pytest

from gyoji.app.services import Services
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
def services(house: House) -> Iterator[Services]:
    """The desk of the house; its clock is put right again."""
    before = house.services.clock
    yield house.services
    house.services.clock = before


def shows(services: Services, seconds: float) -> None:
    """What the clock of the server that is asked next shows."""
    services.clock = lambda: BEGUN + seconds


def times(table: Table) -> list[str]:
    """When the events of the match were written down."""
    return [event["at"][17:-1] for event in table.feed(table.operator)]


def test_a_server_that_is_behind_writes_no_time_before_the_last_event(house: House, services: Services) -> None:
    shows(services, 10)
    table = house.table(clock={"move": 20, "bank": 10, "increment": 0, "on_expiry": "referee"})
    first = table.turn()["viewer"]["seat"]
    for seconds in (12, 9, 13):
        shows(services, seconds)
        assert table.move().status_code == 200
    assert times(table) == ["10.000", "10.000", "12.000", "12.000", "13.000"]
    clock = table.seen(table.operator)["clock"]["seats"]
    assert clock[first]["bank_ms"] == 10_000
    (running,) = [seat["deadline"] for seat in clock if seat["running"]]
    assert running == "2027-01-15T08:00:43.000Z"


def test_a_match_that_ends_there_ends_after_its_last_move(house: House, services: Services) -> None:
    shows(services, 10)
    table = house.table()
    shows(services, 5)
    assert post(table, "/void", OPERATOR).status_code == 200
    assert times(table) == ["10.000"] * 4


# Every way in which a log grows, on a server whose clock falls back by a second whenever it is looked at

TIMED = {"move": 20, "bank": 10, "increment": 5, "on_expiry": "referee"}


def falling(services: Services, seconds: float) -> None:
    """From that time on it goes backwards."""
    shown = [BEGUN + seconds]

    def look() -> float:
        shown[0] -= 1
        return shown[0]

    services.clock = look


def contributed(house: House, services: Services) -> Table:
    """Commitments, reveals, moves, and a cancelling."""
    falling(services, 1_000)
    table = house.table(randomness=PLAYERS)
    for contribute in (commit, reveal):
        for seat in (2, 0, 1):
            falling(services, 1_000 - 10 * seat)
            read(contribute(table, seat))
    table.move()
    read(post(table, "/void", OPERATOR))
    return table


def left_out(house: House, services: Services) -> Table:
    """A deal without the entropy of a seat."""
    shows(services, 0)
    table = house.table(randomness={**PLAYERS, "missing": "empty"})
    for seat in range(3):
        read(commit(table, seat))
    shows(services, 61)
    read(post(table, "/entropy/close", OPERATOR))
    falling(services, 20)
    table.finish(Random(3))
    return table


def shared(house: House, services: Services) -> Table:
    """The share of a director."""
    falling(services, 500)
    answer = house.create(randomness={"policy": "director"})
    table, director = house.seated(answer), read(answer)["director"]["token"]
    read(give(table, {"Authorization": f"Bearer {director}"}, entropy="ab" * 16))
    table.finish(Random(4))
    return table


def refereed(house: House, services: Services) -> Table:
    """Rulings of every kind that a match goes on after, an end, one more, and the disclosure of the group."""
    falling(services, 1_000)
    group = make(house)
    table = join(house, group, clock=TIMED)
    falling(services, 900)
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
    falling(services, 100)
    close(house, group)
    return table


def claimed(house: House, services: Services) -> Table:
    """Time that is up, a referee who lets the match go on, and an end."""
    shows(services, 0)
    table = house.table(clock=TIMED)
    shows(services, 31)
    read(claims(table, table.sits(0)))
    falling(services, 25)
    judge = referee(house, table)
    judge.rules("resume")
    judge.rules("result", winners=[1], scores=[1, 2, 0])
    return table


def forked(house: House, services: Services) -> Table:
    """A fork of a match that was played by a clock which is ahead."""
    falling(services, 100_000)
    source = house.finished(5)
    falling(services, 50_000)
    answer = house.client.post(f"{source.path}/fork", json={"seq": 3}, headers=OPERATOR)
    table = house.seated(answer)
    table.finish(Random(6))
    return table


def withheld(house: House, services: Services) -> Table:
    """A secret that is withheld until a time which one server has come to, and another has not."""
    shows(services, 0)
    table = house.table(withheld_until="2027-01-15T08:01:00.000Z")
    shows(services, 55)
    read(void(table))
    shows(services, 61)
    read(disclose(table))
    return table


@pytest.mark.parametrize("course", [contributed, left_out, shared, refereed, claimed, forked, withheld])
def test_no_way_in_which_a_log_grows_writes_a_time_before_the_last_one(
    house: House, services: Services, course: Callable[[House, Services], Table]
) -> None:
    table = course(house, services)
    told = [event["at"] for event in table.feed(table.operator)]
    assert all(one <= other for one, other in pairwise(told))
    verdict = audited(services, table)
    assert verdict.first_divergence is None
    assert verdict.verdict.startswith("verified")


def audited(services: Services, table: Table) -> Verdict:
    lines = table.get("/replay", OPERATOR).data.splitlines(keepends=True)
    return audit(lambda: lines, rules_for, services.trusted())


def test_a_match_is_shown_by_no_earlier_clock_than_that_of_its_last_event(house: House, services: Services) -> None:
    """Else the seat that is to act would be told more time than it has."""
    shows(services, 10)
    table = house.table(clock=TIMED)
    shows(services, 4)
    clock = table.seen(table.operator)["clock"]
    assert clock["now"] == "2027-01-15T08:00:10.000Z"
    assert [seat["spent_ms"] for seat in clock["seats"]] == [0, 0, 0]
