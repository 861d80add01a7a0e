"""Pairs by rotation: after all its rounds every pair of entrants has met equally often.

There are only such rotations as are known to be exact (``designs``); where none fits the field and the rounds, the
pairing is refused with what would be possible. When somebody withdraws or is not there, those left of a table that is
too small rest.
"""

from gyoji.tournaments.chance import draw_order
from gyoji.tournaments.decisions import RefusedDecision
from gyoji.tournaments.designs import MOST, Design, designs
from gyoji.tournaments.rules import TournamentRules
from gyoji.tournaments.tournament import EntrantId, Tournament

Grouped = tuple[list[tuple[EntrantId, ...]], list[EntrantId]]


def pair_rotation(tournament: Tournament, lots: str) -> Grouped | RefusedDecision:
    """Make the tables of the next round, and say who rests. ``lots`` is the seed of the round to come."""
    field = _field(tournament, lots)
    if isinstance(field, RefusedDecision):
        return field
    design = find_design(tournament.rules, len(field))
    if isinstance(design, RefusedDecision):
        return design
    tables = design.rounds[len(tournament.rounds) % len(design.rounds)]
    return _without_the_missing(tournament, [tuple([field[place] for place in table]) for table in tables])


def _field(tournament: Tournament, lots: str) -> tuple[EntrantId, ...] | RefusedDecision:
    """Return those who rotate, in the order that the lot gave them in the first round: all who took part then. Who had
    not come yet has a place among them, and plays when they come."""
    active = [entrant.id for entrant in tournament.active]
    if not tournament.rounds:
        return draw_order(lots, "rotation", active)
    first = tournament.rounds[0]
    seated = {entrant for table in first.tables for entrant in (*table.seats, *table.removed)}
    began = seated | {*first.byes, *first.absent}
    by_rotation = all(found.pairing == "rotation" for found in tournament.rounds)
    if not by_rotation or not began.issuperset(active):
        return RefusedDecision("rotation-broken")
    return draw_order(first.seed, "rotation", [one.id for one in tournament.entrants if one.id in began])


def find_design(rules: TournamentRules, entrants: int) -> Design | RefusedDecision:
    """Find the rotation for so many entrants that comes out even after the rounds of the tournament."""
    known = [design for size in rules.seats for design in designs(entrants, size)]
    for design in known:
        if rules.rounds % len(design.rounds) == 0:
            return design
    possible = [{"seats": design.size, "rounds": len(design.rounds)} for design in known]
    fields = [field for field in range(2, MOST + 1) if _fits(rules, field)]
    return RefusedDecision(
        "no-rotation", {"entrants": entrants, "rounds": rules.rounds, "possible": possible, "fields": fields}
    )


def _fits(rules: TournamentRules, entrants: int) -> bool:
    found = [design for size in rules.seats for design in designs(entrants, size)]
    return any(rules.rounds % len(design.rounds) == 0 for design in found)


def _without_the_missing(tournament: Tournament, tables: list[tuple[EntrantId, ...]]) -> Grouped | RefusedDecision:
    present = [entrant.id for entrant in tournament.present]
    left = [tuple([entrant for entrant in table if entrant in present]) for table in tables]
    playing = [table for table in left if len(table) in tournament.rules.seats]
    if not playing:
        return RefusedDecision("rotation-broken")
    seated = {entrant for table in playing for entrant in table}
    return playing, [entrant for entrant in present if entrant not in seated]
