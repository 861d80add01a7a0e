"""The service that the pages are looked at on: ``gyoji serve`` with a store of its own, and what is put into it."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import orjson

from commands import run
from gyoji.published_files import CHECKOUT
from operators import OPERATOR, OPERATOR_KEY
from players import JSON, Answer, Table, next_to_act, order, table_of
from servers import Server

REPLAYS = CHECKOUT / "replays"

GOLDEN = {
    "catte": "catte/shared-win",
    "towai": "towai/names-and-tags",
    "tomorrow-never-meows": "tomorrow-never-meows/every-wish",
    "familiars-trouble": "familiars-trouble/replenishing-several",
}
"""A golden replay of each game, for what one is enough for."""

SEATS = {"catte": 4, "towai": 4, "tomorrow-never-meows": 4, "familiars-trouble": 3}

JSON_LINES = {"Content-Type": "application/jsonl"}


class House:
    """A running service, with its operator's key."""

    operator = OPERATOR_KEY

    def __init__(self, server: Server, store: str | None = None) -> None:
        self.server = server
        self.store = store
        """Its address, where keys are to be made."""
        self.url = f"http://127.0.0.1:{server.port}"
        self._golden: dict[str, str] = {}

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request over a connection of its own, as the functions of ``players`` want it."""
        connection = self.server.connection()
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.getheaders()), response.read())
        connection.close()
        return answer

    def golden(self, path: str) -> str:
        """The id of the match of a golden replay (``catte/shared-win``), which is imported when it is first wanted."""
        if path not in self._golden:
            file = (REPLAYS / f"{path}.jsonl").read_bytes()
            answer = self.ask("POST", "/v1/replays", file, {**OPERATOR, **JSON_LINES})
            assert answer.status in (200, 201), answer
            self._golden[path] = answer.document["match"]
        return self._golden[path]

    def forked(self, path: str, seq: int) -> Table:
        """A new match that is played on from event ``seq`` of a golden replay."""
        body = orjson.dumps({"seq": seq})
        return table_of(self.ask("POST", f"/v1/matches/{self.golden(path)}/fork", body, {**OPERATOR, **JSON}))

    def opened(self, game: str, seats: int | Sequence[Mapping[str, str]] = 0, **more: Any) -> Table:
        """A new match of so many seats or of seats with names, public unless something else is said."""
        body = {"game": game, "seats": seats or SEATS[game], "visibility": "public", **more}
        return table_of(self.ask("POST", "/v1/matches", orjson.dumps(body), {**OPERATOR, **JSON}))

    def played(self, table: Table, moves: int, chance: int = 1) -> int:
        """Play so many legal moves, or until the match is over; how many were played."""
        random = Random(chance)
        for done in range(moves):
            view = next_to_act(self.ask, table, random)
            if view is None:
                return done
            self.move(table, random.choice(view["legal_moves"]))
        return moves

    def move(self, table: Table, move: Any) -> Any:
        """Play one move; the answer."""
        answer = order(table, move).put(self.ask)
        assert answer.status == 200, answer
        return answer.document

    def seen(self, match: str, token: str | None = None) -> Any:
        """The match as a token or key shows it, or as anybody sees it."""
        answer = self.ask("GET", f"/v1/matches/{match}", None, bearer(token))
        assert answer.status == 200, answer
        return answer.document

    def referee(self, *bound: str, unsealed: bool = True) -> str:
        """A new key of a referee: ``--match`` and ``--tournament`` say of what."""
        assert self.store is not None
        scopes = ("--scope", "matches:unseal") if unsealed else ()
        made = run("keys", "create", "--role", "referee", *bound, *scopes, "--store", self.store)
        assert made.exit_code == 0, made.output
        return made.stdout.strip()

    def at(self, path: str) -> str:
        """The address of a page."""
        return f"{self.url}{path}"

    def match_page(self, match: str, token: str | None = None) -> str:
        """The address of the page of a match, with a token or key in the fragment."""
        return self.at(f"/matches/{match}") + ("" if token is None else f"#token={token}")


def bearer(token: str | None) -> dict[str, str]:
    """The header that carries a token or key."""
    return {} if token is None else {"Authorization": f"Bearer {token}"}
