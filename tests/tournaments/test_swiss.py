"""Swiss pairing against every pairing there is, for fields small enough to try them all."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from gyoji.tournaments.pairings import choose_sizes
from gyoji.tournaments.swiss import PART, SwissField, count_neighbours, pair_in_order, pair_swiss

Cost = tuple[int, int]


def every_pairing(places: tuple[int, ...], sizes: tuple[int, ...], resting: int) -> Iterator[list[tuple[int, ...]]]:
    """Every way to part the places into tables of these sizes and so many who rest."""
    if not places:
        yield []
        return
    first, others = places[0], places[1:]
    if resting:
        for rest in every_pairing(others, sizes, resting - 1):
            yield [(first,), *rest]
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for more in combinations(others, size - 1):
            remaining = tuple([place for place in others if place not in more])
            for rest in every_pairing(remaining, tuple(left), resting):
                yield [(first, *more), *rest]


def cost(field: SwissField, tables: list[tuple[int, ...]]) -> Cost:
    """Repeated meetings, then the distance of score groups; who rests at the end of the standings costs nothing."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    repeats = sum([field.met[one][other] for one, other in pairs])
    apart = sum([(field.groups[one] - field.groups[other]) ** 2 for one, other in pairs])
    lowest = max([field.groups[place] for place in field.resting], default=0)
    rests = sum([(lowest - field.groups[table[0]]) ** 2 for table in tables if len(table) == 1])
    return repeats, apart + max(field.sizes) * rests


def field_of(chance: Random, order: list[int], sizes: tuple[int, ...], met: Counter[frozenset[int]]) -> SwissField:
    """The field in that order, in score groups of chance."""
    groups = sorted([chance.randint(0, 3) for _ in order])
    dense = sorted(set(groups))
    between = tuple([tuple([met[frozenset((one, other))] for other in order]) for one in order])
    return SwissField(tuple([dense.index(group) for group in groups]), between, sizes, tuple(range(len(order))))


@pytest.mark.parametrize(
    ("entrants", "allowed", "rounds"),
    [
        (6, (2,), 7),
        (8, (2,), 5),
        (7, (2,), 8),
        (6, (3,), 6),
        (9, (3,), 6),
        (7, (3,), 6),
        (8, (4,), 5),
        (7, (4, 3), 6),
        (9, (4, 3), 4),
    ],
)
def test_no_pairing_has_fewer_repeated_meetings_or_is_closer(
    entrants: int, allowed: tuple[int, ...], rounds: int
) -> None:
    chance, met = Random(entrants), Counter[frozenset[int]]()
    sizes = choose_sizes(entrants, allowed) or ()
    for _ in range(rounds):
        order = chance.sample(range(entrants), entrants)
        field = field_of(chance, order, sizes, met)
        tables = pair_swiss(field)
        assert sorted([len(table) for table in tables if len(table) > 1]) == sorted(sizes)
        everything = [cost(field, other) for other in every_pairing(tuple(range(entrants)), sizes, field.byes)]
        assert cost(field, tables) == min(everything)
        pairs = [pair for table in tables for pair in combinations(table, 2)]
        met.update([frozenset((order[one], order[other])) for one, other in pairs])


def unmet(entrants: int, sizes: tuple[int, ...]) -> SwissField:
    """A field in which nobody has met anybody, all with different points."""
    nobody = tuple([(0,) * entrants] * entrants)
    return SwissField(tuple(range(entrants)), nobody, sizes, tuple(range(entrants)))


def test_the_closest_tables_are_those_next_to_each_other_and_the_last_rests() -> None:
    assert sorted(pair_swiss(unmet(9, (4, 4)))) == [(0, 1, 2, 3), (4, 5, 6, 7), (8,)]


def test_only_those_may_rest_who_are_allowed_to() -> None:
    field = unmet(7, (3, 3))._replace(resting=(1, 2))
    assert (2,) in pair_swiss(field)


def test_a_third_meeting_is_worse_than_a_second() -> None:
    """Everybody has met everybody once, 0 and 1 twice, and so 2 and 3: they are kept apart."""
    once = [[0 if one == other else 1 for other in range(4)] for one in range(4)]
    for one, other in ((0, 1), (2, 3)):
        once[one][other] = once[other][one] = 2
    field = SwissField((0, 0, 1, 1), tuple([tuple(row) for row in once]), (2, 2), ())
    assert sorted(pair_swiss(field)) in ([(0, 2), (1, 3)], [(0, 3), (1, 2)])


def test_a_large_field_meets_nobody_again_where_that_can_be() -> None:
    """After one round from the top, the second has none who met, though not all tables are looked at."""
    field = unmet(30, (3,) * 10)
    met = [[int(one != other and one // 3 == other // 3) for other in range(30)] for one in range(30)]
    tables = pair_swiss(field._replace(met=tuple([tuple(row) for row in met])))
    assert count_neighbours(field) < 29
    assert sorted([place for table in tables for place in table]) == [*range(30)]
    assert all(one // 3 != other // 3 for table in tables for one, other in combinations(table, 2))


def test_a_large_field_that_has_met_itself_is_paired_all_the_same() -> None:
    everybody = tuple([tuple([int(one != other) for other in range(30)]) for one in range(30)])
    field = unmet(30, (3,) * 10)._replace(met=everybody)
    tables = pair_swiss(field)
    assert sorted([place for table in tables for place in table]) == [*range(30)]
    assert cost(field, tables)[0] == 10 * 3
    assert sorted(pair_in_order(field))[:2] == [(0, 1, 2), (3, 4, 5)]


@pytest.mark.parametrize(("entrants", "sizes"), [(110, (3,) * 30 + (4,) * 5), (101, (2,) * 50)])
def test_a_very_large_field_is_paired_part_by_part(entrants: int, sizes: tuple[int, ...]) -> None:
    """Nobody meets again who met at the tables from the top down, nobody sits far from the own place, the last rest."""
    met = [[0] * entrants for _ in range(entrants)]
    for table in pair_in_order(unmet(entrants, sizes)):
        for one, other in combinations(table, 2):
            met[one][other] = met[other][one] = 1
    field = unmet(entrants, sizes)._replace(met=tuple([tuple(row) for row in met]))
    tables = pair_swiss(field)
    assert sorted([place for table in tables for place in table]) == [*range(entrants)]
    assert Counter([len(table) for table in tables]) == Counter([*sizes, *[1] * field.byes])
    assert {table for table in tables if len(table) == 1} == {(place,) for place in range(entrants)[sum(sizes) :]}
    assert cost(field, tables)[0] == 0
    assert max([table[-1] - table[0] for table in map(sorted, tables)]) < PART
