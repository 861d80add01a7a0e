"""A move is stored on the match as the store has it, whichever process has moved, revoked or renewed before."""

from collections.abc import Iterator
from random import Random

import pytest
import structlog

from gyoji.app.match_states import TIMES_UNCHANGED
from gyoji.store.interface import Match
from gyoji.web.app import create_app
from web.matches.tables import House, Plain, Table, not_held, read, refused, snapshot
from web.matches.tables import house as house_of


@pytest.fixture
def lookups(house: House, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches that this process has read from the store, as it goes on."""
    found: list[str] = []
    match = house.services.store.match

    def counted(name: str) -> Match | None:
        found.append(name)
        return match(name)

    monkeypatch.setattr(house.services.store, "match", counted)
    return found


@pytest.fixture
def another(house: House) -> Iterator[House]:
    """Another process on the same store."""
    there = house_of(create_app(house.services.settings))
    yield there
    there.services.store.close()


@pytest.fixture
def known(house: House, table: Table) -> tuple[Table, Plain]:
    """A match that this process alone has moved in, so that it is not read for a move, and the next legal move."""
    for _move in range(TIMES_UNCHANGED + 2):
        table.move()
    assert house.services.match_rows.find(table.match) is not None
    return table, table.legal()


def test_a_match_is_read_for_the_first_moves_alone(table: Table, lookups: list[str]) -> None:
    counts = []
    for _move in range(TIMES_UNCHANGED + 4):
        move = table.legal()
        lookups.clear()
        read(table.put(move, table.sits(move["seat"])))
        counts.append(len(lookups))
    assert counts == [1] * (TIMES_UNCHANGED + 1) + [0] * 3


def test_the_answer_is_the_same(another: House, known: tuple[Table, Plain]) -> None:
    table, move = known
    answer = table.put(move, {**table.sits(move["seat"]), "Idempotency-Key": "once"})
    again = another.client.post(
        f"{table.path}/moves", json={"move": move}, headers={**table.sits(move["seat"]), "Idempotency-Key": "once"}
    )
    assert (again.status_code, again.data) == (answer.status_code, answer.data) != (404, b"")


def test_another_process_has_moved(another: House, known: tuple[Table, Plain]) -> None:
    """What comes next is judged on the position that the other has led to, and stored after it."""
    table, move = known
    elsewhere = Table(another.client, table.match, table.tokens, table.operator)
    first = read(elsewhere.put(move, elsewhere.sits(move["seat"])))
    refused(table.put(move, table.sits(move["seat"])), 409, "illegal-move")
    assert table.seen(table.operator)["seq"] == first["seq"]
    following = elsewhere.legal()
    assert read(table.put(following, table.sits(following["seat"])))["seq"] == first["seq"] + 1


def test_a_match_that_several_move_in_is_read_again(house: House, another: House, known: tuple[Table, Plain]) -> None:
    table, move = known
    elsewhere = Table(another.client, table.match, table.tokens, table.operator)
    read(elsewhere.put(move, elsewhere.sits(move["seat"])))
    following = elsewhere.legal()
    read(table.put(following, table.sits(following["seat"])))
    assert house.services.match_rows.find(table.match) is None


def test_what_was_seen_is_compared_with_what_is(another: House, known: tuple[Table, Plain]) -> None:
    table, move = known
    elsewhere = Table(another.client, table.match, table.tokens, table.operator)
    seen = f'"{table.seen(table.operator)["seq"]}"'
    read(elsewhere.put(move, elsewhere.sits(move["seat"])))
    following = elsewhere.legal()
    before = snapshot(table)
    headers = {**table.sits(following["seat"]), "If-Match": seen}
    refused(table.put(following, headers), 412, "stale-position")
    assert snapshot(table) == before


def test_a_token_that_another_process_has_revoked_moves_nothing(another: House, known: tuple[Table, Plain]) -> None:
    table, move = known
    before = snapshot_of_log(table)
    answer = another.client.delete(f"{table.path}/seats/{move['seat']}/token", headers=dict(table.operator))
    assert answer.status_code == 204
    refused(table.put(move, table.sits(move["seat"])), 401, "unauthenticated")
    assert snapshot_of_log(table) == before


def test_a_token_that_another_process_has_replaced_moves_nothing(another: House, known: tuple[Table, Plain]) -> None:
    table, move = known
    path = f"{table.path}/seats/{move['seat']}/token"
    token = read(another.client.post(path, headers=dict(table.operator)))["token"]
    refused(table.put(move, table.sits(move["seat"])), 401, "unauthenticated")
    assert read(table.put(move, {"Authorization": f"Bearer {token}"}))["events"]


def snapshot_of_log(table: Table) -> bytes:
    """The log as all may see it."""
    log: bytes = table.get("/events?raw=1", table.operator).data
    return log


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_refusal_rests_on_what_was_read(
    another: House, known: tuple[Table, Plain], lookups: list[str], dry_run: bool
) -> None:
    """It is the same, byte for byte, from a process that knows nothing of the match."""
    table, move = known
    seat = move["seat"]
    hand = table.seen(table.sits(seat))["view"]["table"]["hands"][seat]
    wrong = {"type": "play", "seat": seat, "card": not_held(hand)}
    lookups.clear()
    here = table.put(wrong, table.sits(seat), dry_run=dry_run)
    assert lookups == [table.match]
    elsewhere = Table(another.client, table.match, table.tokens, table.operator)
    assert here.data == elsewhere.put(wrong, elsewhere.sits(seat), dry_run=dry_run).data
    assert here.status_code == 409


def test_a_tried_move_rests_on_what_was_read(known: tuple[Table, Plain], lookups: list[str]) -> None:
    table, move = known
    lookups.clear()
    assert table.put(move, table.sits(move["seat"]), dry_run=True).json == {"kind": "dry_run", "legal": True}
    assert lookups == [table.match]


def test_a_key_is_found_though_it_was_not_looked_for(known: tuple[Table, Plain]) -> None:
    table, move = known
    headers = {**table.sits(move["seat"]), "Idempotency-Key": "k"}
    first = table.put(move, headers)
    assert read(first)["events"]
    assert table.put(move, headers).data == first.data
    another = {**table.legal(), "seat": move["seat"]}
    refused(table.put(another, headers), 422, "idempotency-key-reused")


def test_who_moves_in_a_match_that_is_disclosed_is_not_said_to_have_unsealed_it(house: House) -> None:
    """Its row is remembered as it was before the last move, which has disclosed everything."""
    table = house.table()
    table.finish(Random(1))
    assert house.services.match_rows.find(table.match) is not None
    with structlog.testing.capture_logs() as lines:
        refused(table.put({"type": "play", "seat": 0, "card": "B1"}, table.operator), 409, "match-finished")
    (line,) = lines
    assert (line["status"], "unsealed" in line) == (409, False)
