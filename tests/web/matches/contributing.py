"""Contributions to the deals of a match, and other calls about it that need no body."""

from hashlib import sha256
from typing import Any

from werkzeug.test import TestResponse

from gyoji.games.chance import player_commitment
from web.matches.tables import Headers, House, Table, refused

ENTROPY = [sha256(bytes([seat])).digest() for seat in range(3)]
PLAYERS = {"policy": "players", "within": 60}
BEACON = {"policy": "external", "beacon": "drand quicknet", "reference": "round 12345678"}
SHARE = "ab" * 16


def give(table: Table, by: Headers, **sent: str) -> TestResponse:
    """A contribution."""
    return table.client.post(f"{table.path}/entropy", json=sent, headers=dict(by))


def commit(table: Table, seat: int) -> TestResponse:
    """The seat commits."""
    return give(table, table.sits(seat), commit=player_commitment(table.match, seat, ENTROPY[seat]))


def reveal(table: Table, seat: int) -> TestResponse:
    """The seat reveals."""
    return give(table, table.sits(seat), entropy=ENTROPY[seat].hex())


def post(table: Table, part: str, by: Headers) -> TestResponse:
    """A call without a body."""
    return table.client.post(table.path + part, headers=dict(by))


def reason(answer: TestResponse) -> str:
    """Why a contribution was refused."""
    found: str = refused(answer, 409, "entropy-refused")["reason"]
    return found


def types(table: Table) -> list[str]:
    """What has been written down."""
    return [event["type"] for event in table.feed(table.sits(0))]


def seed(house: House, table: Table) -> tuple[Any, bytes]:
    """The seed of the match as it stands, and the server's secret."""
    row = house.services.store.match(table.match)
    assert row is not None
    return house.services.match_states.latest(row).state.seed, row.secret
