"""Tables at which tests play over HTTP: matches, the tokens of their seats, and keys of every role."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from secrets import token_bytes, token_hex
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from answers import CheckedClient, checked_client
from gyoji.access.keys import KeyRole, digest, key_id, new_key
from gyoji.api.rights import Scope
from gyoji.app.services import Services
from gyoji.store.interface import ApiKey
from operators import OPERATOR

Headers = Mapping[str, str]
Plain = dict[str, Any]

JSON = {"Content-Type": "application/json"}


def holding(credential: str) -> dict[str, str]:
    """What whoever holds a key or a token sends."""
    return {"Authorization": f"Bearer {credential}"}


@dataclass(frozen=True)
class Table:
    """A match, the tokens of its seats, and what the operator sends who made it."""

    client: CheckedClient
    match: str
    tokens: tuple[str, ...]
    operator: Headers

    @property
    def path(self) -> str:
        """Its address."""
        return f"/v1/matches/{self.match}"

    def sits(self, seat: int) -> dict[str, str]:
        """What the seat sends."""
        return holding(self.tokens[seat])

    def get(self, part: str, headers: Headers) -> TestResponse:
        """A part of the match, or ``""`` for itself."""
        return self.client.get(self.path + part, headers=dict(headers))

    def seen(self, headers: Headers) -> Plain:
        """The match as the holder of these headers sees it."""
        seen: Plain = read(self.get("", headers))
        return seen

    def feed(self, headers: Headers, after: int | None = None) -> list[Plain]:
        """Everything that the feed tells, in one page."""
        query = "" if after is None else f"?after={after}"
        events: list[Plain] = read(self.get(f"/events{query}", headers))["events"]
        return events

    def put(self, move: Any, headers: Headers, **more: Any) -> TestResponse:
        """A move, sent with these headers."""
        return self.client.post(f"{self.path}/moves", json={"move": move, **more}, headers=dict(headers))

    def turn(self) -> Plain:
        """The match as the first of the seats sees it that are to act."""
        seat = self.seen(self.sits(0))["view"]["to_act"][0]
        return self.seen(self.sits(seat))

    def legal(self) -> Plain:
        """A legal move of the first seat that is to act."""
        move: Plain = self.turn()["legal_moves"][0]
        return move

    def move(self, chance: Random | None = None, headers: Headers | None = None) -> TestResponse:
        """A legal move, made by its seat."""
        legal = self.turn()["legal_moves"]
        move = legal[0] if chance is None else chance.choice(legal)
        answer = self.put(move, {**self.sits(move["seat"]), **(headers or {})})
        assert answer.status_code == 200, answer.json
        return answer

    def finish(self, chance: Random) -> TestResponse:
        """Play to the end; the answer to the last move."""
        answer = self.move(chance)
        while (made := read(answer))["outcome"] is None:
            seat = made["view"]["to_act"][0]
            legal = made["legal_moves"] or self.seen(self.sits(seat))["legal_moves"]
            move = chance.choice(legal)
            answer = self.put(move, self.sits(move["seat"]))
            assert answer.status_code == 200, answer.json
        return answer


@dataclass(frozen=True)
class House:
    """An application with its store: where tables are set up and keys are given out."""

    app: Flask
    client: CheckedClient

    @property
    def services(self) -> Services:
        """Its desk."""
        kept: Services = self.app.extensions["gyoji.services"]
        return kept

    def create(self, by: Headers = OPERATOR, **setting: Any) -> TestResponse:
        """A request for a new match."""
        body = {"game": "catte", "seats": 3, **setting}
        return self.client.post("/v1/matches", json=body, headers=dict(by))

    def table(self, by: Headers = OPERATOR, **setting: Any) -> Table:
        """A new match; three seats of Catte unless said otherwise."""
        return self.seated(self.create(by, **setting), by)

    def seated(self, answer: TestResponse, by: Headers = OPERATOR) -> Table:
        """The table of a match that was created."""
        assert answer.status_code == 201, answer.json
        made = read(answer)
        return Table(self.client, made["match"], tuple([seat["token"] for seat in made["seats"]]), by)

    def finished(self, seed: int = 0, by: Headers = OPERATOR, **setting: Any) -> Table:
        """A match that has been played to its end."""
        table = self.table(by, **setting)
        table.finish(Random(seed))
        return table

    def key(
        self,
        role: KeyRole,
        account: str = "operator",
        scopes: Sequence[str] = tuple(Scope),
        matches: Sequence[str] = (),
        tournaments: Sequence[str] = (),
    ) -> dict[str, str]:
        """A new key of that role, as its holder sends it."""
        key = new_key(role, token_bytes(32))
        kept = digest(key)
        created = "2026-01-01T00:00:00.000Z"
        bound = tuple(matches), created, None, tuple(tournaments)
        record = ApiKey(key_id(kept), kept, role, account, tuple(scopes), *bound)
        self.services.store.add_key(record)
        return holding(key)

    def account(self) -> dict[str, str]:
        """A key with every scope of an operator whom nobody else shares an account with."""
        return self.key("operator", f"club-{token_hex(8)}")

    def spectator(self, table: Table) -> dict[str, str]:
        """A new token for spectators."""
        answer = self.client.post(f"{table.path}/seats/spectator/token", headers=dict(table.operator))
        return holding(read(answer)["token"])


class Wire:
    """A connection with nothing to say until it is closed."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def recv(self, _size: int, _flags: int) -> bytes:
        """What has come in: nothing yet, and after so many looks the end."""
        self.looks -= 1
        if self.looks <= 0:
            return b""
        raise BlockingIOError


def house(app: Flask) -> House:
    """The house that an application is."""
    return House(app, checked_client(app))


def read(answer: TestResponse) -> Any:
    """The body of an answer that is no refusal."""
    assert answer.status_code < 300, answer.json
    return answer.json


def refused(answer: TestResponse, status: int, code: str) -> Plain:
    """The problem that an answer is, which has to be this one."""
    problem: Plain | None = answer.json
    assert problem is not None
    assert (answer.status_code, problem["code"]) == (status, code), problem
    return problem


def pointers(answer: TestResponse) -> list[tuple[str, str]]:
    """Place and code of everything that is wrong with a request."""
    return [(error["pointer"], error["code"]) for error in refused(answer, 422, "invalid-request")["errors"]]


def snapshot(table: Table) -> tuple[Any, ...]:
    """All that there is to see of a match, by its operator and by each of its seats: for telling that nothing changed.

    The replay is public: its last line tells the head, and every event is in it.
    """
    everybody = [table.operator, *(table.sits(seat) for seat in range(len(table.tokens)))]
    return tuple((table.get("", each).data, table.get("/events?raw=1", each).data) for each in everybody)


def values(document: Any) -> Iterator[Any]:
    """Every value in a document that is no list or object."""
    if isinstance(document, dict):
        for inner in document.values():
            yield from values(inner)
    elif isinstance(document, list):
        for inner in document:
            yield from values(inner)
    else:
        yield document


def not_held(hand: list[str]) -> str:
    """A brown card that is not in the hand, which would have to hold all 13 of them."""
    return next(
        card for card in (f"{colour}{number}" for number in range(1, 14) for colour in "BWK") if card not in hand
    )


def concealed(house: House) -> Table:
    """A match that begins with a choice which all make at the same time and keep to themselves."""
    return house.table(game="tomorrow-never-meows", seats=3, options={"concealed": True})


def wishes(table: Table) -> list[Plain]:
    """One legal wish of each seat."""
    return [table.seen(table.sits(seat))["legal_moves"][seat] for seat in range(3)]
