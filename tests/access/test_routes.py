"""Every route and every operation of the contract has a row in the table of rights."""

import pytest
from flask import Flask

from gyoji.access.rights import ROWS
from gyoji.wire.contract import operations
from gyoji.wire.media import CALLS
from gyoji.wire.operations import VERBS, Operation

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
