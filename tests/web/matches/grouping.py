"""Groups of matches that share their deals, as their operator handles them."""

from typing import Any

from werkzeug.test import TestResponse

from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, Table, read


def make(house: House, by: Headers = OPERATOR, **setting: Any) -> Plain:
    """A new group."""
    body = {"game": "catte", "seats": 3, **setting}
    made: Plain = read(house.client.post("/v1/groups", json=body, headers=dict(by)))
    return made


def seen(house: House, group: Plain, by: Headers = OPERATOR) -> Plain:
    """The group as it stands."""
    found: Plain = read(house.client.get(f"/v1/groups/{group['group']}", headers=dict(by)))
    return found


def close(house: House, group: Plain) -> Plain:
    """The group takes no more matches."""
    found: Plain = read(house.client.post(f"/v1/groups/{group['group']}/close", headers=OPERATOR))
    return found


def join(house: House, group: Plain, **setting: Any) -> Table:
    """A match of the group."""
    body = {"group": group["group"], **setting}
    return house.seated(house.client.post("/v1/matches", json=body, headers=OPERATOR))


def disclose(table: Table, by: Headers = OPERATOR) -> TestResponse:
    """A request to tell the secret."""
    return table.client.post(f"{table.path}/disclosure", headers=dict(by))


def void(table: Table) -> TestResponse:
    """The match, cancelled."""
    return table.client.post(f"{table.path}/void", headers=OPERATOR)


def secret(house: House, table: Table) -> str:
    """The server's secret of a match."""
    row = house.services.store.match(table.match)
    assert row is not None
    return row.secret.hex()
