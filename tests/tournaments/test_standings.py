"""Points, tie-breaks and standings, reckoned by hand."""

from fractions import Fraction
from typing import Any

import pytest

from gyoji.tournaments.match_points import MatchResult, median
from gyoji.tournaments.rules import PointsRule
from gyoji.tournaments.standings import StandingsRow, compute_standings
from gyoji.tournaments.tournament import Correction, Entrant, Round, Table, Tournament
from tournaments.made_tournaments import OLD_RANK, RANK, RUNNING, SCORE, VOID, WINS, of_teams, played, rules

HALF = Fraction(1, 2)


def tournament(*tables: tuple[str, ...], byes: tuple[str, ...] = (), **changes: Any) -> Tournament:
    """A tournament with one table a round, and byes in the last one; match 1 is that of round 1."""
    names = sorted({name for table in (*tables, byes) for name in table})
    entrants = tuple([Entrant(name, name.upper()) for name in names])
    last = len(tables)
    rounds = tuple(
        [
            Round(number, "hand", "00" * 64, (Table(1, table, str(number)),), byes if number == last else ())
            for number, table in enumerate(tables, 1)
        ]
    )
    return Tournament("Cup", rules(**changes), "", entrants, rounds)


def rows_of(found: Tournament, *results: MatchResult) -> dict[str, StandingsRow]:
    """The standings by entrant, the results being those of the rounds in their order."""
    return {
        row.entrant.id: row for row in compute_standings(found, {str(n): result for n, result in enumerate(results, 1)})
    }


def points_of(points: PointsRule, result: MatchResult, **changes: Any) -> list[str]:
    """What a single table of four is worth to its seats."""
    rows = rows_of(tournament(("a", "b", "c", "d"), points=points, **changes), result)
    return [str(rows[name].points) for name in "abcd"]


@pytest.mark.parametrize(
    ("points", "result", "expected"),
    [
        (SCORE, played(12, -3, 7, 0), ["12", "-3", "7", "0"]),
        (SCORE, played(12, -3, 7, 9, forfeited=(0,)), ["0", "-3", "7", "9"]),
        (SCORE, played(12, -3, 7, 9, forfeited=(1,)), ["12", "-3", "7", "9"]),
        (SCORE, played(10, 8, 7, 9, adjustments=(-2, 0, 0, 1)), ["10", "8", "7", "9"]),
        (RANK, played(12, -3, 7, 0), ["5", "1", "3", "2"]),
        (RANK, played(7, 7, 7, 0), ["10/3", "10/3", "10/3", "1"]),
        (RANK, played(9, 7, 7, 0), ["5", "5/2", "5/2", "1"]),
        (RANK, played(4, 4, 4, 4), ["11/4"] * 4),
        (RANK, played(12, 3, 7, 0, winners=(2,), forfeited=(0,)), ["0", "3", "5", "2"]),
        (RANK, played(12, 3, 7, 0, winners=(2,), forfeited=(0, 1)), ["0", "0", "5", "3"]),
        (RANK, played(12, 3, 7, 0, winners=(), forfeited=(0, 1, 2, 3)), ["0"] * 4),
        (RANK._replace(forfeit=-2), played(12, 3, 7, 0, winners=(2,), forfeited=(0,)), ["-2", "3", "5", "2"]),
        (RANK._replace(forfeit=9), played(12, 3, 7, 0, winners=(2,), forfeited=(0, 1)), ["1", "1", "5", "3"]),
        (PointsRule("rank", (3, 1, -1, -3)), played(12, 3, 7, 0, winners=(2,), forfeited=(0,)), ["-3", "1", "3", "-1"]),
        (OLD_RANK, played(12, 3, 7, 0, winners=(2,), forfeited=(0,)), ["1", "3", "5", "2"]),
        (OLD_RANK, played(12, 3, 7, 0, winners=(2,), forfeited=(0, 1)), ["3/2", "3/2", "5", "3"]),
        (OLD_RANK, played(12, 3, 7, 0, winners=(), forfeited=(0, 1, 2, 3)), ["11/4"] * 4),
        (RANK, played(12, 3, 7, 0, winners=(3,), by="ruling"), ["3", "1", "2", "5"]),
        (RANK, played(12, 3, 7, 0, winners=(0, 3), by="ruling"), ["4", "1", "2", "4"]),
        (WINS, played(12, -3, 7, 0), ["2", "0", "0", "0"]),
        (WINS, played(12, 12, 7, 0), ["1", "1", "0", "0"]),
        (WINS, played(12, 3, 7, 0, winners=(2,), forfeited=(0,)), ["0", "0", "2", "0"]),
        (PointsRule("wins", (), 3, 1, -1), played(1, 0, 0, 0, winners=(0,)), ["3", "-1", "-1", "-1"]),
        (RANK, VOID, ["0"] * 4),
        (RANK, RUNNING, ["0"] * 4),
    ],
)
def test_points_of_a_match(points: PointsRule, result: MatchResult, expected: list[str]) -> None:
    assert points_of(points, result) == expected


