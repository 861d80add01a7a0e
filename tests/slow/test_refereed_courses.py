"""Thousands of matches with rulings and claims wherever they come."""

import pytest

from replay.refereed_courses import course, must_hold
from replay.tampering import file_of, judged


@pytest.mark.parametrize("part", range(20))
def test_courses_fold_and_audit(part: int) -> None:
    for number in range(1_000 + part * 100, 1_100 + part * 100):
        match = course(number)
        must_hold(match)
        verdict = judged(file_of(match.entries))
        expected = "verified_with_rulings" if match.current.course.rulings else "verified"
        assert (number, verdict.verdict, verdict.first_divergence) == (number, expected, None)
