"""Clocks over HTTP: how they are set up, what they show, and claims judged by the clock of the service."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from gyoji.app.services import Services
from gyoji.web.app import create_app
from operators import OPERATOR
from web.matches.refereeing import ONCE, claims, referee
from web.matches.tables import House, Plain, Table, pointers, read, refused, wishes
from web.matches.tables import house as house_of

BEGUN = 1_800_000_000.0005
"""Unix seconds: 2027-01-15T08:00:00.000Z, and half a millisecond, so that no time is rounded to the one before."""


@dataclass
class Watch:
    """The clock of a service, which stands still until it is set."""

    services: Services

    def shows(self, seconds: float) -> None:
        """So many seconds after the beginning."""
        self.services.clock = lambda: BEGUN + seconds


@pytest.fixture
def watch(house: House) -> Iterator[Watch]:
    """The clock of the house at the beginning."""
    before, found = house.services.clock, Watch(house.services)
    found.shows(0)
    yield found
    house.services.clock = before


def at(seconds: int, milliseconds: int = 0) -> str:
    """A time of the first minute as the log writes it."""
    return f"2027-01-15T08:00:{seconds:02}.{milliseconds:03}Z"


def kept(house: House, on_expiry: str, **more: Any) -> Table:
    """A match in which a move has 30 seconds and a bank of 10."""
    return house.table(clock={"move": 20, "bank": 10, "increment": 2, "on_expiry": on_expiry}, **more)


def deadlines(table: Table) -> list[str | None]:
    """Until when each seat has time."""
    return [seat["deadline"] for seat in table.seen(table.operator)["clock"]["seats"]]


def test_a_clock_is_shown_as_it_was_asked_for(house: House, watch: Watch) -> None:
    table = kept(house, "referee")
    first = table.turn()["viewer"]["seat"]
    watch.shows(7)
    clock = table.seen(table.sits(1))["clock"]
    assert clock["control"] == {"move": 20, "bank": 10, "increment": 2, "on_expiry": "referee"}
    assert clock["now"] == at(7)
    runs = {"bank_ms": 10_000, "spent_ms": 7_000, "running": True, "deadline": at(30)}
    still = {"bank_ms": 10_000, "spent_ms": 0, "running": False, "deadline": None}
    assert clock["seats"] == [{"seat": seat, **(runs if seat == first else still)} for seat in range(3)]
    (created,) = table.feed(table.sits(0))[:1]
    assert created["data"]["clock"] == {
        "move_ms": 20_000,
        "bank_ms": 10_000,
        "increment_ms": 2_000,
        "on_expiry": "referee",
    }


def test_without_a_clock_nothing_is_kept(house: House, table: Table) -> None:
    assert table.seen(table.operator)["clock"] is None
    assert "clock" not in table.feed(table.operator)[0]["data"]
    problem = refused(claims(table, table.sits(0)), 409, "claim-refused")
    assert (problem["reason"], problem["deadlines"]) == ("no-clock", [None, None, None])


@pytest.mark.parametrize(
    ("clock", "errors"),
    [
        ({"on_expiry": "referee"}, [("/clock", "no-time-given")]),
        ({"move": 0, "bank": None, "on_expiry": "default"}, [("/clock", "no-time-given")]),
        ({"move": 5, "increment": 1, "on_expiry": "default"}, [("/clock/increment", "no-bank")]),
        ({"move": 5, "on_expiry": "pass"}, [("/clock/on_expiry", "no-passing")]),
        ({"move": 5}, [("/clock/on_expiry", "missing")]),
        ({"move": -1, "on_expiry": "referee"}, [("/clock/move", "not-allowed")]),
        ({"move": 31_622_401, "on_expiry": "referee"}, [("/clock/move", "not-allowed")]),
        ({"move": 5, "on_expiry": "dice"}, [("/clock/on_expiry", "not-allowed")]),
    ],
)
def test_clocks_that_cannot_be(house: House, clock: Plain, errors: list[tuple[str, str]]) -> None:
    assert pointers(house.create(clock=clock)) == errors


def test_a_match_of_a_group_keeps_time_too(house: House) -> None:
    made = read(house.client.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=dict(OPERATOR)))
    body = {"group": made["group"], "clock": {"move": 9, "on_expiry": "forfeit"}}
    table = house.seated(house.client.post("/v1/matches", json=body, headers=dict(OPERATOR)))
    control = table.seen(table.operator)["clock"]["control"]
    assert control == {"move": 9, "bank": None, "increment": 0, "on_expiry": "forfeit"}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_at_the_very_deadline_there_is_still_time(house: House, watch: Watch, language: str) -> None:
    table = kept(house, "referee")
    seat = table.turn()["viewer"]["seat"]
    watch.shows(30)
    problem = refused(claims(table, {**table.sits(0), "Accept-Language": language}), 409, "claim-refused")
    assert (problem["reason"], problem["now"]) == ("not-expired", at(30))
    assert problem["deadlines"] == [at(30) if each == seat else None for each in range(3)]
    assert problem["because"].isascii() == (language == "en")
    watch.shows(30.001)
    told = read(claims(table, table.sits(0)))
    assert (told["expired"], told["then"], told["status"]) == ([seat], "referee", "paused")


def test_a_late_move_stands_if_nobody_has_claimed(house: House, watch: Watch) -> None:
    table = kept(house, "forfeit")
    move = table.legal()
    watch.shows(59)
    read(table.put(move, table.sits(move["seat"])))
    seats = table.seen(table.operator)["clock"]["seats"]
    assert seats[move["seat"]]["bank_ms"] == 2_000
    assert refused(claims(table, table.operator), 409, "claim-refused")["reason"] == "not-expired"


def test_a_referee_is_waited_for(house: House, watch: Watch) -> None:
    table = kept(house, "referee")
    seat = table.turn()["viewer"]["seat"]
    watch.shows(31)
    answer = claims(table, table.sits(0))
    assert (read(answer)["seq"], answer.headers["ETag"]) == (2, '"3"')
    assert [event["type"] for event in table.feed(table.sits(0), 1)] == ["clock_expired", "match_paused"]
    assert table.feed(table.sits(0), 1)[0]["data"] == {
        "game": "catte",
        "seats": [seat],
        "deadlines": [at(30)],
        "then": "referee",
    }
    watch.shows(50)
    assert refused(claims(table, table.sits(0)), 409, "claim-refused")["reason"] == "not-running"
    ruling = referee(house, table)
    ruling.rules("time", seat=seat, add=10)
    ruling.rules("resume")
    assert deadlines(table)[seat] == at(59)


def test_time_stands_still_in_a_pause(house: House, watch: Watch) -> None:
    table = kept(house, "default")
    seat, ruling = table.turn()["viewer"]["seat"], referee(house, table)
    watch.shows(5)
    ruling.rules("pause")
    watch.shows(45)
    assert deadlines(table) == [None, None, None]
    problem = refused(claims(table, table.operator), 409, "claim-refused")
    assert (problem["reason"], problem["deadlines"]) == ("not-running", [None, None, None])
    watch.shows(25)
    ruling.rules("resume")
    assert deadlines(table)[seat] == at(50)


def test_whoever_runs_out_of_time_forfeits(house: House, watch: Watch) -> None:
    table = kept(house, "forfeit")
    seat = table.turn()["viewer"]["seat"]
    watch.shows(31)
    answer = claims(table, table.operator)
    assert (read(answer)["status"], answer.headers["ETag"]) == ("finished", '"4"')
    result = table.seen(table.operator)["result"]
    assert (result["by"], result["forfeited"]) == ("clock", [seat])
    assert result["winners"] == [other for other in range(3) if other != seat]


def test_the_first_legal_move_is_made(house: House, watch: Watch) -> None:
    table = kept(house, "default")
    turn = table.turn()
    watch.shows(31)
    told = read(claims(table, table.operator))
    assert (told["then"], told["status"]) == ("default", "playing")
    (event,) = table.feed(table.sits(0), 1)
    assert (event["actor"], event["data"]["move"]) == ({"role": "service"}, turn["legal_moves"][0])
    assert table.seen(table.operator)["clock"]["seats"][turn["viewer"]["seat"]]["bank_ms"] == 2_000


def test_a_seat_passes_where_it_may_and_else_makes_a_move(house: House, watch: Watch) -> None:
    table = kept(house, "pass", game="towai", seats=3)
    said, elapsed = set(), 0
    for _ in range(4):
        legal = table.turn()["legal_moves"]
        elapsed += 40
        watch.shows(elapsed)
        told = read(claims(table, table.operator))
        may_pass = any(move["type"] in ("pass", "end_turn") for move in legal)
        assert told["then"] == ("pass" if may_pass else "default")
        said.add(told["then"])
    assert "pass" in said


def test_both_seats_of_a_choice_run_out_of_time(house: House, watch: Watch) -> None:
    """Three wish at once: one has chosen, the others are late; a claim is answered for both."""
    clock = {"move": 30, "on_expiry": "default"}
    table = house.table(game="tomorrow-never-meows", seats=3, options={"concealed": True}, clock=clock)
    read(table.put(wishes(table)[1], table.sits(1)))
    assert deadlines(table) == [at(30), None, at(30)]
    watch.shows(30.001)
    headers = {**table.sits(1), ONCE: "both"}
    first = claims(table, headers)
    told = read(first)
    assert (told["seq"], told["expired"], told["then"]) == (3, [0, 2], "default")
    assert first.headers["ETag"] == '"4"'
    assert [event["type"] for event in table.feed(table.operator, 2)] == ["clock_expired", "clock_expired"]
    assert deadlines(table).count(None) == 2
    table.move()
    again = claims(table, headers)
    assert (again.data, again.headers["ETag"]) == (first.data, '"4"')
    chosen = [event["data"]["move"]["wish"] for event in table.feed(table.sits(1), 2)[:2]]
    assert chosen == [None, None]


def test_a_claim_is_answered_the_same_again(house: House, watch: Watch) -> None:
    for on_expiry in ("referee", "forfeit"):
        table = kept(house, on_expiry)
        watch.shows(31)
        headers = {**table.sits(0), ONCE: "mine"}
        first, again = claims(table, headers), claims(table, headers)
        assert (again.status_code, again.data, again.headers["ETag"]) == (200, first.data, first.headers["ETag"])
        watch.shows(0)


def test_a_restart_loses_no_second(house: House, watch: Watch) -> None:
    """Another process on the same store knows the same deadlines, and judges by them."""
    table = kept(house, "default")
    watch.shows(12)
    table.move()
    expected = deadlines(table)
    after = house_of(create_app(house.services.settings))
    again = replace(table, client=after.client)
    Watch(after.services).shows(20)
    assert deadlines(again) == expected
    (deadline,) = [each for each in expected if each is not None]
    assert deadline == at(42)
    Watch(after.services).shows(42)
    assert refused(claims(again, again.sits(0)), 409, "claim-refused")["now"] == at(42)
    Watch(after.services).shows(42.001)
    assert read(claims(again, again.sits(0)))["then"] == "default"
    after.services.store.close()


def test_before_the_deal_no_time_runs(house: House, watch: Watch) -> None:
    table = kept(house, "default", randomness={"policy": "director"})
    clock = table.seen(table.operator)["clock"]
    assert [seat["running"] for seat in clock["seats"]] == [False, False, False]
    watch.shows(60)
    assert refused(claims(table, table.sits(0)), 409, "claim-refused")["reason"] == "not-running"
