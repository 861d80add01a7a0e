"""Referees at tables: what they ask over HTTP, and what comes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from werkzeug.test import TestResponse

from gyoji.api.rights import Scope
from web.matches.tables import Headers, House, Plain, Table, read

REASON = "Seat 0 led out of turn."
ONCE = "Idempotency-Key"


@dataclass(frozen=True)
class Referee:
    """Somebody in charge of a match, with what it sends."""

    table: Table
    headers: Headers

    @property
    def seq(self) -> int:
        """Where the match stands."""
        seq: int = self.table.seen(self.headers)["seq"]
        return seq

    def asks(
        self, kind: str, headers: Headers | None = None, said: Plain | None = None, **members: Any
    ) -> TestResponse:
        """A ruling on the position as it stands, or with these headers, and with more in the body."""
        sent = {"If-Match": f'"{self.seq}"'} if headers is None else headers
        body = {"ruling": {"kind": kind, **members}, "reason": REASON, **(said or {})}
        return self.table.client.post(f"{self.table.path}/rulings", json=body, headers={**self.headers, **sent})

    def rules(self, kind: str, said: Plain | None = None, **members: Any) -> Plain:
        """A ruling that is taken."""
        answer: Plain = read(self.asks(kind, said=said, **members))
        return answer

    def tries(self, kind: str, **members: Any) -> Plain:
        """What a ruling would lead to."""
        answer: Plain = read(self.asks(kind, headers={}, said={"dry_run": True}, **members))
        return answer

    def log(self) -> bytes:
        """The whole log, with all that the referee may know of it."""
        lines: bytes = self.table.get("/events?raw=1", self.headers).data
        return lines

    def events(self, after: int) -> list[str]:
        """The types of the events after that one."""
        return [event["type"] for event in self.table.feed(self.headers, after)]


def referee(house: House, table: Table, scopes: Sequence[str] = (Scope.UNSEAL,)) -> Referee:
    """A referee who is bound to the match, and sees its hidden cards unless it is said otherwise."""
    return Referee(table, house.key("referee", scopes=scopes, matches=(table.match,)))


def claims(table: Table, headers: Headers) -> TestResponse:
    """A claim that somebody's time is up."""
    return table.client.post(f"{table.path}/claims", headers=dict(headers))
