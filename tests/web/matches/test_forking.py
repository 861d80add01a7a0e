"""A new match from a position of one that is disclosed, with chance of its own from there on."""

from random import Random
from typing import Any

import pytest

from operators import OPERATOR
from web.matches.refereeing import referee
from web.matches.tables import House, Plain, Table, pointers, read, refused


def fork(house: House, source: Table, seq: Any, by: dict[str, str] | None = None, **more: Any) -> Any:
    """The answer to a request for a fork."""
    headers = dict(OPERATOR if by is None else by)
    return house.client.post(f"{source.path}/fork", json={"seq": seq, **more}, headers=headers)


def move_of(event: Plain) -> Plain:
    """The move that an event of the source's feed tells."""
    move: Plain = event["data"]["move"]
    return move


def test_a_fork_begins_where_the_source_stood(house: House, over: Table) -> None:
    answer = fork(house, over, 20)
    made = read(answer)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/v1/matches/{made['match']}")
    assert (made["status"], made["seq"], answer.headers["ETag"]) == ("playing", 1, '"1"')
    assert [seat["name"] for seat in made["seats"]] == ["Ann", "Ben", "Cho"]
    assert made["match"] != over.match
    table = house.seated(answer)
    created, dealt = table.feed(table.sits(0))
    hashes = {event["seq"]: event["hash"] for event in over.feed(OPERATOR)}
    assert created["data"]["from"] == {"match": over.match, "seq": 20, "hash": hashes[20]}
    assert created["data"]["seed_commitment"] != over.feed(OPERATOR)[0]["data"]["seed_commitment"]
    assert (dealt["type"], dealt["data"]["events"]) == ("dealt", [])
    stood = read(over.get("/positions/20", OPERATOR))["view"]
    unsealed = table.seen(OPERATOR)["view"]
    assert {**unsealed, "seed": None} == {**stood, "seed": None}
    own = read(over.get("/positions/20?as=1", OPERATOR))["view"]
    assert {**table.seen(table.sits(1))["view"], "seed": None} == {**own, "seed": None}


def test_what_is_hidden_in_a_fork_is_hidden_by_its_seats(house: House, over: Table) -> None:
    """The fork's own log opens to each seat its own hand; what the source has disclosed is not repeated in it."""
    table = house.seated(fork(house, over, 1))
    for seat in range(3):
        position = table.feed(table.sits(seat))[1]["data"]["position"]
        assert [isinstance(hand, list) for hand in position["table"]["hands"]] == [seat == each for each in range(3)]
        assert position["seed"] is None
    watched = table.feed(house.spectator(table))[1]["data"]["position"]
    assert [type(hand) for hand in watched["table"]["hands"]] == [dict] * 3


def test_later_shuffles_are_not_those_of_the_source(house: House) -> None:
    """The same moves up to the end of the round; then other cards are dealt than in the source."""
    source = house.finished(21)
    told = source.feed(OPERATOR)
    dealing = next(
        event
        for event in told
        if any(e["type"] == "hands_dealt" for e in event["data"].get("events", ())) and event["seq"] > 1
    )
    table = house.seated(fork(house, source, 2))
    for event in told[3 : dealing["seq"]]:
        read(table.put(move_of(event), OPERATOR))
    read(table.put(move_of(dealing), OPERATOR))
    (deal,) = [e for e in dealing["data"]["events"] if e["type"] == "hands_dealt"]
    (other,) = [e for e in table.feed(OPERATOR)[-1]["data"]["events"] if e["type"] == "hands_dealt"]
    assert deal["round"] == other["round"] == 2
    assert deal["hands"] != other["hands"]
    assert sorted(sum(deal["hands"], deal["aside"])) == sorted(sum(other["hands"], other["aside"]))


@pytest.mark.parametrize("game", ["catte", "tomorrow-never-meows"])
def test_a_fork_is_played_to_its_end_and_can_be_forked_and_audited(house: House, game: str) -> None:
    source = house.finished(5, game=game)
    table = house.seated(fork(house, source, 7))
    table.finish(Random(6))
    seen = table.seen(table.sits(0))
    assert seen["status"] == "finished"
    audited = read(house.client.post("/v1/audits", json={"match": table.match}, headers=OPERATOR))
    failed = [check["check"] for check in audited["checks"] if check["result"] == "fail"]
    assert (audited["match"], failed) == (table.match, [])
    again = house.seated(fork(house, table, 3))
    assert again.feed(OPERATOR)[0]["data"]["from"]["match"] == table.match


