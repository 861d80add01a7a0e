"""Matches as each role reads them: now, at any earlier position, after the end, and in lists."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from operators import OPERATOR
from web.matches.tables import House, Plain, Table, pointers, read, refused

COUNTED = {"count": 13}
ABSENT = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"


def hands(seen: Plain) -> list[Any]:
    """The hands in a view."""
    found: list[Any] = seen["view"]["table"]["hands"]
    return found


def test_a_seat_sees_its_own_cards_and_what_it_may_play(table: Table) -> None:
    answer = table.get("", table.sits(0))
    seen = read(answer)
    assert (seen["match"], seen["game"], seen["version"], seen["status"]) == (table.match, "catte", 1, "playing")
    assert (seen["seq"], seen["decision"], answer.headers["ETag"]) == (1, 1, '"1"')
    assert seen["viewer"] == {"role": "seat", "seat": 0}
    own, *others = hands(seen)
    assert (len(own), others) == (13, [COUNTED, COUNTED])
    assert seen["view"]["table"]["aside"] == {"count": 2}
    assert seen["view"]["table"]["discard"] == {"count": 0}  # a hidden pile, also when it is empty
    assert seen["legal_moves"] == [{"type": "play", "seat": 0, "card": card} for card in own]
    assert (seen["scores"], seen["outcome"], seen["view"]["seed"]) == ([0, 0, 0], None, None)


def test_a_seat_that_is_not_to_act_may_play_nothing(table: Table) -> None:
    seen = table.seen(table.sits(2))
    assert (seen["viewer"], seen["legal_moves"]) == ({"role": "seat", "seat": 2}, [])
    assert [type(hand) for hand in hands(seen)] == [dict, dict, list]


def test_whoever_has_no_seat_sees_what_a_spectator_sees(house: House, table: Table) -> None:
    bound = [table.match]
    readers: Mapping[str, Mapping[str, str]] = {
        "operator": house.key("operator", scopes=["matches:read"]),
        "referee": house.key("referee", scopes=[], matches=bound),
        "auditor": house.key("auditor", matches=bound),
        "spectator": house.spectator(table),
    }
    for role, headers in readers.items():
        seen = table.seen(headers)
        assert seen["viewer"] == {"role": role, "seat": None}
        assert (hands(seen), seen["legal_moves"], seen["view"]["seed"]) == ([COUNTED] * 3, [], None)


def test_a_key_that_unseals_sees_every_card_but_not_the_seed(house: House, table: Table) -> None:
    own = [hands(table.seen(table.sits(seat)))[seat] for seat in range(3)]
    for headers in (OPERATOR, house.key("referee", matches=[table.match])):
        seen = table.seen(headers)
        assert (hands(seen), len(seen["view"]["table"]["aside"])) == (own, 2)
        assert (seen["view"]["seed"], seen["legal_moves"]) == (None, [])


def test_anybody_may_watch_what_is_public(house: House) -> None:
    table = house.table(visibility="public")
    foreign = house.table()
    for headers in ({}, foreign.sits(0), house.account(), house.key("auditor")):
        seen = table.seen(headers)
        assert (seen["viewer"], hands(seen)) == ({"role": "spectator", "seat": None}, [COUNTED] * 3)


@pytest.mark.parametrize("part", ["", "/events", "/events?raw=1", "/positions/1", "/replay"])
def test_what_one_may_not_know_of_is_not_there(house: House, table: Table, part: str) -> None:
    """A private match of others is told like one that there is not, but for the address that was asked for."""
    strangers = [{}, house.table().sits(0), house.account(), house.key("auditor"), house.key("referee")]
    for headers in strangers:
        private, absent = table.get(part, headers), house.client.get(f"/v1/matches/{ABSENT}{part}", headers=headers)
        problem = refused(private, 404, "not-found")
        assert problem == {**refused(absent, 404, "not-found"), "instance": problem["instance"]}


@pytest.mark.parametrize("wrong", ["x", ABSENT.upper(), ABSENT[:-1], ABSENT + "0", "..", "%00", "{match}"])
def test_ids_that_are_none(house: House, wrong: str) -> None:
    refused(house.client.get(f"/v1/matches/{wrong}", headers=OPERATOR), 404, "not-found")


# --- positions


def test_every_position_is_as_the_seat_saw_it(house: House) -> None:
    """A seat reads at any ``seq`` what it saw when the match stood there, and so does whoever has no seat."""
    table = house.table(game="towai", seats=3)
    chance, watching = Random(9), house.spectator(table)
    saw = [(table.seen(table.sits(1)), table.seen(watching))]
    for _move in range(40):
        table.move(chance)
        saw.append((table.seen(table.sits(1)), table.seen(watching)))
    for own, public in saw:
        for seen, headers in ((own, table.sits(1)), (public, watching)):
            position = read(table.get(f"/positions/{seen['seq']}", headers))
            shared = ("seq", "view", "scores", "outcome", "viewer")
            assert {name: position[name] for name in shared} == {name: seen[name] for name in shared}


def test_what_a_seat_could_know_is_what_the_stateless_call_says(house: House, over: Table) -> None:
    """Over the whole match, of every seat: the view made from the disclosed position is the one under ``?as=``."""
    auditor = house.key("auditor", matches=[over.match])
    for seq in (1, 2, 17, 30, over.seen({**OPERATOR})["seq"]):
        full = read(over.get(f"/positions/{seq}", auditor))["view"]
        assert full["seed"] is not None
        for seat in range(3):
            seen = read(over.get(f"/positions/{seq}?as={seat}", auditor))
            body = {"state": full, "seat": seat}
            assert seen["viewer"] == {"role": "auditor", "seat": seat}
            assert seen["view"] == read(house.client.post("/v1/games/catte/views", json=body))["view"]


def test_what_was_disclosed_is_what_the_seats_had_seen(house: House) -> None:
    """Hands as the seats read them while they played are those of the full positions afterwards."""
    table = house.table(game="familiars-trouble")
    chance = Random(12)
    saw: list[tuple[int, int, Any]] = []
    outcome = None
    while outcome is None:
        seen = table.turn()
        seat = seen["viewer"]["seat"]
        saw.append((seen["seq"], seat, hands(seen)[seat]))
        move = chance.choice(seen["legal_moves"])
        outcome = read(table.put(move, table.sits(seat)))["outcome"]
    for seq, seat, hand in saw[:: max(1, len(saw) // 20)]:
        for headers in (table.sits(2 - seat), OPERATOR):
            full = read(table.get(f"/positions/{seq}", headers))
            assert hands(full)[seat] == hand


@pytest.mark.parametrize("seq", ["0", "2", "99", "2147483648", "99999999999", "-1", "01", "x", "1.0", "%D9%A1"])
def test_positions_that_there_are_not(table: Table, seq: str) -> None:
    """The first is that after the deal, event 1; the match has not been further."""
    refused(table.get(f"/positions/{seq}", table.sits(0)), 404, "not-found")


def test_looking_as_a_seat(house: House, table: Table, over: Table, sealed: Table) -> None:
    auditor = house.key("auditor", matches=[table.match, over.match, sealed.match])
    refused(table.get("/positions/1?as=2", auditor), 409, "not-disclosed")
    refused(table.get("/positions/1?as=2", house.key("operator", scopes=["matches:read"])), 409, "not-disclosed")
    for finished in (over, sealed):
        refused(finished.get("/positions/1?as=2", finished.sits(0)), 403, "forbidden")
        refused(finished.get("/positions/1?as=0", finished.sits(0)), 403, "forbidden")
        seen = read(finished.get("/positions/1?as=2", auditor))
        assert [type(hand) for hand in hands(seen)] == [dict, dict, list]
        for nobody in ("3", "-1", "x", ""):
            assert pointers(finished.get(f"/positions/1?as={nobody}", auditor)) == [("/as", "not-allowed")]
    unsealed = read(table.get("/positions/1?as=2", OPERATOR))
    assert unsealed["view"] == table.seen(table.sits(2))["view"]


def test_looking_as_a_seat_that_there_is_not_is_refused_first_for_who_asks(table: Table) -> None:
    refused(table.get("/positions/1?as=9", table.sits(0)), 403, "forbidden")


# --- disclosure


def test_after_the_end_everything_is_open_to_whoever_may_read(house: House, over: Table) -> None:
    bound = [over.match]
    readers = [
        OPERATOR,
        over.sits(0),
        over.sits(2),
        house.spectator(over),
        house.key("operator", scopes=["matches:read"]),
        house.key("referee", scopes=[], matches=bound),
        house.key("auditor", matches=bound),
    ]
    views = [over.seen(headers)["view"] for headers in readers]
    assert all(view == views[0] for view in views)
    assert len(views[0]["seed"]) == 128
    for headers in readers:
        created, dealt, *_moves, last = over.feed(headers)
        assert (last["type"], len(last["data"]["server_secret"])) == ("seed_disclosed", 128)
        assert [len(hand) for hand in dealt["data"]["events"][0]["hands"]] == [13, 13, 13]
        assert created["data"]["names"] == ["Ann", "Ben", "Cho"]
        first = read(over.get("/positions/1", headers))["view"]
        assert all(isinstance(hand, list) for hand in first["table"]["hands"])
        assert first["seed"] == views[0]["seed"]


def test_after_the_end_secrets_for_auditors_stay_with_them(house: House, sealed: Table) -> None:
    """Seats know what they knew, auditors all; spectators, and keys that do not unseal, what everybody knows."""
    bound = [sealed.match]
    auditor = house.key("auditor", matches=bound)
    assert len(sealed.seen(auditor)["view"]["seed"]) == 128
    for headers in (auditor, OPERATOR, house.key("referee", scopes=["matches:unseal"], matches=bound)):
        assert isinstance(read(sealed.get("/positions/1", headers))["view"]["table"]["aside"], list)
        assert len(sealed.feed(headers)[-1]["data"]["server_secret"]) == 128
    others = (
        (sealed.sits(1), 1),
        (house.spectator(sealed), None),
        (house.key("operator", scopes=["matches:read"]), None),
        (house.key("referee", scopes=[], matches=bound), None),
    )
    for headers, own in others:
        first = read(sealed.get("/positions/1", headers))
        assert (sealed.seen(headers)["view"]["seed"], first["view"]["seed"]) == (None, None)
        assert [isinstance(hand, list) for hand in hands(first)] == [seat == own for seat in range(3)]
        created, dealt, *_moves, last = sealed.feed(headers)
        assert last["data"] == {"server_secret": None}
        assert [isinstance(hand, list) for hand in dealt["data"]["events"][0]["hands"]] == [
            seat == own for seat in range(3)
        ]
        assert created["data"]["disclosure"] == "auditors_only"
