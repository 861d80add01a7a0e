"""Computes the standings after the matches so far, and every figure with the items that add up to it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from gyoji.tournaments.match_points import Results, bye_points, table_points
from gyoji.tournaments.rules import TieBreak
from gyoji.tournaments.tie_breaks import (
    FIGURES,
    Breakdowns,
    FigureItem,
    Figures,
    Groups,
    Totals,
    all_tables,
    empty_breakdowns,
    item_of,
)
from gyoji.tournaments.tournament import Entrant, EntrantId, Tournament


class StandingsRow(NamedTuple):
    """The row of one entrant in the standings."""

    place: int
    """From 1; who nothing separates shares it, and the places after it stay empty."""
    entrant: Entrant
    points: Fraction
    figures: tuple[tuple[TieBreak, Fraction | None], ...]
    """The tie-breaks in their order; ``None``: one says nothing about this entrant."""
    lines: tuple[FigureItem, ...]
    """Those of each figure add up to it."""


def compute_standings(tournament: Tournament, results: Results) -> tuple[StandingsRow, ...]:
    """Compute the rows of all entrants, best ones first; those who share a place in the order in which they entered."""
    lines = points_breakdowns(tournament, results)
    points = {entrant: total(found) for entrant, found in lines.items()}
    groups: Groups = split_groups([list(points)], points)
    figures: dict[TieBreak, Figures] = {}
    for name in tournament.rules.tie_breaks:
        figures[name] = FIGURES[name](tournament, results, points, groups)
        groups = split_groups(groups, split_key(name, figures[name]))
    by_id = {entrant.id: entrant for entrant in tournament.entrants}
    return tuple(
        [
            StandingsRow(
                place,
                by_id[entrant],
                points[entrant],
                tuple([(name, _figure(found, entrant)) for name, found in figures.items()]),
                (*lines[entrant], *[line for found in figures.values() for line in found[entrant] or ()]),
            )
            for place, entrant in _with_places(groups)
        ]
    )


def points_breakdowns(tournament: Tournament, results: Results) -> Breakdowns:
    """Return every reason for points: matches, byes and absences by round, then corrections."""
    lines = empty_breakdowns(tournament)
    for found, table in all_tables(tournament):
        for entrant, parts in table_points(tournament.rules, table, results).items():
            lines[entrant] += [item_of("points", found, table, part.what, part.amount, **part.facts) for part in parts]
        for entrant in table.removed:
            lines[entrant].append(item_of("points", found, table, "removed", Fraction(0)))
    for found in tournament.rounds:
        for entrant in found.byes:
            part = bye_points(tournament.rules, found, results)
            lines[entrant].append(FigureItem("points", part.what, part.amount, found.number, facts=part.facts))
        for entrant in found.absent:
            lines[entrant].append(FigureItem("points", "absent", Fraction(0), found.number))
    for found_lines in lines.values():
        found_lines.sort(key=lambda line: line.round or 0)
    for correction in tournament.corrections:
        facts = {"reason": correction.reason}
        lines[correction.entrant].append(FigureItem("points", "correction", correction.points, facts=facts))
    return lines


def total(lines: list[FigureItem]) -> Fraction:
    """Add up items."""
    return sum([line.amount for line in lines], Fraction(0))


def split_groups(groups: Groups, figures: Totals) -> Groups:
    """Split each group of entrants by a figure, the highest one first."""
    return [
        list(equal)
        for group in groups
        for _, equal in groupby(sorted(group, key=lambda entrant: -figures[entrant]), lambda entrant: figures[entrant])
    ]


def split_key(name: TieBreak, figures: Figures) -> Totals:
    """Return what to split groups of entrants by: the figure, or for the lot its opposite. A group without figures
    stays whole."""
    sign = -1 if name == "lot" else 1
    return {entrant: sign * (_figure(figures, entrant) or Fraction(0)) for entrant in figures}


def _figure(figures: Figures, entrant: EntrantId) -> Fraction | None:
    lines = figures[entrant]
    return None if lines is None else total(list(lines))


def _with_places(groups: Groups) -> Iterator[tuple[int, EntrantId]]:
    place = 1
    for group in groups:
        for entrant in group:
            yield place, entrant
        place += len(group)
