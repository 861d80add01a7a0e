"""Pairs the next round of a tournament: by lot, by standings, by rotation, or as the director says.

Tables are as many and as large as the rules prefer; of those that a director has made by hand, every reason is found
why they cannot be played.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from gyoji.tournaments.chance import derive_round_seed, draw_order
from gyoji.tournaments.decisions import ProposedRound, RefusedDecision, running_tables
from gyoji.tournaments.history import assign_seats, choose_byes, count_byes, count_meetings, count_seatings, tables_of
from gyoji.tournaments.match_points import Results
from gyoji.tournaments.rotation import find_design, pair_rotation
from gyoji.tournaments.rules import Pairing, TournamentRules
from gyoji.tournaments.standings import points_breakdowns, total
from gyoji.tournaments.swiss import SwissField
from gyoji.tournaments.swiss import pair_swiss as closest
from gyoji.tournaments.tournament import EntrantId, Table, Tournament

Tables = list[tuple[EntrantId, ...]]


def propose_round(
    tournament: Tournament, results: Results, seed: bytes, pairing: Pairing | None = None, early: bool = False
) -> ProposedRound | RefusedDecision:
    """Propose the next round, paired as the rules say or in another way (``pairing``). The same input gives the same
    tables.

    ``seed`` is that of the tournament. ``early``: while matches of earlier rounds are still played; they count as
    nothing until they are over.
    """
    pairing = pairing or tournament.rules.pairing
    refusal = refuse_pairing(tournament, results, early)
    if refusal:
        return refusal
    if pairing == "hand":
        return RefusedDecision("tables-needed")
    lots = derive_round_seed(seed, len(tournament.rounds) + 1)
    found = _group(tournament, results, lots, pairing)
    if isinstance(found, RefusedDecision):
        return found
    tables, byes = found
    return ProposedRound(pairing, lots, _assign_tables(tournament, tables, lots), tuple(byes), tournament.absent)


def propose_by_hand(
    tournament: Tournament,
    results: Results,
    tables: Sequence[Sequence[EntrantId]],
    byes: Sequence[EntrantId],
    seed: bytes,
    early: bool = False,
) -> ProposedRound | RefusedDecision:
    """Propose the next round as the director says: seat i of a table is its entrant i. All faults are found at once."""
    refusal = refuse_pairing(tournament, results, early) or check_tables(tournament, tables, byes)
    if refusal:
        return refusal
    seats = [_team(tournament, table[0]) if tournament.rules.teams else tuple(table) for table in tables]
    numbered = tuple([Table(number, table) for number, table in enumerate(seats, 1)])
    lots = derive_round_seed(seed, len(tournament.rounds) + 1)
    return ProposedRound("hand", lots, numbered, tuple(byes), tournament.absent)


def refuse_pairing(tournament: Tournament, results: Results, early: bool) -> RefusedDecision | None:
    """Return why there is no next round now, whoever would play whom; ``None`` if there can be one."""
    if tournament.closed:
        return RefusedDecision("tournament-closed")
    if len(tournament.rounds) >= tournament.rules.rounds:
        return RefusedDecision("all-rounds-paired", {"rounds": tournament.rules.rounds})
    least = 1 if tournament.rules.teams else min(tournament.rules.seats)
    if len(tournament.active) < least:
        return RefusedDecision("too-few-entrants", {"entrants": len(tournament.active), "least": least})
    if len(tournament.present) < least:
        return RefusedDecision("too-few-present", {"entrants": len(tournament.present), "least": least})
    running = [] if early else running_tables(tournament.rounds, results)
    return RefusedDecision("matches-running", {"tables": running}) if running else None


def _group(
    tournament: Tournament, results: Results, lots: str, pairing: Pairing
) -> tuple[Tables, list[EntrantId]] | RefusedDecision:
    """Choose who plays together and who rests; the tables are in the order of their numbers."""
    if tournament.rules.teams:
        alone: Tables = [(entrant.id,) for entrant in tournament.present]
        return alone, []
    if pairing == "rotation":
        return pair_rotation(tournament, lots)
    if pairing == "draw":
        return _draw_tables(tournament, lots)
    return _pair_by_standings(tournament, results, lots)


def _draw_tables(tournament: Tournament, lots: str) -> tuple[Tables, list[EntrantId]]:
    """Make tables by nothing but the lot; nor does anything else decide who rests among those who have rested least."""
    order = draw_order(lots, "draw", [entrant.id for entrant in tournament.present])
    sizes = choose_sizes(len(order), tournament.rules.seats) or ()
    byes = len(order) - sum(sizes)
    forced, level = choose_byes(order, count_byes(tournament), byes)
    resting = [*forced, *level[len(level) - (byes - len(forced)) :]]
    playing = iter([entrant for entrant in order if entrant not in resting])
    return [tuple(islice(playing, size)) for size in sizes], resting


def _pair_by_standings(tournament: Tournament, results: Results, lots: str) -> tuple[Tables, list[EntrantId]]:
    """Make tables by standings, the best at the first one; by lot before anybody has met anybody."""
    if not tournament.rounds:
        return _draw_tables(tournament, lots)
    order, points = _rank(tournament, results, lots)
    sizes = choose_sizes(len(order), tournament.rules.seats) or ()
    forced, level = choose_byes(order, count_byes(tournament), len(order) - sum(sizes))
    playing = [entrant for entrant in order if entrant not in forced]
    met = count_meetings(tables_of(tournament))
    groups = sorted({points[entrant] for entrant in playing}, reverse=True)
    field = SwissField(
        tuple([groups.index(points[entrant]) for entrant in playing]),
        tuple([tuple([met[frozenset((one, other))] for other in playing]) for one in playing]),
        sizes,
        tuple([place for place, entrant in enumerate(playing) if entrant in level]),
    )
    found = sorted(closest(field))
    tables = [tuple([playing[place] for place in places]) for places in found if len(places) > 1]
    return tables, [*forced, *[playing[places[0]] for places in found if len(places) == 1]]


def _rank(tournament: Tournament, results: Results, lots: str) -> tuple[list[EntrantId], dict[EntrantId, Fraction]]:
    """Rank everybody by points, who has equally many in an order drawn by lot; return the points too."""
    points = {entrant: total(lines) for entrant, lines in points_breakdowns(tournament, results).items()}
    order = draw_order(lots, "swiss", [entrant.id for entrant in tournament.present])
    return sorted(order, key=lambda entrant: -points[entrant]), points


def _assign_tables(tournament: Tournament, tables: Tables, lots: str) -> tuple[Table, ...]:
    """Number the tables and assign their seats: turns are taken at every seat, and the lot decides what that leaves
    open."""
    if tournament.rules.teams:
        return tuple([Table(number, _team(tournament, name)) for number, (name,) in enumerate(tables, 1)])
    before = count_seatings(tables_of(tournament))
    return tuple(
        [
            Table(number, assign_seats(draw_order(lots, f"seats/{number}", sorted(table)), before))
            for number, table in enumerate(tables, 1)
        ]
    )


def _team(tournament: Tournament, name: EntrantId) -> tuple[EntrantId, ...]:
    """Seat a team at each of its seats."""
    entrant = tournament.entrant(name)
    return (name,) * (len(entrant.members) if entrant else 0)


def choose_sizes(entrants: int, allowed: Sequence[int]) -> tuple[int, ...] | None:
    """Choose the sizes of the tables, as many as possible of the first that is allowed, and so on; ``None`` if there is
    none.

    Who is left over has a bye.
    """
    for seated in range(entrants, min(allowed) - 1, -1):
        found = _fill(seated, tuple(allowed))
        if found is not None:
            return found
    return None


def _fill(seated: int, allowed: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return tables that seat exactly so many."""
    if not seated:
        return ()
    if not allowed:
        return None
    size = allowed[0]
    for tables in range(seated // size, -1, -1):
        rest = _fill(seated - tables * size, allowed[1:])
        if rest is not None:
            return (size,) * tables + rest
    return None


class RoundPlan(NamedTuple):
    """The tables of a round by their sizes, and how many rest: what a round is like before anybody has entered."""

    sizes: tuple[int, ...]
    byes: int


def plan_round(rules: TournamentRules, entrants: int) -> RoundPlan | RefusedDecision:
    """Plan the rounds of so many entrants, as ``propose_round`` makes them when all of them play."""
    if rules.teams:
        return RoundPlan(rules.seats[:1] * entrants, 0)
    if rules.pairing == "rotation":
        design = find_design(rules, entrants)
        if isinstance(design, RefusedDecision):
            return design
        tables = design.rounds[0]
        return RoundPlan((design.size,) * len(tables), entrants - design.size * len(tables))
    sizes = choose_sizes(entrants, rules.seats)
    if sizes is None:
        return RefusedDecision("too-few-entrants", {"entrants": entrants, "least": min(rules.seats)})
    return RoundPlan(sizes, entrants - sum(sizes))


Fault = Mapping[str, Any]
Given = Sequence[Sequence[EntrantId]]


def check_tables(tournament: Tournament, tables: Given, byes: Sequence[EntrantId]) -> RefusedDecision | None:
    """Check that everybody who plays on and is here is at exactly one table, or rests, and nobody else; and that tables
    are of the sizes allowed."""
    found = [*_of_sizes(tournament, tables), *_of_names(tournament, tables, byes), *_of_count(tournament, tables, byes)]
    return RefusedDecision("impossible-tables", {"faults": found}) if found else None


def _of_sizes(tournament: Tournament, tables: Given) -> Iterator[Fault]:
    if not tables:
        yield {"code": "no-tables"}
    for number, table in enumerate(tables, 1):
        if tournament.rules.teams and len(set(table)) != 1:
            yield {"code": "one-team-a-table", "table": number}
        elif not tournament.rules.teams and len(table) not in tournament.rules.seats:
            yield {"code": "wrong-size", "table": number, "entrants": len(table), "seats": tournament.rules.seats}


def _of_names(tournament: Tournament, tables: Given, byes: Sequence[EntrantId]) -> Iterator[Fault]:
    """Find names that are not those of active entrants who are here; ``table`` is 0 for a bye."""
    active, absent = {entrant.id for entrant in tournament.active}, tournament.absent
    for number, names in enumerate((byes, *tables)):
        for name in dict.fromkeys(names):
            if tournament.entrant(name) is None:
                yield {"code": "unknown", "entrant": name, "table": number}
            elif name not in active:
                yield {"code": "withdrawn", "entrant": name, "table": number}
            elif name in absent:
                yield {"code": "absent", "entrant": name, "table": number}


def _of_count(tournament: Tournament, tables: Given, byes: Sequence[EntrantId]) -> Iterator[Fault]:
    """Find who is at two tables, or at none. A team may be named at each of its seats."""
    places = [dict.fromkeys(table) if tournament.rules.teams else table for table in tables]
    times = Counter([name for names in (byes, *places) for name in names])
    yield from [{"code": "twice", "entrant": name, "times": count} for name, count in times.items() if count > 1]
    yield from [{"code": "missing", "entrant": one.id} for one in tournament.present if not times[one.id]]
