"""What may happen to a tournament, and every reason why something may not."""

from fractions import Fraction
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.match.clocks import Control
from gyoji.tournaments import decisions
from gyoji.tournaments.chance import derive_round_seed, seed_commitment
from gyoji.tournaments.decisions import RefusedDecision
from gyoji.tournaments.fold import fold_log
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.pairings import propose_by_hand, propose_round
from gyoji.tournaments.rules import PointsRule, TournamentRules, read_rules, write_rules
from gyoji.tournaments.tournament import MOST_ENTRANTS, Entrant, names_at
from tournaments.made_tournaments import (
    OLD_RANK,
    RANK,
    RUNNING,
    SCORE,
    SEED,
    VOID,
    after,
    of_teams,
    played,
    proposed,
    refused,
    rules,
    start_tournament,
    taken,
    with_round,
)


@pytest.mark.parametrize(
    "chosen",
    [
        rules(clock=Control(30_000, 600_000, 5000, "forfeit"), tie_breaks=("wins", "lot")),
        rules(points=PointsRule("wins", (), 3, 1, -1), bye=2),
        rules(points=RANK._replace(forfeit=-1)),
        rules(points=OLD_RANK),
        of_teams(),
    ],
)
def test_rules_are_read_as_they_were_written(chosen: TournamentRules) -> None:
    assert read_rules(write_rules(chosen)) == chosen


def test_rules_that_say_nothing_of_forfeits_stay_as_they_were() -> None:
    """A log from before there were points for a forfeit: whoever forfeits shares the last places of the table."""
    logged = {**write_rules(rules(points=RANK)), "points": {"by": "rank", "points": [5, 3, 2, 1, 0, 0]}}
    assert read_rules(logged) == rules(points=OLD_RANK)
    assert write_rules(rules(points=RANK))["points"] == {"by": "rank", "points": (5, 3, 2, 1, 0, 0), "forfeit": 0}


@pytest.mark.parametrize(
    ("chosen", "faults"),
    [
        (rules(seats=(4, 5)), [("/seats/1", "not-a-table-of-the-game")]),
        (rules(seats=(4, 4)), [("/seats", "repeated")]),
        (rules(seats=(), points=RANK), [("/seats", "not-allowed")]),
        (rules(duplicate=True), [("/duplicate", "tables-of-one-size")]),
        (rules(points=PointsRule("rank", (3, 2, 1))), [("/points/points", "too-few-places")]),
        (rules(points=PointsRule("rank", (3, 2, 1, 2))), [("/points/points", "points-rise")]),
        (rules(points=PointsRule("wins", (), 1, 2, 0)), [("/points", "points-rise")]),
        (rules(teams=True), [("/teams", "not-as-the-game")]),
        (of_teams(pairing="rotation", points=RANK), [("/points/by", "nobody-to-meet"), ("/pairing", "nobody-to-meet")]),
        (of_teams(tie_breaks=("wins", "opponents")), [("/tie_breaks/1", "nobody-to-meet")]),
        (rules(tie_breaks=("lot", "lot")), [("/tie_breaks", "repeated")]),
        (rules(game="tomorrow-never-meows", options={"rounds": 4}), [("/options/rounds", "contradictory-options")]),
    ],
)
def test_impossible_rules_are_refused_with_every_fault(chosen: TournamentRules, faults: list[tuple[str, str]]) -> None:
    refusal = refused(decisions.decide_creation("Cup", chosen, BY_SLUG[chosen.game], SEED))
    assert refusal.code == "impossible-rules"
    assert [(fault["pointer"], fault["code"]) for fault in refusal.facts["faults"]] == faults


