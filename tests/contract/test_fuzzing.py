"""schemathesis with all its checks: what the contract says and what the service does are the same."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from contract.services import Fuzzed, Tried, fuzzed_matches, fuzzed_tournaments
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
        "examples": {"extra-data-sources": {"responses": False}},
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
            said = [failure for key in event.recorder.checks for failure in _failures(event.recorder, key)]
            assert [failure for failure in said if not failure.startswith(UNKNOWN_MATCH)] == []
            yield event.recorder


def _failures(recorder: Any, key: str) -> list[str]:
    """What is wrong with an answer, and what it answers."""
    asked = recorder.cases[key].value
    request = f"{asked.method} {asked.formatted_path} {asked.body!r:.500}"
    return [
        f"{check.name}: {check.failure_info.failure.message} ({request})"
        for check in recorder.checks[key]
        if check.failure_info
    ]


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


MATCHES = ("matches", "groups", "replays")
TOURNAMENTS = ("tournaments", "webhooks")

ACCEPTED_HERE = [*ACCEPTED, "403", "412", "422"]
"""JSON Schema cannot say which seats and events a match has, which matches a cursor and a key have been seen with, and
who may make which move."""

STORED: dict[str, Any] = {
    **CONFIG,
    "checks": {
        "negative_data_rejection": {"expected-statuses": REJECTED},
        "positive_data_acceptance": {"expected-statuses": ACCEPTED_HERE},
    },
    "operations": [
        {
            # Most of these bodies are options and moves, which the first positions and the moves of each game have been
            # tried with.
            "include-operation-id": name,
            "phases": {"coverage": {"enabled": False}},
        }
        for name in ("createMatch", "createGroup", "createTournament")
    ]
    + [
        {
            # 428: only a ruling that is tried needs no If-Match.
            "include-operation-id": "makeRuling",
            "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED_HERE, "428"]}},
            "phases": {"coverage": {"enabled": False}},
        },
    ],
}


def _stored(fuzzed: Fuzzed, tags: Iterable[str]) -> Any:
    """The contract of what is stored, with examples that exist: something that is over, and others to change."""
    document = _only(*tags)
    for methods in document["paths"].values():
        for operation in methods.values():
            _exemplify(operation, fuzzed.usual, fuzzed.tried.get(operation["operationId"], [Tried()]))
    config = {**STORED, "auth": {"openapi": {"bearer": {"bearer": OPERATOR_KEY}}}, "base-url": fuzzed.url}
    return schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(config))


def _exemplify(operation: Plain, usual: Mapping[str, Any], tried: Sequence[Tried]) -> None:
    """Examples of parameters and of the body that belong together, in the place of those of the contract."""
    for parameter in operation.get("parameters", ()):
        parameter.pop("example", None)
        given = [{**usual, **each.given}.get(parameter["name"]) for each in tried]
        if None not in given:
            parameter["examples"] = _numbered(given)
    bodies = [each.body for each in tried if each.body is not None]
    if bodies:
        media = operation["requestBody"]["content"][JSON]
        media.pop("example", None)
        media["examples"] = _numbered(bodies)


def _numbered(examples: Sequence[Any]) -> Plain:
    """Examples by name, the last one first: it is the one that schemathesis comes to last."""
    return {str(number): {"value": examples[number]} for number in reversed(range(len(examples)))}


def _answered(schema: Any) -> set[tuple[str, int]]:
    """Each operation that was asked, and each status that it answered."""
    answered = set()
    for recorder in _scenarios(schema):
        for key, interaction in recorder.interactions.items():
            assert interaction.response is not None
            name = recorder.cases[key].value.operation.definition.raw["operationId"]
            answered.add((name, interaction.response.status_code))
    return answered


def _promised(tags: Iterable[str]) -> set[tuple[str, int]]:
    """Each operation, and each status that it has for what is done."""
    return {
        (operation.name, status) for operation in operations() if operation.tag in tags for status in operation.good
    }


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Fuzzed]:
    """A service of its own, and replay files to send to it."""
    with fuzzed_matches(tmp_path) as service:
        schemathesis.openapi.media_type(JSON_LINES, strategies.sampled_from(service.replays))
        yield service


@pytest.fixture
def tournaments(tmp_path: Path) -> Iterator[Fuzzed]:
    """A service of its own, with tournaments and webhooks."""
    with fuzzed_tournaments(tmp_path) as service:
        yield service


def test_stored_matches(matches: Fuzzed) -> None:
    """Every operation of stored matches, replays and keys comes to a good answer in the course, and to each kind of
    refusal; whoever has no key is refused where one is needed."""
    answered = _answered(_stored(matches, MATCHES))
    nothing_left = ("readFeed", 204)  # said to streams only
    assert _promised(MATCHES) - {nothing_left} - answered == set()
    assert {401, 404, 405, 409, 415, 422} - {status for _, status in answered} == set()
    referees = {
        ("makeRuling", 409),
        ("makeRuling", 412),
        ("makeRuling", 422),
        ("makeRuling", 428),
        ("claimExpiry", 409),
    }
    assert referees - answered == set()


def test_tournaments_and_webhooks(tournaments: Fuzzed) -> None:
    """The same of tournaments and webhooks; and what has been done once is refused the second time."""
    answered = _answered(_stored(tournaments, TOURNAMENTS))
    assert _promised(TOURNAMENTS) - answered == set()
    assert {400, 401, 404, 405, 409, 412, 415, 422} - {status for _, status in answered} == set()
    refusing = [each.name for each in operations() if {"tournament-refused", "webhook-disabled"} & set(each.problems)]
    assert len(refusing) == 9
    assert {(name, 409) for name in refusing} - answered == set()
