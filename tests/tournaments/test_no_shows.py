"""An entrant is not there: what may come of it, and what it counts; reckoned by hand."""

from fractions import Fraction
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.tournaments import no_shows
from gyoji.tournaments.decisions import Event, RefusedDecision, decide_rematch, decide_round_close
from gyoji.tournaments.fold import apply_event
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.rules import PointsRule
from gyoji.tournaments.standings import compute_standings
from gyoji.tournaments.tournament import Tournament
from tournaments.made_tournaments import (
    OLD_RANK,
    RANK,
    RUNNING,
    SCORE,
    VOID,
    WINS,
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

CATTE = BY_SLUG["catte"]
AT = (1, 1)
DEALT = RUNNING._replace(seq=1)


def paired(entrants: int = 4, **changes: Any) -> Tournament:
    """A tournament with one round, its first table being e1 to e4 unless the lot has it otherwise."""
    found = start_tournament(rules(**changes), entrants)
    return with_round(found, proposed(found, {}))


def remove(found: Tournament, entrant: str, result: MatchResult = DEALT) -> Event | RefusedDecision:
    return no_shows.decide_removal(found, CATTE, AT, entrant, "other", {"1/1": result})


def forfeit(found: Tournament, entrant: str, result: MatchResult = RUNNING) -> Event | RefusedDecision:
    return no_shows.decide_forfeit(found, AT, entrant, {"1/1": result})


def figures(found: Tournament, result: MatchResult) -> dict[str, str]:
    """The points of those at the table, by seat."""
    table = found.rounds[0].tables[0]
    rows = {row.entrant.id: row for row in compute_standings(found, {table.match or "": result})}
    return {entrant: str(rows[entrant].points) for entrant in (*table.seats, *table.removed)}


# Removed


def test_who_is_removed_has_no_seat_and_nothing_from_the_round() -> None:
    found = paired()
    seats = found.rounds[0].tables[0].seats
    event = taken(remove(found, seats[1]))
    assert (event.type, event.data) == (
        "entrant_removed",
        {"round": 1, "table": 1, "entrant": seats[1], "match": "other"},
    )
    left = after(found, event)
    table = left.rounds[0].tables[0]
    assert (table.seats, table.match, table.removed) == ((seats[0], *seats[2:]), "other", (seats[1],))
    assert figures(left, played(9, 4, 6)) == {seats[0]: "5", seats[2]: "2", seats[3]: "3", seats[1]: "0"}
    row = next(row for row in compute_standings(left, {"other": played(9, 4, 6)}) if row.entrant.id == seats[1])
    assert row.lines[0] == ("points", "removed", Fraction(0), 1, 1, "other", {})
    assert [entrant.id for entrant in left.active] == ["e1", "e2", "e3", "e4"]


@pytest.mark.parametrize("result", [DEALT, VOID, VOID._replace(seq=40)])
def test_nobody_has_begun(result: MatchResult) -> None:
    found = paired()
    assert isinstance(remove(found, "e1", result), Event)


@pytest.mark.parametrize("result", [RUNNING._replace(seq=2), played(1, 2, 3, 4)._replace(seq=60)])
def test_a_match_that_has_begun_keeps_its_seats(result: MatchResult) -> None:
    assert refused(remove(paired(), "e1", result)) == ("match-begun", {"round": 1, "table": 1})


def test_the_game_needs_so_many() -> None:
    least = CATTE.min_seats
    found = paired(least, seats=(least,), points=SCORE)
    assert refused(remove(found, "e1")).code == "no-table-of-that-size"
    assert refused(remove(found, "e1")).facts["seats"] == least - 1


def test_the_same_deals_are_for_as_many() -> None:
    assert refused(remove(paired(duplicate=True, seats=(4,)), "e1")).code == "same-deals"


# Forfeited for nothing


@pytest.mark.parametrize(
    ("points", "result", "expected"),
    [
        # The stand-in at seat 0 has won: the best of the others has.
        (RANK, played(12, -3, 7, 0), ["0", "2", "5", "3"]),
        (WINS, played(12, -3, 7, 0), ["0", "0", "2", "0"]),
        (WINS, played(12, 7, 7, 0), ["0", "1", "1", "0"]),
        # It has shared the win: the other one has it alone.
        (WINS, played(12, 12, 7, 0), ["0", "2", "0", "0"]),
        (RANK, played(12, 12, 7, 0), ["0", "5", "3", "2"]),
        # It has lost, or has come to a place between the others.
        (RANK, played(5, -3, 7, 0), ["0", "2", "5", "3"]),
        (RANK, played(-30, -3, 7, 0), ["0", "2", "5", "3"]),
        (RANK._replace(forfeit=-2), played(12, -3, 7, 0), ["-2", "2", "5", "3"]),
        (RANK._replace(forfeit=9), played(12, -3, 7, 0), ["1", "2", "5", "3"]),
        (OLD_RANK, played(12, -3, 7, 0), ["1", "2", "5", "3"]),
        (PointsRule("wins", (), 3, 1, -1), played(12, 3, 7, 0), ["-1", "-1", "3", "-1"]),
        # By score: 0 at most, and no more than whoever at the table has least.
        (SCORE, played(12, 3, 7, 0), ["0", "3", "7", "0"]),
        (SCORE, played(-30, 3, 7, 9), ["0", "3", "7", "9"]),
        (SCORE, played(12, -3, 7, 0), ["-3", "-3", "7", "0"]),
        (SCORE, played(12, 3, 7, 9, adjustments=(-2, 0, 0, 1)), ["0", "3", "7", "9"]),
        # Somebody else has lost the match to a ruling.
        (RANK, played(12, 3, 7, 9, winners=(2,), forfeited=(1,)), ["0", "0", "5", "3"]),
        (RANK, played(12, 3, 7, 9, winners=(0,), forfeited=(1, 2, 3)), ["0", "0", "0", "0"]),
        # A referee has named nobody.
        (RANK, played(12, 3, 7, 9, winners=(), by="ruling"), ["0", "2", "3", "5"]),
        (RANK, VOID, ["0"] * 4),
        (RANK, RUNNING, ["0"] * 4),
    ],
)
def test_a_forfeiter_is_behind_whatever_the_stand_in_makes_of_it(
    points: PointsRule, result: MatchResult, expected: list[str]
) -> None:
    found = paired(points=points)
    first = found.rounds[0].tables[0].seats[0]
    event = taken(forfeit(found, first))
    assert (event.type, event.data) == ("entrant_forfeited", {"round": 1, "table": 1, "entrant": first})
    assert list(figures(after(found, event), result).values()) == expected


def test_the_line_says_why() -> None:
    found = paired(points=SCORE)
    first = found.rounds[0].tables[0].seats[0]
    adjusted = played(12, 3, 7, 9, adjustments=(1, 0, 0, 0))
    rows = compute_standings(after(found, forfeit(found, first)), {"1/1": adjusted})
    lines = next(row.lines for row in rows if row.entrant.id == first)
    assert [(line.what, line.amount) for line in lines] == [("forfeited", Fraction(0))]


def test_tie_breaks_count_it_too() -> None:
    found = paired(points=RANK, tie_breaks=("wins", "score"))
    seats = found.rounds[0].tables[0].seats
    rows = compute_standings(after(found, forfeit(found, seats[0])), {"1/1": played(12, 3, 7, 9)})
    assert {row.entrant.id: [str(figure) for _name, figure in row.figures] for row in rows} == {
        seats[0]: ["0", "0"],
        seats[1]: ["0", "3"],
        seats[2]: ["0", "7"],
        seats[3]: ["1", "9"],
    }


def test_it_counts_again_for_who_is_reinstated() -> None:
    found = paired()
    first = found.rounds[0].tables[0].seats[0]
    gone = after(found, forfeit(found, first))
    assert refused(forfeit(gone, first)) == ("already-forfeited", {"entrant": first})
    again = after(gone, no_shows.decide_reinstatement(gone, AT, first))
    assert again == found
    assert refused(no_shows.decide_reinstatement(again, AT, first)) == ("not-forfeited", {"entrant": first})


def test_somebody_is_left_at_the_table() -> None:
    found = paired()
    *most, last = found.rounds[0].tables[0].seats
    for entrant in most:
        found = after(found, forfeit(found, entrant))
    assert refused(forfeit(found, last)).code == "nobody-left"


def test_a_void_match_is_nothing_to_forfeit_and_another_one_is_played_by_all() -> None:
    found = paired()
    first = found.rounds[0].tables[0].seats[0]
    assert refused(forfeit(found, first, VOID)).code == "match-void"
    gone = after(found, forfeit(found, first))
    again = after(gone, decide_rematch(gone, 1, 1, "again", {"1/1": VOID}))
    assert again.rounds[0].tables[0] == found.rounds[0].tables[0]._replace(match="again")


# Who, where and when


def test_only_who_sits_there_at_a_table_of_an_open_round() -> None:
    found = paired(8)
    elsewhere = found.rounds[0].tables[1].seats[0]
    for decide in (remove, forfeit):
        assert refused(decide(found, elsewhere)).code == "not-at-the-table"
        assert refused(decide(found, "e99")).code == "not-at-the-table"
    seat = found.rounds[0].tables[0].seats[0]
    assert refused(no_shows.decide_forfeit(found, (1, 9), seat, {})).code == "unknown-table"
    assert refused(no_shows.decide_forfeit(found, (2, 1), seat, {})).code == "unknown-round"
    over = {"1/1": played(4, 3, 2, 1), "1/2": played(4, 3, 2, 1)}
    closed = after(found, decide_round_close(found, 1, over))
    assert refused(remove(closed, seat)).code == "round-closed"
    assert refused(forfeit(closed, seat)).code == "round-closed"
    assert refused(no_shows.decide_reinstatement(closed, AT, seat)).code == "round-closed"


def test_a_team_has_its_table_to_itself() -> None:
    found = start_tournament(of_teams(), 2)
    found = with_round(found, proposed(found, {}))
    team = found.rounds[0].tables[0].seats[0]
    assert refused(no_shows.decide_removal(found, BY_SLUG["familiars-trouble"], AT, team, "x", {})).code == "team-alone"
    assert refused(no_shows.decide_forfeit(found, AT, team, {})).code == "team-alone"


def test_who_was_removed_may_play_the_next_round() -> None:
    found = after(paired(), remove(paired(), "e2"))
    closed = apply_event(found, "round_closed", {"round": 1})
    results = {"other": played(3, 2, 1)}
    again = proposed(closed, results)
    assert sorted(entrant for table in again.tables for entrant in table.seats) == ["e1", "e2", "e3", "e4"]
