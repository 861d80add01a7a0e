"""Referees and clocks at the matches that the pages show: set up over HTTP, as a referee's own program would."""

from collections.abc import Sequence
from typing import Any

import orjson

from browser.house import House, bearer
from players import JSON, Answer, Table

REASON = "Seat 0 led out of turn."


def asked(server: House, table: Table, body: Any, key: str | None = None, seq: int | None = None) -> Answer:
    """A ruling on the match as it stands, or as it stood after event ``seq``."""
    held = server.operator if key is None else key
    stands = server.seen(table.match, held)["seq"] if seq is None else seq
    headers = {**bearer(held), **JSON, "If-Match": f'"{stands}"'}
    return server.ask("POST", f"{table.path}/rulings", orjson.dumps(body), headers)


def ruled(server: House, table: Table, kind: str, reason: str = REASON, **members: Any) -> Any:
    """A ruling of the operator that is taken."""
    more = {name: members.pop(name) for name in ("rule", "audience") if name in members}
    answer = asked(server, table, {"ruling": {"kind": kind, **members}, "reason": reason, **more})
    assert answer.status == 200, answer
    return answer.document


def clocked(
    server: House, game: str = "catte", *, move: int = 60, seats: int | Sequence[Any] = 3, **more: Any
) -> Table:
    """A match in which time is kept."""
    clock = {"move": move, "bank": 300, "increment": 5, "on_expiry": "referee", **more}
    return server.opened(game, seats, clock=clock)
