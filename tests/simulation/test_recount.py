"""Standings counted from files alone: figures that can be checked by hand."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest

from gyoji.simulation.recount import recount
from gyoji.simulation.recount_matches import MatchEnd, read_match_end

Document = Mapping[str, Any]
RANK = {"by": "rank", "points": [3, 2, 1, 0]}
WINS = {"by": "wins", "win": 2, "draw": 1, "loss": 0}


COOPERATIVE = ("familiars-trouble",)


def lines(documents: Sequence[Document]) -> list[bytes]:
    return [json.dumps(document).encode() + b"\n" for document in documents]


def happened(kind: str, **data: Any) -> Document:
    return {"type": kind, "data": data}


def ruled(kind: str, **members: Any) -> Document:
    return happened("ruling_made", ruling={"kind": kind, **members}, rule=None, reason=None)


def finished(*scores: int, **result: Any) -> Document:
    if result:
        return happened("match_finished", outcome=None, result={"scores": scores, **result})
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return happened("match_finished", outcome={"scores": scores, "winners": winners, "reason": "rounds_played"})


def match(seats: int, *events: Document, game: str = "catte") -> list[bytes]:
    """The public lines of a replay file, with an opening and a head among them."""
    created = happened("match_created", game=game, seats=seats)
    return lines([{"format": "gyoji-replay/1"}, created, {"opening": {"seq": 0}}, *events, {"head": {}, "file": ""}])


def forfeit(*scores: int, winners: Sequence[int], forfeited: Sequence[int], by: str = "forfeit") -> Document:
    return finished(*scores, by=by, winners=winners, forfeited=forfeited)


# What came of a match


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((), None),
        ((finished(3, 7, 7),), MatchEnd((3, 7, 7), (0, 0, 0), (1, 2))),
        ((ruled("points", seat=0, points=5), finished(3, 7, 7)), MatchEnd((8, 7, 7), (5, 0, 0), (0,))),
        ((finished(3, 7, 7), ruled("points", seat=1, points=-1)), MatchEnd((3, 6, 7), (0, -1, 0), (2,))),
        (
            (forfeit(3, 7, 9, winners=[1], forfeited=[2]), ruled("points", seat=0, points=5)),
            MatchEnd((8, 7, 9), (5, 0, 0), (0,), (2,)),
        ),
        ((finished(3, 7, 7), ruled("take_back", to=4)), None),
        ((finished(3, 7, 7), ruled("take_back", to=4), finished(9, 7, 7)), MatchEnd((9, 7, 7), (0, 0, 0), (0,))),
        (
            (finished(3, 7, 7), ruled("result", winners=[0], scores=None), ruled("points", seat=1, points=9)),
            MatchEnd((3, 16, 7), (0, 0, 0), (0,), (), by_ruling=True),
        ),
        (
            (finished(3, 7, 7), ruled("result", winners=[0], scores=[9, 1, 1])),
            MatchEnd((9, 1, 1), (0, 0, 0), (0,), (), by_ruling=True),
        ),
        (
            (
                ruled("result", winners=[1], scores=[0, 4, 0]),
                forfeit(0, 4, 0, winners=[1], forfeited=[], by="ruling"),
            ),
            MatchEnd((0, 4, 0), (0, 0, 0), (1,), (), by_ruling=True),
        ),
        ((finished(3, 7, 7), ruled("void"), happened("match_voided", reason="ruling", missing=[])), None),
        ((ruled("note"), ruled("pause"), finished(1, 1, 0)), MatchEnd((1, 1, 0), (0, 0, 0), (0, 1))),
    ],
)
def test_what_came_of_a_match(events: Sequence[Document], expected: MatchEnd | None) -> None:
    assert read_match_end(match(3, *events), COOPERATIVE) == expected


def test_who_plays_together_wins_and_loses_together() -> None:
    team = {"game": "familiars-trouble"}
    won = match(3, ruled("points", seat=1, points=3), finished(9, 9, 9), **team)
    assert read_match_end(won, COOPERATIVE) == MatchEnd((9, 12, 9), (0, 3, 0), (0, 1, 2))
    forfeited = match(3, forfeit(9, 9, 9, winners=[], forfeited=[1]), ruled("points", seat=0, points=1), **team)
    lost = read_match_end(forfeited, COOPERATIVE)
    assert lost == MatchEnd((10, 9, 9), (1, 0, 0), (), (1,))


# Standings


def cup(points: Document, tie_breaks: Sequence[str], *events: Document, bye: int | None = None) -> list[bytes]:
    """The log of a tournament with four entrants."""
    created = happened("tournament_created", rules={"points": points, "bye": bye, "tie_breaks": tie_breaks})
    entered = [happened("entrant_added", entrant=f"e{number}", name=f"P{number}", members=[]) for number in range(1, 5)]
    return lines([{"format": "gyoji-tournament/1"}, created, *entered, *events, {"head": {}}])


def paired(number: int, *tables: tuple[str, str], byes: Sequence[str] = ()) -> Document:
    """A round: of each table its entrants and its match."""
    told = [
        {"table": place, "match": name, "seats": entrants.split()} for place, (entrants, name) in enumerate(tables, 1)
    ]
    return happened("round_paired", round=number, seed="00" * 64, tables=told, byes=byes)


def recount_of(log: Sequence[bytes], **files: Sequence[bytes]) -> list[tuple[int, str, str]]:
    return [(row.place, row.entrant, str(row.points)) for row in recount(log, files, COOPERATIVE)]


def figures(log: Sequence[bytes], **files: Sequence[bytes]) -> dict[str, list[Fraction | None]]:
    return {row.entrant: [figure for _name, figure in row.tie_breaks] for row in recount(log, files, COOPERATIVE)}


def test_places_at_a_table_and_equal_ones_share() -> None:
    """5, 9, 5 and 1: the second and the third place share 2 and 1 points."""
    log = cup(RANK, (), paired(1, ("e1 e2 e3 e4", "a")))
    assert recount_of(log, a=match(4, finished(5, 9, 5, 1))) == [
        (1, "e2", "3"),
        (2, "e1", "3/2"),
        (2, "e3", "3/2"),
        (4, "e4", "0"),
    ]


def test_who_forfeits_is_last_whatever_the_score() -> None:
    log = cup(RANK, (), paired(1, ("e1 e2 e3 e4", "a")))
    gone = match(4, forfeit(9, 2, 1, 0, winners=[1], forfeited=[0]))
    assert recount_of(log, a=gone) == [(1, "e2", "3"), (2, "e3", "2"), (3, "e4", "1"), (4, "e1", "0")]
    two = match(4, forfeit(9, 2, 1, 0, winners=[1], forfeited=[0, 3]))
    assert recount_of(log, a=two)[2:] == [
        (3, "e1", "1/2"),
        (3, "e4", "1/2"),
    ]  # as before forfeits had points of their own
    for worth, points in ((0, "0"), (-1, "-1"), (5, "0")):
        log = cup({**RANK, "forfeit": worth}, (), paired(1, ("e1 e2 e3 e4", "a")))
        assert recount_of(log, a=two) == [(1, "e2", "3"), (2, "e3", "2"), (3, "e1", points), (3, "e4", points)]
    lost = cup({"by": "rank", "points": [3, 1], "forfeit": 0}, (), paired(1, ("e1 e2", "a"), ("e3 e4", "b")))
    files = {"a": match(2, forfeit(0, 0, winners=[], forfeited=[0, 1])), "b": match(2, finished(5, 4))}
    assert recount_of(lost, **files) == [(1, "e3", "3"), (2, "e4", "1"), (3, "e1", "0"), (3, "e2", "0")]
    by_score = cup({"by": "score"}, (), paired(1, ("e1 e2 e3 e4", "a")))
    assert recount_of(by_score, a=gone)[-2:] == [(3, "e1", "0"), (3, "e4", "0")]


def test_wins_draws_and_a_bye() -> None:
    log = cup(WINS, (), paired(1, ("e1 e2 e3", "a"), byes=["e4"]), paired(2, ("e1 e2 e4", "b"), byes=["e3"]))
    found = recount_of(log, a=match(3, finished(4, 4, 0)), b=match(3, finished(0, 0, 1)))
    assert found == [(1, "e4", "4"), (2, "e3", "2"), (3, "e1", "1"), (3, "e2", "1")]


def test_a_bye_is_the_median_score_of_its_round() -> None:
    log = cup({"by": "score"}, (), paired(1, ("e1 e2", "a"), byes=["e3", "e4"]))
    assert {who: points for _place, who, points in recount_of(log, a=match(2, finished(4, 9)))} == {
        "e2": "9",
        "e3": "13/2",
        "e4": "13/2",
        "e1": "4",
    }
    stated = cup({"by": "score"}, (), paired(1, ("e1 e2 e3", "a"), byes=["e4"]), bye=7)
    assert recount_of(stated, a=match(3, finished(4, 9, 1)))[1] == (2, "e4", "7")


def test_void_and_running_matches_count_for_nobody_and_another_takes_their_place() -> None:
    log = cup(
        WINS, (), paired(1, ("e1 e2", "a"), ("e3 e4", "b")), happened("match_replaced", round=1, table=1, match="c")
    )
    files = {"a": match(2, finished(9, 0)), "b": match(2), "c": match(2, finished(0, 9))}
    assert recount_of(log, **files) == [(1, "e2", "2"), (2, "e1", "0"), (2, "e3", "0"), (2, "e4", "0")]


def test_a_round_that_was_taken_back_counts_for_nobody() -> None:
    """Neither its byes nor its matches, which are void; the round that has its number counts."""
    log = cup(
        WINS,
        (),
        paired(1, ("e1 e2 e3", "a"), byes=["e4"]),
        paired(2, ("e1 e2 e4", "b"), byes=["e3"]),
        happened("round_taken_back", round=2),
        paired(2, ("e2 e3 e4", "c"), byes=["e1"]),
    )
    files = {"a": match(3, finished(9, 0, 0)), "b": match(3), "c": match(3, finished(9, 0, 0))}
    assert recount_of(log, **files) == [(1, "e1", "4"), (2, "e2", "2"), (2, "e4", "2"), (4, "e3", "0")]


def test_who_is_not_there() -> None:
    """Removed: another match with a seat less. Forfeited: behind everybody else, whatever became of the seat."""
    where = {"round": 1, "table": 1}
    round_one = paired(1, ("e1 e2 e3 e4", "a"))
    removed = cup(RANK, (), round_one, happened("entrant_removed", **where, entrant="e2", match="b"))
    files = {"a": match(4), "b": match(3, finished(1, 2, 3))}
    assert recount_of(removed, **files) == [(1, "e4", "3"), (2, "e3", "2"), (3, "e1", "1"), (4, "e2", "0")]
    gone = happened("entrant_forfeited", **where, entrant="e2")
    won = match(4, finished(1, 9, 4, 4))
    assert recount_of(cup({**RANK, "forfeit": 0}, (), round_one, gone), a=won) == [
        (1, "e3", "5/2"),
        (1, "e4", "5/2"),
        (3, "e1", "1"),
        (4, "e2", "0"),
    ]
    assert recount_of(cup(WINS, (), round_one, gone), a=won)[0] == (1, "e3", "1")
    below = match(4, finished(-3, 9, 4, 1))
    assert recount_of(cup({"by": "score"}, (), round_one, gone), a=below)[2:] == [(3, "e1", "-3"), (3, "e2", "-3")]
    back = happened("entrant_reinstated", **where, entrant="e2")
    assert recount_of(cup(WINS, (), round_one, gone, back), a=won)[0] == (1, "e2", "2")
    again = happened("match_replaced", **where, match="b")
    assert recount_of(cup(WINS, (), round_one, gone, again), a=won, b=won)[0] == (1, "e2", "2")


def test_places_at_tables_of_another_size() -> None:
    points = {"by": "rank", "points": [11, 7, 4, 2], "forfeit": 5, "by_size": [[12, 8, 5, 3, 2], [10, 6, 2]]}
    log = cup(points, (), paired(1, ("e1 e2 e3", "a"), byes=["e4"]))
    found = {who: worth for _place, who, worth in recount_of(log, a=match(3, finished(5, 5, 1)))}
    assert found == {"e1": "8", "e2": "8", "e3": "2", "e4": "11"}
    lost = match(3, forfeit(9, 2, 1, winners=[1], forfeited=[0]))
    assert {who: worth for _place, who, worth in recount_of(log, a=lost)}["e1"] == "2"


def test_corrections() -> None:
    log = cup(WINS, (), happened("correction_made", entrant="e3", points="-5/2", reason="late"))
    assert recount_of(log)[-1] == (4, "e3", "-5/2")


def test_announcements_count_for_nothing() -> None:
    log = cup(WINS, (), paired(1, ("e1 e2 e3", "a"), byes=["e4"]))
    with_announcements = cup(
        WINS,
        (),
        happened("announcement_made", text="The kitchen is open."),
        paired(1, ("e1 e2 e3", "a"), byes=["e4"]),
        happened("announcement_made", text=None),
    )
    files = {"a": match(3, finished(9, 0, 0))}
    assert recount_of(with_announcements, **files) == recount_of(log, **files)


def test_opponents_score_and_wins() -> None:
    """e1 and e2 share a win, e3 has a bye and then beats e1."""
    log = cup(
        WINS,
        ("opponents", "score", "wins"),
        paired(1, ("e1 e2", "a"), byes=["e3", "e4"]),
        paired(2, ("e1 e3", "b")),
    )
    found = figures(log, a=match(2, finished(4, 4)), b=match(2, finished(1, 6)))
    # points: e1 1, e2 1, e3 4, e4 2
    assert found == {
        "e3": [Fraction(1 + 4), Fraction(6), Fraction(1)],
        "e4": [Fraction(2), Fraction(0), Fraction(0)],
        "e1": [Fraction(1 + 4), Fraction(5), Fraction(1, 2)],
        "e2": [Fraction(1), Fraction(4), Fraction(1, 2)],
    }


def test_head_to_head_says_nothing_where_not_all_have_met() -> None:
    """e1, e2 and e3 have two points each; e4 has none. All three met at one table, so it says who did better there."""
    log = cup(
        {"by": "rank", "points": [2, 1, 0]},
        ("head_to_head",),
        paired(1, ("e1 e2 e3", "a")),
        happened("correction_made", entrant="e2", points="1", reason="x"),
        happened("correction_made", entrant="e3", points="2", reason="x"),
    )
    found = figures(log, a=match(3, finished(9, 5, 1)))
    assert found == {"e1": [Fraction(2)], "e2": [Fraction(1)], "e3": [Fraction(0)], "e4": [None]}
    assert recount_of(log, a=match(3, finished(9, 5, 1)))[:3] == [(1, "e1", "2"), (2, "e2", "2"), (3, "e3", "2")]
    apart = cup(WINS, ("head_to_head",), paired(1, ("e1 e2", "a"), ("e3 e4", "b")))
    files = {"a": match(2, finished(1, 0)), "b": match(2, finished(1, 0))}
    assert set(map(tuple, figures(apart, **files).values())) == {(None,)}


def test_lots_are_those_of_the_first_round() -> None:
    """HMAC-SHA-256 of the entrant under the seed of the first round, written out; the lowest is the best."""
    log = cup(WINS, ("lot",), paired(1, ("e1 e2", "a"), ("e3 e4", "b")))
    files = {"a": match(2), "b": match(2)}

    def drawn(entrant: str) -> bytes:
        inner, outer = bytes([0x36]) * 64, bytes([0x5C]) * 64  # the key is all zeros
        label = b"tournament/1/lot"
        message = len(label).to_bytes(4, "big") + label + len(entrant).to_bytes(4, "big") + entrant.encode()
        return sha256(outer + sha256(inner + message).digest()).digest()

    order = sorted(["e1", "e2", "e3", "e4"], key=drawn)
    assert [who for _place, who, _points in recount_of(log, **files)] == order
    assert figures(log, **files) == {who: [Fraction(number)] for number, who in enumerate(order, 1)}


def test_a_team_shares_its_score_and_bears_every_adjustment() -> None:
    events = (ruled("points", seat=1, points=3), finished(9, 9, 9))
    log = cup({"by": "score"}, ("wins",), paired(1, ("e1 e1 e1", "a"), ("e2 e2 e2", "b")))
    files = {
        "a": match(3, *events, game="familiars-trouble"),
        "b": match(3, forfeit(9, 9, 9, winners=[], forfeited=[0]), game="familiars-trouble"),
    }
    assert recount_of(log, **files)[0] == (1, "e1", "12")
    assert {row.entrant: (row.points, row.tie_breaks[0][1]) for row in recount(log, files, COOPERATIVE)} == {
        "e1": (Fraction(12), Fraction(1)),
        "e2": (Fraction(0), Fraction(0)),
        "e3": (Fraction(0), Fraction(0)),
        "e4": (Fraction(0), Fraction(0)),
    }
