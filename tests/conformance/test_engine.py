"""The conformance cases against the engine in this process."""

import pytest

from gyoji.app.conformance import Case, cases, failures, this_engine
from gyoji.games.catalogue import BY_SLUG

ENGINE = this_engine()


@pytest.mark.parametrize("case", [case for slug in BY_SLUG for case in cases(slug)], ids=lambda case: case["case"])
def test_the_engine_rules_as_the_case_expects(case: Case) -> None:
    assert failures(case, ENGINE) == []
