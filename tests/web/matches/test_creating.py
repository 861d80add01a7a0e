"""New matches: what they are answered with, what is refused, and what a repeated request does."""

from random import Random
from typing import Any

import pytest

from gyoji.games.catalogue import GAMES
from operators import OPERATOR
from web.matches.tables import JSON, House, Plain, Table, holding, pointers, read, refused

NAMED = [{"name": "Ann"}, {"name": "Ben"}, {"name": "長"}]


def test_a_new_match(house: House) -> None:
    answer = house.create(seats=NAMED)
    made = read(answer)
    assert answer.status_code == 201
    path = f"/v1/matches/{made['match']}"
    assert (answer.headers["Location"], answer.headers["ETag"]) == (path, '"1"')
    assert (made["game"], made["version"], made["status"], made["seq"]) == ("catte", 1, "playing", 1)
    assert [(seat["seat"], seat["name"]) for seat in made["seats"]] == [(0, "Ann"), (1, "Ben"), (2, "長")]
    assert len({seat["token"] for seat in made["seats"]}) == 3
    assert made["links"]["self"] == path
    assert house.client.get(path, headers=OPERATOR).headers["ETag"] == '"1"'


@pytest.mark.parametrize(
    ("game", "seats"), [(game.slug, seats) for game in GAMES for seats in {game.min_seats, game.max_seats}]
)
def test_every_game_at_its_smallest_and_its_largest_table(house: House, game: str, seats: int) -> None:
    table = house.table(game=game, seats=seats)
    assert len(table.tokens) == seats
    for seat in range(seats):
        seen = table.seen(table.sits(seat))
        assert (seen["game"], seen["view"]["seats"], seen["viewer"]) == (game, seats, {"role": "seat", "seat": seat})


def test_what_is_not_said_is_private_and_disclosed_at_the_end(house: House, table: Table) -> None:
    created, dealt = table.feed(table.operator)
    data = created["data"]
    assert (created["seq"], created["type"], created["actor"]) == (0, "match_created", {"role": "operator"})
    assert (dealt["seq"], dealt["type"], dealt["actor"]) == (1, "dealt", {"role": "service"})
    assert {name: data[name] for name in ("visibility", "disclosure", "if_match", "first", "randomness")} == {
        "visibility": "private",
        "disclosure": "public_on_close",
        "if_match": "optional",
        "first": 0,
        "randomness": {"policy": "server"},
    }
    assert (data["deal_id"], data["names"], data["tags"]) == (table.match, None, [])
    assert data["options"] == {"bust_bonus": "keep", "deck": None}
    refused(house.client.get(table.path), 404, "not-found")


def test_what_is_said_is_taken(house: House) -> None:
    setting: Plain = {
        "seats": NAMED,
        "options": {"bust_bonus": "forfeit"},
        "first": 2,
        "version": 1,
        "randomness": {"policy": "server"},
        "disclosure": "auditors_only",
        "visibility": "public",
        "tags": ["cup", "table 7"],
        "metadata": {"round": 3, "hall": {"name": "north", "lit": True}},
        "if_match": "required",
    }
    table = house.table(**setting)
    data = table.feed(table.operator)[0]["data"]
    for name in ("randomness", "disclosure", "visibility", "tags", "metadata", "first", "version", "if_match"):
        assert data[name] == setting[name], name
    assert data["names"] == ["Ann", "Ben", "長"]
    seen = table.seen({})  # it is public
    assert seen["view"]["options"]["bust_bonus"] == "forfeit"
    assert (seen["view"]["table"]["starting"], seen["view"]["to_act"]) == (2, [2])
    assert (seen["tags"], seen["disclosure"], seen["visibility"]) == (["cup", "table 7"], "auditors_only", "public")
    assert [seat["name"] for seat in seen["seats"]] == ["Ann", "Ben", "長"]