def test_the_log_alone_gives_the_tournament() -> None:
    """Every event once, and what each has changed."""
    events = [taken(decisions.decide_creation("Cup", rules(rounds=2), BY_SLUG["catte"], SEED))]

    def state() -> Any:
        return fold_log([event._asdict() for event in events])

    for name in ("Aki", "Ben", "Chie", "Dan", "Emi"):
        events += [taken(decisions.decide_entry(state(), name))]
    first = proposed(state(), {})
    events.append(decisions.decide_round(state(), first, ["m1"]))
    results = {"m1": VOID}
    events.append(taken(decisions.decide_rematch(state(), 1, 1, "m2", results)))
    results["m2"] = played(*range(len(first.tables[0].seats)))
    events.append(taken(decisions.decide_round_close(state(), 1, results)))
    events.append(taken(decisions.decide_withdrawal(state(), "e3")))
    events.append(taken(decisions.decide_correction(state(), "e1", Fraction(5, 2), "kind")))
    events.append(taken(decisions.decide_close(state(), SEED)))
    found = state()
    assert [entrant.name for entrant in found.entrants] == ["Aki", "Ben", "Chie", "Dan", "Emi"]
    assert found.entrants[2] == Entrant("e3", "Chie", (), 1)
    assert found.rounds[0]._replace(tables=()) == (1, "swiss", derive_round_seed(SEED, 1), (), first.byes, True, ())
    assert [table.match for table in found.rounds[0].tables] == ["m2"]
    assert found.corrections == (("e1", Fraction(5, 2), "kind"),)
    assert (found.closed, found.seed, found.commitment) == (True, SEED.hex(), seed_commitment(SEED))
    assert [event.type for event in events][-6:] == [
        "round_paired", "match_replaced", "round_closed", "entrant_withdrawn", "correction_made", "tournament_closed",
    ]  # fmt: skip


FIVE = start_tournament(rules(rounds=2), 5)
PAIRED = with_round(FIVE, proposed(FIVE, {}))
OVER = {"1/1": played(4, 3, 2, 1)}
BOTH = with_round(PAIRED, proposed(PAIRED, OVER))
CLOSED = after(
    after(PAIRED, decisions.decide_round_close(PAIRED, 1, OVER)),
    decisions.decide_close(PAIRED._replace(rounds=()), SEED),
)
FULL = FIVE._replace(entrants=tuple([Entrant(f"e{n}", f"N{n}") for n in range(MOST_ENTRANTS)]))
ROTATING = start_tournament(rules(pairing="rotation", rounds=1, seats=(4,)), 4)
TURNED = with_round(ROTATING, proposed(ROTATING, {}))
GONE = after(FIVE, decisions.decide_withdrawal(FIVE, "e2"))


