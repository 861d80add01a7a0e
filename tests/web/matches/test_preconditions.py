"""What a write is checked for, and in which order: authorisation, key, shape, ``If-Match``, referee."""

from random import Random

import pytest

from web.matches.tables import JSON, House, Table, holding, not_held, pointers, read, refused, snapshot


def on(headers: dict[str, str], **more: str) -> dict[str, str]:
    """The headers with ``If-Match`` (``seen``) and ``Idempotency-Key`` (``key``)."""
    names = {"seen": "If-Match", "key": "Idempotency-Key"}
    return {**headers, **{names[name]: value for name, value in more.items()}}


@pytest.mark.parametrize("tags", ['"1"', "*", ' "1" ', '"0", "1"', '"1","2"', '"abc" , "1"', 'W/"1", "1"'])
def test_a_precondition_that_holds(table: Table, tags: str) -> None:
    answer = table.put(table.legal(), on(table.sits(0), seen=tags))
    assert read(answer)["seq"] == 2


@pytest.mark.parametrize("tags", ['"0"', '"2"', '"01"', '"abc"', '""', 'W/"1"', '"0", "2"', '"9999999999"', '"é"'])
def test_a_precondition_that_does_not_hold(table: Table, tags: str) -> None:
    """Also a weak tag, and one that this service never gave, is well formed and matches nothing (RFC 9110, 13.1.1)."""
    before = snapshot(table)
    refused(table.put(table.legal(), on(table.sits(0), seen=tags)), 412, "stale-position")
    assert snapshot(table) == before


@pytest.mark.parametrize("tags", ["1", "", '"1', "'1'", '"1" "2"', '*, "1"', 'w/"1"', '"1",'])
def test_what_is_no_precondition(table: Table, tags: str) -> None:
    refused(table.put(table.legal(), on(table.sits(0), seen=tags)), 400, "malformed-header")
    assert table.seen(table.operator)["seq"] == 1


def test_where_the_match_demands_it(house: House) -> None:
    table = house.table(if_match="required")
    move, own = table.legal(), table.sits(0)
    refused(table.put(move, own), 428, "precondition-required")
    refused(table.put(move, table.operator), 428, "precondition-required")
    assert table.put(move, own, dry_run=True).json == {"kind": "dry_run", "legal": True}
    refused(table.put(move, on(own, seen='"0"')), 412, "stale-position")
    assert read(table.put(move, on(own, seen='"1"')))["seq"] == 2


# --- the order: what comes first wins over whatever else is wrong


BAD_SHAPE = {"type": "play", "seat": 0, "colour": "B"}
NOT_HELD = {"type": "play", "seat": 0, "card": "B1"}


def used(table: Table) -> dict[str, str]:
    """The first seat's headers with a key that it has used for a move, the match standing at 2."""
    headers = on(table.sits(0), key="used")
    read(table.put(table.legal(), headers))
    return headers


def test_authorisation_comes_before_the_key(house: House, table: Table) -> None:
    known = used(table)
    stranger = {**known, **house.table().sits(0)}
    refused(table.put(NOT_HELD, stranger), 404, "not-found")
    refused(table.put(NOT_HELD, {**known, **holding("x" * 40)}), 401, "unauthenticated")
    refused(table.put(NOT_HELD, {**known, **house.spectator(table)}), 403, "forbidden")
    refused(table.put({**NOT_HELD, "seat": 1}, known), 403, "forbidden")


def test_authorisation_comes_before_the_shape(house: House, table: Table) -> None:
    broken = {**house.table().sits(0), **JSON}
    refused(table.client.post(f"{table.path}/moves", data=b"{", headers=broken), 404, "not-found")
    refused(table.client.post(f"{table.path}/moves", data=b"{", headers=house.spectator(table)), 403, "forbidden")
    refused(house.client.post("/v1/matches", data=b"{", headers=broken), 403, "forbidden")


def test_the_key_comes_before_the_shape(table: Table) -> None:
    known = used(table)
    refused(table.put(BAD_SHAPE, known), 422, "idempotency-key-reused")
    for body in (b"{", b"[]", b"[" * 40 + b"]" * 40):
        answer = table.client.post(f"{table.path}/moves", data=body, headers={**known, **JSON})
        refused(answer, 422, "idempotency-key-reused")


def test_the_key_comes_before_if_match(table: Table) -> None:
    known, other = used(table), {"type": "play", "seat": 0, "card": "W99"}
    for seen in ('"1"', '"2"', "nonsense"):
        refused(table.put(other, on(known, seen=seen)), 422, "idempotency-key-reused")


