"""Pairs by the Swiss system: as few repeated meetings as possible, then tables of entrants who stand close together.

Tables and byes are the columns of an exact cover (``exact_cover``). Where the field is small, all tables that could be
made are among them, so no pairing has fewer repeated meetings. In a larger field each entrant is only put together with
those next to it in the standings; the neighbourhood is widened while somebody would have to meet somebody again.

A meeting counts as often as the two have met before, so a third one is worse than a second. Distance is counted in
score groups: entrants with equal points are of one group, however far the next one is away.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import comb
from typing import NamedTuple

from gyoji.tournaments.exact_cover import Cap, CoverProblem, Search


class SwissField(NamedTuple):
    """The entrants to be paired: by place in the standings, from 0, those who are equal in an order drawn by lot."""

    groups: tuple[int, ...]
    """By place: the number of the score group, from 0."""
    met: tuple[tuple[int, ...], ...]
    """By two places: how often they have met."""
    sizes: tuple[int, ...]
    """Of the tables that are to be made."""
    resting: tuple[int, ...]
    """The places out of which those are chosen who sit out; the others play."""

    @property
    def byes(self) -> int:
        """The number of those who sit out."""
        return len(self.groups) - sum(self.sizes)


class Column(NamedTuple):
    """A table that could be made, or a bye of a single one."""

    places: tuple[int, ...]
    repeats: int
    distance: int


SMALL = 3000
"""Up to so many possible tables all of them are looked at."""
BUDGET = 3700
"""About so many tables are looked at first in a larger field: seven neighbours of each of 64 at tables of four."""
WIDER = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3)
"""By how much the neighbourhood grows; one in which it is impossible is mostly known to be so at once."""
EXACT = Search(0.0, 1000)
GOOD = Search(0.5, 1, improvements=2)
"""In a larger field tables nearly as close as possible are found within two seconds; the closest may take twenty."""

PART = 48
"""A field of more than twice as many is paired in parts that are about as large: the time grows with their number, and
not with what could be chosen among all of them."""


def pair_swiss(field: SwissField) -> list[tuple[int, ...]]:
    """Make the tables and byes (one place alone), by place."""
    if len(field.groups) > 2 * PART:
        return _pair_in_parts(field)
    if sum([comb(len(field.groups), size) for size in set(field.sizes)]) <= SMALL:
        every = len(field.groups)
        return _without_repeats(field, every, EXACT) or _with_fewest(field, every, EXACT)
    near = count_neighbours(field)
    for wider in WIDER:
        found = _without_repeats(field, int(near * wider), GOOD)
        if found:
            return found
    return _with_fewest(field, near, GOOD)


def _pair_in_parts(field: SwissField) -> list[tuple[int, ...]]:
    """Pair a large field in parts: the last ones rest, the others are divided from the top down into about equal
    parts."""
    rest = _last_resting(field)
    playing = iter([place for place in range(len(field.groups)) if place not in rest])
    parts, tables = -(-len(field.groups) // PART), len(field.sizes)
    found: list[tuple[int, ...]] = [(place,) for place in rest]
    for part in range(parts):
        sizes = field.sizes[part * tables // parts : (part + 1) * tables // parts]
        places = list(islice(playing, sum(sizes)))
        found += [tuple([places[place] for place in table]) for table in pair_swiss(_part(field, places, sizes))]
    return found


def _part(field: SwissField, places: Sequence[int], sizes: tuple[int, ...]) -> SwissField:
    """Return the field of those places alone, all of whom play."""
    met = tuple([tuple([field.met[one][other] for other in places]) for one in places])
    return SwissField(tuple([field.groups[place] for place in places]), met, sizes, ())


def _last_resting(field: SwissField) -> tuple[int, ...]:
    """Return those who rest if the last ones do."""
    return field.resting[len(field.resting) - field.byes :]


def count_neighbours(field: SwissField) -> int:
    """Count how many of those after it an entrant is put together with at first."""
    size, least = max(field.sizes), max(field.sizes) + field.byes
    near = least
    while len(field.groups) * comb(near + 1, size - 1) <= BUDGET:
        near += 1
    return near


def _without_repeats(field: SwissField, near: int, search: Search) -> list[tuple[int, ...]] | None:
    """Find the closest tables at which nobody meets anybody again, if there are any."""
    columns = [*_tables(field, near, fresh=True), *_byes(field)]
    found = _choose(_problem(field, columns), [column.distance for column in columns], search)
    return None if found is None else [columns[place].places for place in found]


def _with_fewest(field: SwissField, near: int, search: Search) -> list[tuple[int, ...]]:
    """Find the tables with the fewest repeated meetings, and among those the closest."""
    columns = [*dict.fromkeys([*_tables(field, near, fresh=False), *_tables(field, near, fresh=True), *_byes(field)])]
    problem = _problem(field, columns)
    numbers = {column.places: number for number, column in enumerate(columns)}
    start = [numbers[places] for places in pair_in_order(field)]
    repeats = [column.repeats for column in columns]
    fewest = _choose(problem, repeats, search, start=start) or start
    cap = Cap(repeats, sum([repeats[number] for number in fewest]))
    closest = _choose(problem, [column.distance for column in columns], search, cap, fewest) or fewest
    return [columns[number].places for number in closest]


def _choose(
    problem: CoverProblem, costs: Sequence[int], search: Search, cap: Cap | None = None, start: Sequence[int] = ()
) -> list[int] | None:
    """Choose columns by HiGHS, which is imported when the first pairing needs it: most who start never pair."""
    from gyoji.tournaments.cover_solver import choose_columns

    return choose_columns(problem, costs, search, cap, start)


def pair_in_order(field: SwissField) -> list[tuple[int, ...]]:
    """Make a pairing that is always possible: the last ones rest, the others sit down from the top."""
    resting = _last_resting(field)
    playing = iter([place for place in range(len(field.groups)) if place not in resting])
    return [*[tuple(islice(playing, size)) for size in field.sizes], *[(place,) for place in resting]]


def _problem(field: SwissField, columns: Sequence[Column]) -> CoverProblem:
    """State the cover: everybody is at one table or rests, and of every size there are as many tables as needed."""
    everybody = len(field.groups)
    needed = sorted(Counter([*field.sizes, *[1] * field.byes]).items())
    row = {size: everybody + number for number, (size, _) in enumerate(needed)}
    covers = [(*column.places, row[len(column.places)]) for column in columns]
    return CoverProblem(covers, [1] * everybody + [count for _, count in needed])


def _tables(field: SwissField, near: int, fresh: bool) -> Iterator[Column]:
    """Make every table of an entrant and those close after it; ``fresh``: at which nobody has met anybody."""
    everybody = range(len(field.groups))
    for first in everybody:
        after = [place for place in everybody[first + 1 :] if not (fresh and field.met[first][place])][:near]
        for size in sorted(set(field.sizes)):
            for others in combinations(after, size - 1):
                repeats = sum([field.met[one][other] for one, other in combinations(others, 2)])
                if fresh and repeats:
                    continue
                repeats += sum([field.met[first][other] for other in others])
                yield Column((first, *others), repeats, _distance(field, (first, *others)))


def _distance(field: SwissField, places: tuple[int, ...]) -> int:
    """Add up the squares of the score groups between every two."""
    groups = [field.groups[place] for place in places]
    return sum([(one - other) ** 2 for one, other in combinations(groups, 2)])


def _byes(field: SwissField) -> Iterator[Column]:
    """Make a column of each who could rest; the lower in the standings the better, which weighs as much as tables
    do."""
    if not field.byes:
        return
    groups = [field.groups[place] for place in field.resting]
    for place in field.resting:
        yield Column((place,), 0, max(field.sizes) * (max(groups) - field.groups[place]) ** 2)
