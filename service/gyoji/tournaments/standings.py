"""Standings: who stands where after the matches so far, and every figure with the lines that add up to it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from gyoji.tournaments.rules import TieBreak
from gyoji.tournaments.scoring import Results, bye, worth
from gyoji.tournaments.tie_breaks import FIGURES, Figures, Groups, Line, Lines, Totals, line_of, no_lines, played
from gyoji.tournaments.tournament import Entrant, EntrantId, Tournament


class Row(NamedTuple):
    """One entrant's line of the standings."""

    place: int
    """From 1; who nothing separates shares it, and the places after it stay empty."""
    entrant: Entrant
    points: Fraction
    figures: tuple[tuple[TieBreak, Fraction | None], ...]
    """The tie-breaks in their order; ``None``: it says nothing about this entrant."""
    lines: tuple[Line, ...]
    """Those of each figure add up to it."""


def standings(tournament: Tournament, results: Results) -> tuple[Row, ...]:
    """All entrants, best ones first; those who share a place in the order in which they entered."""
    lines = points_of(tournament, results)
    points = {entrant: total(found) for entrant, found in lines.items()}
    groups: Groups = parted([list(points)], points)
    figures: dict[TieBreak, Figures] = {}
    for name in tournament.rules.tie_breaks:
        figures[name] = FIGURES[name](tournament, results, points, groups)
        groups = parted(groups, ranking(name, figures[name]))
    by_id = {entrant.id: entrant for entrant in tournament.entrants}
    return tuple(
        [
            Row(
                place,
                by_id[entrant],
                points[entrant],
                tuple([(name, _figure(found, entrant)) for name, found in figures.items()]),
                (*lines[entrant], *[line for found in figures.values() for line in found[entrant] or ()]),
            )
            for place, entrant in _placed(groups)
        ]
    )


def points_of(tournament: Tournament, results: Results) -> Lines:
    """Every reason for points: matches and byes by round, then corrections."""
    lines = no_lines(tournament)
    for found, table in played(tournament):
        for entrant, parts in worth(tournament.rules, table, results).items():
            lines[entrant] += [line_of("points", found, table, part.what, part.amount, **part.facts) for part in parts]
    for found in tournament.rounds:
        for entrant in found.byes:
            part = bye(tournament.rules, found, results)
            lines[entrant].append(Line("points", part.what, part.amount, found.number, facts=part.facts))
    for found_lines in lines.values():
        found_lines.sort(key=lambda line: line.round or 0)
    for correction in tournament.corrections:
        facts = {"reason": correction.reason}
        lines[correction.entrant].append(Line("points", "correction", correction.points, facts=facts))
    return lines


def total(lines: list[Line]) -> Fraction:
    """What lines add up to."""
    return sum([line.amount for line in lines], Fraction(0))


def parted(groups: Groups, figures: Totals) -> Groups:
    """The groups, each parted by a figure, the highest one first."""
    return [
        list(equal)
        for group in groups
        for _, equal in groupby(sorted(group, key=lambda entrant: -figures[entrant]), lambda entrant: figures[entrant])
    ]


def ranking(name: TieBreak, figures: Figures) -> Totals:
    """What to part groups by: the figure, of the lot its opposite. A group that it says nothing about stays whole."""
    sign = -1 if name == "lot" else 1
    return {entrant: sign * (_figure(figures, entrant) or Fraction(0)) for entrant in figures}


def _figure(figures: Figures, entrant: EntrantId) -> Fraction | None:
    lines = figures[entrant]
    return None if lines is None else total(list(lines))


def _placed(groups: Groups) -> Iterator[tuple[int, EntrantId]]:
    place = 1
    for group in groups:
        for entrant in group:
            yield place, entrant
        place += len(group)


def order(tournament: Tournament, results: Results) -> Mapping[EntrantId, Row]:
    """The standings by entrant, best ones first."""
    return {row.entrant.id: row for row in standings(tournament, results)}
