"""Rounds of a tournament, whichever way they are paired."""

import subprocess
import sys
from collections import Counter
from itertools import combinations

import pytest

from gyoji.tournaments import decisions
from gyoji.tournaments.chance import derive_round_seed
from gyoji.tournaments.decisions import ProposedRound, RefusedDecision
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.pairings import plan_round, propose_by_hand, propose_round
from gyoji.tournaments.rules import Pairing, TournamentRules
from gyoji.tournaments.tournament import Table, Tournament
from tournaments.made_tournaments import (
    SEED,
    after,
    of_teams,
    played,
    proposed,
    refused,
    rules,
    start_tournament,
    with_round,
)


def by_number(table: Table) -> MatchResult:
    """The lower an entrant's number the better it plays: e1 always wins."""
    return played(*[-int(entrant[1:]) for entrant in table.seats])


def played_through(chosen: TournamentRules, entrants: int, rounds: int) -> tuple[Tournament, dict[str, MatchResult]]:
    """So many rounds, the lower number always winning."""
    tournament, results = start_tournament(chosen, entrants), dict[str, MatchResult]()
    for _ in range(rounds):
        tournament = with_round(tournament, proposed(tournament, results))
        results |= {str(table.match): by_number(table) for table in tournament.rounds[-1].tables}
    return tournament, results


def meetings(tournament: Tournament) -> Counter[tuple[str, ...]]:
    """How often every two have met."""
    tables = [table for found in tournament.rounds for table in found.tables]
    return Counter([pair for table in tables for pair in combinations(sorted(table.seats), 2)])


@pytest.mark.parametrize(
    ("entrants", "seats", "rounds", "times"),
    [
        (8, (2,), 7, 1),
        (7, (2,), 7, 1),
        (8, (2,), 14, 2),
        (9, (4, 3), 4, 1),
        (16, (4, 3), 5, 1),
        (5, (4,), 5, 3),
        (4, (4,), 3, 3),
    ],
)
def test_by_rotation_every_pair_meets_equally_often(
    entrants: int, seats: tuple[int, ...], rounds: int, times: int
) -> None:
    chosen = rules(game="towai", seats=seats, rounds=rounds, pairing="rotation")
    tournament, _ = played_through(chosen, entrants, rounds)
    met = meetings(tournament)
    assert set(met.values()) == {times}
    assert len(met) == entrants * (entrants - 1) // 2


def test_a_rotation_that_does_not_come_out_even_is_refused_with_what_would() -> None:
    tournament = start_tournament(rules(pairing="rotation", rounds=5), 9)
    refusal = refused(propose_round(tournament, {}, SEED))
    assert refusal.code == "no-rotation"
    assert refusal.facts["possible"] == [{"seats": 3, "rounds": 4}, {"seats": 3, "rounds": 8}]
    assert {16, 5} <= set(refusal.facts["fields"])
    assert 9 not in refusal.facts["fields"]


def test_when_somebody_leaves_a_rotation_the_rest_of_too_small_a_table_rest() -> None:
    tournament, results = played_through(rules(pairing="rotation", rounds=4, seats=(3,)), 9, 2)
    tournament = after(tournament, decisions.decide_withdrawal(tournament, "e5"))
    found = proposed(tournament, results)
    assert (len(found.tables), len(found.byes)) == (2, 2)
    smaller = tournament._replace(rules=rules(game="towai", pairing="rotation", rounds=4, seats=(3, 2)))
    found = proposed(smaller, results)
    assert (sorted([len(table.seats) for table in found.tables]), found.byes) == ([2, 3, 3], ())


def test_a_rotation_goes_on_only_from_rotations() -> None:
    tournament, results = played_through(rules(pairing="rotation", rounds=4, seats=(3,)), 9, 1)
    tables = [["e1", "e2", "e3"], ["e4", "e5", "e6"], ["e7", "e8", "e9"]]
    given = propose_by_hand(tournament, results, tables, [], SEED)
    assert isinstance(given, decisions.ProposedRound)
    broken = with_round(tournament, given)
    assert refused(propose_round(broken, {}, SEED, early=True)).code == "rotation-broken"
    assert len(proposed(broken, {}, pairing="swiss", early=True).tables) == 3


def test_by_standings_winners_meet_winners() -> None:
    """Of 16 at tables of four the four who have won their tables meet in the second round, and so on down."""
    chosen = rules(seats=(4,))
    tournament, results = played_through(chosen, 16, 1)
    places = {
        entrant: sorted(table.seats, key=lambda one: int(one[1:])).index(entrant)
        for table in tournament.rounds[0].tables
        for entrant in table.seats
    }
    second = proposed(tournament, results)
    assert [{places[entrant] for entrant in table.seats} for table in second.tables] == [{0}, {1}, {2}, {3}]


def test_the_last_in_the_standings_rests_and_nobody_twice_before_all_have() -> None:
    tournament, results = played_through(rules(seats=(4,), rounds=9), 9, 9)
    assert sorted([one for found in tournament.rounds for one in found.byes]) == [f"e{n}" for n in range(1, 10)]
    assert results


def test_everybody_begins_equally_often_as_far_as_that_can_be() -> None:
    tournament, _ = played_through(rules(seats=(4,), rounds=8), 8, 8)
    began = Counter([table.seats[0] for found in tournament.rounds for table in found.tables])
    assert set(began.values()) == {2}


def test_by_lot_the_seed_alone_decides() -> None:
    tournament = start_tournament(rules(pairing="draw"), 12)
    one, again, other = (propose_round(tournament, {}, seed) for seed in (SEED, SEED, bytes(32)))
    assert one == again != other
    assert isinstance(one, decisions.ProposedRound)
    assert (one.pairing, one.seed) == ("draw", derive_round_seed(SEED, 1))


AGAIN = """
from tournaments.test_pairings import played_through, proposed, rules
tournament, results = played_through(rules(), 11, 2)
print(proposed(tournament, results))
"""


def test_another_process_makes_the_same_tables() -> None:
    tournament, results = played_through(rules(), 11, 2)
    told = subprocess.run(
        [sys.executable, "-c", AGAIN],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "7"},
    )
    assert told.stdout == f"{proposed(tournament, results)}\n"
    assert told.stderr == ""


def test_who_never_pairs_never_loads_the_optimiser() -> None:
    script = "import sys, gyoji.tournaments.pairings; assert not {'numpy', 'highspy'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("pairing", ["draw", "swiss", "rotation"])
def test_a_plan_has_the_tables_and_byes_that_the_rounds_will_have(pairing: Pairing) -> None:
    planned = 0
    for seats in ((4, 3), (4,), (3,), (2,), (5, 2)):
        for entrants in range(1, 27):
            chosen = rules(game="towai", seats=seats, rounds=26 if pairing == "rotation" else 3, pairing=pairing)
            plan, found = plan_round(chosen, entrants), propose_round(start_tournament(chosen, entrants), {}, SEED)
            if isinstance(plan, RefusedDecision):
                assert isinstance(found, RefusedDecision)
                continue
            assert isinstance(found, ProposedRound)
            assert (sorted(plan.sizes), plan.byes) == (sorted(len(one.seats) for one in found.tables), len(found.byes))
            planned += 1
    assert planned > 20 or pairing == "rotation"


def test_a_team_has_a_table_of_its_own_in_every_plan() -> None:
    assert plan_round(of_teams(), 5) == ((3, 3, 3, 3, 3), 0)