def test_a_malformed_key_comes_before_the_shape(table: Table) -> None:
    refused(table.put(BAD_SHAPE, on(table.sits(0), key="a b")), 400, "malformed-header")


def test_the_shape_comes_before_if_match(house: House, table: Table) -> None:
    for tags in ('"0"', "nonsense"):
        assert pointers(table.put(BAD_SHAPE, on(table.sits(0), seen=tags)))
    demanding = house.table(if_match="required")
    assert pointers(demanding.put(BAD_SHAPE, demanding.sits(0)))
    answer = demanding.client.post(f"{demanding.path}/moves", data=b"{", headers={**demanding.sits(0), **JSON})
    refused(answer, 400, "malformed-json")


def test_if_match_comes_before_the_referee(over: Table, table: Table) -> None:
    table.move()
    refused(table.put(NOT_HELD, on(table.sits(0), seen='"1"')), 412, "stale-position")
    refused(table.put(NOT_HELD, on(table.sits(0), seen='"2"')), 409, "illegal-move")
    head = over.seen(over.operator)["seq"]
    refused(over.put(NOT_HELD, on(over.sits(0), seen=f'"{head - 1}"')), 412, "stale-position")
    refused(over.put(NOT_HELD, on(over.sits(0), seen=f'"{head}"')), 409, "match-finished")


# --- repeated moves


def test_a_repeated_move_is_answered_as_before(house: House) -> None:
    """At once, after the match has moved on, with an If-Match that is stale by now, with another token, at the end."""
    table = house.table(game="familiars-trouble")
    move = table.turn()["legal_moves"][0]
    own = on(table.sits(move["seat"]), key="first", seen='"1"')
    first = table.put(move, own)
    assert read(first)["seq"] == 2
    again = [table.put(move, own), table.put(move, own)]
    table.move()
    again.append(table.put(move, own))
    token = read(table.client.post(f"{table.path}/seats/{move['seat']}/token", headers=table.operator))["token"]
    again.append(table.put(move, {**own, **holding(token)}))
    again.append(table.put(move, on(holding(token), key='"first"')))
    for answer in again:
        assert (answer.status_code, answer.data, answer.headers["ETag"]) == (200, first.data, '"2"')
    moves = [event for event in table.feed(table.operator) if event["data"].get("move") == move]
    assert len(moves) == 1


def test_the_last_move_can_be_repeated_too(house: House) -> None:
    table = house.table(game="familiars-trouble")
    chance = Random(4)
    while True:
        move = chance.choice(table.turn()["legal_moves"])
        own = on(table.sits(move["seat"]), key=f"k{table.seen(table.operator)['seq']}")
        last = table.put(move, own)
        if read(last)["outcome"] is not None:
            break
    before = snapshot(table)
    again = table.put(move, own)
    assert (again.status_code, again.data) == (200, last.data)
    refused(table.put({**move, "seat": move["seat"], "type": "pass"}, own), 422, "idempotency-key-reused")
    assert snapshot(table) == before


def test_an_operator_is_answered_as_before_too(house: House) -> None:
    """Whether its key unseals or not, and whatever has been disclosed meanwhile."""
    table = house.table(game="familiars-trouble")
    asked = []
    for scopes in (["matches:play"], ["matches:play", "matches:unseal"]):
        by, move = on(house.key("operator", scopes=scopes), key="-".join(scopes)), table.legal()
        asked.append((move, by, table.put(move, by)))
    table.finish(Random(6))
    for move, by, first in asked:
        again = table.put(move, by)
        assert (again.status_code, again.data) == (200, first.data)


def test_each_seat_has_keys_of_its_own(table: Table) -> None:
    for seat in range(3):
        assert table.turn()["viewer"]["seat"] == seat
        read(table.put(table.legal(), on(table.sits(seat), key="the-same")))
    assert table.seen(table.operator)["seq"] > 3


def test_a_key_belongs_to_its_match(house: House) -> None:
    for table in (house.table(), house.table()):
        assert read(table.put(table.legal(), on(table.sits(0), key="k")))["seq"] == 2


def test_a_refused_move_does_not_use_up_its_key(table: Table) -> None:
    own = on(table.sits(0), key="k")
    absent = not_held(table.turn()["view"]["table"]["hands"][0])
    refused(table.put({**NOT_HELD, "card": absent}, own), 409, "illegal-move")
    pointers(table.put(BAD_SHAPE, own))
    refused(table.put(table.legal(), on(own, seen='"0"')), 412, "stale-position")
    assert read(table.put(table.legal(), own))["seq"] == 2
