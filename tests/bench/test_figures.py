"""Ratios, goals and verdicts of a row, and how they are written down."""

import json

import pytest

from benchmarks.figures import Goal, Row, as_limit, markdown, number, read_row, spread, times_as_fast

RATE = Goal("G1", floor=15, aim=30)
COST = Goal("G5", floor=2.0, aim=1.3, at_most=True)


def row(ours: tuple[float, ...], theirs: tuple[float, ...], goal: Goal = RATE) -> Row:
    """Ours by theirs."""
    return Row("moves/s", ours, "a peer", theirs, times_as_fast(ours, theirs), goal)


@pytest.mark.parametrize(
    ("ours", "goal", "verdict"),
    [
        (300.0, RATE, "aim met"),
        (299.0, RATE, "below the aim"),
        (150.0, RATE, "below the aim"),
        (149.0, RATE, "MISSED"),
        (13.0, COST, "aim met"),
        (14.0, COST, "below the aim"),
        (20.0, COST, "below the aim"),
        (20.1, COST, "MISSED"),
        (1.0, Goal(), ""),
    ],
)
def test_a_ratio_is_held_against_its_goal(ours: float, goal: Goal, verdict: str) -> None:
    assert row((ours,), (10.0,), goal).verdict == verdict


def test_the_ratio_is_the_median_of_the_repeats_own() -> None:
    assert row((10.0, 40.0, 90.0), (10.0, 20.0, 30.0)).ratio == 2.0


def test_repeats_without_a_counterpart_do_not_count() -> None:
    assert times_as_fast((10.0, 20.0), (5.0,)) == (2.0,)


def test_without_a_peer_there_is_no_verdict() -> None:
    alone = row((10.0,), ())
    assert (alone.ratio, alone.verdict, alone.missed) == (None, "", False)
    assert "a peer: not installed" in alone.cells()


def test_a_goal_for_our_own_figures_needs_no_peer() -> None:
    own = Row("µs", (59.0, 70.0, 71.0), "itself", goal=Goal(floor=60, at_most=True), absolute=True)
    assert own.verdict == "MISSED"


@pytest.mark.parametrize(
    ("value", "text"), [(0.584, "0.58"), (9.994, "9.99"), (12.34, "12.3"), (1234.5, "1,234"), (120_000.0, "120,000")]
)
def test_numbers_have_three_digits_that_count(value: float, text: str) -> None:
    assert number(value) == text


def test_a_spread_is_the_median_between_least_and_most() -> None:
    assert spread((3.0, 1.0, 2.0)) == "2.00 (1.00–3.00)"
    assert spread((3.0,)) == "3.00"
    assert spread(()) == "-"


def test_what_was_written_down_is_read_again() -> None:
    one = row((10.0, 20.0), (1.0, 2.0), COST)
    assert read_row(json.loads(json.dumps(one.plain()))) == one


def test_a_limit_is_held_against_nothing_and_turns_the_same_way() -> None:
    limit = as_limit("G5", row((30.0,), (10.0,), COST))
    assert (limit.verdict, limit.missed, limit.goal.at_most, limit.cells()[0]) == ("", False, True, "limit of G5")
    assert read_row(json.loads(json.dumps(limit.plain()))) == limit


def test_a_row_of_an_earlier_release_is_no_limit() -> None:
    plain = row((10.0,), (1.0,)).plain()
    del plain["limit_of"]
    assert read_row(plain).limit_of == ""


def test_a_table_has_its_goal_and_both_bounds() -> None:
    heading, _rule, line = markdown([row((300.0,), (10.0,))]).splitlines()
    assert [cell.strip() for cell in heading.strip("|").split("|")][:4] == ["goal", "measure", "gyoji", "peer"]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["G1", "moves/s", "300", "a peer: 10.0", "30.0", "≥ 15", "≥ 30", "aim met"]
