"""Checking in: a round is paired of those who are here, and the others are named in it as absent."""

from fractions import Fraction
from typing import Any

import pytest

from gyoji.tournaments import decisions
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.pairings import propose_by_hand, propose_round
from gyoji.tournaments.rules import read_rules, write_rules
from gyoji.tournaments.standings import compute_standings
from gyoji.tournaments.tournament import MOST_CHECKS, Tournament
from tournaments.made_tournaments import (
    SEED,
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


def check(tournament: Tournament, entrant: str, *, present: bool, own: bool = False) -> Any:
    return decisions.decide_presence(tournament, entrant, present=present, own=own)


def here(tournament: Tournament, *entrants: str) -> Tournament:
    for entrant in entrants:
        tournament = after(tournament, check(tournament, entrant, present=True))
    return tournament


def cup(entrants: int, **changes: Any) -> Tournament:
    return start_tournament(rules(check_in=True, **changes), entrants)


def everybody(tournament: Tournament) -> list[str]:
    return [entrant.id for entrant in tournament.entrants]


def test_rules_say_so_only_where_entrants_check_in() -> None:
    assert write_rules(rules(check_in=True))["check_in"] is True
    assert "check_in" not in write_rules(rules())
    assert read_rules(write_rules(rules(check_in=True))) == rules(check_in=True)


def test_nobody_checks_in_where_the_rules_do_not_ask_for_it() -> None:
    tournament = start_tournament(rules(), 4)
    assert refused(check(tournament, "e1", present=True)).code == "no-check-in"
    found = proposed(tournament, {})
    assert (found.absent, sorted(found.tables[0].seats)) == ((), ["e1", "e2", "e3", "e4"])
    assert "absent" not in taken(decisions.decide_round(tournament, found, ["m"])).data


@pytest.mark.parametrize("pairing", ["draw", "swiss"])
def test_a_round_is_paired_of_those_who_are_here(pairing: Any) -> None:
    tournament = here(cup(9), "e2", "e4", "e5", "e7", "e9")
    for number in (1, 2):
        found = proposed(tournament, {}, pairing=pairing, early=True)
        playing = sorted(entrant for table in found.tables for entrant in table.seats)
        assert sorted([*playing, *found.byes]) == ["e2", "e4", "e5", "e7", "e9"]
        assert (len(found.byes), found.absent) == (1, ("e1", "e3", "e6", "e8"))
        event = taken(decisions.decide_round(tournament, found, ["m"] * len(found.tables)))
        assert event.data["absent"] == ("e1", "e3", "e6", "e8")
        tournament = with_round(tournament, found)
        assert tournament.rounds[-1].absent == ("e1", "e3", "e6", "e8"), number


def test_who_comes_later_is_paired_in_the_next_round() -> None:
    tournament = here(cup(4), "e1", "e2", "e3")
    tournament = with_round(tournament, proposed(tournament, {}))
    tournament = here(tournament, "e4")
    tournament = after(tournament, check(tournament, "e1", present=False))
    found = proposed(tournament, {}, early=True)
    assert (sorted(found.tables[0].seats), found.absent) == (["e2", "e3", "e4"], ("e1",))
    assert tournament.rounds[0].absent == ("e4",)


def test_who_has_withdrawn_is_neither_here_nor_absent() -> None:
    tournament = here(cup(5), "e1", "e2", "e3", "e4", "e5")
    tournament = after(tournament, decisions.decide_withdrawal(tournament, "e5"))
    assert proposed(tournament, {}).absent == ()
    assert refused(check(tournament, "e5", present=True)).code == "already-withdrawn"
    tournament = after(tournament, decisions.decide_return(tournament, "e5"))
    assert proposed(tournament, {}).absent == ("e5",), "who comes back checks in anew"


def test_what_is_known_already_is_no_event() -> None:
    tournament = here(cup(3), "e1")
    assert check(tournament, "e1", present=True) is None
    assert check(tournament, "e2", present=False) is None
    assert taken(check(tournament, "e1", present=False)) == ("entrant_absent", {"entrant": "e1"})
    assert taken(check(tournament, "e2", present=True)) == ("entrant_present", {"entrant": "e2"})


def test_an_entrant_does_not_fill_the_log() -> None:
    tournament = cup(3)
    for turn in range(MOST_CHECKS):
        tournament = after(tournament, check(tournament, "e1", present=turn % 2 == 0, own=True))
    assert refused(check(tournament, "e1", present=True, own=True)) == ("too-many-checks", {"most": MOST_CHECKS})
    assert taken(check(tournament, "e1", present=True)).type == "entrant_present"
    assert taken(check(tournament, "e2", present=True, own=True)).type == "entrant_present"


def test_refusals() -> None:
    tournament = cup(3)
    assert refused(check(tournament, "e9", present=True)).code == "unknown-entrant"
    closed = after(tournament, decisions.decide_close(tournament, SEED))
    assert refused(check(closed, "e1", present=True)).code == "tournament-closed"
    two = here(tournament, "e1", "e2")
    assert refused(propose_round(two, {}, SEED)) == ("too-few-present", {"entrants": 2, "least": 3})
    assert refused(propose_round(cup(2), {}, SEED)).code == "too-few-entrants"


def test_by_hand_everybody_who_is_here_has_a_place_and_nobody_else() -> None:
    tournament = here(cup(6), "e1", "e2", "e3", "e4")
    found = propose_by_hand(tournament, {}, [["e3", "e1", "e2"]], ["e4"], SEED)
    assert isinstance(found, decisions.ProposedRound)
    assert (found.byes, found.absent) == (("e4",), ("e5", "e6"))
    faults = refused(propose_by_hand(tournament, {}, [["e3", "e1", "e5"]], ["e4"], SEED)).facts["faults"]
    assert faults == [
        {"code": "absent", "entrant": "e5", "table": 1},
        {"code": "missing", "entrant": "e2"},
    ]


def test_teams_that_are_not_here_have_no_table() -> None:
    tournament = here(start_tournament(of_teams(check_in=True, duplicate=True), 3), "e1", "e3")
    found = proposed(tournament, {})
    assert [table.entrants for table in found.tables] == [("e1",), ("e3",)]
    assert (found.byes, found.absent) == ((), ("e2",))


def test_absence_brings_nothing_and_is_said() -> None:
    tournament = with_round(here(cup(4, bye=2), "e1", "e2", "e3"), proposed(here(cup(4), "e1", "e2", "e3"), {}))
    results: dict[str, MatchResult] = {"1/1": played(3, 2, 1)}
    row = next(row for row in compute_standings(tournament, results) if row.entrant.id == "e4")
    assert row.points == 0
    assert [(line.what, line.amount, line.round, line.table) for line in row.lines] == [
        ("absent", Fraction(0), 1, None)
    ]


def test_absence_is_no_bye() -> None:
    """Whoever was absent has not rested, so rests before anybody does for a second time."""
    tournament = here(cup(5, seats=(3,)), "e1", "e2", "e3", "e4")
    tournament = with_round(tournament, proposed(tournament, {}))
    (first,) = tournament.rounds[0].byes
    tournament = here(tournament, "e5")
    for _ in range(2):
        tournament = with_round(tournament, proposed(tournament, {}, early=True))
    rested = [entrant for found in tournament.rounds for entrant in found.byes]
    assert (len(rested), len({*rested}), "e5" in rested) == (5, 5, True), first


def test_a_rotation_keeps_a_place_for_who_comes_late() -> None:
    tournament = start_tournament(
        rules(game="towai", seats=(2,), pairing="rotation", rounds=3, check_in=True, points=rules().points), 4
    )
    first = here(tournament, "e1", "e2", "e3")
    found = proposed(first, {})
    assert (len(found.tables), len(found.byes), found.absent) == (1, 1, ("e4",))
    later = here(with_round(first, found), "e4")
    for _ in range(2):
        found = proposed(later, {}, early=True)
        assert sorted(entrant for table in found.tables for entrant in table.seats) == everybody(later)
        later = with_round(later, found)


def test_a_round_that_is_taken_back_leaves_who_is_here() -> None:
    tournament = here(cup(4), "e1", "e2", "e3")
    paired = with_round(tournament, proposed(tournament, {}))
    back = after(paired, decisions.decide_round_take_back(paired, 1, {"1/1": MatchResult("playing", seq=1)}))
    assert proposed(back, {}) == proposed(tournament, {})
