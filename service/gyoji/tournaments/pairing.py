"""The tables of the next round, by whichever way the tournament pairs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from gyoji.tournaments import by_hand as hand
from gyoji.tournaments.chance import drawn, round_seed
from gyoji.tournaments.deciding import Paired, running_tables
from gyoji.tournaments.history import byes_of, owed_byes, seated, tables_of, times_met, times_seated
from gyoji.tournaments.refusals import Refusal
from gyoji.tournaments.rotation import rotated
from gyoji.tournaments.rules import Pairing
from gyoji.tournaments.scoring import Results
from gyoji.tournaments.sizes import table_sizes
from gyoji.tournaments.standings import points_of, total
from gyoji.tournaments.swiss import Field
from gyoji.tournaments.swiss import paired as closest
from gyoji.tournaments.tournament import EntrantId, Table, Tournament

Tables = list[tuple[EntrantId, ...]]


def paired(
    tournament: Tournament, results: Results, seed: bytes, pairing: Pairing | None = None, early: bool = False
) -> Paired | Refusal:
    """The next round, as the rules pair or in another way (``pairing``). The same input gives the same tables.

    ``seed`` is that of the tournament. ``early``: while matches of earlier rounds are still played; they count as
    nothing until they are over.
    """
    pairing = pairing or tournament.rules.pairing
    refusal = cannot_pair(tournament, results, early)
    if refusal:
        return refusal
    if pairing == "hand":
        return Refusal("tables-needed")
    lots = round_seed(seed, len(tournament.rounds) + 1)
    found = _grouped(tournament, results, lots, pairing)
    if isinstance(found, Refusal):
        return found
    tables, byes = found
    return Paired(pairing, lots, _numbered(tournament, tables, lots), tuple(byes))


def by_hand(
    tournament: Tournament,
    results: Results,
    tables: Sequence[Sequence[EntrantId]],
    byes: Sequence[EntrantId],
    seed: bytes,
    early: bool = False,
) -> Paired | Refusal:
    """The next round as the director says: seat i of a table is its entrant i. All faults are told at once."""
    refusal = cannot_pair(tournament, results, early) or hand.refused(tournament, tables, byes)
    if refusal:
        return refusal
    seats = [_team(tournament, table[0]) if tournament.rules.teams else tuple(table) for table in tables]
    numbered = tuple([Table(number, table) for number, table in enumerate(seats, 1)])
    return Paired("hand", round_seed(seed, len(tournament.rounds) + 1), numbered, tuple(byes))


def cannot_pair(tournament: Tournament, results: Results, early: bool) -> Refusal | None:
    """Why there is no next round now, whoever would play whom."""
    if tournament.closed:
        return Refusal("tournament-closed")
    if len(tournament.rounds) >= tournament.rules.rounds:
        return Refusal("all-rounds-paired", {"rounds": tournament.rules.rounds})
    least = 1 if tournament.rules.teams else min(tournament.rules.seats)
    if len(tournament.active) < least:
        return Refusal("too-few-entrants", {"entrants": len(tournament.active), "least": least})
    running = [] if early else running_tables(tournament.rounds, results)
    return Refusal("matches-running", {"tables": running}) if running else None


def _grouped(
    tournament: Tournament, results: Results, lots: str, pairing: Pairing
) -> tuple[Tables, list[EntrantId]] | Refusal:
    """Who plays together and who rests; the tables in the order of their numbers."""
    if tournament.rules.teams:
        alone: Tables = [(entrant.id,) for entrant in tournament.active]
        return alone, []
    if pairing == "rotation":
        return rotated(tournament, lots)
    if pairing == "draw":
        return _by_lot(tournament, lots)
    return _swiss(tournament, results, lots)


def _by_lot(tournament: Tournament, lots: str) -> tuple[Tables, list[EntrantId]]:
    """Tables by nothing but the lot; nor does anything else decide who rests among those who have rested least."""
    order = drawn(lots, "draw", [entrant.id for entrant in tournament.active])
    sizes = table_sizes(len(order), tournament.rules.seats) or ()
    byes = len(order) - sum(sizes)
    forced, level = owed_byes(order, byes_of(tournament), byes)
    resting = [*forced, *level[len(level) - (byes - len(forced)) :]]
    playing = iter([entrant for entrant in order if entrant not in resting])
    return [tuple(islice(playing, size)) for size in sizes], resting


def _swiss(tournament: Tournament, results: Results, lots: str) -> tuple[Tables, list[EntrantId]]:
    """Tables by standings, the best at the first one. They are drawn before anybody has met anybody."""
    if not tournament.rounds:
        return _by_lot(tournament, lots)
    order, points = _ranked(tournament, results, lots)
    sizes = table_sizes(len(order), tournament.rules.seats) or ()
    forced, level = owed_byes(order, byes_of(tournament), len(order) - sum(sizes))
    playing = [entrant for entrant in order if entrant not in forced]
    met = times_met(tables_of(tournament))
    groups = sorted({points[entrant] for entrant in playing}, reverse=True)
    field = Field(
        tuple([groups.index(points[entrant]) for entrant in playing]),
        tuple([tuple([met[frozenset((one, other))] for other in playing]) for one in playing]),
        sizes,
        tuple([place for place, entrant in enumerate(playing) if entrant in level]),
    )
    found = sorted(closest(field))
    tables = [tuple([playing[place] for place in places]) for places in found if len(places) > 1]
    return tables, [*forced, *[playing[places[0]] for places in found if len(places) == 1]]


def _ranked(tournament: Tournament, results: Results, lots: str) -> tuple[list[EntrantId], dict[EntrantId, Fraction]]:
    """Everybody by points, who has equally many in an order drawn by lot; and the points."""
    points = {entrant: total(lines) for entrant, lines in points_of(tournament, results).items()}
    order = drawn(lots, "swiss", [entrant.id for entrant in tournament.active])
    return sorted(order, key=lambda entrant: -points[entrant]), points


def _numbered(tournament: Tournament, tables: Tables, lots: str) -> tuple[Table, ...]:
    """The tables with their seats: turns are taken at every seat, and the lot decides what that leaves open."""
    if tournament.rules.teams:
        return tuple([Table(number, _team(tournament, name)) for number, (name,) in enumerate(tables, 1)])
    before = times_seated(tables_of(tournament))
    return tuple(
        [
            Table(number, seated(drawn(lots, f"seats/{number}", sorted(table)), before))
            for number, table in enumerate(tables, 1)
        ]
    )


def _team(tournament: Tournament, name: EntrantId) -> tuple[EntrantId, ...]:
    """The team at each of its seats."""
    entrant = tournament.entrant(name)
    return (name,) * (len(entrant.members) if entrant else 0)
