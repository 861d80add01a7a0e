"""Every operation says what it does, and has an example of what is sent and answered that is true: all of them are
sent here to the real application."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from answers import CheckedClient, closed, contract, resolved
from contract.session import cut, masked, problems, session
from gyoji.api.examples import recorded
from gyoji.api.media import CALLS, HTML, JSON, OCTETS
from gyoji.games.catalogue import BY_SLUG
from operators import OPERATOR

ITSELF = "readContract"
"""The example of its answer would be this contract."""


def _operations() -> Iterator[dict[str, Any]]:
    for methods in contract()["paths"].values():
        yield from methods.values()


def _media() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every body that the contract describes, as a request, an answer or a refusal."""
    for operation in _operations():
        bodies = [operation.get("requestBody", {}), *map(resolved, operation["responses"].values())]
        for body in bodies:
            for kind, media in body.get("content", {}).items():
                yield f"{operation['operationId']} {kind}", media


def test_every_operation_says_more_than_its_summary() -> None:
    for operation in _operations():
        assert len(operation["description"]) > len(operation["summary"]) / 2, operation["operationId"]
        assert operation["description"] != operation["summary"]
        assert operation["description"].endswith("."), operation["operationId"]


def test_every_operation_has_an_example_of_what_is_sent_and_answered() -> None:
    for operation in _operations():
        name = operation["operationId"]
        sent = operation.get("requestBody", {}).get("content", {})
        assert JSON not in sent or "example" in sent[JSON], name
        for status, answer in operation["responses"].items():
            content = resolved(answer).get("content", {})
            if int(status) >= 400:
                assert content["application/problem+json"]["example"]["status"] == int(status)
        shown = [media for media in _good(operation) if "example" in media]
        kinds = {kind for status in operation["responses"] if status[0] == "2" for kind in _kinds(operation, status)}
        assert shown or name == ITSELF or not kinds & {JSON, "text/plain"}, name
        assert shown or kinds <= {HTML, OCTETS, JSON, "application/jsonl"}, name


def _kinds(operation: dict[str, Any], status: str) -> list[str]:
    return [*operation["responses"][status].get("content", {})]


def _good(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for status, answer in operation["responses"].items():
        if status[0] == "2":
            yield from answer.get("content", {}).values()


def test_every_example_has_the_shape_that_it_is_an_example_of() -> None:
    checked, components = 0, closed(contract()["components"])
    for name, media in _media():
        if "example" in media:
            found = jsonschema_rs.validator_for({**media["schema"], "components": components})
            assert found.is_valid(media["example"]), (name, [e.message for e in found.iter_errors(media["example"])])
            checked += 1
    assert checked > 700


@pytest.mark.parametrize("slug", BY_SLUG)
@pytest.mark.parametrize("call", [*CALLS, "questions"])
def test_the_examples_of_stateless_calls_are_answered_so(client: CheckedClient, slug: str, call: str) -> None:
    path = f"/v1/games/{slug}/{call}"
    operation = contract()["paths"][path]["post"]
    answer = client.post(path, json=operation["requestBody"]["content"][JSON]["example"])
    assert answer.json == operation["responses"]["200"]["content"][JSON]["example"]


def test_the_other_examples_are_answered_so(tmp_path: Path) -> None:
    """Ids, times, tokens and signatures are new every time; all else is what the contract says."""
    asked = session(tmp_path)
    kept = recorded()["operations"]
    assert asked.keys() == kept.keys()
    for name, found in asked.items():
        assert masked(json.loads(json.dumps(found))) == masked(kept[name]), name
    others = {operation["operationId"] for operation in _operations() if operation["tags"][0] not in BY_SLUG}
    pages = {f"read{page}" for page in ("Index", "Documentation", "ProblemType")} | {"listProblemTypes"}
    assert others - kept.keys() == {ITSELF, *pages, "readLogTile", "readLogEntries"}


def test_the_examples_of_problems_are_what_the_service_answers() -> None:
    assert problems() == recorded()["problems"]


def test_examples_of_rulings_are_rulings(client: CheckedClient) -> None:
    """Seen to fail on 174faa5, whose example was a state."""
    ruling = recorded()["operations"]["makeRuling"]["request"]
    made = client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()
    headers = {**OPERATOR, "If-Match": f'"{made["seq"]}"'}
    assert client.post(f"{made['links']['self']}/rulings", json=ruling, headers=headers).status_code == 200


def test_what_is_cut_from_an_example_is_the_end_of_a_long_list() -> None:
    assert cut({"a": [1, 2, 3]}) == {"a": [1, 2, 3]}
    assert cut({"a": [{"b": "x" * 400}, {"b": "y"}]}) == {"a": [{"b": "x" * 400}]}
