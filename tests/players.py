"""Plays stored matches: over HTTP, or with an application in this process, by legal moves."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.test import Client

from operators import OPERATOR

JSON = {"Content-Type": "application/json"}

NO_ANSWER = (OSError, HTTPException)
"""What is raised when the server goes away."""


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """Parse the body."""
        return json.loads(self.body)


Ask = Callable[[str, str, bytes | None, Mapping[str, str]], Answer]
"""Method, path, body and headers of a request; raises one of ``NO_ANSWER`` when none comes."""


class Line:
    """A connection that is made anew when it breaks; for one thread."""

    def __init__(self, port: int, patience: float = 30) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=patience)

    def __call__(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """Send one request."""
        try:
            self.connection.request(method, path, body, dict(headers))
            response = self.connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def indoors(app: Flask) -> Ask:
    """Return what asks an application in this process, without a network."""
    inside = Client(app)

    def ask(method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        response = inside.open(path, method=method, data=body, headers=dict(headers), buffered=True)
        return Answer(response.status_code, dict(response.headers), response.data)

    return ask


class Table(NamedTuple):
    """A match and the tokens of its seats."""

    match: str
    tokens: tuple[str, ...]

    @property
    def path(self) -> str:
        """Return the URL path of the match."""
        return f"/v1/matches/{self.match}"

    def sits(self, seat: int) -> dict[str, str]:
        """Return the headers of every request of a seat."""
        return {"Authorization": f"Bearer {self.tokens[seat]}"}


@dataclass(frozen=True)
class Order:
    """A move as it is sent, so that it can be sent again."""

    table: Table
    seat: int
    body: bytes
    headers: Mapping[str, str]

    def put(self, ask: Ask) -> Answer:
        """Send the move."""
        return ask("POST", f"{self.table.path}/moves", self.body, self.headers)


def setting(game: str, seats: int, **more: Any) -> bytes:
    """Return the body that sets up a match."""
    return json.dumps({"game": game, "seats": seats, **more}).encode()


def table_of(answer: Answer) -> Table:
    """Return the match that was created."""
    assert answer.status == 201, answer
    made = answer.document
    return Table(made["match"], tuple([seat["token"] for seat in made["seats"]]))


def opened(ask: Ask, game: str, seats: int, **more: Any) -> Table:
    """Create a match."""
    return table_of(ask("POST", "/v1/matches", setting(game, seats, **more), {**OPERATOR, **JSON}))


def seen(ask: Ask, table: Table, seat: int) -> Any:
    """Return the match as a seat sees it."""
    answer = ask("GET", table.path, None, table.sits(seat))
    assert answer.status == 200, answer
    return answer.document


def next_to_act(ask: Ask, table: Table, chance: Random) -> Any:
    """Return the match as one of those sees it who are to act; ``None`` when it is over."""
    view = seen(ask, table, chance.randrange(len(table.tokens)))
    acting: Sequence[int] = view["view"]["to_act"]
    if view["status"] == "finished" or not acting:
        return None
    return view if view["viewer"]["seat"] in acting else seen(ask, table, chance.choice(acting))


def order(table: Table, move: Any, *, key: str | None = None, seq: int | None = None) -> Order:
    """Return the move, to be sent by its seat: under a key, and only if the match stands at ``seq``."""
    headers = {**table.sits(move["seat"]), **JSON}
    if key is not None:
        headers["Idempotency-Key"] = key
    if seq is not None:
        headers["If-Match"] = f'"{seq}"'
    return Order(table, move["seat"], json.dumps({"move": move}).encode(), headers)


def leaf(body: bytes) -> str:
    """Hash an event from its canonical bytes, as the page has it: SHA-256(0x00, bytes)."""
    return sha256(b"\0" + body).hexdigest()
