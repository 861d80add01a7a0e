"""schemathesis with all its checks: what the contract says and what the service does are the same."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import strategies
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished

from answers import contract
from bodies import Plain
from contract.services import Fuzzed, fuzzed_service
from gyoji.games.catalogue import BY_SLUG
from gyoji.wire.contract import operations
from gyoji.wire.media import JSON, JSON_LINES
from operators import OPERATOR_KEY

REJECTED = ["400", "401", "404", "405", "406", "409", "411", "412", "413", "415", "422"]
"""411 and 413 are not in schemathesis's own list: a body that is missing or too long has no shape to speak of."""

ACCEPTED = ["2xx", "404", "409"]
"""404: a rule id is a string that the catalogue may not have. 409: the referee's no to a body of the right shape."""

UNKNOWN_MATCH = "ignored_auth: Expected 401 or 403, got `404 Not Found` for `"
"""No failure: of a private match, such as are made in the course, whoever has no key is told 404."""

CONFIG: dict[str, Any] = {
    "generation": {"deterministic": True, "database": "none", "no-shrink": True},
    "phases": {
        "coverage": {"extra-data-sources": {"responses": False}},
        "fuzzing": {"extra-data-sources": {"responses": False}, "generation": {"max-examples": 6}},
        "stateful": {"inference": {"algorithms": []}, "max-steps": 15, "generation": {"max-examples": 6}},
    },
    "checks": {
        "negative_data_rejection": {"expected-statuses": REJECTED},
        "positive_data_acceptance": {"expected-statuses": ACCEPTED},
    },
    "operations": [
        {
            # JSON Schema cannot say that an option contradicts another one or the number of seats: that is 422 although
            # the schema is satisfied. 401: a game whose newest capsule is remembered needs a key.
            "include-path-regex": "/states$",
            "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "401", "422"]}},
        },
        {
            # The same with a seat that the state does not have. And these three calls take a state and little else: one
            # enumeration of all that can be wrong with a state, that of the adjudications, is worth its time.
            "include-path-regex": "/(legal-moves|scores|views)$",
            "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "422"]}},
            "phases": {"coverage": {"enabled": False}},
        },
    ],
}


def _part(tag: str, app: Flask) -> Any:
    """The contract of one game, or of the catalogue and the like, as schemathesis has it."""
    document = _only(tag)
    for link in _links(document):  # its body is all of the request; schemathesis would merge it into a random one
        link["x-schemathesis"] = {"merge_body": False}
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(CONFIG))
    schema.app = app
    return schema


def _only(*tags: str) -> Plain:
    """The contract of the operations that bear one of these tags."""
    document = deepcopy(contract())
    document["paths"] = {
        path: methods
        for path, methods in document["paths"].items()
        if any(operation["tags"][0] in tags for operation in methods.values())
    }
    return document


def _links(document: Plain) -> Iterator[Plain]:
    for methods in document["paths"].values():
        for operation in methods.values():
            yield from operation["responses"]["200"].get("links", {}).values()


def _scenarios(schema: Any) -> Iterator[Any]:
    """What schemathesis did, scenario by scenario; none of it may have failed."""
    for event in from_schema(schema).execute():
        assert not isinstance(event, NonFatalError | FatalError), event
        if isinstance(event, ScenarioFinished):
            checks = [check for made in event.recorder.checks.values() for check in made]
            said = [f"{check.name}: {check.failure_info.failure.message}" for check in checks if check.failure_info]
            assert [failure for failure in said if not failure.startswith(UNKNOWN_MATCH)] == []
            yield event.recorder


@pytest.mark.parametrize("tag", ["catalogue", "operations"])
def test_pages_and_catalogue(tag: str, app: Flask) -> None:
    """Parameters that exist and such as do not, methods that do not exist."""
    asked = {node.value.operation.path for recorder in _scenarios(_part(tag, app)) for node in recorder.cases.values()}
    listed = {path for path, methods in contract()["paths"].items() if methods.get("get", {}).get("tags") == [tag]}
    assert asked == listed


