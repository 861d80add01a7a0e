"""The figures that games are told by, against published ones."""

import pytest

from gyoji_bot.comparison import Game, compare
from gyoji_bot.intervals import chance_of, mean, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_wilsons_interval(wins: int, games: int, low: float, high: float) -> None:
    """81 of 263: R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method
    3."""
    found = wilson(wins, games)
    assert found.value == wins / games
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_of_no_games_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 0.0, 1.0)
    assert chance_of(0, 0, 0.5) == 1.0


def test_the_exact_binomial_test() -> None:
    """Of ten even games nine or ten: 11 of 1,024. Of three games with one chance in three none: all there is."""
    assert chance_of(9, 10, 0.5) == pytest.approx(11 / 1024)
    assert chance_of(0, 3, 1 / 3) == pytest.approx(1.0)
    assert chance_of(3, 3, 1 / 3) == pytest.approx(1 / 27)


def test_a_mean_with_its_interval() -> None:
    """Of 2, 4, 4, 4, 5, 5, 7, 9: standard deviation (of a sample) 2.138, its error 0.756."""
    found = mean([2, 4, 4, 4, 5, 5, 7, 9])
    assert found == pytest.approx((5.0, 5.0 - 1.4815, 5.0 + 1.4815), abs=1e-3)
    assert mean([3.0]).high == float("inf")


def test_a_win_is_a_win_alone() -> None:
    games = [Game(0, (9, 3, 6), (0,)), Game(1, (9, 9, 0), (0, 1)), Game(2, (9, 3, 6), (0,))]
    found = compare(games)
    assert (found.games, found.wins, found.decided, found.even) == (3, 1, 3, 1 / 3)
    assert found.margin.value == pytest.approx((4.5 + 4.5 + 0.0) / 3)


def test_a_team_that_scores_the_same_without_the_player_says_nothing() -> None:
    games = [Game(0, (20,) * 3, (0, 1, 2), 14), Game(1, (14,) * 3, (0, 1, 2), 14), Game(2, (9,) * 3, (0, 1, 2), 14)]
    found = compare(games)
    assert (found.games, found.wins, found.decided, found.even) == (3, 1, 2, 0.5)
    assert found.margin.value == pytest.approx(1 / 3)
    assert found.chance == pytest.approx(0.75)
