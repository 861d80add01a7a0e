"""Makes matches that share their deals with one that is still played when they are over."""

from collections.abc import Mapping
from typing import Any

import orjson

from laws.stored_houses import House
from laws.stored_worlds import Setting


def new_group(house: House, setting: Setting, owner: str) -> dict[str, str]:
    """Create a group for the match, as a new match names it."""
    body = {
        "game": setting.game.slug,
        "seats": setting.seats,
        "options": setting.options,
        "first": setting.first,
        "disclosure": setting.disclosure,
    }
    made = house.ask("owner: POST groups", "POST", "/v1/groups", owner, orjson.dumps(body))
    assert made.code == 201, made
    return {"group": made.document["group"]}


def share(house: House, body: Mapping[str, Any], owner: str) -> None:
    """Another match of the group, which nobody ends; no more of them."""
    made = house.ask("owner: POST matches", "POST", "/v1/matches", owner, orjson.dumps(body))
    assert made.code == 201, made
    closed = house.ask("owner: POST close", "POST", f"/v1/groups/{body['group']}/close", owner, b"")
    assert closed.code == 200, closed
    assert closed.document["status"] == "closed"
