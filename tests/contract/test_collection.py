"""The calls as a collection for Postman and Bruno: as complete as the contract, and its examples are answered."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from gyoji.api.collection import collection_of
from gyoji.api.contract import contract_document

COLLECTION = collection_of(contract_document())
PLACE = re.compile(r"{{(\w+)}}")


def requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every request with the name of its folder."""
    for folder in COLLECTION["item"]:
        for item in folder["item"]:
            yield folder["name"], item["request"]


def test_every_operation_is_a_request_in_the_folder_of_its_tag() -> None:
    published = {
        (each["tags"][0], method.upper(), path)
        for path, methods in contract_document()["paths"].items()
        for method, each in methods.items()
    }
    found = [
        (tag, one["method"], one["url"]["raw"].removeprefix("{{baseUrl}}").replace("{{", "{").replace("}}", "}"))
        for tag, one in requests()
    ]
    assert len(found) == len(set(found))
    assert set(found) == published


def test_every_variable_is_one_of_the_collection() -> None:
    known = {each["key"] for each in COLLECTION["variable"]}
    used = {name for _tag, one in requests() for name in PLACE.findall(one["url"]["raw"])}
    assert used - known == set()
    assert known - used == {"token"}


def test_the_parts_of_an_address_are_its_whole() -> None:
    for _tag, one in requests():
        assert "/".join([*one["url"]["host"], *one["url"]["path"]]) == one["url"]["raw"]


def test_only_what_needs_a_token_sends_one() -> None:
    for path, methods in contract_document()["paths"].items():
        for method, each in methods.items():
            raw = "{{baseUrl}}" + path.replace("{", "{{").replace("}", "}}")
            (one,) = [one for _tag, one in requests() if (one["url"]["raw"], one["method"]) == (raw, method.upper())]
            assert ("auth" in one) == (each["security"] == []), raw


@pytest.mark.parametrize(
    "one", [one for _tag, one in requests() if "auth" in one and "body" in one], ids=lambda one: one["url"]["raw"]
)
def test_what_needs_no_token_is_answered_as_it_stands(client: FlaskClient, one: dict[str, Any]) -> None:
    headers = {each["key"]: each["value"] for each in one["header"] if not each.get("disabled")}
    path = one["url"]["raw"].removeprefix("{{baseUrl}}")
    answer = client.open(path, method=one["method"], data=one["body"]["raw"].encode(), headers=headers)
    assert answer.status_code in (200, 201), answer.text


def test_it_is_served_as_it_is_made(client: FlaskClient) -> None:
    assert client.get("/docs/collection.json").get_json() == COLLECTION


def test_what_makes_something_keeps_its_id_for_the_rest() -> None:
    kept = [
        line
        for folder in COLLECTION["item"]
        for item in folder["item"]
        for event in item.get("event", ())
        for line in event["script"]["exec"]
    ]
    assert sorted(re.findall(r'set\("(\w+)"', " ".join(kept))) == ["group", "match", "tournament", "webhook"]
