"""Tournaments on the service that the pages are looked at on, and how the tests run them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from browser.house import House
from operators import OPERATOR
from players import JSON

NAMES = ("Aki", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida")


class Cup(NamedTuple):
    """A tournament on a running service."""

    server: House
    tournament: str

    @property
    def page(self) -> str:
        """The address of its public page."""
        return f"/tournaments/{self.tournament}"

    @property
    def desk(self) -> str:
        """The address of its desk, with the operator's key."""
        return f"{self.page}/desk#key={self.server.operator}"

    def ask(self, part: str, body: Any = None) -> Any:
        """Something that its director does; the answer."""
        return sent(self.server, f"/v1/tournaments/{self.tournament}{part}", {} if body is None else body)

    def seen(self, part: str = "") -> Any:
        """A part of it."""
        answer = self.server.ask("GET", f"/v1/tournaments/{self.tournament}{part}", None, OPERATOR)
        assert answer.status == 200, answer
        return answer.document

    def pair(self) -> Any:
        """The next round."""
        return self.ask("/rounds", {})

    def settled(self, found: Mapping[str, Any]) -> None:
        """A referee names the result of every match of a round: the first seat wins, by as much as its table."""
        for table in found["tables"]:
            seats = len(table["seats"])
            result = {"kind": "result", "winners": [0], "scores": [10 + table["table"], *range(seats - 1)]}
            self.rule(table["match"], result, "Played on paper")

    def rule(self, match: str, ruling: Mapping[str, Any], reason: str) -> Any:
        """A ruling in one of its matches."""
        seq = self.server.seen(match, self.server.operator)["seq"]
        return sent(self.server, f"/v1/matches/{match}/rulings", {"ruling": ruling, "reason": reason}, seq)


def cup(server: House, names: Sequence[str] = NAMES, **setting: Any) -> Cup:
    """A new public tournament: Catte at tables of three unless something else is said."""
    body = {"game": "catte", "name": "Spring cup", "seats": [3], "rounds": 4, "visibility": "public", **setting}
    made = Cup(server, sent(server, "/v1/tournaments", body)["tournament"])
    if names:
        made.ask("/entrants", {"entrants": [{"name": name} for name in names]})
    return made


def begun(server: House, names: Sequence[str] = NAMES, **setting: Any) -> Cup:
    """One whose first round is closed and whose second is played."""
    made = cup(server, names, **setting)
    made.settled(made.pair())
    made.ask("/rounds/1/close")
    made.pair()
    return made


def sent(server: House, path: str, body: Any, seq: int | None = None) -> Any:
    """What the service answers to its operator; it has to take it."""
    condition = {} if seq is None else {"If-Match": f'"{seq}"'}
    answer = server.ask("POST", path, orjson.dumps(body), {**OPERATOR, **JSON, **condition})
    assert answer.status in (200, 201), answer
    return answer.document
