"""Plays whole tournaments of chance, every constraint checked after every step."""

from collections import Counter
from fractions import Fraction
from random import Random

from gyoji.tournaments import decisions, no_shows
from gyoji.tournaments.decisions import ProposedRound, RefusedDecision
from gyoji.tournaments.designs import designs
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.pairings import propose_round
from gyoji.tournaments.rules import Pairing, PointsRule, TieBreak, TournamentRules
from gyoji.tournaments.standings import compute_standings
from gyoji.tournaments.tournament import Tournament
from tournaments import independent
from tournaments.made_tournaments import (
    OLD_RANK,
    RANK,
    SCORE,
    SEED,
    WINS,
    after,
    of_teams,
    random_result,
    rules,
    start_tournament,
    with_round,
)

UNEVEN = RANK._replace(forfeit=-1, by_size=((10, 6, 2), (8, 1)))
ALL_TIE_BREAKS: tuple[TieBreak, ...] = ("wins", "score", "opponents", "head_to_head", "lot")


def play_tournament(number: int, most: int) -> None:
    """Play the tournament of that number, with at most so many entrants, from its first round to its last."""
    chance = Random(number)
    chosen, entrants = _rules(chance, most)
    tournament, results = start_tournament(chosen, entrants), dict[str, MatchResult]()
    for _ in range(chosen.rounds):
        if len(tournament.active) < (1 if chosen.teams else min(chosen.seats)):
            break
        found = propose_round(tournament, results, SEED, early=True)
        if isinstance(found, RefusedDecision):
            assert (found.code, chosen.pairing) == ("rotation-broken", "rotation")
            assert len(tournament.active) < entrants
            break
        check_round(tournament, found, results)
        tournament = with_round(tournament, found)
        results |= {str(table.match): random_result(chance, table) for table in tournament.rounds[-1].tables}
        check_standings(tournament, results)
        tournament = _disturb(chance, tournament, results)
    check_standings(tournament, results)


def _rules(chance: Random, most: int) -> tuple[TournamentRules, int]:
    tie_breaks = tuple(chance.sample(ALL_TIE_BREAKS, chance.randint(0, 5)))
    bye = chance.choice([None, 0, 1])
    if chance.random() < 0.1:
        alone = tuple([name for name in tie_breaks if name not in ("opponents", "head_to_head")])
        return of_teams(points=chance.choice([SCORE, WINS]), bye=bye, tie_breaks=alone), chance.randint(1, most)
    points: PointsRule = chance.choice([RANK, UNEVEN, RANK._replace(forfeit=3), OLD_RANK, WINS, SCORE])
    pairing: Pairing = chance.choice(["draw", "swiss", "swiss", "swiss", "rotation"])
    game, sizes = chance.choice(
        [("catte", (4, 3)), ("catte", (3,)), ("catte", (4,)), ("towai", (2,)), ("towai", (5, 2)), ("towai", (4, 3, 2))]
    )
    entrants, rounds = chance.randint(min(sizes), most), chance.randint(1, 6)
    if pairing == "rotation":
        fitting = [(n, design) for n in range(2, most + 1) for size in sizes for design in designs(n, size)]
        entrants, design = chance.choice([pair for pair in fitting if len(pair[1].rounds) <= 13])
        rounds = len(design.rounds)
    chosen = rules(
        game=game, seats=sizes, points=points, bye=bye, tie_breaks=tie_breaks, pairing=pairing, rounds=rounds
    )
    return chosen, entrants


