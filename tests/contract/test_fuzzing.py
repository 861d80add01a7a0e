"""schemathesis with all its checks, over WSGI: what the contract says and what the service does are the same."""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished

from answers import contract
from gyoji.games.catalogue import BY_SLUG
from gyoji.web.app import create_app

REJECTED = ["400", "404", "405", "406", "409", "411", "413", "415", "422"]
"""411 and 413 are not in schemathesis's own list: a body that is missing or too long has no shape to speak of."""

ACCEPTED = ["2xx", "404", "409"]
"""404: a rule id is a string that the catalogue may not have. 409: the referee's no to a body of the right shape."""

CONFIG: dict[str, Any] = {
    "generation": {"deterministic": True, "database": "none", "no-shrink": True},
    "phases": {
        "coverage": {"extra-data-sources": {"responses": False}},
        "fuzzing": {"extra-data-sources": {"responses": False}, "generation": {"max-examples": 10}},
        "stateful": {"inference": {"algorithms": []}, "max-steps": 15, "generation": {"max-examples": 10}},
    },
    "checks": {
        "negative_data_rejection": {"expected-statuses": REJECTED},
        "positive_data_acceptance": {"expected-statuses": ACCEPTED},
    },
    "operations": [
        {
            # JSON Schema cannot say that an option contradicts another one or the number of seats: that is 422 although
            # the schema is satisfied.
            "include-path-regex": "/states$",
            "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "422"]}},
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


def _part(tag: str) -> Any:
    """The contract of one game, or of the catalogue and the like, as schemathesis has it."""
    document = deepcopy(contract())
    document["paths"] = {
        path: methods
        for path, methods in document["paths"].items()
        if any(operation["tags"] == [tag] for operation in methods.values())
    }
    for link in _links(document):  # its body is all of the request; schemathesis would merge it into a random one
        link["x-schemathesis"] = {"merge_body": False}
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(CONFIG))
    schema.app = create_app()
    return schema


def _links(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in document["paths"].values():
        for operation in methods.values():
            yield from operation["responses"]["200"].get("links", {}).values()


def _scenarios(tag: str) -> Iterator[Any]:
    """What schemathesis did, scenario by scenario; none of it may have failed."""
    for event in from_schema(_part(tag)).execute():
        assert not isinstance(event, NonFatalError | FatalError), event
        if isinstance(event, ScenarioFinished):
            failed = [check for checks in event.recorder.checks.values() for check in checks if check.failure_info]
            assert not failed, [f"{check.name}: {check.failure_info}"[:2000] for check in failed[:3]]
            yield event.recorder


@pytest.mark.parametrize("tag", ["catalogue", "operations"])
def test_pages_and_catalogue(tag: str) -> None:
    """Parameters that exist and such as do not, methods that do not exist."""
    asked = {node.value.operation.path for recorder in _scenarios(tag) for node in recorder.cases.values()}
    listed = {path for path, methods in contract()["paths"].items() if methods.get("get", {}).get("tags") == [tag]}
    assert asked == listed


@pytest.mark.parametrize("slug", BY_SLUG)
def test_calls(slug: str) -> None:
    """Bodies of the right shape and of wrong ones; then games played along the links of the contract, every one of
    which has been followed to an answer 200 in the course."""
    statuses: Counter[int] = Counter()
    followed: Counter[str] = Counter()
    for recorder in _scenarios(slug):
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
