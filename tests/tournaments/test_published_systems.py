"""What published multi-player systems say with figures, against our points. Facts alone are taken from the sources.

Newport Pagnell board game club, scoring of its tournament,
https://www.newportpagnell-boardgames.org.uk/tournament/2023/scoring and …/tournament/2024/rules: 12-8-5-3-2, 11-7-4-2
and 10-6-2; points are split where a game leaves a tie; 0 for whoever does not come, whose place a member may fill
without scoring. Halesowen board gamers, tournaments at UK Games Expo (2013, 2016),
http://halesowenboardgamers.org.uk/expotournaments/2013/overall.htm and …/2016/overall.htm: 4:2:1:0, a joint
winner having 3, a joint second 1.5, a joint third 0.5.
"""

from fractions import Fraction

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.tournaments import no_shows
from gyoji.tournaments.decisions import decide_creation
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.rules import PointsRule, find_faults, read_points, read_rules, write_points, write_rules
from gyoji.tournaments.standings import compute_standings
from gyoji.tournaments.tournament import Entrant, Round, Table, Tournament
from tournaments.made_tournaments import SEED, after, played, refused, rules

CLUB = PointsRule("rank", (11, 7, 4, 2), by_size=((12, 8, 5, 3, 2), (10, 6, 2)))
EXPO = PointsRule("rank", (4, 2, 1, 0))


def points_of(points: PointsRule, *rounds: tuple[str, MatchResult]) -> dict[str, str]:
    """The points of players named by letters, who sat at these tables, one a round."""
    names = sorted({name for seats, _result in rounds for name in seats})
    tables = [
        Round(number, "hand", "00" * 64, (Table(1, tuple(seats), str(number)),), ())
        for number, (seats, _result) in enumerate(rounds, 1)
    ]
    entrants = tuple([Entrant(name, name) for name in names])
    found = Tournament("Cup", rules(points=points), "", entrants, tuple(tables))
    results = {str(number): result for number, (_seats, result) in enumerate(rounds, 1)}
    return {row.entrant.id: str(row.points) for row in compute_standings(found, results)}


@pytest.mark.parametrize(
    ("seats", "whole"),
    [("abcde", 30), ("abcd", 24), ("abc", 18)],
)
def test_a_table_shares_out_six_points_a_player(seats: str, whole: int) -> None:
    scores = range(len(seats), 0, -1)
    brought = points_of(CLUB, (seats, played(*scores)))
    assert sum(map(Fraction, brought.values())) == whole
    assert [brought[name] for name in seats] == [str(each) for each in CLUB.places_at(len(seats))]


def test_first_and_third_are_more_than_twice_second() -> None:
    """In two games of four: 15 and 14."""
    rounds = ("abcd", played(9, 8, 7, 6)), ("cbad", played(9, 8, 7, 6))
    assert points_of(CLUB, *rounds) == {"a": "15", "b": "14", "c": "15", "d": "4"}


def test_points_of_shared_places_are_split() -> None:
    assert points_of(CLUB, ("abc", played(8, 8, 3))) == {"a": "8", "b": "8", "c": "2"}
    assert points_of(EXPO, ("abcd", played(8, 8, 3, 2))) == {"a": "3", "b": "3", "c": "1", "d": "0"}
    assert points_of(EXPO, ("abcd", played(8, 5, 5, 2))) == {"a": "4", "b": "3/2", "c": "3/2", "d": "0"}
    assert points_of(EXPO, ("abcd", played(8, 5, 2, 2))) == {"a": "4", "b": "2", "c": "1/2", "d": "1/2"}


def test_who_does_not_come_has_nothing_and_who_fills_in_scores_nothing() -> None:
    """A table of three has the points of a table of three; at one with a member who fills in, four are paid for."""
    found = Tournament(
        "Cup",
        rules(points=CLUB),
        "",
        tuple([Entrant(name, name) for name in "abcd"]),
        (Round(1, "hand", "00" * 64, (Table(1, tuple("abcd"), "m"),), ()),),
    )
    alone = after(found, no_shows.decide_removal(found, BY_SLUG["catte"], (1, 1), "d", "n", {}))
    rows = compute_standings(alone, {"n": played(9, 8, 7)})
    assert {row.entrant.id: str(row.points) for row in rows} == {"a": "10", "b": "6", "c": "2", "d": "0"}
    filled = after(found, no_shows.decide_forfeit(found, (1, 1), "d", {}))
    rows = compute_standings(filled, {"m": played(9, 8, 7, 30)})
    assert {row.entrant.id: str(row.points) for row in rows} == {"a": "11", "b": "7", "c": "4", "d": "0"}


# Points of tables of another size


def test_it_is_written_where_it_is_used() -> None:
    assert "by_size" not in write_points(EXPO)
    for points in (EXPO, CLUB):
        assert read_points(write_points(points)) == points
        assert read_rules(write_rules(rules(points=points))).points == points


@pytest.mark.parametrize(
    ("by_size", "pointer", "code"),
    [
        (((10, 6, 2), (9, 6, 3)), "/points/by_size", "repeated"),
        (((12, 8, 5, 3, 2), (2, 6, 10)), "/points/by_size/1", "points-rise"),
    ],
)
def test_what_makes_no_sense_is_refused(by_size: tuple[tuple[int, ...], ...], pointer: str, code: str) -> None:
    unsound = rules(points=CLUB._replace(by_size=by_size))
    assert [(fault.pointer, fault.code) for fault in find_faults(unsound, BY_SLUG["catte"])] == [(pointer, code)]
    assert refused(decide_creation("Cup", unsound, BY_SLUG["catte"], SEED)).code == "impossible-rules"


def test_a_forfeit_is_worth_no_more_than_the_last_place_of_that_table() -> None:
    forfeit = CLUB._replace(forfeit=9)
    assert points_of(forfeit, ("abc", played(5, 4, 3, winners=(0,), forfeited=(2,)))) == {"a": "10", "b": "6", "c": "2"}
