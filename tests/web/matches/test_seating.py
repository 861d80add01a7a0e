"""Tokens of seats and of spectators: made anew, revoked, expired."""

from time import time

import pytest

from operators import OPERATOR
from web.matches.tables import House, Table, holding, read, refused

DAY = 24 * 60 * 60


def renewed(table: Table, seat: int | str) -> dict[str, str]:
    """What the holder of the new token sends."""
    answer = table.client.post(f"{table.path}/seats/{seat}/token", headers=OPERATOR)
    return holding(read(answer)["token"])


def test_a_new_token_in_place_of_the_old_one(table: Table) -> None:
    new = renewed(table, 1)
    refused(table.get("", table.sits(1)), 401, "unauthenticated")
    refused(table.put(table.legal(), table.sits(1)), 401, "unauthenticated")
    assert table.seen(new)["viewer"] == {"role": "seat", "seat": 1}
    for other in (0, 2):
        assert table.seen(table.sits(other))["viewer"]["seat"] == other
    newer = renewed(table, 1)
    refused(table.get("", new), 401, "unauthenticated")
    assert table.seen(newer)["viewer"]["seat"] == 1


def test_a_revoked_token(table: Table) -> None:
    answer = table.client.delete(f"{table.path}/seats/0/token", headers=OPERATOR)
    assert (answer.status_code, answer.data) == (204, b"")
    refused(table.get("", table.sits(0)), 401, "unauthenticated")
    again = table.client.delete(f"{table.path}/seats/0/token", headers=OPERATOR)
    assert again.status_code == 204
    assert table.seen(renewed(table, 0))["viewer"]["seat"] == 0
    refused(table.get("", table.sits(0)), 401, "unauthenticated")


def test_a_revoked_seat_can_be_moved_for_and_the_match_goes_on(table: Table) -> None:
    move = table.legal()
    table.client.delete(f"{table.path}/seats/0/token", headers=OPERATOR)
    assert read(table.put(move, OPERATOR))["seq"] == 2


def test_spectators_of_a_private_match(house: House, table: Table) -> None:
    watching = renewed(table, "spectator")
    assert table.seen(watching)["viewer"] == {"role": "spectator", "seat": None}
    refused(table.put(table.legal(), watching), 403, "forbidden")
    anew = renewed(table, "spectator")
    refused(table.get("", watching), 401, "unauthenticated")
    table.client.delete(f"{table.path}/seats/spectator/token", headers=OPERATOR)
    refused(table.get("", anew), 401, "unauthenticated")
    assert table.seen(table.sits(0))["viewer"]["seat"] == 0


@pytest.mark.parametrize("seat", ["3", "-1", "x", "00", "01", "4294967296", "Spectator", "255"])
def test_seats_that_there_are_not(table: Table, seat: str) -> None:
    for method in ("POST", "DELETE"):
        answer = table.client.open(f"{table.path}/seats/{seat}/token", method=method, headers=OPERATOR)
        refused(answer, 404, "not-found")
    assert table.seen(table.sits(0))["viewer"]["seat"] == 0


def test_a_token_is_of_one_match(house: House, table: Table) -> None:
    other = house.table()
    refused(table.get("", other.sits(0)), 404, "not-found")
    assert house.table(visibility="public").seen(other.sits(0))["viewer"] == {"role": "spectator", "seat": None}


def test_a_token_expires(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """30 days after it was issued, to the second; a new one lasts as long again."""
    now = int(time())
    issued, move = [table.sits(0), renewed(table, 1)], table.legal()
    monkeypatch.setattr(house.services, "clock", lambda: now + 30 * DAY - 60)
    for headers in issued:
        assert table.seen(headers)["status"] == "playing"
    monkeypatch.setattr(house.services, "clock", lambda: now + 30 * DAY + 60)
    for headers in issued:
        refused(table.get("", headers), 401, "token-expired")
        refused(table.put(move, headers), 401, "token-expired")
    told = table.get("", {**issued[0], "Accept-Language": "ja"})
    assert told.get_json()["title"] == "トークンの有効期限が切れています"
    assert told.headers["WWW-Authenticate"] == "Bearer"
    revoked = table.client.delete(f"{table.path}/seats/1/token", headers=OPERATOR)
    assert revoked.status_code == 204
    refused(table.get("", issued[1]), 401, "unauthenticated")
    later = renewed(table, 0)
    monkeypatch.setattr(house.services, "clock", lambda: now + 60 * DAY)
    assert table.seen(later)["viewer"]["seat"] == 0


def test_tokens_still_work_when_the_match_is_over(house: House, over: Table) -> None:
    assert over.seen(over.sits(1))["viewer"] == {"role": "seat", "seat": 1}


def test_only_the_operator_gives_tokens(house: House, table: Table) -> None:
    limited = house.key("operator", scopes=["matches:create", "matches:read", "matches:play"])
    for headers in (table.sits(0), limited, house.key("referee", matches=[table.match])):
        for method in ("POST", "DELETE"):
            answer = table.client.open(f"{table.path}/seats/0/token", method=method, headers=headers)
            refused(answer, 403, "forbidden")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic Zm9vOmJhcg==", "Bearer a b", "Token x", "Bearer " + "x" * 300]
)
def test_headers_that_hold_nobodys_credential(table: Table, header: str) -> None:
    answer = table.get("", {"Authorization": header})
    refused(answer, 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_scheme_may_be_written_either_way(table: Table) -> None:
    assert table.seen({"Authorization": f"bearer  {table.tokens[0]}"})["viewer"]["seat"] == 0
