"""Deals that others than the service contribute to: committed, revealed, shared, refused."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from werkzeug.test import TestResponse

from gyoji.games.chance import player_commitment, root
from operators import OPERATOR
from players import leaf
from web.matches.contributing import BEACON, ENTROPY, PLAYERS, SHARE, commit, give, post, reason, reveal, seed, types
from web.matches.tables import House, Plain, Table, holding, pointers, read, refused


@pytest.fixture
def table(house: House) -> Table:
    """A match whose three seats contribute."""
    return house.table(randomness=PLAYERS)


def test_all_commit_then_all_reveal_then_the_match_is_dealt(house: House, table: Table) -> None:
    for at, seat in enumerate((2, 0, 1)):
        answer = commit(table, seat)
        assert (read(answer)["seq"], read(answer)["status"], answer.headers["ETag"]) == (
            1 + at,
            "seeding",
            f'"{1 + at}"',
        )
    for at, seat in enumerate((1, 2)):
        assert (read(reveal(table, seat))["seq"], table.seen(table.sits(0))["status"]) == (4 + at, "seeding")
    answer = reveal(table, 0)
    assert (read(answer)["seq"], read(answer)["status"], answer.headers["ETag"]) == (6, "playing", '"7"')
    assert types(table) == ["match_created", *["entropy_committed"] * 3, *["entropy_revealed"] * 3, "dealt"]
    found, secret = seed(house, table)
    assert found == root(secret, ENTROPY, b"", "catte", 1, table.match)
    table.finish(Random(1))
    assert read(house.client.post("/v1/audits", json={"match": table.match}, headers=OPERATOR))["verdict"] == "verified"


def test_the_receipt_is_that_of_the_event(table: Table) -> None:
    receipt = read(commit(table, 1))["receipt"]
    event = table.feed(table.sits(0))[1]
    assert receipt["hash"] == leaf(receipt["event"].encode()) == event["hash"]
    assert event["actor"] == {"role": "seat", "seat": 1}
    assert event["data"] == {"commit": player_commitment(table.match, 1, ENTROPY[1])}
    assert receipt["openings"] == []


def test_what_is_seen_before_the_deal(house: House, table: Table) -> None:
    commit(table, 1)
    seen = table.seen(table.sits(1))
    nothing = {name: seen[name] for name in ("view", "scores", "outcome", "legal_moves", "closed")}
    assert nothing == {"view": None, "scores": None, "outcome": None, "legal_moves": [], "closed": False}
    assert (seen["status"], seen["seq"], seen["decision"]) == ("seeding", 1, 1)
    told = {"policy": "players", "committed": [1], "revealed": [], "missing": [0, 1, 2]}
    until = seen["seeding"].pop("until")
    assert seen["seeding"] == told
    assert until > seen["created"]
    for seq in (0, 1, 2):
        refused(table.get(f"/positions/{seq}", table.sits(1)), 404, "not-found")
    move = {"type": "play", "seat": 1, "card": "B1"}
    refused(table.put(move, table.sits(1)), 409, "match-not-running")
    refused(table.put(move, table.sits(1), dry_run=True), 409, "match-not-running")
    refused(table.put(move, {**table.sits(1), "If-Match": '"0"'}), 412, "stale-position")
    for by in (table.sits(0), OPERATOR):
        verdict = read(house.client.post("/v1/audits", json={"match": table.match}, headers=dict(by)))
        assert verdict["verdict"] == "verified_partial"
    listed = read(house.client.get("/v1/matches?status=seeding&limit=200", headers=OPERATOR))["matches"]
    assert table.match in [each["match"] for each in listed]


def test_a_match_of_the_service_alone_takes_nothing(house: House) -> None:
    table = house.table()
    assert "seeding" not in table.seen(table.sits(0))
    assert reason(commit(table, 0)) == reason(reveal(table, 0)) == "wrong-policy"
    assert reason(give(table, OPERATOR, entropy=SHARE)) == "wrong-policy"
    assert reason(post(table, "/entropy/close", OPERATOR)) == "wrong-policy"


def test_what_comes_in_another_order_is_refused(table: Table) -> None:
    assert reason(reveal(table, 0)) == "commit-first"
    read(commit(table, 0))
    assert reason(reveal(table, 0)) == "waiting-for-commitments"
    assert reason(give(table, table.sits(0), commit="00" * 32)) == "already-committed"
    assert reason(give(table, OPERATOR, entropy=SHARE)) == "wrong-policy"
    read(commit(table, 1))
    read(commit(table, 2))
    assert reason(give(table, table.sits(0), entropy=ENTROPY[1].hex())) == "not-the-committed"
    read(reveal(table, 0))
    assert reason(give(table, table.sits(0), entropy=ENTROPY[1].hex())) == "already-revealed"
    read(reveal(table, 1))
    read(reveal(table, 2))
    assert reason(give(table, table.sits(0), entropy=ENTROPY[1].hex())) == "complete"
    assert len(types(table)) == 8


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({}, [("/entropy", "one-of")]),
        ({"commit": "00" * 32, "entropy": "00" * 32}, [("/entropy", "one-of")]),
        ({"commit": "00" * 31}, [("/commit", "not-allowed")]),
        ({"entropy": "0" * 63}, [("/entropy", "not-allowed")]),
        ({"entropy": "AB" * 32}, [("/entropy", "not-allowed")]),
        ({"entropy": "ab" * 16}, [("/entropy", "not-allowed")]),
        ({"entropy": "ab" * 65}, [("/entropy", "not-allowed")]),
        ({"commit": 5}, [("/commit", "wrong-type")]),
    ],
)
def test_shapes_that_are_none(table: Table, sent: dict[str, str], found: list[tuple[str, str]]) -> None:
    assert pointers(give(table, table.sits(0), **sent)) == found
    assert types(table) == ["match_created"]


def test_the_same_contribution_again_has_the_same_answer(table: Table) -> None:
    first = [commit(table, seat).data for seat in range(3)] + [reveal(table, seat).data for seat in range(3)]
    table.finish(Random(3))
    again = [commit(table, seat) for seat in range(3)] + [reveal(table, seat) for seat in range(3)]
    assert [answer.data for answer in again] == first
    assert [answer.headers["ETag"] for answer in again] == [f'"{seq}"' for seq in (1, 2, 3, 4, 5, 7)]


def test_an_idempotency_key_is_good_for_one_contribution(table: Table) -> None:
    keyed = {**table.sits(0), "Idempotency-Key": "mine"}
    mine = player_commitment(table.match, 0, ENTROPY[0])
    first = give(table, keyed, commit=mine)
    assert give(table, keyed, commit=mine).data == first.data
    refused(give(table, keyed, commit="00" * 32), 422, "idempotency-key-reused")
    refused(table.put({"type": "play", "seat": 0, "card": "B1"}, keyed), 422, "idempotency-key-reused")


@pytest.mark.parametrize("step", [commit, reveal])
def test_two_seats_at_the_same_time_are_both_accepted(
    table: Table, house: House, monkeypatch: pytest.MonkeyPatch, step: Callable[[Table, int], TestResponse]
) -> None:
    """The other one is stored between the look at the match and the append."""
    if step is reveal:
        for seat in range(3):
            commit(table, seat)
        reveal(table, 1)
    honest, met = house.services.store.append, list[int]()

    def append(*parts: Any) -> None:
        if not met:
            met.append(1)
            read(step(table, 2))
        honest(*parts)

    monkeypatch.setattr(house.services.store, "append", append)
    before = len(types(table))
    assert read(step(table, 0))["seq"] == before + 1
    actors = [event["actor"].get("seat") for event in table.feed(table.sits(0))][before:]
    assert actors == ([2, 0] if step is commit else [2, 0, None])
    assert table.seen(table.sits(0))["status"] == ("seeding" if step is commit else "playing")


def test_the_same_request_at_the_same_time_is_stored_once(
    table: Table, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, told = house.services.store.append, list[bytes]()

    def append(*parts: Any) -> None:
        if not told:
            told.append(b"")
            told.append(commit(table, 0).data)
        honest(*parts)

    monkeypatch.setattr(house.services.store, "append", append)
    assert commit(table, 0).data == told[1]
    assert types(table) == ["match_created", "entropy_committed"]


def test_a_key_that_another_request_takes_meanwhile_is_used(
    table: Table, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same key, and another commitment, between the look at the key and the append."""
    honest, met = house.services.store.append, list[int]()
    keyed = {**table.sits(0), "Idempotency-Key": "mine"}

    def append(*parts: Any) -> None:
        if not met:
            met.append(1)
            read(give(table, keyed, commit="11" * 32))
        honest(*parts)

    monkeypatch.setattr(house.services.store, "append", append)
    refused(give(table, keyed, commit="22" * 32), 422, "idempotency-key-reused")
    assert types(table) == ["match_created", "entropy_committed"]


