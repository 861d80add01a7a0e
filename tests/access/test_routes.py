"""Every route and every operation of the contract has a row in the table of rights."""

from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from answers import CheckedClient, checked_client
from gyoji.access.callers import Anonymous
from gyoji.access.rights import ROWS, Denied, Granted, MatchFacts, decision
from gyoji.api.contract import operations
from gyoji.api.media import CALLS
from gyoji.api.operations import VERBS, Operation
from operators import OPERATOR

FUNCTIONS = {
    "list_games": "listGames",
    "describe_game": "describeGame",
    "list_rules": "listRules",
    "read_rule": "readRule",
    "health": "readHealth",
    "readiness": "readReadiness",
    "contract": "readContract",
    "index": "readIndex",
    "documentation": "readDocumentation",
    "static": "readStaticFile",
    "list_problems": "listProblemTypes",
    "read_problem": "readProblemType",
}
"""Endpoints that are named otherwise than their operation, without their blueprint."""


def row_of_endpoint(endpoint: str) -> str:
    """The operation of a route: a stateless call by its address, others by function or by the operation itself."""
    name = endpoint.rpartition(".")[2]
    return VERBS[name].format("") if name in VERBS else FUNCTIONS.get(name, name)


def row_of_operation(operation: Operation) -> str:
    """The row of an operation of the contract: a stateless call has one for all games."""
    call = operation.path.rpartition("/")[2]
    return VERBS[call].format("") if operation.path == f"/v1/games/{operation.tag}/{call}" else operation.name


def test_every_route_has_a_row(app: Flask) -> None:
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert {endpoint for endpoint in endpoints if row_of_endpoint(endpoint) not in ROWS} == set()


def test_every_operation_of_the_contract_has_a_row() -> None:
    assert {operation.name for operation in operations() if row_of_operation(operation) not in ROWS} == set()


def test_a_route_without_a_row_is_noticed() -> None:
    assert row_of_endpoint("matches.delete_match") == "delete_match"
    assert "delete_match" not in ROWS
    deletion = Operation("deleteMatch", "post", "/v1/matches/{id}/deletion", "Delete a match", "matches")
    assert row_of_operation(deletion) not in ROWS


@pytest.mark.parametrize("call", CALLS)
def test_the_stateless_calls_are_named_as_in_the_contract(call: str) -> None:
    named = {row_of_operation(operation) for operation in operations() if operation.path.endswith(f"/{call}")}
    assert named == {row_of_endpoint(call)}


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
        decided = [decision(row_of_operation(operation), Anonymous(), facts) for facts in (None, public)]
        is_open = any(isinstance(each, Granted) for each in decided)
        assert is_open == (operation.callers != "known"), operation.name
        assert is_open or decided == [Denied("unauthenticated")] * 2