@pytest.mark.parametrize(
    ("decision", "code"),
    [
        (decisions.decide_entry(CLOSED, "New"), "tournament-closed"),
        (decisions.decide_entry(BOTH, "New"), "all-rounds-paired"),
        (decisions.decide_entry(TURNED, "New"), "all-rounds-paired"),
        (decisions.decide_entry(TURNED._replace(rules=rules(pairing="rotation")), "New"), "rotation-begun"),
        (decisions.decide_entry(FULL, "New"), "too-many-entrants"),
        (decisions.decide_entry(FIVE, "Entrant 3"), "name-taken"),
        (decisions.decide_entry(FIVE, "Team", ["x", "y", "z"]), "no-teams"),
        (decisions.decide_entry(start_tournament(of_teams(), 1), "Team", ["x", "y"]), "team-size"),
        (decisions.decide_entry(start_tournament(of_teams(), 1), "Nobody"), "team-size"),
        (decisions.decide_withdrawal(CLOSED, "e1"), "tournament-closed"),
        (decisions.decide_withdrawal(FIVE, "e6"), "unknown-entrant"),
        (decisions.decide_withdrawal(GONE, "e2"), "already-withdrawn"),
        (decisions.decide_return(CLOSED, "e1"), "tournament-closed"),
        (decisions.decide_return(FIVE, "e6"), "unknown-entrant"),
        (decisions.decide_return(GONE, "e1"), "not-withdrawn"),
        (decisions.decide_rematch(PAIRED, 1, 1, "m", OVER), "not-voided"),
        (decisions.decide_rematch(PAIRED, 1, 1, "m", {}), "not-voided"),
        (decisions.decide_rematch(PAIRED, 1, 2, "m", OVER), "unknown-table"),
        (decisions.decide_rematch(PAIRED, 2, 1, "m", OVER), "unknown-round"),
        (decisions.decide_round_take_back(CLOSED, 1, OVER), "tournament-closed"),
        (decisions.decide_round_take_back(PAIRED, 2, {}), "unknown-round"),
        (
            decisions.decide_round_take_back(after(PAIRED, decisions.decide_round_close(PAIRED, 1, OVER)), 1, OVER),
            "round-closed",
        ),
        (decisions.decide_round_take_back(BOTH, 1, {}), "not-the-latest"),
        (decisions.decide_round_take_back(PAIRED, 1, {"1/1": RUNNING._replace(seq=2)}), "round-begun"),
        (decisions.decide_round_take_back(PAIRED, 1, {"1/1": played(4, 3, 2, 1, seq=30)}), "round-begun"),
        (decisions.decide_round_close(PAIRED, 0, OVER), "unknown-round"),
        (decisions.decide_round_close(PAIRED, 1, {}), "matches-running"),
        (decisions.decide_round_close(PAIRED, 1, {"1/1": RUNNING}), "matches-running"),
        (
            decisions.decide_round_close(after(PAIRED, decisions.decide_round_close(PAIRED, 1, OVER)), 1, OVER),
            "round-closed",
        ),
        (decisions.decide_round_close(CLOSED, 1, OVER), "tournament-closed"),
        (decisions.decide_correction(CLOSED, "e1", Fraction(1), ""), "tournament-closed"),
        (decisions.decide_correction(FIVE, "e9", Fraction(1), ""), "unknown-entrant"),
        (decisions.decide_correction(FIVE, "e1", Fraction(0), ""), "no-change"),
        (decisions.decide_close(PAIRED, SEED), "rounds-open"),
        (decisions.decide_close(CLOSED, SEED), "tournament-closed"),
        (decisions.decide_close(FIVE, bytes(32)), "wrong-seed"),
        (propose_round(CLOSED, OVER, SEED), "tournament-closed"),
        (propose_round(BOTH, OVER, SEED, early=True), "all-rounds-paired"),
        (propose_round(PAIRED, {}, SEED), "matches-running"),
        (propose_round(start_tournament(rules(), 2), {}, SEED), "too-few-entrants"),
        (propose_round(start_tournament(of_teams(), 0), {}, SEED), "too-few-entrants"),
        (propose_round(FIVE, {}, SEED, "hand"), "tables-needed"),
        (propose_round(FIVE, {}, SEED, "rotation"), "no-rotation"),
        (propose_by_hand(PAIRED, {}, [], [], SEED), "matches-running"),
    ],
)
def test_what_may_not_be_is_refused_with_its_code(decision: object, code: str) -> None:
    assert refused(decision).code == code


def test_a_refusal_says_what_a_person_needs_to_see_why() -> None:
    assert decisions.decide_round_close(PAIRED, 1, {}) == RefusedDecision(
        "matches-running", {"tables": [{"round": 1, "table": 1}]}
    )
    assert decisions.decide_close(PAIRED, SEED) == RefusedDecision("rounds-open", {"rounds": [1]})


def test_a_void_match_does_not_keep_a_round_open() -> None:
    assert after(PAIRED, decisions.decide_round_close(PAIRED, 1, {"1/1": VOID})).rounds[0].closed


@pytest.mark.parametrize("result", [RUNNING._replace(seq=1), VOID, VOID._replace(seq=30)])
def test_a_round_that_nobody_has_begun_is_as_if_it_had_not_been_paired(result: MatchResult) -> None:
    """The deal is event 1 of a match; what is void counts for nobody, however far it had come."""
    assert after(PAIRED, decisions.decide_round_take_back(PAIRED, 1, {"1/1": result})) == FIVE
    assert after(BOTH, decisions.decide_round_take_back(BOTH, 2, {**OVER, "2/1": result})) == PAIRED


