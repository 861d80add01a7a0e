"""Designs of exact rotations: every pair meets equally often at the tables of their rounds, all rest equally often.

Three constructions and the plain cases:

* Development: a first round over the residues of a modulus is moved on by 1 from round to round; a further place, which
  stays where it is, stands for ∞. It is exact if every difference of residues comes equally often (whist tournaments,
  near resolvable designs and, for pairs, the circle method are of this kind). ``FIRST_ROUNDS`` were found by search.
* Affine planes: k times k entrants, k + 1 rounds, every pair once; the tables are the lines of one direction.
* Kirkman's fifteen schoolgirls: two sets of residues modulo 7 and ∞, developed together; seven rounds, every pair once.

Tests count the meetings of all of them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

Tables = tuple[tuple[int, ...], ...]


class Design(NamedTuple):
    """A rotation of entrants that are numbered from 0. Who is at no table of a round rests."""

    size: int
    """Of all tables."""
    rounds: tuple[Tables, ...]


MOST = 64
"""Rotations for more entrants than this are not looked for."""


@lru_cache(maxsize=256)
def designs(entrants: int, size: int) -> tuple[Design, ...]:
    """Return every rotation known for so many entrants at tables of that size, the shortest first."""
    found = [*_plain(entrants, size), *_affine(entrants, size), *_kirkman(entrants, size), *_developed(entrants, size)]
    return tuple(sorted([Design(size, rounds) for rounds in found], key=lambda design: len(design.rounds)))


def _plain(entrants: int, size: int) -> list[tuple[Tables, ...]]:
    """Return the plain cases: one table for all; one table and one who rests; two tables of three in each of the ten
    ways to make them."""
    everybody = range(entrants)
    if entrants == size:
        return [((tuple(everybody),),)]
    if entrants == size + 1 and size > 2:
        return [tuple([(tuple([place for place in everybody if place != resting]),) for resting in everybody])]
    if (entrants, size) == (6, 3):
        halves = [(0, *two) for two in combinations(range(1, 6), 2)]
        return [tuple([(half, tuple([place for place in everybody if place not in half])) for half in halves])]
    return []


def _affine(entrants: int, size: int) -> list[tuple[Tables, ...]]:
    """Return the affine plane: the point (x, y) is number ``size * x + y``; lines are y = m x + b for each direction m,
    and x = b."""
    times = PRODUCTS.get(size)
    if times is None or entrants != size * size:
        return []
    plus = _plus(size)
    field = range(size)
    sloped = [
        tuple([tuple([size * x + plus(times(m, x), b) for x in field]) for b in field])
        for m in field
    ]  # fmt: skip
    upright = tuple([tuple([size * b + y for y in field]) for b in field])
    return [(*sloped, upright)]


def _plus(size: int) -> Callable[[int, int], int]:
    """Return the sum in the field of that many elements: of 4 it is that of polynomials over two elements."""
    return (lambda one, other: one ^ other) if size == 4 else (lambda one, other: (one + other) % size)


OF_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four elements, where 2 and 3 are the roots of x² + x + 1."""

PRODUCTS: Mapping[int, Callable[[int, int], int]] = {
    3: lambda one, other: one * other % 3,
    4: lambda one, other: OF_FOUR[one][other],
    5: lambda one, other: one * other % 5,
}
"""By the number of elements of a field: its products."""


def _kirkman(entrants: int, size: int) -> list[tuple[Tables, ...]]:
    """Return Kirkman's rotation: places 0 to 6 and 7 to 13 are developed modulo 7, 14 stays."""
    if (entrants, size) != (15, 3):
        return []
    return [tuple([tuple([tuple([_moved(place, by) for place in table]) for table in KIRKMAN]) for by in range(7)])]


def _moved(place: int, by: int) -> int:
    return place if place == 14 else place // 7 * 7 + (place + by) % 7


KIRKMAN = ((14, 0, 7), (1, 2, 4), (3, 8, 12), (5, 11, 13), (6, 9, 10))


