"""Measures how costs grow: with seats, with the length of a match, with the matches in a store."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import executable

from benchmarks.effort import Effort
from benchmarks.engines import run_driver
from benchmarks.figures import Goal, Row, times_as_fast
from benchmarks.programs import run_for_json
from benchmarks.surroundings import progress
from benchmarks.workplace import memory_folder
from gyoji.games.catalogue import BY_SLUG

COST = Goal(at_most=True)
DRIVERS = {"legal list and adjudication": "playouts", "audit": "audits"}
OF_LENGTH = {
    "append": "a move over the whole service",
    "latest": "reading where the match stands",
    "position": "reading an earlier position, in a process that has not met the match",
    "audit": "audit, for each move",
}
OF_SIZE = {
    "create": "a new match",
    "append": "a move",
    "read": "reading a match",
    "list": "a page of fifty matches",
    "status": "a page of a status that none has",
    "game": "a page of a game that nobody has played",
    "tag": "a page of a tag that none has",
}

Figures = Mapping[int, Sequence[float]]


def with_seats(effort: Effort) -> list[Row]:
    """Measure every game at every number of seats that it takes."""
    rows: list[Row] = []
    for slug, game in BY_SLUG.items():
        if game.min_seats == game.max_seats:
            continue
        for what, driver in DRIVERS.items():
            costs: dict[int, list[float]] = {seats: [] for seats in range(game.min_seats, game.max_seats + 1)}
            for repeat in range(effort.less):
                progress(f"{slug} by seats, {what}, repeat {repeat + 1} of {effort.less}")
                for seats, found in costs.items():
                    command = [executable, "-m", f"benchmarks.{driver}", slug]
                    rate = run_driver(command, effort.seconds / 2, repeat, str(seats))["moves_per_second"]
                    found.append(1e6 / rate)
            rows += _growth(f"{slug}, {{}} seats: {what}, µs a move", "{} seats", costs)
    return rows


def with_length(effort: Effort) -> list[Row]:
    """Measure a match at different times of its life."""
    return _each(effort, OF_LENGTH, effort.lengths, "at ply {}: {}, µs of CPU", "at ply {}", _at_lengths)


def with_size(effort: Effort) -> list[Row]:
    """Measure a store with ever more in it."""
    return _each(effort, OF_SIZE, effort.stocks, "among {} matches: {}, µs of CPU", "among {}", _at_sizes)


Look = Callable[[Sequence[int], int], Mapping[int, Mapping[str, float]]]


def _each(
    effort: Effort, kinds: Mapping[str, str], sizes: Sequence[int], measure: str, peer: str, look: Look
) -> list[Row]:
    """Measure every kind of request at every size."""
    looks = [look(sizes, repeat) for repeat in range(effort.less)]
    return [
        row
        for kind, what in kinds.items()
        for row in _growth(
            measure.format("{}", what), peer, {size: [one[size][kind] for one in looks] for size in sizes}
        )
    ]


def _at_lengths(lengths: Sequence[int], repeat: int) -> Mapping[int, Mapping[str, float]]:
    found: dict[int, Mapping[str, float]] = {}
    for plies in lengths:
        progress(f"a match of {plies:,} plies, repeat {repeat + 1}")
        with memory_folder() as folder:
            found[plies] = run_for_json([executable, "-m", "benchmarks.lengths", str(plies), str(repeat), folder])
    return found


def _at_sizes(sizes: Sequence[int], repeat: int) -> Mapping[int, Mapping[str, float]]:
    progress(f"stores of {', '.join(f'{size:,}' for size in sizes)} matches, repeat {repeat + 1}")
    with memory_folder() as folder:
        found = run_for_json([executable, "-m", "benchmarks.stocks", str(repeat), folder, *map(str, sizes)])
    return {int(size): costs for size, costs in found.items()}


def _growth(measure: str, peer: str, costs: Figures) -> Iterable[Row]:
    """Make a row for each size but the smallest, which the others are compared with."""
    (smallest, base), *others = costs.items()
    for size, found in others:
        ratios = times_as_fast(found, base)
        yield Row(measure.format(f"{size:,}"), tuple(found), peer.format(f"{smallest:,}"), tuple(base), ratios, COST)