def test_who_withdrew_from_a_round_that_is_taken_back_has_withdrawn_before_it() -> None:
    gone = after(after(BOTH, decisions.decide_withdrawal(BOTH, "e1")), decisions.decide_round_take_back(BOTH, 2, {}))
    assert [entrant.withdrawn for entrant in gone.entrants] == [1, None, None, None, None]
    both = after(gone, decisions.decide_round_take_back(gone, 1, {}))
    assert [entrant.withdrawn for entrant in both.entrants] == [0, None, None, None, None]


def test_the_next_round_may_be_paired_while_a_match_is_played() -> None:
    assert len(proposed(PAIRED, {}, early=True).tables) == 1


@pytest.mark.parametrize(
    ("tables", "byes", "faults"),
    [
        ([["e1", "e3", "e4"]], ["e5"], []),
        ([["e1", "e3", "e4", "e5"]], [], []),
        ([["e1", "e3"]], ["e4", "e5"], [("wrong-size", 1)]),
        ([["e1", "e3", "e4"]], [], [("missing", "e5")]),
        ([["e1", "e3", "e2"]], ["e4", "e5"], [("withdrawn", "e2")]),
        ([["e1", "e3", "e9"], ["e1", "e3", "e4"]], ["e1"],
         [("unknown", "e9"), ("twice", "e1"), ("twice", "e3"), ("missing", "e5")]),
        ([["e1", "e1", "e3"]], ["e4", "e5"], [("twice", "e1")]),
        ([], ["e1", "e3", "e4", "e5"], [("no-tables", None)]),
    ],
)  # fmt: skip
def test_tables_by_hand_are_taken_as_they_are_or_refused_with_every_fault(
    tables: list[list[str]], byes: list[str], faults: list[tuple[str, object]]
) -> None:
    found = propose_by_hand(GONE, {}, tables, byes, SEED)
    if not faults:
        assert [[*table.seats] for table in found.tables] == tables  # type: ignore[union-attr]
        return
    told = refused(found).facts["faults"]
    assert [(fault["code"], fault.get("entrant", fault.get("table"))) for fault in told] == [
        (code, what) for code, what in faults if code != "wrong-size"
    ] or [(fault["code"], fault.get("table")) for fault in told] == faults


def test_a_team_sits_at_all_seats_and_its_players_move_on() -> None:
    teams = start_tournament(of_teams(), 2)
    for tables in ([["e2"], ["e1"]], [["e2", "e2", "e2"], ["e1"]]):
        found = propose_by_hand(teams, {}, tables, [], SEED)
        assert [table.seats for table in found.tables] == [("e2",) * 3, ("e1",) * 3]  # type: ignore[union-attr]
    assert [
        fault["code"] for fault in refused(propose_by_hand(teams, {}, [["e1", "e2"]], [], SEED)).facts["faults"]
    ] == ["one-team-a-table"]
    table = proposed(teams, {}).tables[0]
    assert [names_at(teams, number, table) for number in (1, 2, 4)] == [
        ("1a", "1b", "1c"),
        ("1b", "1c", "1a"),
        ("1a", "1b", "1c"),
    ]
    assert names_at(FIVE, 1, PAIRED.rounds[0].tables[0])[0].startswith("Entrant ")
    assert refused(propose_round(start_tournament(of_teams(points=SCORE), 0), {}, SEED)).facts == {
        "entrants": 0,
        "least": 1,
    }


def test_who_has_returned_is_there_as_before() -> None:
    back = after(GONE, decisions.decide_return(GONE, "e2"))
    assert back == FIVE
    assert after(back, decisions.decide_withdrawal(back, "e2")) == GONE
