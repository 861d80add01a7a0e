"""What counts as the same request under an idempotency key: the document that is sent, however it is spelt."""

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import orjson
import pytest
import yaml
from flask import Flask

from answers import CheckedClient
from gyoji.games.chance import player_commitment
from gyoji.published_files import contract_file
from gyoji.store.database.sqlite import connect
from operators import OPERATOR
from web.matches.refereeing import referee
from web.matches.tables import JSON, Headers, House, read, refused
from web.matches.tables import house as house_of

Plain = dict[str, Any]


class Sent(NamedTuple):
    """A request that can be sent under an idempotency key."""

    path: str
    by: Headers
    document: Plain
    other: Plain
    """Another document, that asks for something else."""
    before: str = ""
    """What earlier releases put before the bytes of the body when they made a digest of them."""
    is_named: bool = False
    """Whether the record of it names whose it was: a seat, a referee's key, or the token in the document."""


@pytest.fixture(scope="module")
def house(app: Flask) -> House:
    """The application with its store."""
    return house_of(app)


def a_match(_house: House) -> Sent:
    document = {"game": "catte", "seats": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}], "tags": ["cup"]}
    return Sent("/v1/matches", OPERATOR, document, {**document, "first": 1}, "createMatch\n")


def a_move(house: House) -> Sent:
    table = house.table()
    first, second = table.turn()["legal_moves"][:2]
    return Sent(f"{table.path}/moves", table.sits(first["seat"]), {"move": first}, {"move": second}, is_named=True)


def a_fork(house: House) -> Sent:
    over = house.finished()
    return Sent(f"{over.path}/fork", OPERATOR, {"seq": 4}, {"seq": 5}, f"forkMatch {over.match}\n")


def a_contribution(house: House) -> Sent:
    table = house.table(randomness={"policy": "players", "missing": "void", "within": 3600})
    mine, other = (player_commitment(table.match, 0, bytes([byte]) * 32) for byte in (1, 2))
    path = f"{table.path}/entropy"
    return Sent(path, table.sits(0), {"commit": mine}, {"commit": other}, "giveEntropy\n", is_named=True)


def a_ruling(house: House) -> Sent:
    table = house.table()
    by = {**referee(house, table).headers, "If-Match": '"1"'}
    document: Plain = {"ruling": {"kind": "points", "seat": 0, "points": 2}, "reason": "Courtesy.", "audience": [0, 1]}
    return Sent(f"{table.path}/rulings", by, document, {**document, "reason": "Haste."}, "makeRuling\n", is_named=True)


def a_group(_house: House) -> Sent:
    document = {"game": "catte", "seats": 3, "options": {}}
    return Sent("/v1/groups", OPERATOR, document, {**document, "seats": 4}, "createGroup\n")


CUP: Plain = {"game": "catte", "name": "Spring cup", "seats": [3], "rounds": 4, "points": {"by": "score"}}


def a_tournament(_house: House) -> Sent:
    return Sent("/v1/tournaments", OPERATOR, CUP, {**CUP, "rounds": 5}, "createTournament\n")


def _cup(house: House, *names: str) -> str:
    made = read(house.client.post("/v1/tournaments", json=CUP, headers=OPERATOR))
    path = f"/v1/tournaments/{made['tournament']}"
    if names:
        read(
            house.client.post(
                f"{path}/entrants", json={"entrants": [{"name": name} for name in names]}, headers=OPERATOR
            )
        )
    return path


def entrants(house: House) -> Sent:
    document = {"entrants": [{"name": "Ann"}, {"name": "Ben"}]}
    return Sent(f"{_cup(house)}/entrants", OPERATOR, document, {"entrants": [{"name": "Cho"}]}, "addEntrants\n")


