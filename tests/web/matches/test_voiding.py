"""Seats that do not contribute in time, and matches that are cancelled: both leave their trace."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from gyoji.games.chance import root
from gyoji.store.interface import Conflict
from operators import OPERATOR
from web.matches.contributing import ENTROPY, PLAYERS, commit, post, reason, reveal, seed, types
from web.matches.tables import House, Table, read, refused


@pytest.fixture
def table(house: House) -> Table:
    """A match whose three seats contribute."""
    return house.table(randomness=PLAYERS)


def test_nobody_waits_for_ever(table: Table, later: Callable[[float], None]) -> None:
    for seat in range(3):
        commit(table, seat)
    reveal(table, 1)
    assert reason(post(table, "/entropy/close", table.sits(0))) == "too-early"
    later(30)
    assert reason(post(table, "/entropy/close", OPERATOR)) == "too-early"
    later(31)
    answer = post(table, "/entropy/close", table.sits(0))
    assert (read(answer)["status"], read(answer)["seq"], answer.headers["ETag"]) == ("voided", 5, '"6"')
    assert post(table, "/entropy/close", table.sits(0)).data == answer.data
    voided, told = table.feed(table.sits(0))[5:]
    assert (voided["actor"], voided["data"]) == ({"role": "service"}, {"reason": "entropy-missing", "missing": [0, 2]})
    assert told["type"] == "seed_disclosed"
    seen = table.seen(table.sits(0))
    assert (seen["status"], seen["outcome"], seen["closed"], seen["view"]) == ("voided", None, True, None)
    for refusal in (reveal(table, 0), table.put({"type": "play", "seat": 0, "card": "B1"}, table.sits(0))):
        refused(refusal, 409, "match-finished")
    refused(post(table, "/void", OPERATOR), 409, "match-finished")
    verdict = read(table.client.post("/v1/audits", json={"match": table.match}, headers=table.sits(0)))["verdict"]
    assert verdict in ("verified", "verified_partial")


def test_a_match_may_do_without_those_who_are_missing(house: House, later: Callable[[float], None]) -> None:
    table = house.table(randomness={**PLAYERS, "missing": "empty"})
    for seat in range(3):
        commit(table, seat)
    reveal(table, 1)
    later(61)
    answer = post(table, "/entropy/close", OPERATOR)
    assert (read(answer)["status"], read(answer)["seq"], answer.headers["ETag"]) == ("playing", 5, '"5"')
    again = post(table, "/entropy/close", OPERATOR)
    assert again.data == answer.data
    found, secret = seed(house, table)
    assert found == root(secret, [b"", ENTROPY[1], b""], b"", "catte", 1, table.match)
    assert table.feed(table.sits(0))[5]["data"]["missing"] == [0, 2]
    assert reason(reveal(table, 0)) == "complete"
    table.finish(Random(2))
    assert read(house.client.post("/v1/audits", json={"match": table.match}, headers=OPERATOR))["verdict"] == "verified"


def test_a_seeding_that_was_completed_cannot_be_closed(table: Table, later: Callable[[float], None]) -> None:
    for step in (commit, reveal):
        for seat in range(3):
            step(table, seat)
    later(61)
    assert reason(post(table, "/entropy/close", OPERATOR)) == "complete"


def test_a_match_is_cancelled_before_the_deal_and_leaves_its_trace(table: Table) -> None:
    commit(table, 1)
    answer = post(table, "/void", OPERATOR)
    assert (read(answer)["status"], read(answer)["seq"], answer.headers["ETag"]) == ("voided", 2, '"3"')
    event = table.feed(table.sits(0))[2]
    assert (event["type"], event["actor"]) == ("match_voided", {"role": "operator"})
    assert event["data"] == {"reason": "cancelled", "missing": [0, 1, 2]}
    assert post(table, "/void", OPERATOR).data == answer.data
    refused(commit(table, 0), 409, "match-finished")
    assert read(commit(table, 1))["seq"] == 1


def test_a_match_is_cancelled_while_it_is_played(house: House) -> None:
    table = house.table()
    move = table.legal()
    read(table.put(move, table.sits(move["seat"])))
    assert read(post(table, "/void", OPERATOR))["seq"] == 3
    assert table.feed(table.sits(0))[3]["data"] == {"reason": "cancelled", "missing": []}
    seen = table.seen(table.sits(0))
    assert (seen["status"], seen["outcome"], seen["legal_moves"], seen["closed"]) == ("voided", None, [], True)
    assert isinstance(seen["view"]["table"]["hands"][2], list)
    assert read(house.client.post("/v1/audits", json={"match": table.match}, headers=OPERATOR))["verdict"] == "verified"
    assert house.client.post(f"{table.path}/fork", json={"seq": 2}, headers=OPERATOR).status_code == 201


def test_what_is_over_cannot_be_cancelled(over: Table) -> None:
    refused(post(over, "/void", OPERATOR), 409, "match-finished")


def test_a_move_that_comes_with_a_cancellation_is_too_late(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = house.table()
    move, honest, met = table.legal(), house.services.store.append, list[int]()

    def append(*parts: Any) -> None:
        if not met:
            met.append(1)
            read(post(table, "/void", OPERATOR))
        honest(*parts)

    monkeypatch.setattr(house.services.store, "append", append)
    refused(table.put(move, table.sits(move["seat"])), 409, "match-finished")
    assert types(table) == ["match_created", "dealt", "match_voided", "seed_disclosed"]


def test_a_conflict_without_end_is_told(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def append(*_parts: Any) -> None:
        raise Conflict

    monkeypatch.setattr("gyoji.app.matches.appends.MOST_ATTEMPTS", 3)
    monkeypatch.setattr(house.services.store, "append", append)
    refused(commit(table, 0), 503, "unavailable")
