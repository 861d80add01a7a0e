"""Prepares the contract for schemathesis, by parts and with examples, and reads the answers that came."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import schemathesis
from flask import Flask
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished

from answers import contract, resolved
from bodies import Plain
from contract.services import Fuzzed, Tried
from gyoji.api.contract import operations
from gyoji.api.match_fields import Notes
from gyoji.api.media import EVENT_STREAM, JSON
from operators import OPERATOR_KEY

REJECTED = ["400", "401", "404", "405", "406", "409", "411", "412", "413", "415", "422"]
"""411 and 413 are not in schemathesis's own list: a body that is missing or too long has no shape to speak of."""

ACCEPTED = ["2xx", "304", "404", "409"]
"""304: the caller says that it has it. 404: a rule id is a string that the catalogue may not have. 409: the referee's
no to a body of the right shape."""

CONFIG: dict[str, Any] = {
    "headers": {"Accept-Encoding": "identity"},  # within this process nothing is unpacked
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
            # Nor what a name may not hold, nor that options contradict each other.
            "include-path-regex": "/questions$",
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


def of_game(tag: str, app: Flask) -> Any:
    """Return the contract of one game, or of the catalogue and the like, as schemathesis takes it."""
    document = _only(tag)
    for methods in document["paths"].values():
        for operation in methods.values():
            _link_positions(document, operation)
    schema = schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(CONFIG))
    schema.app = app
    return schema


def _only(*tags: str) -> Plain:
    """Return the contract of the operations that bear one of these tags."""
    document = deepcopy(contract())
    for component in document["components"]["schemas"].values():
        if "metadata" in component.get("properties", {}):  # what it may hold the contract says in words
            component["properties"]["metadata"] = Notes().json_schema()
    document["paths"] = {
        path: methods
        for path, methods in document["paths"].items()
        if any(operation["tags"][0] in tags for operation in methods.values())
    }
    for methods in document["paths"].values():
        for operation in methods.values():
            _describe_messages(operation)
    return document


STATE = {"state": "$response.body#/state"}
FROM_POSITION: Mapping[str, Plain] = {
    "adjudications": {**STATE, "move": "$response.body#/legal_moves/0"},
    "legal-moves": STATE,
    "scores": STATE,
    "views": {**STATE, "seat": 0},
}
"""What a position is sent on with, by the last part of the URL. No link of the contract says it: generators refuse
links with bodies."""


def _link_positions(document: Plain, operation: Plain) -> None:
    """Link the answers that hold a state to the calls that take one."""
    if not operation["operationId"].startswith(("start", "adjudicate")):
        return
    for path, methods in document["paths"].items():
        body = FROM_POSITION.get(path.rsplit("/", 1)[1])
        if body is not None:
            name = methods["post"]["operationId"]
            # its body is all of the request; schemathesis would merge it into a random one
            link = {"operationId": name, "requestBody": body, "x-schemathesis": {"merge_body": False}}
            operation["responses"]["200"].setdefault("links", {})[name] = link


def _describe_messages(operation: Plain) -> None:
    """Say of a stream what its messages are: the contract says what is in their ``data``, as generators of clients take
    it."""
    media = operation["responses"].get("200", {}).get("content", {}).get(EVENT_STREAM)
    if media is not None and "$ref" in media["schema"]:
        data = {"type": "string", "contentMediaType": JSON, "contentSchema": media["schema"]}
        media["schema"] = {"type": "object", "properties": {"data": data}}


def scenarios(schema: Any) -> Iterator[Any]:
    """Read what schemathesis did, scenario by scenario; none of it may have failed."""
    for event in from_schema(schema).execute():
        assert not isinstance(event, NonFatalError | FatalError), event
        if isinstance(event, ScenarioFinished):
            said = [failure for key in event.recorder.checks for failure in _failures(event.recorder, key)]
            assert not said, said
            yield event.recorder


