"""Moves that an operator makes for the seats of its own match."""

from random import Random
from typing import Any

import orjson

from operators import OPERATOR
from web.matches.tables import House, Table, concealed, not_held, read, refused, wishes


def test_the_operator_moves_for_a_seat(house: House, table: Table) -> None:
    playing = house.key("operator", scopes=["matches:play"])
    move = table.legal()
    made = read(table.put(move, playing))
    assert table.feed(table.operator)[2]["actor"] == {"role": "operator", "seat": 0}
    assert (made["legal_moves"], made["receipt"]["openings"]) == ([], [])
    assert [len(hand) for hand in made["view"]["table"]["hands"]] == [1, 1, 1]  # {"count": n}
    assert made["view"] == table.seen(house.spectator(table))["view"]
    assert orjson.loads(made["receipt"]["event"])["actor"] == {"role": "operator", "seat": 0}


def test_a_hidden_choice_made_for_a_seat_is_not_told_back(house: House) -> None:
    table = concealed(house)
    playing = house.key("operator", scopes=["matches:play"])
    move = wishes(table)[2]
    made = read(table.put(move, playing))
    assert made["events"] == [{"type": "wish_chosen", "seat": 2, "wish": None}]
    assert made["receipt"]["openings"] == []
    assert table.feed(table.sits(2))[2]["data"]["events"] == [{"type": "wish_chosen", "seat": 2, "wish": move["wish"]}]


def test_a_key_that_unseals_is_told_everything(house: House) -> None:
    table = concealed(house)
    unsealing = house.key("operator", scopes=["matches:play", "matches:unseal"])
    move = wishes(table)[2]
    made = read(table.put(move, unsealing))
    assert made["events"] == [{"type": "wish_chosen", "seat": 2, "wish": move["wish"]}]
    assert all(isinstance(hand, list) for hand in made["view"]["table"]["hands"])
    assert made["view"]["seed"] is None


def test_to_a_key_that_does_not_unseal_a_refusal_tells_nothing_of_the_hand(house: House, table: Table) -> None:
    playing = house.key("operator", scopes=["matches:play", "matches:read"])
    hand = table.turn()["view"]["table"]["hands"][0]
    absent = not_held(hand)
    problem = refused(table.put({"type": "play", "seat": 0, "card": absent}, playing), 409, "illegal-move")
    assert (problem["reason"], problem["rule"], problem["rule_text"]) == ("rule-violation", None, None)
    assert problem["legal_moves"] == []
    assert not any(card in str(problem["because"]) + problem["detail"] for card in hand)
    assert "hand" not in problem["because"]


def test_what_a_seat_holds_cannot_be_tried_out_by_an_operator(house: House, table: Table) -> None:
    playing = house.key("operator", scopes=["matches:play", "matches:read"])
    refused(table.put(table.legal(), playing, dry_run=True), 403, "forbidden")
    assert table.put(table.legal(), OPERATOR, dry_run=True).json == {"kind": "dry_run", "legal": True}


def test_moves_are_made_by_whoever_is_to_act_in_any_game(house: House) -> None:
    """A whole match moved by the operator alone; every event says so and for which seat."""
    table: Any = house.table(game="familiars-trouble")
    chance = Random(2)
    while (seen := table.turn())["legal_moves"]:
        move = chance.choice(seen["legal_moves"])
        if read(table.put(move, OPERATOR))["outcome"] is not None:
            break
    played = [event for event in table.feed(OPERATOR) if event["type"] in ("move_played", "choice_made")]
    assert all(event["actor"] == {"role": "operator", "seat": event["data"]["move"]["seat"]} for event in played)