def test_no_two_matches_have_a_secret_a_deal_or_a_token_in_common(house: House) -> None:
    tables = [house.table() for _ in range(5)]
    commitments = {table.feed(table.operator)[0]["data"]["seed_commitment"] for table in tables}
    deals = {str(table.seen(table.sits(0))["view"]["table"]["hands"][0]) for table in tables}
    assert len(commitments) == len(deals) == len({table.match for table in tables}) == 5
    assert len({token for table in tables for token in table.tokens}) == 15


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ({"seats": 2}, [("/seats", "not-allowed")]),
        ({"seats": 5}, [("/seats", "not-allowed")]),
        ({"seats": "3"}, [("/seats", "wrong-type")]),
        ({"seats": NAMED[:2]}, [("/seats", "not-allowed")]),
        ({"seats": [*NAMED[:2], {"name": 3}]}, [("/seats/2/name", "wrong-type")]),
        ({"seats": [*NAMED[:2], {"name": ""}]}, [("/seats/2/name", "not-allowed")]),
        ({"seats": [*NAMED[:2], {"name": "a\nb"}]}, [("/seats/2/name", "not-allowed")]),
        ({"seats": [*NAMED[:2], {"name": "x" * 65}]}, [("/seats/2/name", "not-allowed")]),
        ({"seats": [*NAMED[:2], {}]}, [("/seats/2/name", "missing")]),
        ({"seats": [*NAMED[:2], {"name": "C", "token": "mine"}]}, [("/seats/2/token", "unknown-member")]),
        ({"first": 3}, [("/first", "no-such-seat")]),
        ({"first": -1}, [("/first", "not-allowed")]),
        ({"version": 2}, [("/version", "not-allowed")]),
        ({"options": {"bust_bonus": "double"}}, [("/options/bust_bonus", "not-allowed")]),
        ({"options": {"joker": True}}, [("/options/joker", "unknown-member")]),
        ({"randomness": {"policy": "dice"}}, [("/randomness/policy", "no-such-policy")]),
        ({"disclosure": "never"}, [("/disclosure", "not-allowed")]),
        ({"visibility": "secret"}, [("/visibility", "not-allowed")]),
        ({"if_match": "sometimes"}, [("/if_match", "not-allowed")]),
        ({"seed": "00"}, [("/seed", "unknown-member")]),
        ({"metadata": []}, [("/metadata", "wrong-type")]),
    ],
)
def test_what_a_match_cannot_be(house: House, setting: Plain, wrong: list[tuple[str, str]]) -> None:
    own = house.account()
    assert pointers(house.create(own, **setting)) == wrong
    assert read(house.client.get("/v1/matches", headers=own))["matches"] == []


def test_every_place_that_is_wrong_is_told_at_once(house: House) -> None:
    found = pointers(house.create(seats=9, visibility="x", tags=[""], colour="red"))
    assert sorted(pointer for pointer, _code in found) == ["/colour", "/seats", "/tags/0", "/visibility"]


@pytest.mark.parametrize("missing", ["game", "seats"])
def test_game_and_seats_have_to_be_said(house: House, missing: str) -> None:
    body = {name: value for name, value in {"game": "catte", "seats": 3}.items() if name != missing}
    answer = house.client.post("/v1/matches", json=body, headers=OPERATOR)
    assert pointers(answer) == [(f"/{missing}", "missing")]


def test_a_game_that_there_is_not(house: House) -> None:
    assert pointers(house.create(game="whist")) == [("/game", "not-allowed")]


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"{", JSON, 400, "malformed-json"),
        (b'{"game":"catte","game":"catte","seats":3}', JSON, 400, "malformed-json"),
        (b'{"game":"catte","seats":3}', {"Content-Type": "text/plain"}, 415, "unsupported-media-type"),
        (b"{}" + b" " * 65536, JSON, 413, "too-large"),
        (b"[]", JSON, 422, "invalid-request"),
    ],
)
def test_bodies_that_are_none(house: House, body: bytes, headers: dict[str, str], status: int, code: str) -> None:
    answer = house.client.post("/v1/matches", data=body, headers={**OPERATOR, **headers})
    refused(answer, status, code)


def test_a_body_without_a_length(house: House) -> None:
    environment = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}
    answer = house.client.post("/v1/matches", headers={**OPERATOR, **JSON}, environ_overrides=environment)
    refused(answer, 411, "length-required")


