"""What separates entrants with equal points. Every figure comes with the lines that add up to it."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal, NamedTuple

from gyoji.tournaments.chance import lot
from gyoji.tournaments.rules import TieBreak
from gyoji.tournaments.scoring import Results, over, scored, worth
from gyoji.tournaments.tournament import EntrantId, Round, Table, Tournament

Figure = Literal["points", "wins", "score", "opponents", "head_to_head", "lot"]


class Line(NamedTuple):
    """One reason for a figure: where it comes from, and how much it is."""

    figure: Figure
    what: str
    amount: Fraction
    round: int | None = None
    table: int | None = None
    match: str | None = None
    facts: Mapping[str, Any] = {}


Lines = dict[EntrantId, list[Line]]
Figures = Mapping[EntrantId, Sequence[Line] | None]
"""``None`` instead of lines: the figure says nothing about this entrant."""
Groups = Sequence[Sequence[EntrantId]]
"""The entrants that nothing has separated so far, group by group, best ones first."""
Totals = Mapping[EntrantId, Fraction]


def played(tournament: Tournament) -> list[tuple[Round, Table]]:
    """Every table of every round."""
    return [(found, table) for found in tournament.rounds for table in found.tables]


def line_of(figure: Figure, found: Round, table: Table, what: str, amount: Fraction, **facts: Any) -> Line:
    """A line about one table."""
    return Line(figure, what, amount, found.number, table.number, table.match, facts)


def no_lines(tournament: Tournament) -> Lines:
    """Nothing is known of anybody yet."""
    return {entrant.id: [] for entrant in tournament.entrants}


def _wins(tournament: Tournament, results: Results, _points: Totals, _groups: Groups) -> Figures:
    """How many matches were won; a win that is shared counts as a part of one."""
    lines = no_lines(tournament)
    for found, table in played(tournament):
        result = over(table, results)
        if result is None:
            continue
        sides = 1 if tournament.rules.teams else len(result.winners)
        for seat, entrant in enumerate(table.entrants):
            won = bool(result.winners) if tournament.rules.teams else seat in result.winners
            amount = Fraction(won, sides) if won else Fraction(0)
            lines[entrant].append(line_of("wins", found, table, "win" if won else "loss", amount))
    return lines


def _score(tournament: Tournament, results: Results, _points: Totals, _groups: Groups) -> Figures:
    """The scores of all matches, added up."""
    lines = no_lines(tournament)
    for found, table in played(tournament):
        if over(table, results) is None:
            continue
        for entrant, parts in scored(tournament.rules, table, results).items():
            lines[entrant] += [line_of("score", found, table, part.what, part.amount) for part in parts]
    return lines


def _opponents(tournament: Tournament, results: Results, points: Totals, _groups: Groups) -> Figures:
    """The points of those who were met (Buchholz): for every match the average of all others at the table. A bye counts
    as an opponent with as many points as the entrant itself."""
    lines = no_lines(tournament)
    for found, table in played(tournament):
        if over(table, results) is None:
            continue
        for entrant in table.seats:
            others = [other for other in table.seats if other != entrant]
            lines[entrant] += [
                line_of("opponents", found, table, "met", points[other] / len(others), entrant=other)
                for other in others
            ]
    for found in tournament.rounds:
        for entrant in found.byes:
            lines[entrant].append(Line("opponents", "bye", points[entrant], found.number))
    return lines


def _head_to_head(tournament: Tournament, results: Results, _points: Totals, groups: Groups) -> Figures:
    """Among those who are still equal: whom each of them did better than when they met (1), or as well as (½). It says
    nothing unless each of them has met each other one equally often."""
    lines: dict[EntrantId, list[Line] | None] = {}
    duels = _duels(tournament, results)
    for group in groups:
        among = {pair: duels.get(pair, []) for pair in combinations(sorted(group), 2)}
        often = {len(meetings) for meetings in among.values()}
        if len(often) != 1 or 0 in often:
            lines.update(dict.fromkeys(group))
            continue
        told: Lines = {entrant: [] for entrant in group}
        for pair, meetings in among.items():
            for meeting in meetings:
                for entrant, other in (pair, pair[::-1]):
                    told[entrant].append(_duel(meeting, entrant, other))
        lines.update(told)
    return lines


Meeting = tuple[Round, Table, Mapping[EntrantId, Fraction]]


def _duels(tournament: Tournament, results: Results) -> dict[tuple[EntrantId, EntrantId], list[Meeting]]:
    """Every two that have met, and with what points of the table."""
    duels: dict[tuple[EntrantId, EntrantId], list[Meeting]] = {}
    for found, table in played(tournament):
        if over(table, results) is None:
            continue
        brought = {
            entrant: sum([part.amount for part in parts], Fraction(0))
            for entrant, parts in worth(tournament.rules, table, results).items()
        }
        for first, second in combinations(sorted(table.seats), 2):
            duels.setdefault((first, second), []).append((found, table, brought))
    return duels


def _duel(meeting: Meeting, entrant: EntrantId, other: EntrantId) -> Line:
    found, table, brought = meeting
    if brought[entrant] == brought[other]:
        return line_of("head_to_head", found, table, "equal", Fraction(1, 2), entrant=other)
    better = brought[entrant] > brought[other]
    return line_of("head_to_head", found, table, "better" if better else "worse", Fraction(better), entrant=other)


def _lot(tournament: Tournament, _results: Results, _points: Totals, _groups: Groups) -> Figures:
    """The number of the entrant's lot, the lowest being the best; drawn with the first round."""
    if not tournament.rounds:
        return dict.fromkeys(no_lines(tournament))
    seed = tournament.rounds[0].seed
    order = sorted(no_lines(tournament), key=lambda entrant: lot(seed, entrant))
    return {entrant: [Line("lot", "lot", Fraction(number))] for number, entrant in enumerate(order, 1)}


FIGURES: Mapping[TieBreak, Callable[[Tournament, Results, Totals, Groups], Figures]] = {
    "wins": _wins,
    "score": _score,
    "opponents": _opponents,
    "head_to_head": _head_to_head,
    "lot": _lot,
}
