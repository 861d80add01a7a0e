"""Matches with rulings and claims wherever they come: what is recorded folds, and audits."""

import pytest

from replay.refereed_courses import course, must_hold
from replay.tampering import file_of, judged


@pytest.mark.parametrize("number", range(8))
def test_a_course_folds_and_audits(number: int) -> None:
    match = course(number)
    must_hold(match)
    verdict = judged(file_of(match.entries))
    assert verdict.verdict == ("verified_with_rulings" if match.current.course.rulings else "verified")
    assert verdict.first_divergence is None
    assert len(verdict.rulings) == match.current.course.rulings