def _developed(entrants: int, size: int) -> list[tuple[Tables, ...]]:
    """Develop a first round. Everybody plays: the residues modulo one less, and ∞ as the last place. One rests: the
    residues, first 0."""
    first = _circle(entrants) if size == 2 else FIRST_ROUNDS.get((entrants, size))
    if first is None or entrants <= size:
        return []
    modulus = entrants if entrants % size else entrants - 1
    return [
        tuple(
            [
                tuple(
                    [
                        tuple([place if place == modulus else (place + by) % modulus for place in table])
                        for table in first
                    ]
                )
                for by in range(modulus)
            ]
        )
    ]


def _circle(entrants: int) -> Tables:
    """Return the first round of the circle method: opposite residues meet; 0 meets ∞, or rests."""
    modulus = entrants if entrants % 2 else entrants - 1
    opposite = tuple([(place, modulus - place) for place in range(1, (modulus + 1) // 2)])
    return opposite if entrants % 2 else ((0, modulus), *opposite)


FIRST_ROUNDS: Mapping[tuple[int, int], Tables] = {
    (7, 3): ((5, 3, 6), (2, 1, 4)),
    (9, 3): ((8, 1, 5), (4, 3, 6), (2, 0, 7)),
    (12, 3): ((11, 1, 6), (8, 5, 7), (9, 4, 0), (2, 3, 10)),
    (13, 3): ((2, 10, 8), (9, 6, 7), (11, 5, 1), (3, 4, 12)),
    (15, 3): ((14, 9, 8), (1, 0, 12), (10, 5, 2), (11, 4, 6), (3, 7, 13)),
    (16, 3): ((2, 6, 5), (11, 12, 8), (10, 3, 1), (4, 9, 14), (15, 13, 7)),
    (18, 3): ((17, 14, 4), (2, 16, 7), (3, 1, 5), (10, 11, 0), (9, 15, 6), (8, 13, 12)),
    (19, 3): ((12, 1, 5), (10, 3, 8), (17, 16, 18), (11, 15, 2), (4, 7, 13), (6, 9, 14)),
    (21, 3): ((20, 3, 19), (10, 0, 7), (18, 9, 4), (16, 17, 2), (14, 11, 12), (5, 1, 13), (6, 15, 8)),
    (8, 4): ((7, 4, 2, 1), (0, 5, 3, 6)),
    (12, 4): ((11, 8, 5, 6), (9, 2, 4, 10), (1, 3, 7, 0)),
    (13, 4): ((2, 10, 3, 7), (9, 6, 4, 8), (11, 5, 1, 12)),
    (16, 4): ((15, 9, 11, 0), (1, 10, 8, 13), (5, 4, 14, 12), (2, 3, 7, 6)),
    (17, 4): ((11, 2, 12, 16), (15, 8, 9, 13), (6, 3, 4, 14), (10, 5, 1, 7)),
    (20, 4): ((19, 18, 10, 4), (9, 6, 13, 12), (11, 3, 7, 1), (14, 0, 2, 5), (16, 17, 15, 8)),
    (21, 4): ((11, 1, 3, 5), (19, 10, 6, 20), (17, 7, 2, 14), (15, 18, 12, 13), (4, 8, 16, 9)),
    (24, 4): ((23, 2, 19, 1), (20, 7, 22, 13), (21, 14, 10, 6), (11, 4, 9, 8), (0, 3, 17, 12), (18, 5, 15, 16)),
    (25, 4): ((15, 3, 21, 13), (1, 19, 24, 2), (18, 5, 4, 9), (8, 22, 6, 16), (7, 12, 23, 11), (20, 10, 17, 14)),
    (11, 5): ((8, 2, 6, 10, 7), (9, 4, 5, 3, 1)),
    (16, 5): ((2, 12, 9, 1, 14), (11, 6, 5, 15, 13), (10, 3, 4, 8, 7)),
    (12, 6): ((11, 1, 3, 4, 5, 9), (0, 2, 6, 7, 8, 10)),
    (13, 6): ((1, 3, 4, 9, 10, 12), (2, 5, 6, 7, 8, 11)),
}
"""(entrants, size of the tables) -> the first round."""
