"""Tournaments as their director runs them over HTTP, and matches that are played out at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from werkzeug.test import TestResponse

from gyoji.app.disclosures import settle
from gyoji.app.match_states import head_of
from gyoji.app.services import Services
from gyoji.games.game import IllegalMove
from gyoji.log.entries import Entry
from gyoji.match.recorder import play
from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, read

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jun", "Kim", "Lou")


@dataclass(frozen=True)
class Cup:
    """A tournament, and what its director sends."""

    house: House
    tournament: str
    director: Headers

    @property
    def path(self) -> str:
        """Its address."""
        return f"/v1/tournaments/{self.tournament}"

    def ask(
        self, part: str, body: Any = None, by: Headers | None = None, headers: Headers | None = None
    ) -> TestResponse:
        """A request that changes something; the director's unless said otherwise."""
        sent = {} if body is None else {"json": body}
        return self.house.client.post(self.path + part, headers=self._headers(by, headers), **sent)

    def get(self, part: str = "", by: Headers | None = None, headers: Headers | None = None) -> TestResponse:
        """A part of the tournament."""
        return self.house.client.get(self.path + part, headers=self._headers(by, headers))

    def _headers(self, by: Headers | None, headers: Headers | None) -> dict[str, str]:
        return {**(self.director if by is None else by), **(headers or {})}

    def enter(self, *names: str) -> "Cup":
        """Players who enter."""
        read(self.ask("/entrants", {"entrants": [{"name": name} for name in names]}))
        return self

    def pair(self, **how: Any) -> Plain:
        """The next round; ahead of the results only as the tournament stands now."""
        stands = {"If-Match": self.get().headers["ETag"]} if how.get("early") else {}
        paired: Plain = read(self.ask("/rounds", how, headers=stands))
        return paired

    def close(self, number: int) -> Plain:
        """The round, closed."""
        closed: Plain = read(self.ask(f"/rounds/{number}/close"))
        return closed

    def play(self, number: int = 1, seed: int = 0) -> Plain:
        """The next round, paired, played out and closed."""
        paired = self.pair()
        for table in paired["tables"]:
            play_out(self.house.services, table["match"], Random(f"{seed}/{number}/{table['table']}"))
        return self.close(number)

    def standings(self) -> list[Plain]:
        """The rows of the standings."""
        rows: list[Plain] = read(self.get("/standings"))["rows"]
        return rows

    def everything(self) -> tuple[Any, ...]:
        """All that there is of the tournament: for telling that nothing has changed."""
        store = self.house.services.store
        log = [entry.body for entry in store.tournaments.entries(self.tournament)]
        return (
            store.tournaments.tournament(self.tournament),
            log,
            sorted(store.every_match()),
            self.get("/standings").data,
        )


def cup(house: House, by: Headers = OPERATOR, **setting: Any) -> Cup:
    """A new tournament; Catte at tables of three unless said otherwise."""
    body = {"game": "catte", "name": "Spring cup", "seats": [3], "rounds": 4, **setting}
    made = read(house.client.post("/v1/tournaments", json=body, headers=dict(by)))
    return Cup(house, made["tournament"], by)


def play_out(services: Services, match: str, chance: Random) -> tuple[int, ...]:
    """The match, played to its end by chance and stored at once; its scores."""
    row = services.store.match(match)
    assert row is not None
    latest, entries = services.match_states.latest(row), list[Entry]()
    while not latest.over:
        move = chance.choice(latest.game.legal_moves(latest.state))
        actor = {"role": "seat", "seat": move["seat"]}
        step = play(latest, move, actor, services.at_after(latest), services.salt)
        assert not isinstance(step, IllegalMove)
        more, latest = step
        entries += more
    services.store.append(match, row.head.seq, entries, head_of(latest), None)
    settle(services, row)
    scores: tuple[int, ...] = latest.state.scores
    return scores


def matches_of(found: Plain) -> list[str]:
    """The ids of the matches of a round."""
    return [table["match"] for table in found["tables"]]


def sitting(found: Plain) -> list[list[str]]:
    """Who sits where, table by table."""
    return [[seat["entrant"] for seat in table["seats"]] for table in found["tables"]]


def refusal(answer: TestResponse) -> str:
    """The reason of a refusal, which says why in words too."""
    problem: Plain | None = answer.json
    assert problem is not None
    assert (answer.status_code, problem["code"]) == (409, "tournament-refused"), problem
    assert problem["because"] == problem["detail"]
    reason: str = problem["reason"]
    return reason


def points(rows: Sequence[Plain]) -> dict[str, str]:
    """Points by name."""
    return {row["name"]: row["points"] for row in rows}
