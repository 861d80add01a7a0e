"""A million deals: every card is as likely at every place, whoever's contribution it is that varies.

The p-value of a fair shuffle is anything between 0 and 1, evenly: two of a thousand fair shuffles lie outside of 0.001
to 0.999. Deals are those of fixed secrets, so the same numbers come out each time.
"""

from math import exp, lgamma, log, sqrt
from statistics import NormalDist

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import shuffled
from gyoji.games.game import Card
from slow.dealing import counted, seeds

DEALS = 1_000_000


# How likely a chi-square is


def survival(chi_square: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is at least that: Q(k/2, x/2), the regularised upper
    incomplete gamma function."""
    return upper_gamma(freedom / 2, chi_square / 2)


def upper_gamma(a: float, x: float) -> float:
    """Q(a, x) for positive a and x: below a + 1 by the series of P, above by the continued fraction of Q (Abramowitz
    and Stegun 6.5.29 and 6.5.31, the latter by Lentz's method)."""
    scale = exp(a * log(x) - x - lgamma(a))
    return 1 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    n = 0
    while term > total * 1e-16:
        n += 1
        term *= x / (a + n)
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1e300, 1 / b
    found = d
    n, step = 0, 0.0
    while abs(step - 1) > 1e-15:
        n += 1
        b += 2
        d = 1 / (b - n * (n - a) * d)
        c = b - n * (n - a) / c
        step = c * d
        found *= step
    return found


TABLE = [
    (1, 0.05, 3.841),
    (1, 0.001, 10.828),
    (2, 0.05, 5.991),
    (5, 0.99, 0.554),
    (10, 0.95, 3.940),
    (10, 0.05, 18.307),
    (30, 0.05, 43.773),
    (30, 0.99, 14.953),
    (100, 0.05, 124.342),
    (100, 0.001, 149.449),
    (100, 0.99, 70.065),
]
"""Degrees of freedom, chance, and the value that is reached with it, from the printed tables."""


@pytest.mark.parametrize(("freedom", "chance", "value"), TABLE)
def test_the_survival_function_is_that_of_the_tables(freedom: int, chance: float, value: float) -> None:
    """They are printed to three places."""
    below, above = survival(value + 0.0005, freedom), survival(value - 0.0005, freedom)
    assert below <= chance <= above


@pytest.mark.parametrize("value", [0.01, 1.0, 3.9, 4.1, 50.0])
def test_of_two_degrees_of_freedom_it_is_exponential(value: float) -> None:
    assert survival(value, 2) == pytest.approx(exp(-value / 2), rel=1e-12)


@pytest.mark.parametrize("freedom", [144, 676, 1600, 3481])
@pytest.mark.parametrize("chance", [0.999, 0.9, 0.5, 0.1, 0.001])
def test_of_many_degrees_of_freedom_it_is_nearly_normal(freedom: int, chance: float) -> None:
    """By the cube root of Wilson and Hilferty."""
    bend = 2 / (9 * freedom)
    value = freedom * (1 - bend + sqrt(bend) * NormalDist().inv_cdf(1 - chance)) ** 3
    assert survival(value, freedom) == pytest.approx(chance, rel=0.01)


# A million deals


def pile_of(slug: str, label: str) -> int:
    """How many cards are in a game's shuffle of that label, as its first deal makes it."""
    found: list[int] = []

    def chance(called: str, _k: int, pile: tuple[Card, ...]) -> tuple[Card, ...]:
        if called == label:
            found.append(len(pile))
        return tuple(pile)

    game = BY_SLUG[slug]
    game.start(game.min_seats, game.read_options({}), 0, None, chance)  # type: ignore[arg-type]
    return found[0]


SHUFFLES = [
    ("towai", "deck", 0, 60, "secret"),
    ("towai", "deck", 0, 60, "entropy"),
    ("tomorrow-never-meows", "deck", 0, 36, "share"),
    ("catte", "cats", 0, 41, "secret"),
    ("catte", "coffee", 1, 13, "entropy"),
    ("familiars-trouble", "attributes", 0, 27, "share"),
    ("familiars-trouble", "errands-1", 1, 9, "secret"),
]


@pytest.mark.parametrize(("game", "label", "k", "size", "varied"), SHUFFLES)
def test_every_card_is_as_likely_at_every_place(game: str, label: str, k: int, size: int, varied: str) -> None:
    """Every deal puts each card at one place and one card at each place: of the size² counts (size - 1)² are free, and
    their squared distances from the mean, weighed by (size - 1) / deals, add up to a chi-square of so many degrees."""
    assert pile_of(game, label) == size
    counts = counted(DEALS, game, label, k, size, varied)
    assert sum(counts) == DEALS * size
    mean = DEALS / size
    chi_square = (size - 1) / DEALS * sum((count - mean) ** 2 for count in counts)
    assert 0.001 <= survival(chi_square, (size - 1) ** 2) <= 0.999


def test_a_shuffle_that_favours_a_card_is_noticed() -> None:
    """One deal in two hundred has its top card put back: the same statistic says so."""
    size, counts = 13, [0] * 169
    for number, seed in enumerate(seeds("secret", "catte", 0, 200_000)):
        order = [*shuffled(seed, "coffee", 1, [*map(str, range(size))])]
        if number % 200 == 0:
            order.insert(0, order.pop(order.index("0")))
        for place, card in enumerate(order):
            counts[int(card) * size + place] += 1
    chi_square = (size - 1) / 200_000 * sum((count - 200_000 / size) ** 2 for count in counts)
    assert survival(chi_square, (size - 1) ** 2) < 0.001
