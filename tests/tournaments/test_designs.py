"""Rotations: every pair meets equally often, counted for every one that is offered."""

from collections import Counter
from itertools import combinations

import pytest

from gyoji.tournaments.designs import FIRST_ROUNDS, MOST, Design, designs

KNOWN = [
    (entrants, design) for size in range(2, 7) for entrants in range(1, MOST + 1) for design in designs(entrants, size)
]
"""Whatever a tournament may be offered, for every size of table that a game has."""


def meetings(design: Design) -> Counter[tuple[int, ...]]:
    """How often every pair meets."""
    return Counter([pair for tables in design.rounds for table in tables for pair in combinations(sorted(table), 2)])


def rests(entrants: int, design: Design) -> Counter[int]:
    """How often each one is at no table."""
    return Counter(
        [one for tables in design.rounds for one in {*range(entrants)} - {one for table in tables for one in table}]
    )


@pytest.mark.parametrize(("entrants", "design"), KNOWN, ids=[f"{n}-{d.size}-{len(d.rounds)}" for n, d in KNOWN])
def test_every_pair_meets_equally_often_and_all_rest_equally_often(entrants: int, design: Design) -> None:
    met, rested = meetings(design), rests(entrants, design)
    assert set(met) == set(combinations(range(entrants), 2))
    assert len(set(met.values())) == 1
    assert set(rested) in (set(), set(range(entrants)))
    assert len(set(rested.values())) <= 1
    for tables in design.rounds:
        seated = [one for table in tables for one in table]
        assert len(seated) == len(set(seated))
        assert {len(table) for table in tables} == {design.size}


@pytest.mark.parametrize(
    ("entrants", "size", "rounds", "times"),
    [
        (4, 4, 1, 1),
        (8, 2, 7, 1),
        (9, 2, 9, 1),
        (9, 3, 4, 1),
        (16, 4, 5, 1),
        (25, 5, 6, 1),
        (15, 3, 7, 1),
        (6, 3, 10, 4),
        (5, 4, 5, 3),
        (8, 4, 7, 3),
        (12, 4, 11, 3),
        (13, 3, 13, 2),
        (12, 6, 11, 5),
    ],
)
def test_the_known_rotations_are_there(entrants: int, size: int, rounds: int, times: int) -> None:
    found = {len(design.rounds): set(meetings(design).values()) for design in designs(entrants, size)}
    assert found[rounds] == {times}


def test_every_first_round_that_is_kept_is_offered() -> None:
    assert all(designs(*key) for key in FIRST_ROUNDS)


@pytest.mark.parametrize(("entrants", "size"), [(3, 4), (7, 4), (10, 4), (8, 3), (1, 2), (0, 3)])
def test_where_none_is_known_none_is_offered(entrants: int, size: int) -> None:
    assert designs(entrants, size) == ()