def _failures(recorder: Any, key: str) -> list[str]:
    """List what is wrong with an answer, and the answer itself."""
    asked = recorder.cases[key].value
    request = f"{asked.method} {asked.formatted_path} {asked.body!r:.500}"
    return [
        f"{check.name}: {check.failure_info.failure.message} ({request})"
        for check in recorder.checks[key]
        if check.failure_info
    ]


MATCHES = ("matches", "groups", "replays")
TOURNAMENTS = ("tournaments", "webhooks")

ACCEPTED_HERE = [*ACCEPTED, "403", "412", "422"]
"""JSON Schema cannot say which seats and events a match has, which matches a cursor and a key have been seen with, and
who may make which move."""

LARGE = ("createMatch", "createGroup", "createTournament", "createWebhook")
"""Most of these bodies are options and moves, which the calls of each game have been tried with, or the pattern of an
address: all that can be wrong with them is gone through in the slow suite."""

UNDER_IF_MATCH = {
    # Only a ruling that is tried needs no If-Match.
    "include-operation-id": "makeRuling",
    "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED_HERE, "428"]}},
}
UNSAID_BY_SCHEMAS: list[dict[str, Any]] = [
    # Whoever pairs ahead, or takes a round back, says what was seen, or gives a key; * says nothing.
    *({**UNDER_IF_MATCH, "include-operation-id": name} for name in ("pairRound", "takeBackRound")),
    {
        # Only a seat calls the referee: an operator's key is refused before the body is looked at.
        "include-operation-id": "callReferee",
        "checks": {"negative_data_rejection": {"expected-statuses": [*REJECTED, "403"]}},
    },
    *(
        {
            # No schema says which tokens hold.
            "include-operation-id": name,
            "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED_HERE, "401"]}},
        }
        for name in ("findPlace", "checkIn", "readInvitation", "join")
    ),
]

STORED: dict[str, Any] = {
    **CONFIG,
    "checks": {
        "negative_data_rejection": {"expected-statuses": REJECTED},
        "positive_data_acceptance": {"expected-statuses": ACCEPTED_HERE},
    },
    "operations": [
        *({"include-operation-id": name, "phases": {"coverage": {"enabled": False}}} for name in LARGE),
        {**UNDER_IF_MATCH, "phases": {"coverage": {"enabled": False}}},
        *UNSAID_BY_SCHEMAS,
    ],
}


def stored(fuzzed: Fuzzed, tags: Iterable[str], config: Plain = STORED) -> Any:
    """Return the contract of what is stored, with examples that exist: something that is over, and others to change."""
    document = _only(*tags)
    for methods in document["paths"].values():
        for operation in methods.values():
            _exemplify(operation, fuzzed.usual, fuzzed.tried.get(operation["operationId"], [Tried()]))
    asked_as = {"auth": {"openapi": {"bearer": {"bearer": OPERATOR_KEY}}}, "base-url": fuzzed.url}
    return schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict({**config, **asked_as}))


def _exemplify(operation: Plain, usual: Mapping[str, Any], tried: Sequence[Tried]) -> None:
    """Examples of parameters and of the body that belong together, in the place of those of the contract."""
    operation["parameters"] = [{**resolved(parameter)} for parameter in operation.get("parameters", ())]
    for parameter in operation["parameters"]:
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


def answers_of(schema: Any) -> set[tuple[str, int]]:
    """Each operation that was asked, and each status that it answered."""
    answered = set()
    for recorder in scenarios(schema):
        for key, interaction in recorder.interactions.items():
            assert interaction.response is not None
            name = recorder.cases[key].value.operation.definition.raw["operationId"]
            answered.add((name, interaction.response.status_code))
    return answered


def promised(tags: Iterable[str]) -> set[tuple[str, int]]:
    """Each operation, and each status that it has for what is done."""
    return {
        (operation.name, status) for operation in operations() if operation.tag in tags for status in operation.good
    }


def refused_without_credential(tags: Iterable[str]) -> set[tuple[str, int]]:
    """Each operation that takes a credential, and 401: the check ``ignored_auth`` asks without one and with a wrong
    one, after an answer that is good."""
    return {
        (operation.name, 401) for operation in operations() if operation.tag in tags and operation.callers == "known"
    }
