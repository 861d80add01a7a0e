"""Routes, handlers, rights and the operations of the contract are those of one table."""

from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask, Response

from answers import CheckedClient, checked_client
from gyoji.access.callers import Anonymous, Caller
from gyoji.access.rights import Denied, Granted, MatchFacts, decide
from gyoji.api.contract import SHAPES, operations
from gyoji.api.media import CALLS, EVENT_STREAM
from gyoji.api.operation import Operation
from gyoji.api.operations import OPERATIONS, ROWS
from gyoji.api.rights import OPEN
from gyoji.app import authorization
from gyoji.web.app import ROUTES
from gyoji.web.routes import Routes, add_routes, url_rule
from operators import OPERATOR
from web.matches.tables import Wire

ROW_OF = {row.of(shapes.prefix, slug).name: row for slug, shapes in SHAPES.items() for row in ROWS if row.of_game}
"""A stateless call has one row for all games: the operation of a game -> that row."""


def row_of(operation: Operation) -> Operation:
    """The row of an operation of the contract."""
    return ROW_OF.get(operation.name) or OPERATIONS[operation.name]


def test_every_row_is_named_once() -> None:
    assert len(OPERATIONS) == len(ROWS)


def test_every_row_has_a_handler_and_every_route_a_row(app: Flask) -> None:
    rules = sorted((rule.endpoint, rule.rule, *sorted(rule.methods or ())) for rule in app.url_map.iter_rules())
    assert rules == sorted(
        (row.name, url_rule(row.path), *sorted(methods | {"OPTIONS"}))
        for row in ROWS
        for methods in [{"GET", "HEAD"} if row.method == "get" else {row.method.upper()}]
    )
    bound = [name for routes in ROUTES for name in routes.views]
    assert sorted(bound) == sorted(OPERATIONS)


def test_every_operation_of_the_contract_has_a_row() -> None:
    assert {row_of(operation).name for operation in operations()} == {row.name for row in ROWS if row.published}


def test_a_handler_without_a_row_is_noticed() -> None:
    with pytest.raises(KeyError, match="deleteMatch"):
        Routes().handles("deleteMatch")(lambda _context: Response())


def test_a_row_without_a_handler_is_noticed() -> None:
    with pytest.raises(KeyError, match="listGames"):
        add_routes(Flask(__name__), [])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_handler_asks_what_its_row_allows(
    app: Flask, private: Mapping[str, str], monkeypatch: pytest.MonkeyPatch, row: Operation
) -> None:
    """The table is asked for the operation itself, by whoever calls it, unless anybody may do it."""
    asked: list[str] = []

    def noted(operation: str, caller: Caller, facts: MatchFacts | None) -> Granted | Denied:
        asked.append(operation)
        return decide(operation, caller, facts)

    monkeypatch.setattr(authorization, "decide", noted)
    places = {**INNER, **private, "game": "catte", "filename": "seal.svg", "level": "0", "place": "000.p/1"}
    path = row.path.format_map(
        {
            **places,
            "rule": "CAT-1.1",
            "code": "not-found",
            "schema": "problem.json",
            "case": "CAT-1",
            "guide_name": "matches",
        }
    )
    wire = {"gunicorn.socket": Wire(2)} if row.media == (EVENT_STREAM,) else None  # a stream may have no end by itself
    answer = checked_client(app).open(
        path, method=row.method.upper(), headers=OPERATOR, buffered=True, environ_overrides=wire
    )
    assert answer.status_code != 401
    assert set(asked) <= {row.name}
    assert asked or row.rights == OPEN, row.name


@pytest.mark.parametrize("call", CALLS)
def test_the_stateless_calls_are_named_as_in_the_contract(call: str) -> None:
    named = {row_of(operation).path for operation in operations() if operation.path.endswith(f"/{call}")}
    assert named == {f"/v1/games/{{game}}/{call}"}


NAMES = ("match", "group", "tournament", "webhook")


@pytest.fixture(scope="module")
def private(app: Flask) -> Mapping[str, str]:
    """The ids of what is there, and what only whoever made it may know of."""
    client = checked_client(app)
    made: Mapping[str, Any] = {
        "match": {"game": "catte", "seats": 3},
        "group": {"game": "catte", "seats": 3},
        "tournament": {"name": "Cup", "game": "catte", "seats": [3], "rounds": 2},
        "webhook": {"url": "https://club.example/hook"},
    }
    found = {}
    for name, body in made.items():
        plural = "matches" if name == "match" else f"{name}s"
        answer = client.post(f"/v1/{plural}", json=body, headers=OPERATOR)
        assert answer.status_code == 201, answer.text
        found[name] = answer.get_json()[name]
    return found


INNER = {"seat": "0", "entrant": "e1", "number": "1", "table": "1", "delivery": "msg_0", "seq": "1"}
NOT_THERE = {**dict.fromkeys(NAMES, "0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31"), **INNER}
NO_IDS = {**dict.fromkeys(NAMES, "anything"), **INNER, "seat": "director"}
NEEDS_CREDENTIAL = [each for each in operations() if each.callers == "known"]


@pytest.mark.parametrize("operation", NEEDS_CREDENTIAL, ids=lambda operation: operation.name)
def test_whoever_sends_no_credential_is_asked_for_one(
    client: CheckedClient, private: Mapping[str, str], operation: Operation
) -> None:
    """Whether or not what the address names is there, and before anything that is sent is looked at."""
    sendings: tuple[Mapping[str, Any], ...] = ({}, {"json": {}}, {"data": b"<a>", "content_type": "text/plain"})
    for places in ({**INNER, **private}, NOT_THERE, NO_IDS):
        path = operation.path.format_map(places)
        for sent in sendings if operation.method == "post" else [{}]:
            answer = client.open(path, method=operation.method.upper(), **sent)
            assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthenticated"), path
            assert answer.headers["WWW-Authenticate"] == "Bearer"


WRITING = [each for each in NEEDS_CREDENTIAL if each.method != "get" and "{" in each.path]


@pytest.mark.parametrize("operation", WRITING, ids=lambda operation: operation.name)
def test_whoever_may_not_know_of_it_is_told_that_it_is_not_there(
    client: CheckedClient, private: Mapping[str, str], operation: Operation
) -> None:
    """With a credential that is in force, for something else."""
    body = {"game": "catte", "seats": 3, "visibility": "private"}
    tokens = client.post("/v1/matches", json=body, headers=OPERATOR).get_json()["seats"]
    seat = {"Authorization": f"Bearer {tokens[0]['token']}"}
    answer = client.open(operation.path.format_map({**INNER, **private}), method=operation.method.upper(), headers=seat)
    other = operation.path.startswith(("/v1/tournaments", "/v1/groups", "/v1/webhooks"))  # no seat of any match may
    assert answer.status_code == (403 if other else 404)


def test_the_contract_asks_for_credentials_where_the_table_of_rights_does() -> None:
    public = MatchFacts("0b7f3f5e-2a55-4d8e-9c11-7f0e4b6d2a31", "club", "public", "public_on_close", closed=True)
    for operation in operations():
        decided = [decide(row_of(operation).name, Anonymous(), facts) for facts in (None, public)]
        is_open = any(isinstance(each, Granted) for each in decided)
        assert is_open == (operation.callers != "known"), operation.name
        assert is_open or decided == [Denied("unauthenticated")] * 2
