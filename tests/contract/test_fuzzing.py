"""schemathesis with all its checks, over WSGI: what the contract says and what the service does are the same."""

from collections import Counter
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis.config import SchemathesisConfig

from answers import contract
from gyoji.web.app import create_app

REJECTED = ["400", "404", "405", "406", "409", "411", "413", "415", "422"]
"""411 and 413 are not in schemathesis's own list: a body that is missing or too long has no shape to speak of."""

ACCEPTED = ["2xx", "404", "409"]
"""404: a rule id is a string that the catalogue may not have. 409: the referee's no to a body of the right shape."""

CONFIG = SchemathesisConfig.from_dict(
    {
        "generation": {"deterministic": True, "database": "none"},
        "phases": {
            # Bodies out of other answers would depend on which tests ran before; the links do that job, in one test.
            "coverage": {"extra-data-sources": {"responses": False}},
            "fuzzing": {"extra-data-sources": {"responses": False}},
            "stateful": {"inference": {"algorithms": []}},
        },
        "checks": {
            "negative_data_rejection": {"expected-statuses": REJECTED},
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
        },
        "operations": [
            {
                # JSON Schema cannot say that an option contradicts another one or the number of seats, nor that a seat
                # number has to be one of the state's: those are 422 although the schema is satisfied.
                "include-path-regex": "/(states|views)$",
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "422"]}},
            },
            {
                # The same, and two of the four calls that take a state and little else: one enumeration of all that
                # can be wrong with a state (views, adjudications) is enough for the time it takes.
                "include-path-regex": "/legal-moves$",
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "422"]}},
                "phases": {"coverage": {"enabled": False}},
            },
            {"include-path-regex": "/scores$", "phases": {"coverage": {"enabled": False}}},
        ],
    }
)

QUIET: dict[str, Any] = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}


def _whole_bodies(document: dict[str, Any]) -> dict[str, Any]:
    """The contract, with its links marked: schemathesis takes a link's body for a part of one, and merges it into a
    random body, unless told that it is the whole."""
    for path in document["paths"].values():
        for operation in path.values():
            for link in operation["responses"]["200"].get("links", {}).values():
                link["x-schemathesis"] = {"merge_body": False}
    return document


SCHEMA = schemathesis.openapi.from_dict(_whole_bodies(contract()), config=CONFIG)
SCHEMA.app = create_app()


@SCHEMA.parametrize()
@settings(max_examples=10, **QUIET)
def test_operation(case: schemathesis.Case[Any]) -> None:
    """Bodies and parameters of the right shape and of wrong ones, methods that do not exist, headers."""
    case.call_and_validate()


def test_links() -> None:
    """Games played along the links of the contract; every call that a link names has answered 200 in the course."""
    followed: Counter[tuple[str, int]] = Counter()

    machine: Any = SCHEMA.as_state_machine()

    def step(self: Any, input: Any) -> Any:  # noqa: A002 - schemathesis's name
        output = machine.step(self, input)
        if input.transition is not None and input.is_applied:
            followed[(input.case.operation.path, output.response.status_code)] += 1
        return output

    playing = type("Playing", (machine,), {"step": step})
    run_state_machine_as_test(
        playing, settings=settings(max_examples=30, stateful_step_count=15, phases=[Phase.generate], **QUIET)
    )
    answered = {path: count for (path, status), count in followed.items() if status == 200}
    assert sum(answered.values()) >= 80
    assert {path.rsplit("/", 1)[1] for path in answered} == {"adjudications", "legal-moves", "scores", "views"}