def a_round(house: House) -> Sent:
    path = _cup(house, "Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    return Sent(f"{path}/rounds", OPERATOR, {"pairing": "draw", "early": False}, {"early": True}, "pairRound\n")


def a_correction(house: House) -> Sent:
    document = {"entrant": "e1", "points": "1", "reason": "Courtesy."}
    path = f"{_cup(house, 'Ann', 'Ben', 'Cho')}/corrections"
    return Sent(path, OPERATOR, document, {**document, "points": "2"}, "correctStandings\n")


def an_announcement(house: House) -> Sent:
    """Something that a director announces."""
    document = {"text": "Dinner at seven."}
    return Sent(f"{_cup(house)}/announcements", OPERATOR, document, {"text": "Dinner at eight."}, "announce\n")


def a_no_show(house: House) -> Sent:
    path = _cup(house, "Ann", "Ben", "Cho")
    read(house.client.post(f"{path}/rounds", json={}, headers=OPERATOR))
    document = {"entrant": "e1", "outcome": "forfeited", "stand_in": "Zoe"}
    other = {**document, "stand_in": "Yui"}
    return Sent(f"{path}/rounds/1/tables/1/no-show", OPERATOR, document, other, "settleNoShow 1 1\n")


def a_registration(house: House) -> Sent:
    return Sent(f"{_cup(house)}/registration", OPERATOR, {"open": True}, {"open": False}, "setRegistration\n")


def someone_present(house: House) -> Sent:
    made = read(house.client.post("/v1/tournaments", json={**CUP, "check_in": True}, headers=OPERATOR))
    path = f"/v1/tournaments/{made['tournament']}"
    read(house.client.post(f"{path}/entrants", json={"entrants": [{"name": "Ann"}]}, headers=OPERATOR))
    return Sent(f"{path}/entrants/e1/presence", OPERATOR, {"present": True}, {"present": False}, "setPresence e1\n")


def somebody_who_joins(house: House) -> Sent:
    path = _cup(house)
    read(house.client.post(f"{path}/registration", json={"open": True}, headers=OPERATOR))
    token = read(house.client.get(f"{path}/registration", headers=OPERATOR))["token"]
    document = {"token": token, "name": "Ann"}
    return Sent(f"{path}/registrations", {}, document, {**document, "name": "Ben"}, "join\n", is_named=True)


def a_webhook(_house: House) -> Sent:
    document = {"url": "https://club.example/hook", "types": ["match.created", "match.moved"]}
    return Sent("/v1/webhooks", OPERATOR, document, {"url": "https://club.example/other"}, "createWebhook\n")


OPERATIONS: dict[str, Callable[[House], Sent]] = {
    "createMatch": a_match,
    "playMove": a_move,
    "forkMatch": a_fork,
    "giveEntropy": a_contribution,
    "makeRuling": a_ruling,
    "createGroup": a_group,
    "createTournament": a_tournament,
    "addEntrants": entrants,
    "pairRound": a_round,
    "correctStandings": a_correction,
    "announce": an_announcement,
    "settleNoShow": a_no_show,
    "setRegistration": a_registration,
    "setPresence": someone_present,
    "join": somebody_who_joins,
    "createWebhook": a_webhook,
}
EACH = pytest.mark.parametrize("operation", OPERATIONS)


def test_these_are_all_the_operations() -> None:
    contract = yaml.load(contract_file().read_bytes(), Loader=yaml.CSafeLoader)
    keyed = {
        operation["operationId"]
        for path in contract["paths"].values()
        for method, operation in path.items()
        if method == "post"
        and "requestBody" in operation
        and any(_named(contract, parameter) == "Idempotency-Key" for parameter in operation.get("parameters", ()))
    }
    assert keyed == set(OPERATIONS)


def _named(contract: Plain, parameter: Plain) -> str:
    if "$ref" in parameter:
        parameter = contract["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[-1]]
    name: str = parameter["name"]
    return name


def reversed_document(document: Any) -> Any:
    """The same document with the members of every object the other way round."""
    if isinstance(document, dict):
        return {name: reversed_document(value) for name, value in reversed(document.items())}
    return [reversed_document(each) for each in document] if isinstance(document, list) else document


def spellings(document: Plain) -> list[bytes]:
    """The document in other bytes: members in another order, with blanks, with what could be escaped escaped."""
    plain = orjson.dumps(document)
    return [
        orjson.dumps(reversed_document(document)),
        orjson.dumps(document, option=orjson.OPT_INDENT_2),
        re.sub(rb'"[a-z]', lambda found: b'"\\u%04x' % found[0][1], plain),
    ]


def post(client: CheckedClient, sent: Sent, key: str, body: bytes) -> Any:
    """The request with these bytes, under that key."""
    return client.post(sent.path, data=body, headers={**sent.by, **JSON, "Idempotency-Key": key})


@EACH
def test_the_same_document_is_the_same_request(house: House, operation: str) -> None:
    sent, key = OPERATIONS[operation](house), f"{operation}-{token_hex(16)}"
    first = post(house.client, sent, key, orjson.dumps(sent.document))
    assert first.status_code in (200, 201), first.json
    for body in spellings(sent.document):
        again = post(house.client, sent, key, body)
        assert (again.status_code, again.data) == (first.status_code, first.data)
    refused(post(house.client, sent, key, orjson.dumps(sent.other)), 422, "idempotency-key-reused")


@EACH
def test_what_an_older_release_has_remembered_is_recognised_byte_by_byte(house: House, operation: str) -> None:
    """They made their digests of the bytes of the body: nothing but the same bytes can be told to be the same. Where
    they did not say which API key it was, it is nobody's any more."""
    sent, key = OPERATIONS[operation](house), f"{operation}-{token_hex(16)}"
    body = orjson.dumps(reversed_document(sent.document), option=orjson.OPT_INDENT_2)
    first = post(house.client, sent, key, body)
    assert first.status_code in (200, 201), first.json
    as_before(house, key, house.services.store.digest(sent.before.encode() + body))
    again = post(house.client, sent, key, body)
    if sent.is_named:
        assert (again.status_code, again.data) == (first.status_code, first.data)
    else:
        refused(again, 422, "idempotency-key-reused")
    refused(post(house.client, sent, key, orjson.dumps(sent.document)), 422, "idempotency-key-reused")


def as_before(house: House, key: str, digest: bytes) -> None:
    """Put another digest into the record of that key."""
    with closing(connect(Path(house.services.settings.store.removeprefix("sqlite:///")))) as database:
        database.execute("UPDATE idempotency SET digest = ? WHERE key = ?", (digest, key))
        assert database.changes() == 1


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"move":{},"move":{}}',
        b'{"move":"\\ud800"}',
        b'{"move":36893488147419103232}',
        b"[" * 300 + b"]" * 300,
        b"\xff",
    ],
)
def test_what_is_no_document_is_another_request(house: House, body: bytes) -> None:
    sent, key = a_move(house), token_hex(4)
    assert post(house.client, sent, key, body).status_code in (400, 422)
    read(post(house.client, sent, key, orjson.dumps(sent.document)))
    refused(post(house.client, sent, key, body), 422, "idempotency-key-reused")