def test_tokens_are_shown_once(house: House) -> None:
    table = house.table()
    everything = [table.get("", table.operator), table.get("/events", table.operator), table.get("/replay", {})]
    everything += [table.get("/events?raw=1", table.sits(0)), house.client.get("/v1/matches", headers=OPERATOR)]
    for token in table.tokens:
        assert not any(token.encode() in answer.data for answer in everything)


def keyed(by: dict[str, str], key: str) -> dict[str, str]:
    """The same caller, under an idempotency key."""
    return {**by, "Idempotency-Key": key}


def test_the_same_request_under_a_key_makes_one_match(house: House) -> None:
    own = house.account()
    first = house.create(keyed(own, "k1"), seats=NAMED)
    again = house.create(keyed(own, '"k1"'), seats=NAMED)  # the draft standard puts quotes around it
    assert (first.status_code, first.data) == (again.status_code, again.data)
    assert dict(first.headers) | {"X-Request-ID": ""} == dict(again.headers) | {"X-Request-ID": ""}
    assert len(read(house.client.get("/v1/matches", headers=own))["matches"]) == 1


def test_it_is_answered_as_before_whatever_has_happened_since(house: House) -> None:
    own = house.account()
    first = house.create(keyed(own, "k"))
    table = house.seated(first, own)
    table.move()
    assert house.create(keyed(own, "k")).data == first.data
    house.client.post(f"{table.path}/seats/0/token", headers=own)
    assert house.create(keyed(own, "k")).data == first.data
    refused(table.get("", table.sits(0)), 401, "unauthenticated")  # it names the old token; that is void all the same


def test_also_after_the_match_is_over(house: House) -> None:
    own = house.account()
    first = house.create(keyed(own, "k"), game="familiars-trouble")
    house.seated(first, own).finish(Random(3))
    again = house.create(keyed(own, "k"), game="familiars-trouble")
    assert (again.status_code, again.data, again.headers["ETag"]) == (201, first.data, first.headers["ETag"])


def test_another_request_under_the_same_key(house: House) -> None:
    own = house.account()
    read(house.create(keyed(own, "k"), seats=3))
    refused(house.create(keyed(own, "k"), seats=4), 422, "idempotency-key-reused")
    refused(house.create(keyed(own, "k"), seats=99), 422, "idempotency-key-reused")
    assert len(read(house.client.get("/v1/matches", headers=own))["matches"]) == 1


def test_keys_of_one_account_are_not_those_of_another(house: House) -> None:
    made = {read(house.create(keyed(house.account(), "k")))["match"] for _ in range(3)}
    assert len(made) == 3


def test_of_two_keys_of_one_account_each_is_answered_for_itself(house: House) -> None:
    one, other = house.key("operator", "pair"), house.key("operator", "pair")
    read(house.create(keyed(one, "k")))
    refused(house.create(keyed(other, "k")), 422, "idempotency-key-reused")


def test_a_refused_request_does_not_use_up_its_key(house: House) -> None:
    own = keyed(house.account(), "k")
    pointers(house.create(own, seats=99))
    assert house.create(own, seats=3).status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, '""', "é".encode().decode("latin-1")])
def test_what_is_no_key(house: House, key: str) -> None:
    refused(house.create(keyed(dict(OPERATOR), key)), 400, "malformed-header")


def test_a_key_of_the_full_length(house: House) -> None:
    own = keyed(house.account(), "~" * 255)
    assert house.create(own).data == house.create(own).data


@pytest.mark.parametrize("credential", ["gyoji_op_" + "A" * 43, "x" * 40, "gyoji_seat_" + "A" * 79])
def test_nobody_known_makes_no_match(house: House, credential: str) -> None:
    refused(house.create(holding(credential)), 401, "unauthenticated")


def test_names_and_tags_of_any_script(house: House) -> None:
    names = ["Zoë", "行司", "🐈‍⬛"]
    table = house.table(seats=[{"name": name} for name in names], tags=names)
    created: Any = table.feed(table.sits(1))[0]["data"]
    assert (created["names"], created["tags"]) == (names, names)
