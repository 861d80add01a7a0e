"""Computes the tie-breaks, which separate entrants with equal points, with the items that each figure adds up."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal, NamedTuple

from gyoji.tournaments.chance import draw_lot
from gyoji.tournaments.match_points import Results, result_of, table_points, table_scores
from gyoji.tournaments.rules import TieBreak
from gyoji.tournaments.tournament import EntrantId, Round, Table, Tournament

Figure = Literal["points", "wins", "score", "opponents", "head_to_head", "lot"]


class FigureItem(NamedTuple):
    """One item of a figure: where it comes from, and how much it is."""

    figure: Figure
    what: str
    amount: Fraction
    round: int | None = None
    table: int | None = None
    match: str | None = None
    facts: Mapping[str, Any] = {}


Breakdowns = dict[EntrantId, list[FigureItem]]
Figures = Mapping[EntrantId, Sequence[FigureItem] | None]
"""``None`` instead of items: the figure says nothing about this entrant."""
Groups = Sequence[Sequence[EntrantId]]
"""The entrants that nothing has separated so far, group by group, best ones first."""
Totals = Mapping[EntrantId, Fraction]


def all_tables(tournament: Tournament) -> list[tuple[Round, Table]]:
    """List every table of every round."""
    return [(found, table) for found in tournament.rounds for table in found.tables]


def item_of(figure: Figure, found: Round, table: Table, what: str, amount: Fraction, **facts: Any) -> FigureItem:
    """Return a figure's item about one table."""
    return FigureItem(figure, what, amount, found.number, table.number, table.match, facts)


def empty_breakdowns(tournament: Tournament) -> Breakdowns:
    """Return an empty list of items for each entrant."""
    return {entrant.id: [] for entrant in tournament.entrants}


def _wins(tournament: Tournament, results: Results, _points: Totals, _groups: Groups) -> Figures:
    """Count how many matches were won; a win that is shared counts as a part of one."""
    lines = empty_breakdowns(tournament)
    for found, table in all_tables(tournament):
        result = result_of(table, results)
        if result is None:
            continue
        sides = 1 if tournament.rules.teams else len(result.winners)
        for seat, entrant in enumerate(table.entrants):
            won = bool(result.winners) if tournament.rules.teams else seat in result.winners
            amount = Fraction(won, sides) if won else Fraction(0)
            lines[entrant].append(item_of("wins", found, table, "win" if won else "loss", amount))
    return lines


def _score(tournament: Tournament, results: Results, _points: Totals, _groups: Groups) -> Figures:
    """Add up the scores of all matches."""
    lines = empty_breakdowns(tournament)
    for found, table in all_tables(tournament):
        if result_of(table, results) is None:
            continue
        for entrant, parts in table_scores(tournament.rules, table, results).items():
            lines[entrant] += [item_of("score", found, table, part.what, part.amount) for part in parts]
    return lines


def _opponents(tournament: Tournament, results: Results, points: Totals, _groups: Groups) -> Figures:
    """Add up the points of those who were met (Buchholz): for every match the average of all others at the table. A bye
    counts as an opponent with as many points as the entrant itself."""
    lines = empty_breakdowns(tournament)
    for found, table in all_tables(tournament):
        if result_of(table, results) is None:
            continue
        for entrant in table.seats:
            others = [other for other in table.seats if other != entrant]
            lines[entrant] += [
                item_of("opponents", found, table, "met", points[other] / len(others), entrant=other)
                for other in others
            ]
    for found in tournament.rounds:
        for entrant in found.byes:
            lines[entrant].append(FigureItem("opponents", "bye", points[entrant], found.number))
    return lines


def _head_to_head(tournament: Tournament, results: Results, _points: Totals, groups: Groups) -> Figures:
    """Count, among those who are still equal, whom each did better than when they met (1), or as well as (½). It says
    nothing unless each of them has met each other one equally often."""
    lines: dict[EntrantId, list[FigureItem] | None] = {}
    duels = _duels(tournament, results)
    for group in groups:
        among = {pair: duels.get(pair, []) for pair in combinations(sorted(group), 2)}
        often = {len(meetings) for meetings in among.values()}
        if len(often) != 1 or 0 in often:
            lines.update(dict.fromkeys(group))
            continue
        items: Breakdowns = {entrant: [] for entrant in group}
        for pair, meetings in among.items():
            for meeting in meetings:
                for entrant, other in (pair, pair[::-1]):
                    items[entrant].append(_duel(meeting, entrant, other))
        lines.update(items)
    return lines


Meeting = tuple[Round, Table, Mapping[EntrantId, Fraction]]


def _duels(tournament: Tournament, results: Results) -> dict[tuple[EntrantId, EntrantId], list[Meeting]]:
    """Return every two that have met, and with what points of the table."""
    duels: dict[tuple[EntrantId, EntrantId], list[Meeting]] = {}
    for found, table in all_tables(tournament):
        if result_of(table, results) is None:
            continue
        brought = {
            entrant: sum([part.amount for part in parts], Fraction(0))
            for entrant, parts in table_points(tournament.rules, table, results).items()
        }
        for first, second in combinations(sorted(table.seats), 2):
            duels.setdefault((first, second), []).append((found, table, brought))
    return duels


def _duel(meeting: Meeting, entrant: EntrantId, other: EntrantId) -> FigureItem:
    found, table, brought = meeting
    if brought[entrant] == brought[other]:
        return item_of("head_to_head", found, table, "equal", Fraction(1, 2), entrant=other)
    better = brought[entrant] > brought[other]
    return item_of("head_to_head", found, table, "better" if better else "worse", Fraction(better), entrant=other)


def _lots(tournament: Tournament, _results: Results, _points: Totals, _groups: Groups) -> Figures:
    """Return the number of each entrant's lot, the lowest being the best; drawn with the first round."""
    if not tournament.rounds:
        return dict.fromkeys(empty_breakdowns(tournament))
    seed = tournament.rounds[0].seed
    order = sorted(empty_breakdowns(tournament), key=lambda entrant: draw_lot(seed, entrant))
    return {entrant: [FigureItem("lot", "lot", Fraction(number))] for number, entrant in enumerate(order, 1)}


FIGURES: Mapping[TieBreak, Callable[[Tournament, Results, Totals, Groups], Figures]] = {
    "wins": _wins,
    "score": _score,
    "opponents": _opponents,
    "head_to_head": _head_to_head,
    "lot": _lots,
}