def test_a_fork_names_who_sat_there_in_that_position(house: House) -> None:
    source = house.table(seats=[{"name": name} for name in ("Ann", "Ben", "Cho")])
    judge = referee(house, source)
    judge.rules("substitute", seat=1, name="Zoe")
    judge.rules("substitute", seat=2)
    seated = judge.seq
    judge.rules("result", winners=[0], scores=None)
    for seq, names in ((1, ["Ann", "Ben", "Cho"]), (seated, ["Ann", "Zoe", None])):
        made = read(fork(house, source, seq))
        assert [seat["name"] for seat in made["seats"]] == names


def test_the_source_is_not_changed_by_a_fork(house: House, over: Table) -> None:
    before = over.get("/replay", OPERATOR).data
    read(fork(house, over, 5))
    assert over.get("/replay", OPERATOR).data == before


def test_only_of_a_match_that_is_disclosed(house: House, table: Table, sealed: Table) -> None:
    refused(fork(house, table, 1), 409, "not-disclosed")  # unsealing is not enough
    refused(fork(house, sealed, 1), 409, "not-disclosed")  # disclosed to auditors alone


def test_only_by_its_operator(house: House, over: Table) -> None:
    refused(fork(house, over, 1, over.sits(0)), 403, "forbidden")
    refused(fork(house, over, 1, house.key("auditor", matches=[over.match])), 403, "forbidden")
    refused(fork(house, over, 1, house.key("operator", scopes=["matches:create", "matches:read"])), 403, "forbidden")
    refused(fork(house, over, 1, house.account()), 404, "not-found")


def test_positions_that_cannot_be_forked(house: House, over: Table) -> None:
    head = over.seen(OPERATOR)["seq"]
    for seq in (head, head - 1, head - 2, head + 1, 2147483647):  # the last move's position is decided
        assert pointers(fork(house, over, seq)) == [("/seq", "no-such-seq")]
    assert pointers(fork(house, over, 0)) == [("/seq", "not-allowed")]
    assert pointers(fork(house, over, "1")) == [("/seq", "wrong-type")]
    assert pointers(fork(house, over, 1, salt="00")) == [("/salt", "unknown-member")]
    answer = house.client.post(f"{over.path}/fork", json={}, headers=OPERATOR)
    assert pointers(answer) == [("/seq", "missing")]
    assert fork(house, over, head - 3).status_code == 201


def test_a_repeated_fork(house: House, over: Table) -> None:
    by = {**OPERATOR, "Idempotency-Key": f"fork-{over.match}"}
    first = fork(house, over, 9, by)
    house.seated(first).move()
    again = fork(house, over, 9, by)
    assert (again.status_code, again.data, again.headers["Location"]) == (201, first.data, first.headers["Location"])
    refused(fork(house, over, 10, by), 422, "idempotency-key-reused")
    refused(house.create(by), 422, "idempotency-key-reused")  # keys are the account's, whatever for


def test_a_key_used_for_one_source_is_not_free_for_another(house: House, over: Table) -> None:
    by = {**OPERATOR, "Idempotency-Key": f"of-{over.match}"}
    read(fork(house, over, 4, by))
    refused(fork(house, house.finished(), 4, by), 422, "idempotency-key-reused")


def test_a_fork_in_the_middle_of_a_choice(house: House) -> None:
    """Who has chosen stays chosen, and hidden; the others choose in the fork."""
    source = house.finished(3, game="tomorrow-never-meows", options={"concealed": True})
    table = house.seated(fork(house, source, 2))
    chosen = move_of(source.feed(OPERATOR)[2])["seat"]
    assert chosen not in table.seen(OPERATOR)["view"]["to_act"]
    for seat in table.seen(OPERATOR)["view"]["to_act"]:
        move = table.seen(table.sits(seat))["legal_moves"][0]
        read(table.put(move, {**table.sits(seat), "If-Match": '"1"'}))
    assert table.seen(OPERATOR)["seq"] == 3
