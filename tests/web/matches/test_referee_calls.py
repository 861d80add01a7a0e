"""Seats call the referee: who may, who is told, live, and that no log has anything of it."""

from collections.abc import Callable
from typing import Any

import orjson
import pytest
from werkzeug.test import TestResponse

from gyoji.api.rights import Scope
from operators import OPERATOR
from web.matches.refereeing import referee
from web.matches.tables import Headers, House, Plain, Table, Wire, holding, pointers, read, refused

SAID = "I hold Brown 12, and he says <b>I may not</b> play it \u202e!"

LOOKS = 25
"""How often a stream looks for who has hung up, ten times a second."""


def called(table: Table, seat: int, said: str | None = SAID) -> TestResponse:
    """The seat calls the referee."""
    return table.client.post(f"{table.path}/calls", json={"text": said}, headers=table.sits(seat))


def closed(table: Table, seat: int, by: Headers) -> TestResponse:
    """Somebody closes the call of a seat."""
    return table.client.post(f"{table.path}/calls/{seat}/close", headers=dict(by))


def calls(table: Table, by: Headers) -> list[Plain]:
    """Who calls, as somebody may know it."""
    found: list[Plain] = read(table.get("/calls", by))["calls"]
    return found


def told(table: Table, by: Headers, meanwhile: Callable[[], Any] = lambda: None) -> list[Plain]:
    """What a stream tells of calls: at its beginning, and when something has happened meanwhile."""

    class Busy(Wire):
        def recv(self, size: int, flags: int) -> bytes:
            if self.looks == LOOKS - 2:
                meanwhile()
            return super().recv(size, flags)

    wire = {"gunicorn.socket": Busy(LOOKS)}
    answer = table.client.get(f"{table.path}/stream?calls=1", headers=dict(by), environ_overrides=wire)
    blocks = [block.split(b"\n") for block in answer.data.split(b"\n\n")]
    return [orjson.loads(lines[1].removeprefix(b"data: ")) for lines in blocks if lines[0] == b"event: calls"]