def _disturb(chance: Random, tournament: Tournament, results: dict[str, MatchResult]) -> Tournament:
    """Withdrawals, corrections, latecomers, voided matches that are played again, results that come late."""
    last = tournament.rounds[-1]
    for table in last.tables if chance.random() < 0.3 else ():
        forfeit = no_shows.decide_forfeit(tournament, (last.number, table.number), chance.choice(table.seats), results)
        tournament = tournament if isinstance(forfeit, RefusedDecision) else after(tournament, forfeit)
    for table in last.tables:
        if results[str(table.match)].status == "voided" and chance.random() < 0.5:
            again = f"{table.match}+"
            decision = decisions.decide_rematch(tournament, last.number, table.number, again, results)
            tournament = after(tournament, decision)
            results[again] = random_result(chance, table)
    for match, result in results.items():
        if result.status == "playing" and chance.random() < 0.5:
            table = next(
                table
                for found in tournament.rounds
                for table in found.tables
                if str(table.match).strip("+") == match.strip("+")
            )
            results[match] = random_result(chance, table)
    if chance.random() < 0.3 and tournament.active:
        gone = chance.choice(tournament.active).id
        tournament = after(tournament, decisions.decide_withdrawal(tournament, gone))
    if chance.random() < 0.3:
        whose = chance.choice(tournament.entrants).id
        points = Fraction(chance.choice([-3, -1, 1, 2]), 2)
        tournament = after(tournament, decisions.decide_correction(tournament, whose, points, "late"))
    rule = tournament.rules
    if chance.random() < 0.2 and rule.pairing != "rotation" and not rule.teams and len(tournament.rounds) < rule.rounds:
        name = f"Late {len(tournament.entrants)}"
        tournament = after(tournament, decisions.decide_entry(tournament, name))
    return tournament


def check_round(tournament: Tournament, found: ProposedRound, results: dict[str, MatchResult]) -> None:
    """Check everything that a round has to keep, from the tables and the rounds before alone."""
    assert propose_round(tournament, results, SEED, early=True) == found
    active = [entrant.id for entrant in tournament.active]
    assert sorted([*found.byes, *[one for table in found.tables for one in table.entrants]]) == sorted(active)
    assert [table.number for table in found.tables] == [*range(1, len(found.tables) + 1)]
    if tournament.rules.teams:
        assert all(len(set(table.seats)) == 1 and len(table.seats) == 3 for table in found.tables)
        assert found.byes == ()
        return
    assert {len(table.seats) for table in found.tables} <= set(tournament.rules.seats)
    if found.pairing != "rotation":
        assert len(found.byes) == len(active) - most_seated(len(active), tournament.rules.seats)
        check_byes(tournament, found, active)
    check_seats(tournament, found)


def most_seated(entrants: int, sizes: tuple[int, ...]) -> int:
    """Return how many can sit at full tables at most."""
    reached = {0}
    for seated in range(1, entrants + 1):
        if any(seated - size in reached for size in sizes):
            reached.add(seated)
    return max(reached)


def check_byes(tournament: Tournament, found: ProposedRound, active: list[str]) -> None:
    """Nobody rests who has rested more often than somebody who plays."""
    rested = Counter([one for round_ in tournament.rounds for one in round_.byes])
    if found.byes:
        assert max([rested[one] for one in found.byes]) <= min([rested[one] for one in active if one not in found.byes])


def check_seats(tournament: Tournament, found: ProposedRound) -> None:
    """Nobody begins who has begun more often than somebody else at the table."""
    began = Counter([table.seats[0] for round_ in tournament.rounds for table in round_.tables])
    for table in found.tables:
        assert began[table.seats[0]] == min([began[one] for one in table.seats])


def check_standings(tournament: Tournament, results: dict[str, MatchResult]) -> None:
    """They are those of the independent computation, and the lines of every figure add up to it."""
    rows = compute_standings(tournament, results)
    assert {
        row.entrant.id: (row.place, row.points, [figure for _, figure in row.figures]) for row in rows
    } == independent.places(tournament, results)
    assert [row.place for row in rows] == sorted([row.place for row in rows])
    for row in rows:
        for name, figure in (("points", row.points), *row.figures):
            lines = [line for line in row.lines if line.figure == name]
            assert sum([line.amount for line in lines]) == (figure or 0)
            assert lines == [] or figure is not None
