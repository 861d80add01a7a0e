"""Counts what a pairing has to heed of the rounds so far: who met whom, who sat where, who sat out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from gyoji.games.game import Seat
from gyoji.tournaments.tournament import EntrantId, Table, Tournament


def tables_of(tournament: Tournament) -> list[Table]:
    """List every table of every round, a void match's among them: those at such a table have met."""
    return [table for found in tournament.rounds for table in found.tables]


def count_meetings(tables: Iterable[Table]) -> Counter[frozenset[EntrantId]]:
    """Count how often every two have met at these tables."""
    return Counter([frozenset(pair) for table in tables for pair in combinations(table.entrants, 2)])


def count_seatings(tables: Iterable[Table]) -> Counter[tuple[EntrantId, Seat]]:
    """Count how often each entrant has had each seat."""
    return Counter([(entrant, seat) for table in tables for seat, entrant in enumerate(table.seats)])


def count_byes(tournament: Tournament) -> Counter[EntrantId]:
    """Count how often each entrant has sat out."""
    return Counter([entrant for found in tournament.rounds for entrant in found.byes])


def choose_byes(
    order: Sequence[EntrantId], before: Counter[EntrantId], byes: int
) -> tuple[list[EntrantId], list[EntrantId]]:
    """Return who has to sit out, and those out of whom the others are chosen. Nobody sits out two times more than
    somebody else."""
    for times in sorted({before[entrant] for entrant in order}):
        fewer = [entrant for entrant in order if before[entrant] < times]
        level = [entrant for entrant in order if before[entrant] == times]
        if len(fewer) + len(level) >= byes:
            return fewer, level
    return list(order), []


def assign_seats(entrants: Sequence[EntrantId], before: Counter[tuple[EntrantId, Seat]]) -> tuple[EntrantId, ...]:
    """Seat the entrants of a table: who has been at seat 0 least often has it (it mostly begins), and the other
    seats go to those who have had them least."""
    return min(
        permutations(entrants),
        key=lambda seats: (
            before[seats[0], 0],
            sum([before[entrant, seat] for seat, entrant in enumerate(seats)]),
        ),
    )