def directed(house: House) -> tuple[Table, dict[str, str]]:
    """A match with a director, and what that one sends."""
    made: Plain = read(house.create(game="catte", seats=3, randomness={"policy": "director"}))
    assert (made["status"], made["seq"]) == ("seeding", 0)
    tokens = tuple([seat["token"] for seat in made["seats"]])
    return Table(house.client, made["match"], tokens, OPERATOR), holding(made["director"]["token"])


def test_a_director_contributes_a_share(house: House) -> None:
    table, director = directed(house)
    assert table.seen(director)["viewer"] == {"role": "director", "seat": None}
    assert reason(commit(table, 0)) == reason(reveal(table, 0)) == "wrong-policy"
    assert reason(give(table, OPERATOR, entropy=SHARE)) == "wrong-policy"
    assert reason(give(table, director, commit="00" * 32)) == "wrong-policy"
    assert reason(post(table, "/entropy/close", OPERATOR)) == "wrong-policy"
    answer = give(table, director, entropy=SHARE)
    assert (read(answer)["status"], answer.headers["ETag"]) == ("playing", '"2"')
    assert give(table, director, entropy=SHARE).data == answer.data
    assert reason(give(table, director, entropy="cd" * 16)) == "complete"
    assert table.feed(director)[1]["actor"] == {"role": "director"}
    found, secret = seed(house, table)
    assert found == root(secret, [b""] * 3, bytes.fromhex(SHARE), "catte", 1, table.match)
    hands = table.seen(director)["view"]["table"]["hands"]
    assert [hand.keys() for hand in hands] == [{"count"}] * 3