def test_nobody_gets_more_for_a_forfeit_than_for_losing() -> None:
    """At a table of two, with 3 points and 1: who has lost has 1, and so nobody who was not there has more."""
    points, table = PointsRule("rank", (3, 1)), ("a", "b")
    both = rows_of(tournament(table, points=points), played(0, 0, winners=(), forfeited=(0, 1), by="forfeit"))
    assert [(str(row.points), row.place) for row in both.values()] == [("0", 1), ("0", 1)]
    one = rows_of(tournament(table, points=points), played(0, 0, winners=(1,), forfeited=(0,), by="forfeit"))
    assert (str(one["a"].points), str(one["b"].points)) == ("0", "3")
    assert [(line.what, str(line.amount)) for line in one["a"].lines] == [("forfeit", "0")]


def test_every_reason_is_a_line_of_its_own() -> None:
    found = tournament(("a", "b", "c", "d"), points=SCORE)
    rows = rows_of(found, played(10, 8, 7, 9, winners=(3,), adjustments=(-2, 0, 0, 1), forfeited=(0,)))
    assert [f"{line.what} {line.amount}" for line in rows["a"].lines] == ["score 12", "adjustment -2", "forfeit -10"]
    assert {(line.round, line.table, line.match) for line in rows["a"].lines} == {(1, 1, "1")}
    assert [f"{line.what} {line.amount}" for line in rows["d"].lines] == ["score 8", "adjustment 1"]


def test_a_shared_place_says_which() -> None:
    rows = rows_of(tournament(("a", "b", "c", "d"), points=RANK), played(9, 7, 7, 0))
    assert [(line.what, line.amount, line.facts) for line in rows["b"].lines] == [
        ("place", Fraction(5, 2), {"first": 2, "last": 3})
    ]


@pytest.mark.parametrize(
    ("points", "bye", "expected"),
    [(SCORE, None, 15 * HALF), (SCORE, 4, 4), (RANK, None, 5), (RANK, 0, 0), (WINS, None, 2), (WINS, 1, 1)],
)
def test_a_bye(points: PointsRule, bye: int | None, expected: Fraction) -> None:
    """By score it is the median of the round: of 12, 9, 6 and 1 that is 7½."""
    found = tournament(("a", "b", "c", "d"), byes=("e",), points=points, bye=bye)
    assert rows_of(found, played(12, 1, 9, 6))["e"].points == expected


def test_a_bye_by_score_is_nothing_while_there_are_no_scores() -> None:
    found = tournament(("a", "b", "c", "d"), byes=("e",), points=SCORE)
    assert rows_of(found, RUNNING)["e"].points == 0
    assert median([Fraction(3), Fraction(1), Fraction(2)]) == 2


def test_corrections_are_told_with_their_reasons() -> None:
    found = tournament(("a", "b", "c", "d"), points=RANK)
    found = found._replace(corrections=(Correction("a", -3 * HALF, "late to the table"),))
    row = rows_of(found, played(9, 7, 6, 0))["a"]
    assert row.points == 7 * HALF
    assert row.lines[-1] == ("points", "correction", -3 * HALF, None, None, None, {"reason": "late to the table"})


def test_a_team_shares_its_score_and_every_adjustment_of_a_seat_is_the_teams() -> None:
    found = Tournament(
        "Cup",
        of_teams(tie_breaks=("wins",)),
        "",
        (Entrant("e1", "Owls", ("x", "y", "z")), Entrant("e2", "Cats", ("u", "v", "w"))),
        (Round(1, "draw", "00", (Table(1, ("e1",) * 3, "1"), Table(2, ("e2",) * 3, "2")), ()),),
    )
    rows = rows_of(
        found,
        played(21, 21, 19, winners=(0, 1, 2), adjustments=(0, 0, -2)),
        played(30, 30, 30, winners=(), forfeited=(1,), by="forfeit"),
    )
    assert [f"{row.place}: {row.points}, {row.figures[0][1]}" for row in rows.values()] == ["1: 19, 1", "2: 0, 0"]


