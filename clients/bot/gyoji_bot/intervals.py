"""What so many games say: how likely a share of wins is by chance, and between what it may lie in truth."""

from collections.abc import Sequence
from math import comb, sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)
"""Of intervals that hold in 95 of 100 runs."""


class Interval(NamedTuple):
    """A figure, and between what it lies with a confidence of 95 %."""

    value: float
    low: float
    high: float


def wilson(wins: int, games: int) -> Interval:
    """Return a share with Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession, and
    statistical inference", JASA 22, 1927), which holds for few games and for shares near 0 and 1 too (Brown, Cai and
    DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16, 2001)."""
    if not games:
        return Interval(0.0, 0.0, 1.0)
    share, square = wins / games, Z * Z / games
    centre = (share + square / 2) / (1 + square)
    reach = Z / (1 + square) * sqrt(share * (1 - share) / games + square / (4 * games))
    return Interval(share, max(0.0, centre - reach), min(1.0, centre + reach))


def mean(figures: Sequence[float]) -> Interval:
    """Return a mean with the interval of the normal distribution, which takes some thirty figures."""
    middle = fmean(figures)
    reach = Z * stdev(figures) / sqrt(len(figures)) if len(figures) > 1 else float("inf")
    return Interval(middle, middle - reach, middle + reach)


def chance_of(wins: int, games: int, share: float) -> float:
    """Return how likely so many wins or more are where each game is won with that chance: the exact binomial test, of
    one side."""
    if not games:
        return 1.0
    return min(1.0, sum(comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(wins, games + 1)))