@pytest.fixture
def clock(house: House, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the house, which stands still."""
    now = [house.services.clock()]
    monkeypatch.setattr(house.services, "clock", lambda: now[0])
    return now


@pytest.mark.usefixtures("clock")
def test_a_call_stands_until_a_referee_attends_to_it(house: House, table: Table) -> None:
    judge, now = referee(house, table, ()), house.services.at()
    assert calls(table, judge.headers) == []
    assert read(called(table, 1))["calls"] == [{"seat": 1, "at": now, "text": SAID, "attended": None}]
    assert calls(table, judge.headers) == calls(table, table.sits(1))
    assert read(closed(table, 1, judge.headers))["calls"][0]["attended"] == now
    assert calls(table, table.sits(1))[0]["attended"] == now
    assert read(closed(table, 1, table.sits(1)))["calls"] == []


def test_a_call_is_taken_back(table: Table) -> None:
    read(called(table, 1))
    assert read(closed(table, 1, table.sits(1)))["calls"] == []
    assert read(closed(table, 1, table.sits(1)))["calls"] == []
    assert calls(table, OPERATOR) == []


def test_a_seat_has_one_call_and_says_something_else(house: House, table: Table, clock: list[float]) -> None:
    began = house.services.at()
    read(called(table, 1))
    clock[0] += 60
    read(called(table, 0, None))
    again = read(called(table, 1, "Never mind the card: the clock."))["calls"]
    assert [(call["seat"], call["at"], call["text"]) for call in again] == [
        (1, began, "Never mind the card: the clock."),
        (0, house.services.at(), None),
    ]
    read(closed(table, 1, OPERATOR))
    assert read(called(table, 1))["calls"][-1] == {"seat": 1, "at": house.services.at(), "text": SAID, "attended": None}


def test_others_at_the_table_see_who_calls_and_not_what_is_said(table: Table) -> None:
    """That one has raised a hand is seen; the sentence may tell the hand of the seat, or be meant for the referee."""
    read(called(table, 1))
    assert [(call["seat"], call["text"]) for call in calls(table, table.sits(0))] == [(1, None)]
    refused(closed(table, 1, table.sits(0)), 403, "forbidden")
    refused(closed(table, 9, OPERATOR), 404, "not-found")


def test_who_does_not_sit_there_and_may_not_rule_learns_nothing(house: House) -> None:
    table = house.table(visibility="public")
    watcher = house.spectator(table)
    before = everything(house, table, watcher)
    read(called(table, 1))
    assert everything(house, table, watcher) == before
    reader = house.key("operator", scopes=[Scope.READ, Scope.PLAY])
    for by in (watcher, reader, house.key("auditor", matches=(table.match,))):
        refused(table.get("/calls", by), 403, "forbidden")
        assert told(table, by) == []


def everything(house: House, table: Table, by: Headers) -> list[bytes]:
    """All that a spectator can ask of a match."""
    paths = ["", "/events", "/events?raw=1", "/replay", "/positions/2"]
    stream = table.client.get(
        f"{table.path}/stream?calls=1", headers=dict(by), environ_overrides={"gunicorn.socket": Wire(3)}
    )
    frames = table.client.get(f"/matches/{table.match}/frames", headers=dict(by))
    return [*(table.get(path, by).data for path in paths), stream.data, frames.data]


def test_no_log_and_no_replay_has_anything_of_it(house: House, table: Table) -> None:
    seq, log = table.seen(OPERATOR)["seq"], table.get("/events?raw=1", OPERATOR).data
    read(called(table, 1))
    read(closed(table, 1, OPERATOR))
    assert table.seen(OPERATOR)["seq"] == seq
    assert table.get("/events?raw=1", OPERATOR).data == log
    for by in (table.sits(0), OPERATOR):
        assert SAID.encode() not in table.get("/replay", by).data


def test_the_clock_runs_on(house: House) -> None:
    table = house.table(clock={"move": 60, "on_expiry": "referee"})
    before = [seat["deadline"] for seat in table.seen(table.sits(0))["clock"]["seats"]]
    read(called(table, 1))
    found = table.seen(table.sits(0))
    assert (found["status"], [seat["deadline"] for seat in found["clock"]["seats"]]) == ("playing", before)


@pytest.mark.parametrize("way", ["/void", "/rulings"])
def test_calls_go_when_the_match_is_over(house: House, way: str) -> None:
    table = house.table(withheld_until="2999-01-01T00:00:00.000Z")
    judge = referee(house, table)
    read(called(table, 1))
    if way == "/void":
        read(table.client.post(f"{table.path}/void", headers=dict(OPERATOR)))
    else:
        judge.rules("result", winners=[0], scores=None)
    assert calls(table, judge.headers) == []
    refused(called(table, 1), 409, "match-finished")
    assert house.services.store._database.query("SELECT match FROM referee_calls WHERE match = ?", (table.match,)) == []


def test_a_match_that_runs_again_has_no_call(house: House) -> None:
    table = house.table(withheld_until="2999-01-01T00:00:00.000Z")
    judge = referee(house, table)
    seq = judge.seq
    read(called(table, 1))
    judge.rules("result", winners=[0], scores=None)
    judge.rules("take_back", to=seq)
    assert calls(table, judge.headers) == []
    assert read(called(table, 1))["calls"][0]["text"] == SAID


def test_whoever_calls_at_the_same_moment_as_a_token_becomes_void_calls_no_more(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, kept = referee(house, table), house.services.store.referee_calls
    replace = kept.replace

    def others_first(*given: Any) -> None:
        monkeypatch.setattr(kept, "replace", replace)
        read(called(table, 1, "Me first."))
        judge.rules("substitute", seat=0, name="Zoe")
        replace(*given)

    monkeypatch.setattr(kept, "replace", others_first)
    refused(called(table, 0), 401, "unauthenticated")
    assert [call["seat"] for call in calls(table, OPERATOR)] == [1]


def test_a_call_goes_with_whoever_made_it(house: House, table: Table) -> None:
    """A substitute is not told what was said before, and a renewed token begins anew; the others' calls stay."""
    judge = referee(house, table)
    read(called(table, 1))
    read(called(table, 0, "Mine."))

    def seated() -> None:
        judge.rules("substitute", seat=1, name="Zoe")

    assert [[call["seat"] for call in heard["calls"]] for heard in told(table, judge.headers, seated)] == [[1, 0], [0]]
    zoe = holding(read(table.client.post(f"{table.path}/seats/1/token", headers=dict(OPERATOR)))["token"])
    for by in (zoe, judge.headers):
        assert [call["seat"] for call in calls(table, by)] == [0]
        page = table.client.get(f"/matches/{table.match}/frames", headers=dict(by))
        assert SAID.encode() not in page.data
    read(table.client.post(f"{table.path}/calls", json={"text": "I am Zoe."}, headers=zoe))
    assert [call["text"] for call in calls(table, OPERATOR)] == ["Mine.", "I am Zoe."]


def test_a_call_of_a_match_that_ends_meanwhile_is_closed(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = house.services.store.referee_calls
    replace = kept.replace

    def end_first(*given: Any) -> None:
        monkeypatch.setattr(kept, "replace", replace)
        read(table.client.post(f"{table.path}/void", headers=dict(OPERATOR)))
        replace(*given)

    read(called(table, 1))
    monkeypatch.setattr(kept, "replace", end_first)
    assert read(closed(table, 1, OPERATOR))["calls"] == []


@pytest.mark.parametrize("said", ["", "x" * 201, "two\nlines", "a\x00b", 7])
def test_what_is_said_has_bounds(table: Table, said: Any) -> None:
    assert [pointer for pointer, _code in pointers(called(table, 1, said))] == ["/text"]


def test_a_stream_tells_it_to_the_table_and_to_whoever_may_rule(house: House, table: Table) -> None:
    judge = referee(house, table, ())
    read(called(table, 0, None))
    for by, text in ((table.sits(1), SAID), (table.sits(2), None), (judge.headers, SAID)):
        first, then = told(table, by, lambda: called(table, 1))
        assert (first["match"], [call["seat"] for call in first["calls"]]) == (table.match, [0])
        assert [(call["seat"], call["text"]) for call in then["calls"]] == [(0, None), (1, text)]
        read(closed(table, 1, table.sits(1)))
    quiet = table.client.get(
        f"{table.path}/stream", headers=table.sits(0), environ_overrides={"gunicorn.socket": Wire(3)}
    )
    assert b"event: calls" not in quiet.data


def test_a_stream_tells_nothing_any_more_when_the_token_is_void(house: House, table: Table) -> None:
    def meanwhile() -> None:
        table.client.delete(f"{table.path}/seats/0/token", headers=dict(OPERATOR))
        read(called(table, 1))

    assert told(table, table.sits(0), meanwhile) == []


def test_the_page_of_a_match_has_the_calls_for_whoever_may_know_them(house: House, table: Table) -> None:
    judge = referee(house, table, ())
    read(called(table, 1))

    def shown(by: Headers) -> Any:
        return read(table.client.get(f"/matches/{table.match}/frames", headers=dict(by)))["desk"].get("calls")

    assert shown(judge.headers) == calls(table, judge.headers)
    assert shown(table.sits(0)) == calls(table, table.sits(0))
    assert shown(house.spectator(table)) is None


def test_whether_calls_are_told_is_said_with_0_or_1(table: Table) -> None:
    for path in ("/events?calls=2", "/stream?calls=yes"):
        assert table.get(path, table.sits(0)).status_code == 422
