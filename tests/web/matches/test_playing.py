"""Moves in a stored match: accepted and signed, refused without a trace, or only tried."""

from hashlib import sha256
from random import Random

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from web.matches.tables import (
    JSON,
    House,
    Plain,
    Table,
    concealed,
    not_held,
    pointers,
    read,
    refused,
    snapshot,
    wishes,
)

HIDDEN = {"count": 13}
"""The hand of another seat of Catte for three when it has been dealt (CAT-1.1)."""


def prefixed(*fields: bytes) -> bytes:
    """LP of the design: every field after its length."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def test_an_accepted_move(table: Table) -> None:
    move = table.legal()
    answer = table.put(move, table.sits(move["seat"]))
    made = read(answer)
    assert (answer.status_code, made["seq"], answer.headers["ETag"]) == (200, 2, '"2"')
    assert made["events"][0] == {"type": "card_played", "seat": 0, "card": move["card"]}
    assert move["card"] not in made["view"]["table"]["hands"][0]
    assert (made["view"]["to_act"], made["legal_moves"], made["outcome"]) == ([1], [], None)
    assert made["scores"] == [0, 0, 0]
    assert made["view"]["table"]["hands"][1:] == [HIDDEN, HIDDEN]
    after = table.seen(table.sits(0))
    assert (after["seq"], after["view"]) == (2, made["view"])
    assert table.feed(table.sits(2))[2]["data"]["events"] == made["events"]
    assert table.feed(table.operator)[2]["actor"] == {"role": "seat", "seat": 0}


def test_a_receipt_is_signed_over_the_event(house: House, table: Table) -> None:
    receipt = read(table.move())["receipt"]
    event = receipt["event"].encode()
    (line,) = [found for found in table.feed(table.operator) if found["seq"] == 2]
    digest = sha256(b"\0" + event).digest()
    assert receipt["hash"] == digest.hex() == line["hash"]
    (key,) = [kept for kept in read(house.client.get("/v1/keys"))["keys"] if kept["key"] == receipt["key"]]
    assert sha256(bytes.fromhex(key["public"])).hexdigest()[:16] == key["key"]
    signed = prefixed(b"receipt/1", key["origin"].encode(), table.match.encode(), (2).to_bytes(4, "big"), digest)
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public"])).verify(bytes.fromhex(receipt["sig"]), signed)


def test_the_receipt_of_a_hidden_choice_opens_it_for_its_seat(house: House) -> None:
    table = concealed(house)
    move = wishes(table)[1]
    receipt = read(table.put(move, table.sits(1)))["receipt"]
    event = orjson.loads(receipt["event"])
    assert event["data"]["move"] == {**move, "wish": None}
    (opening,) = receipt["openings"]
    assert opening["payload"]["/move/wish"] == move["wish"]
    committed = event["secret"][opening["index"]]
    payload = orjson.dumps(opening["payload"], option=orjson.OPT_SORT_KEYS)
    salted = prefixed(b"secret/1", bytes.fromhex(opening["salt"]), payload)
    assert (committed["for"], committed["commit"]) == ([1], sha256(salted).hexdigest())


def test_choices_of_the_same_time_do_not_conflict(house: House) -> None:
    """Every seat sends what it chose with the If-Match that it saw when the decision opened."""
    table = concealed(house)
    for seat, move in reversed(list(enumerate(wishes(table)))):
        answer = table.put(move, {**table.sits(seat), "If-Match": '"1"'})
        assert answer.status_code == 200, answer.json
    events = table.feed(table.operator)[2:]
    assert [(event["type"], event["actor"]["seat"]) for event in events] == [("choice_made", s) for s in (2, 1, 0)]
    seen = table.seen(table.operator)
    assert (seen["seq"], seen["decision"]) == (4, 4)


def test_a_seat_chooses_once(house: House) -> None:
    table = concealed(house)
    move = wishes(table)[0]
    read(table.put(move, table.sits(0)))
    before = snapshot(table)
    problem = refused(table.put(move, {**table.sits(0), "If-Match": '"1"'}), 409, "illegal-move")
    assert problem["reason"] == "not-your-turn"
    assert snapshot(table) == before


def test_an_if_match_from_before_the_decision_is_stale(house: House) -> None:
    table = concealed(house)
    first = wishes(table)
    for seat, move in enumerate(first):
        read(table.put(move, table.sits(seat)))
    seen = table.turn()
    assert (seen["seq"], seen["decision"]) == (4, 4)  # no choice any more: a trick is led
    headers = table.sits(seen["viewer"]["seat"])
    for seq in (1, 2, 3):
        stale = table.put(seen["legal_moves"][0], {**headers, "If-Match": f'"{seq}"'})
        refused(stale, 412, "stale-position")
    read(table.put(seen["legal_moves"][0], {**headers, "If-Match": '"4"'}))


def test_the_next_choice_does_not_take_what_was_seen_before_it(house: House) -> None:
    """A second round opens a decision of its own; what was seen in the first one is too old for it."""
    table = concealed(house)
    chance = Random(5)
    while (seen := table.turn())["view"]["round"] == 1:
        table.move(chance)
    assert seen["decision"] == seen["seq"] > 4
    move, headers = seen["legal_moves"][0], table.sits(seen["viewer"]["seat"])
    stale = table.put(move, {**headers, "If-Match": f'"{seen["seq"] - 1}"'})
    refused(stale, 412, "stale-position")
    read(table.put(move, {**headers, "If-Match": f'"{seen["seq"]}"'}))


def test_nobody_learns_what_was_chosen(house: House) -> None:
    """Two choices that differ in nothing but the wish are told alike to all others, in every part of the match."""
    told = []
    for pick in (0, 1):
        table = concealed(house)
        move = table.seen(table.sits(0))["legal_moves"][pick]
        read(table.put(move, table.sits(0)))
        others = [house.key("operator", scopes=["matches:read"]), table.sits(1), table.sits(2), house.spectator(table)]
        for reader in others:
            lines = table.get("/events?raw=1&after=1", reader).data.splitlines()
            assert [orjson.loads(line).get("type") for line in lines] == ["choice_made"]
            assert read(table.get("/positions/2", reader))["view"] == table.seen(reader)["view"]
            told.append((pick, table.feed(reader, 1)[0]["data"], table.seen(reader)["view"]["table"]["wishes"]))
        own = table.feed(table.sits(0), 1)[0]["data"]
        assert own["move"] == move
        assert own["events"][0]["wish"] == move["wish"]
    first, second = ([told_of[1:] for told_of in told if told_of[0] == pick] for pick in (0, 1))
    assert first == second
    assert first[0][0]["events"] == [{"type": "wish_chosen", "seat": 0, "wish": None}]


def test_a_move_for_another_seat_is_forbidden_whatever_else_is_wrong(table: Table) -> None:
    move = table.legal()
    other = table.sits(1)
    for body in ({"move": move}, {"move": {"seat": 0}}, {"move": {**move, "card": "Z9"}, "dry_run": True}):
        for headers in ({}, {"If-Match": '"9"'}, {"Idempotency-Key": "k"}):
            answer = table.client.post(f"{table.path}/moves", json=body, headers={**other, **headers})
            refused(answer, 403, "forbidden")
    assert table.seen(table.operator)["seq"] == 1


def test_a_refusal_names_the_rule_and_changes_nothing(table: Table) -> None:
    before = snapshot(table)
    own = table.turn()
    hand = own["view"]["table"]["hands"][0]
    absent = next(
        card for card in ("B1", "B2", "W3", "K4", "K5", "W6", "B7", "B8", "W9", "W10", "K11") if card not in hand
    )
    for headers in (table.sits(0), {**table.sits(0), "If-Match": '"1"', "Idempotency-Key": "no"}):
        problem = refused(table.put({"type": "play", "seat": 0, "card": absent}, headers), 409, "illegal-move")
        assert (problem["reason"], problem["seat"]) == ("card-not-in-hand", 0)
        assert problem["move"] == {"type": "play", "seat": 0, "card": absent}
        assert problem["legal_moves"] == own["legal_moves"]
        assert problem["because"]
    problem = refused(table.put({"type": "play", "seat": 1, "card": absent}, table.sits(1)), 409, "illegal-move")
    assert (problem["reason"], problem["legal_moves"]) == ("not-your-turn", [])
    assert snapshot(table) == before


def test_a_refusal_cites_the_rule_that_was_broken(house: House) -> None:
    """To follow the colour led is a rule of the page; the problem brings its id and its text."""
    chance = Random(1)
    for _attempt in range(20):
        table = house.table()
        table.move(chance)
        seen = table.turn()
        legal = {move["card"] for move in seen["legal_moves"]}
        barred = [card for card in seen["view"]["table"]["hands"][1] if card not in legal]
        if barred:
            answer = table.put({"type": "play", "seat": 1, "card": barred[0]}, table.sits(1))
            problem = refused(answer, 409, "illegal-move")
            assert (problem["reason"], problem["legal_moves"]) == ("rule-violation", seen["legal_moves"])
            assert problem["rule"].startswith("CAT-")
            rule = read(house.client.get(f"/v1/games/catte/rules/{problem['rule']}"))
            assert problem["rule_text"] == rule["text"]["en"]
            return
    raise AssertionError("in 20 deals nobody had to follow")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, [("/move", "missing")]),
        ({"move": []}, [("/move", "wrong-type")]),
        ({"move": {"type": "play", "seat": 0}}, [("/move/card", "missing")]),
        ({"move": {"type": "play", "seat": 0, "card": "B1", "face": "up"}}, [("/move/face", "unknown-member")]),
        ({"move": {"type": "play", "seat": 0, "card": "B1"}, "dry_run": 1}, [("/dry_run", "wrong-type")]),
        ({"move": {"type": "play", "seat": 0, "card": "B1"}, "seat": 0}, [("/seat", "unknown-member")]),
        ({"moves": []}, [("/move", "missing"), ("/moves", "unknown-member")]),
    ],
)
def test_moves_of_the_wrong_shape(table: Table, body: Plain, wrong: list[tuple[str, str]]) -> None:
    answer = table.client.post(f"{table.path}/moves", json=body, headers=table.sits(0))
    assert sorted(pointers(answer)) == wrong
    assert table.seen(table.operator)["seq"] == 1


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"\xff", JSON, 400, "malformed-json"),
        (b'{"move":NaN}', JSON, 400, "malformed-json"),
        (b"[" * 40 + b"]" * 40, JSON, 400, "malformed-json"),
        (b"{}", {"Content-Type": "application/jsonl"}, 415, "unsupported-media-type"),
        (b" " * 65537, JSON, 413, "too-large"),
    ],
)
def test_bodies_that_are_none(table: Table, body: bytes, headers: dict[str, str], status: int, code: str) -> None:
    answer = table.client.post(f"{table.path}/moves", data=body, headers={**table.sits(0), **headers})
    refused(answer, status, code)


def test_a_move_that_is_only_tried(table: Table) -> None:
    before = snapshot(table)
    answer = table.put(table.legal(), table.sits(0), dry_run=True)
    assert (answer.status_code, answer.json) == (200, {"kind": "dry_run", "legal": True})
    assert "ETag" not in answer.headers
    assert snapshot(table) == before


def test_a_refusal_is_the_same_whether_it_was_tried_or_meant(table: Table) -> None:
    seen = table.turn()
    hand = seen["view"]["table"]["hands"][0]
    absent = not_held(hand)
    for seat, card in ((0, absent), (1, absent), (2, hand[0])):
        move = {"type": "play", "seat": seat, "card": card}
        meant, tried = (table.put(move, table.sits(seat), **more) for more in ({}, {"dry_run": True}))
        assert (meant.status_code, meant.data) == (tried.status_code, tried.data)
    assert table.seen(table.operator)["seq"] == 1


def test_a_tried_move_tells_no_consequence(house: House) -> None:
    """The last concealed wish would tell what all have chosen; trying it tells that it is legal and no more."""
    table = concealed(house)
    moves = wishes(table)
    for seat in (0, 1):
        read(table.put(moves[seat], table.sits(seat)))
    before = snapshot(table)
    assert table.put(moves[2], table.sits(2), dry_run=True).json == {"kind": "dry_run", "legal": True}
    assert snapshot(table) == before


def test_a_tried_move_leaves_its_key_free(table: Table) -> None:
    move, own = table.legal(), {**table.sits(0), "Idempotency-Key": "k"}
    assert table.put(move, own, dry_run=True).json == {"kind": "dry_run", "legal": True}
    assert read(table.put(move, own))["seq"] == 2


def test_a_tried_move_heeds_if_match(table: Table) -> None:
    table.move()
    move, own = table.legal(), table.sits(1)
    refused(table.put(move, {**own, "If-Match": '"1"'}, dry_run=True), 412, "stale-position")
    assert table.put(move, {**own, "If-Match": '"2"'}, dry_run=True).json == {"kind": "dry_run", "legal": True}


def test_a_move_after_the_end(over: Table) -> None:
    before = snapshot(over)
    move = {"type": "play", "seat": 0, "card": "B1"}
    for headers in (over.sits(0), over.operator):
        refused(over.put(move, headers), 409, "match-finished")
        refused(over.put(move, headers, dry_run=True), 409, "match-finished")
    refused(over.put({**move, "card": "C1"}, over.sits(0)), 422, "invalid-request")
    assert snapshot(over) == before


def test_the_last_move_closes_the_log(house: House) -> None:
    table = house.table(game="familiars-trouble")
    last = table.finish(Random(11))
    seq = read(last)["seq"]
    played, finished, disclosed = table.feed(table.operator, seq - 1)
    assert [event["type"] for event in (played, finished, disclosed)] == [
        "move_played",
        "match_finished",
        "seed_disclosed",
    ]
    assert [event["seq"] for event in (played, finished, disclosed)] == [seq, seq + 1, seq + 2]
    assert (finished["actor"], disclosed["actor"]) == ({"role": "service"}, {"role": "service"})
    assert finished["data"]["outcome"] == read(last)["outcome"] == table.seen(table.sits(0))["outcome"]
    seen = table.seen(table.sits(0))
    assert (seen["status"], seen["seq"], seen["legal_moves"]) == ("finished", seq + 2, [])