CIRCLE = (("a", "b"), ("b", "c"), ("c", "a"))
TIE_BREAKS = [
    # Three who have each beaten one other: nothing between them, all share the first place.
    (
        CIRCLE,
        [played(5, 1), played(4, 1), played(3, 1)],
        WINS,
        ("head_to_head",),
        {"a": (1, 1), "b": (1, 1), "c": (1, 1)},
    ),
    # Scores: a has 5 + 1, b 1 + 4, c 1 + 3.
    (CIRCLE, [played(5, 1), played(4, 1), played(3, 1)], WINS, ("score",), {"a": (1, 6), "b": (2, 5), "c": (3, 4)}),
    # a and b have 2 points each, and a has beaten b; about c alone there is nothing to say.
    (
        (("a", "b"), ("b", "c")),
        [played(2, 1), played(2, 1)],
        WINS,
        ("head_to_head",),
        {"a": (1, 1), "b": (2, 0), "c": (3, None)},
    ),
    # d has 2 points as well, but b and d have not met: it says nothing. a has met b and d, 2 + 2 points.
    (
        (("a", "b"), ("b", "c"), ("a", "d")),
        [played(2, 1), played(2, 1), played(1, 2)],
        WINS,
        ("head_to_head", "opponents"),
        {"a": (1, None, 4), "b": (2, None, 2), "c": (4, None, 2), "d": (2, None, 2)},
    ),
    # Wins: by places a and b both have 5 + 3; both won once.
    ((("a", "b"), ("b", "a")), [played(2, 1), played(2, 1)], RANK, ("wins",), {"a": (1, 1), "b": (1, 1)}),
    # A win that is shared counts half.
    ((("a", "b"), ("a", "b")), [played(2, 2), played(2, 1)], SCORE, ("wins",), {"a": (1, 3 * HALF), "b": (2, HALF)}),
    # Equal when they met: half each.
    ((("a", "b"),), [played(2, 2)], WINS, ("head_to_head",), {"a": (1, HALF), "b": (1, HALF)}),
    # Opponents at a table of three: the average of the two others (5, 3 and 2 points).
    (
        (("a", "b", "c"),),
        [played(3, 2, 1)],
        RANK,
        ("opponents",),
        {"a": (1, 5 * HALF), "b": (2, 7 * HALF), "c": (3, 4)},
    ),
    # A void match is none: nobody met anybody.
    ((("a", "b"),), [VOID], WINS, ("opponents", "head_to_head"), {"a": (1, 0, None), "b": (1, 0, None)}),
]


@pytest.mark.parametrize(("tables", "results", "points", "names", "expected"), TIE_BREAKS)
def test_tie_breaks(
    tables: tuple[tuple[str, ...], ...],
    results: list[MatchResult],
    points: PointsRule,
    names: tuple[str, ...],
    expected: dict[str, tuple[Fraction | int | None, ...]],
) -> None:
    rows = rows_of(tournament(*tables, game="towai", seats=(3, 2), points=points, tie_breaks=names), *results)
    assert {name: (row.place, *[figure for _, figure in row.figures]) for name, row in rows.items()} == expected


def test_a_bye_is_an_opponent_like_oneself() -> None:
    found = tournament(("a", "b"), byes=("c",), points=WINS, tie_breaks=("opponents",))
    assert rows_of(found, played(2, 1))["c"].figures == (("opponents", Fraction(2)),)


def test_the_lot_leaves_nobody_equal_and_does_not_change_when_others_come() -> None:
    found = tournament(("a", "b", "c", "d"), points=WINS, tie_breaks=("lot",))
    before = [row.entrant.id for row in compute_standings(found, {})]
    assert [row.place for row in compute_standings(found, {})] == [1, 2, 3, 4]
    assert [row.figures[0][1] for row in compute_standings(found, {})] == [1, 2, 3, 4]
    more = found._replace(entrants=(*found.entrants, Entrant("e", "Late")))
    assert [row.entrant.id for row in compute_standings(more, {}) if row.entrant.id != "e"] == before
    nobody = compute_standings(more._replace(rounds=()), {})
    assert {row.figures for row in nobody} == {(("lot", None),)}
    assert {row.place for row in nobody} == {1}


def test_a_late_result_and_another_one_change_what_follows_from_them() -> None:
    found = tournament(("a", "b"), ("a", "b"), points=WINS)
    assert {name: row.points for name, row in rows_of(found, RUNNING, played(1, 2)).items()} == {"a": 0, "b": 2}
    assert {name: row.points for name, row in rows_of(found, played(2, 1), played(1, 2)).items()} == {"a": 2, "b": 2}
    ruled = played(2, 1, winners=(1,), by="ruling")
    assert {name: row.points for name, row in rows_of(found, ruled, played(1, 2)).items()} == {"a": 0, "b": 4}
