"""schemathesis on all that is stored, with many times the requests that each run of the tests has time for."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from copy import deepcopy
from pathlib import Path

import pytest

from bodies import Plain
from contract.fuzzing import (
    MATCHES,
    STORED,
    TOURNAMENTS,
    UNDER_IF_MATCH,
    UNSAID_BY_SCHEMAS,
    answers_of,
    promised,
    stored,
)
from contract.services import Fuzzed, fuzzed_matches, fuzzed_tournaments

EXAMPLES = 60


def _thorough() -> Plain:
    """Every body looked through for all that can be wrong with it, the large ones too."""
    config = {**deepcopy(STORED), "operations": [UNDER_IF_MATCH, *UNSAID_BY_SCHEMAS]}
    for phase in ("fuzzing", "stateful"):
        config["phases"][phase]["generation"]["max-examples"] = EXAMPLES
    return config


@pytest.mark.parametrize(("opened", "tags"), [(fuzzed_matches, MATCHES), (fuzzed_tournaments, TOURNAMENTS)])
def test_nothing_breaks_the_service(
    opened: Callable[[Path], AbstractContextManager[Fuzzed]], tags: Iterable[str], tmp_path: Path
) -> None:
    with opened(tmp_path) as service:
        answered = answers_of(stored(service, tags, _thorough()))
    assert promised(tags) - {("readFeed", 204), ("followMatch", 204)} - answered == set()
    assert {400, 401, 404, 405, 409, 412, 415, 422} - {status for _, status in answered} == set()