def test_a_directors_token_is_made_anew_and_void(house: House) -> None:
    table, director = directed(house)
    renewed = read(table.client.post(f"{table.path}/seats/director/token", headers=OPERATOR))
    assert renewed["seat"] is None
    refused(give(table, director, entropy=SHARE), 401, "unauthenticated")
    new = holding(renewed["token"])
    assert table.client.delete(f"{table.path}/seats/director/token", headers=OPERATOR).status_code == 204
    refused(give(table, new, entropy=SHARE), 401, "unauthenticated")
    without = house.table()
    refused(without.client.post(f"{without.path}/seats/director/token", headers=OPERATOR), 404, "not-found")


def test_a_repeated_creation_names_the_director_again(house: House) -> None:
    setting = {"game": "catte", "seats": 3, "randomness": {"policy": "director"}}
    keyed = {**OPERATOR, "Idempotency-Key": "directed"}
    first = house.client.post("/v1/matches", json=setting, headers=keyed)
    table = Table(house.client, read(first)["match"], (), OPERATOR)
    read(give(table, holding(read(first)["director"]["token"]), entropy=SHARE))
    again = house.client.post("/v1/matches", json=setting, headers=keyed)
    assert again.data == first.data
    assert again.headers["ETag"] == first.headers["ETag"] == '"0"'


def test_a_public_beacon_contributes_its_value(house: House) -> None:
    table = house.table(randomness=BEACON)
    waiting: Plain = {"committed": [], "revealed": [], "missing": [], "until": None}
    assert table.seen(table.sits(0))["seeding"] == {**BEACON, **waiting}
    assert reason(commit(table, 0)) == "wrong-policy"
    value = "9f" * 48
    assert read(give(table, OPERATOR, entropy=value))["status"] == "playing"
    created, told = table.feed(table.sits(0))[:2]
    assert created["data"]["randomness"] == BEACON
    assert (told["actor"], told["data"]) == ({"role": "operator"}, {"entropy": value})
    found, secret = seed(house, table)
    assert found == root(secret, [b""] * 3, bytes.fromhex(value), "catte", 1, table.match)


@pytest.mark.parametrize(
    "randomness",
    [
        {"policy": "dice"},
        {"policy": "server", "within": 5},
        {"policy": "players", "within": 0},
        {"policy": "players", "within": 604_801},
        {"policy": "players", "missing": "ignore"},
        {"policy": "external", "beacon": "b"},
        {"policy": "external", "beacon": "b", "reference": ""},
        {"policy": "external", "beacon": "b" * 201, "reference": "r"},
        {},
    ],
)
def test_policies_that_are_none(house: House, randomness: Plain) -> None:
    refused(house.create(game="catte", seats=3, randomness=randomness), 422, "invalid-request")


def test_the_policy_stands_in_the_log_with_its_defaults(house: House) -> None:
    table = house.table(randomness={"policy": "players"})
    assert table.feed(table.sits(0))[0]["data"]["randomness"] == {
        "policy": "players",
        "missing": "void",
        "within": 3600,
    }
