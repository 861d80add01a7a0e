"""Secrets that are withheld: nothing is disclosed while anybody still plays, and all of it after."""

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

import pytest

from gyoji.api.rights import Scope
from gyoji.app.disclosures import settle_all
from gyoji.app.match_states import MatchStateCache
from gyoji.store.interface import Unavailable
from gyoji.store.records import GroupMember
from operators import OPERATOR
from web.matches.grouping import close, disclose, join, make, secret, seen, void
from web.matches.tables import Headers, House, Table, read, refused

NEVER = "2999-01-01T00:00:00.000Z"


@pytest.fixture
def clock(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the clock of the service."""
    return lambda seconds: monkeypatch.setattr(house.services, "clock", lambda: seconds)


@pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])
def test_a_finished_table_of_an_open_group_tells_nothing(house: House, disclosure: str) -> None:
    """Neither its seats nor whoever runs, referees or audits it without unsealing learn more than while it ran."""
    group = make(house, disclosure=disclosure)
    one, two = join(house, group), join(house, group)
    operator = house.key("operator", scopes=[scope for scope in Scope if scope != Scope.UNSEAL])
    others = [house.key("auditor", matches=(one.match,)), house.key("referee", scopes=(), matches=(one.match,))]
    readers: list[Headers] = [*[one.sits(seat) for seat in range(3)], operator, *others]
    parts = ("/events?raw=1&limit=2", "/positions/1")
    before = [one.get(part, by).data for by in readers for part in parts]
    answer = one.finish(Random(4))
    close(house, group)
    assert [one.get(part, by).data for by in readers for part in parts] == before
    end = one.seen(one.sits(0))
    assert (end["status"], end["closed"], answer.headers["ETag"]) == ("finished", False, f'"{end["seq"]}"')
    for by in readers:
        assert one.feed(by)[-1]["type"] == "match_finished"
        assert one.seen(by)["view"]["seed"] is None
        header = one.get("/replay", by).data.splitlines()[0]
        assert b'"audience":"full"' not in header
        verdict = read(house.client.post("/v1/audits", json={"match": one.match}, headers=dict(by)))
        assert verdict["verdict"] == "verified_partial"
        assert {"check": "commitment", "result": "not_checkable"}.items() <= verdict["checks"][5].items()
    for by in (operator, *others):
        refused(one.get("/positions/1?as=2", by), 409, "not-disclosed")
    refused(house.client.post(f"{one.path}/fork", json={"seq": 1}, headers=operator), 409, "not-disclosed")
    refused(disclose(one), 409, "not-disclosed")
    refused(disclose(one, one.sits(1)), 409, "not-disclosed")
    everything = b"".join([one.get("/replay", by).data for by in readers])
    assert secret(house, one).encode() not in everything
    two.finish(Random(5))
    assert (seen(house, group)["status"], two.seen(two.sits(0))["closed"]) == ("disclosed", True)


def test_the_last_match_that_ends_discloses_all(house: House) -> None:
    group = make(house)
    one, two, three = [join(house, group) for _ in range(3)]
    one.finish(Random(1))
    void(two)
    assert close(house, group)["waiting_for"] == {"close": False, "matches": [three.match], "until": None}
    answer = three.finish(Random(2))
    now = seen(house, group)
    assert now["status"] == "disclosed"
    assert [(each["status"], each["closed"]) for each in now["matches"]] == [
        ("finished", True),
        ("voided", True),
        ("finished", True),
    ]
    assert answer.headers["ETag"] == f'"{three.seen(OPERATOR)["seq"] - 1}"'
    for table in (one, two, three):
        told = table.feed(table.sits(0))[-1]
        assert (told["type"], told["data"]) == ("seed_disclosed", {"server_secret": secret(house, one)})
        verdict = read(house.client.post("/v1/audits", json={"match": table.match}, headers=OPERATOR))
        assert verdict["verdict"] == "verified"
        assert house.client.post(f"{table.path}/fork", json={"seq": 1}, headers=OPERATOR).status_code == 201


def test_the_matches_of_a_group_are_read_when_the_last_one_is_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not whenever one of them ends: a group may have thousands."""
    group = make(house)
    tables = [join(house, group) for _ in range(3)]
    honest, asked = house.services.store.group_members, list[str]()

    def group_members(name: str) -> list[GroupMember]:
        asked.append(name)
        return honest(name)

    void(tables[0])
    close(house, group)
    monkeypatch.setattr(house.services.store, "group_members", group_members)
    void(tables[1])
    assert asked == []
    void(tables[2])
    assert asked == [group["group"]]


def test_closing_discloses_what_is_over_already(house: House) -> None:
    group = make(house)
    table = join(house, group)
    void(table)
    assert table.seen(OPERATOR)["closed"] is False
    assert close(house, group)["status"] == close(house, group)["status"] == "disclosed"
    assert disclose(table).data == disclose(table, table.sits(1)).data
    assert len(table.feed(OPERATOR)) == 4


def test_a_group_without_matches_discloses_nothing(house: House) -> None:
    assert close(house, make(house))["status"] == "closed"


def test_a_group_may_wait_for_a_time(house: House, clock: Callable[[float], None]) -> None:
    clock(1_800_000_000)
    group = make(house, until="2027-01-15T09:00:00.000Z")
    table = join(house, group)
    void(table)
    assert close(house, group)["waiting_for"] == {"close": False, "matches": [], "until": "2027-01-15T09:00:00.000Z"}
    refused(disclose(table), 409, "not-disclosed")
    clock(1_800_003_599)
    assert close(house, group)["status"] == "closed"
    clock(1_800_003_600)
    assert read(disclose(table, table.sits(0)))["status"] == "voided"
    assert seen(house, group)["status"] == "disclosed"


def test_a_match_may_wait_for_a_time(house: House, clock: Callable[[float], None]) -> None:
    clock(1_800_000_000)
    table = house.table(withheld_until="2027-01-15T09:00:00.000Z")
    refused(disclose(table), 409, "not-disclosed")
    table.finish(Random(1))
    assert table.seen(table.sits(0))["closed"] is False
    refused(disclose(table, table.sits(0)), 409, "not-disclosed")
    clock(1_800_003_600)
    answer = disclose(table, table.sits(0))
    end = table.seen(table.sits(0))
    assert (read(answer)["seq"], answer.headers["ETag"], end["closed"]) == (end["seq"], f'"{end["seq"]}"', True)
    assert disclose(table).data == answer.data
    again = house.table(withheld_until="2027-01-15T09:00:00.000Z")
    last = again.finish(Random(1))
    assert again.seen(again.sits(0))["closed"] is True
    assert last.headers["ETag"] == f'"{again.seen(OPERATOR)["seq"]}"'


def test_of_what_was_never_withheld_the_secret_is_told_again(over: Table) -> None:
    assert read(disclose(over))["seq"] == over.seen(OPERATOR)["seq"]


def test_what_was_left_half_done_is_finished_by_whoever_comes_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store fails after the first secret of three; then between the end of a match and the disclosure."""
    group = make(house)
    tables = [join(house, group) for _ in range(3)]
    for table in tables:
        void(table)
    honest, calls = house.services.store.append, count()

    def append(*parts: Any) -> None:
        if next(calls):
            raise Unavailable
        honest(*parts)

    with monkeypatch.context() as patch:
        patch.setattr(house.services.store, "append", append)
        refused(house.client.post(f"/v1/groups/{group['group']}/close", headers=OPERATOR), 503, "unavailable")
    assert [each["closed"] for each in seen(house, group)["matches"]] == [True, False, False]
    assert read(disclose(tables[2]))["status"] == "voided"
    assert seen(house, group)["status"] == "disclosed"


def test_the_last_match_of_a_group_ends_though_the_store_fails_behind_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = make(house)
    tables = [join(house, group) for _ in range(2)]
    void(tables[0])
    close(house, group)
    honest, calls = house.services.store.append, count()

    def append(*parts: Any) -> None:
        if next(calls):
            raise Unavailable
        honest(*parts)

    with monkeypatch.context() as patch:
        patch.setattr(house.services.store, "append", append)
        assert read(void(tables[1]))["status"] == "voided"
    assert [each["closed"] for each in seen(house, group)["matches"]] == [False, False]
    disclose(tables[0])
    assert seen(house, group)["status"] == "disclosed"


def test_the_next_start_finishes_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    group, waiting = make(house), make(house)
    tables, other = [join(house, group) for _ in range(2)], join(house, waiting)
    for table in (*tables, other):
        void(table)
    timed = house.table(withheld_until=NEVER)
    void(timed)
    house.services.store.close_group(group["group"])
    monkeypatch.setitem(house.services.__dict__, "match_states", MatchStateCache(house.services.store))
    settle_all(house.services)
    settle_all(house.services)
    assert [table.seen(OPERATOR)["closed"] for table in (*tables, other, timed)] == [True, True, False, False]
    assert [table.seen(OPERATOR)["seq"] for table in tables] == [3, 3]
    close(house, waiting)


def test_two_that_disclose_at_the_same_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    group = make(house)
    table = join(house, group)
    void(table)
    honest, met = house.services.store.append, list[int]()

    def append(*parts: Any) -> None:
        if not met:
            met.append(1)
            settle_all(house.services)
        honest(*parts)

    monkeypatch.setattr(house.services.store, "append", append)
    assert close(house, group)["status"] == "disclosed"
    assert [event["type"] for event in table.feed(OPERATOR)][2:] == ["match_voided", "seed_disclosed"]


def test_streams_end_with_the_match_and_not_with_the_secret(house: House) -> None:
    group = make(house)
    table = join(house, group)
    void(table)
    stream = {"Accept": "text/event-stream", **table.sits(0)}
    told = table.get("/events", stream)
    assert told.data.count(b"\nid: ") == 3
    assert told.data.rstrip().splitlines()[-2] == b"event: match_voided"
    assert table.get("/events?after=2", stream).status_code == 204
    assert read(table.get("/events?after=2&wait=5", table.sits(0))) == {"events": [], "next": None}
    close(house, group)
    assert table.get("/events?after=2", stream).data.count(b"\nid: ") == 1