@pytest.mark.parametrize("slug", BY_SLUG)
def test_calls(slug: str, app: Flask) -> None:
    """Bodies of the right shape and of wrong ones; then games played along the links of the contract, every one of
    which has been followed to an answer 200 in the course."""
    statuses: Counter[int] = Counter()
    followed: Counter[str] = Counter()
    for recorder in _scenarios(_part(slug, app)):
        for key, interaction in recorder.interactions.items():
            assert interaction.response is not None
            status = interaction.response.status_code
            statuses[status] += 1
            if recorder.cases[key].is_transition_applied and status == 200:
                followed[recorder.cases[key].value.operation.path.rsplit("/", 1)[1]] += 1
    assert statuses.total() > 600
    assert {200, 400, 405, 409, 411, 415, 422} <= set(statuses)
    assert followed.total() >= 20
    assert set(followed) == {"adjudications", "legal-moves", "scores", "views"}


TAGS = ("matches", "groups", "replays")

STORED: dict[str, Any] = {
    **CONFIG,
    "checks": {
        "negative_data_rejection": {"expected-statuses": REJECTED},
        # JSON Schema cannot say which seats and events a match has, which matches a cursor and a key have been seen
        # with, and who may make which move.
        "positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "403", "412", "422"]},
    },
    "operations": [
        {
            # Most of it are options, which the first positions of each game have been tried with.
            "include-operation-id": "createMatch",
            "phases": {"coverage": {"enabled": False}},
        },
        {"include-operation-id": "createGroup", "phases": {"coverage": {"enabled": False}}},
    ],
}


def _stored(fuzzed: Fuzzed) -> Any:
    """The contract of stored matches, with examples that exist: a match that is over, and others to change."""
    document = _only(*TAGS)
    for methods in document["paths"].values():
        for operation in methods.values():
            known = {
                "match": fuzzed.tables.get(operation["operationId"], fuzzed.over).match,
                "group": fuzzed.group,
                "seq": 5,
                "seat": "1",
                "If-Match": "*",
            }
            for parameter in operation.get("parameters", ()):
                parameter.pop("example", None)
                if parameter["name"] in known:
                    parameter["example"] = known[parameter["name"]]
    _body(document, "/v1/matches/{match}/moves")["example"] = {"move": fuzzed.tables["playMove"].legal()}
    _body(document, "/v1/matches/{match}/entropy")["example"] = {"entropy": "ab" * 16}
    _body(document, "/v1/audits")["example"] = {"match": fuzzed.over.match}
    config = {**STORED, "auth": {"openapi": {"bearer": {"bearer": OPERATOR_KEY}}}, "base-url": fuzzed.url}
    return schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(config))


def _body(document: Plain, path: str) -> Plain:
    found: Plain = document["paths"][path]["post"]["requestBody"]["content"][JSON]
    return found


@pytest.fixture
def fuzzed(tmp_path: Path) -> Iterator[Fuzzed]:
    """A service of its own, and replay files to send to it."""
    with fuzzed_service(tmp_path) as service:
        schemathesis.openapi.media_type(JSON_LINES, strategies.sampled_from(service.replays))
        yield service


def test_stored_matches(fuzzed: Fuzzed) -> None:
    """Every operation of stored matches, replays and keys comes to a good answer in the course, and to each kind of
    refusal; whoever has no key is refused where one is needed."""
    answered: dict[str, Counter[int]] = defaultdict(Counter)
    for recorder in _scenarios(_stored(fuzzed)):
        for key, interaction in recorder.interactions.items():
            assert interaction.response is not None
            name = recorder.cases[key].value.operation.definition.raw["operationId"]
            answered[name][interaction.response.status_code] += 1
    promised = {
        (operation.name, status) for operation in operations() if operation.tag in TAGS for status in operation.good
    }
    nothing_left = ("readFeed", 204)  # said to streams only
    assert promised - {nothing_left} <= {(name, status) for name, counted in answered.items() for status in counted}
    assert {401, 404, 405, 409, 415, 422} <= {status for counted in answered.values() for status in counted}
