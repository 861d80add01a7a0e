"""Standings: computed from the logs of the matches, explained figure by figure, as JSON and as a table."""

import csv
import re
from fractions import Fraction
from io import StringIO
from random import Random

import pytest

from gyoji.app.tournament_state import result_from_log, results_from
from gyoji.app.tournaments.management import rules_of
from gyoji.app.tournaments.standings import decimal, harmless
from gyoji.published_files import rules_digest
from gyoji.store.tournaments import StoredTournament
from gyoji.tournaments.chance import seed_commitment
from gyoji.tournaments.decisions import Event
from gyoji.tournaments.log import record_event
from gyoji.tournaments.rules import PointsRule, write_rules
from operators import OPERATOR
from web.matches.tables import House, Plain, read
from web.tournaments.directing import Cup, cup, matches_of, play_out, points

STORES = ("sqlite",)


def played(club: Cup, rounds: int) -> dict[str, list[tuple[int, ...]]]:
    """The scores of every match of so many rounds, in the order of its table's entrants, by entrant."""
    found: dict[str, list[tuple[int, ...]]] = {}
    for number in range(1, rounds + 1):
        paired = club.pair()
        for table in paired["tables"]:
            scores = play_out(club.house.services, table["match"], Random(f"{number}/{table['table']}"))
            for at, seat in enumerate(table["seats"]):
                found.setdefault(seat["name"], []).append((scores[at], *scores))
        club.close(number)
    return found


def test_points_by_score_are_the_scores_of_the_logs(six: Cup) -> None:
    scores = played(six, 3)
    rows = six.standings()
    assert points(rows) == {name: str(sum(own for own, *_all in each)) for name, each in scores.items()}
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    assert [int(row["points"]) for row in rows] == sorted((int(row["points"]) for row in rows), reverse=True)


def test_points_by_rank(house: House) -> None:
    """The point of each place; who shares places shares their points."""
    club = cup(house, points={"by": "rank", "points": [6, 3, 0]}).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
    expected = {}
    for name, each in played(club, 2).items():
        total = Fraction(0)
        for own, *everybody in each:
            better, equal = sum(other > own for other in everybody), everybody.count(own)
            total += Fraction(sum([6, 3, 0][better : better + equal]), equal)
        expected[name] = str(total)
    assert points(club.standings()) == expected


def made_before(house: House) -> Cup:
    """A public tournament for tables of two as 0.1.0 has stored it: its log says nothing of points for a forfeit."""
    services = house.services
    chosen = rules_of({"game": "towai", "seats": [2], "rounds": 4, "points": {"by": "rank", "points": [3, 1]}})
    logged = write_rules(chosen._replace(points=PointsRule("rank", (3, 1), forfeit=None)))
    assert logged["points"] == {"by": "rank", "points": (3, 1)}
    pinned = {"visibility": "public", "rules_digest": rules_digest("towai")}
    event = Event(
        "tournament_created", {"title": "Old", "rules": logged, "seed_commitment": seed_commitment(bytes(32)), **pinned}
    )
    name, at = services.new_id(), services.at()
    first = record_event(name, 0, bytes(32), at, {"role": "operator"}, event)
    services.store.tournaments.create(
        StoredTournament(name, "operator", at, "public", closed=False, seq=0, hash=first.hash, secret=bytes(32)),
        first,
        None,
    )
    return Cup(house, name, OPERATOR)


@pytest.mark.parametrize("is_old", [False, True])
def test_who_forfeits_gets_no_more_than_who_loses(house: House, is_old: bool) -> None:
    """Two who are not there, at a table of two: nothing for either. A tournament that was made when they shared the
    places keeps its standings."""
    new: Plain = {"game": "towai", "seats": [2], "points": {"by": "rank", "points": [3, 1]}, "visibility": "public"}
    club = (made_before(house) if is_old else cup(house, **new)).enter("Ann", "Ben")
    (match,) = matches_of(club.pair())
    sent = {"ruling": {"kind": "forfeit", "seats": [0, 1]}, "reason": "Nobody came."}
    answer = house.client.post(f"/v1/matches/{match}/rulings", json=sent, headers={**club.director, "If-Match": '"1"'})
    read(answer)
    assert points(club.standings()) == ({"Ann": "2", "Ben": "2"} if is_old else {"Ann": "0", "Ben": "0"})
    what = "place" if is_old else "forfeit"
    assert {row["lines"][0]["what"] for row in club.standings()} == {what}
    assert read(club.get())["points"] == {"by": "rank", "points": [3, 1], **({} if is_old else {"forfeit": 0})}
    page = house.client.get(f"/tournaments/{club.tournament}").text
    assert ("by place at the table: 3, 1; 0 at most for a forfeit" in page) is not is_old


def test_points_by_wins(house: House) -> None:
    club = cup(house, points={"by": "wins", "win": 2, "draw": 1, "loss": 0}).enter(
        "Ann", "Ben", "Cho", "Dan", "Eve", "Fay"
    )
    expected = {}
    for name, each in played(club, 2).items():
        wins = [everybody.count(own) for own, *everybody in each if own == max(everybody)]
        expected[name] = str(sum(2 if sharing == 1 else 1 for sharing in wins))
    assert points(club.standings()) == expected


def test_every_figure_is_the_sum_of_its_lines(six: Cup) -> None:
    played(six, 2)
    read(six.ask("/corrections", {"entrant": "e3", "points": "1/2", "reason": "Kind"}))
    for row in six.standings():
        figures = {"points": row["points"], **{each["figure"]: each["value"] for each in row["tie_breaks"]}}
        assert {line["figure"] for line in row["lines"]} <= set(figures)
        for figure, value in figures.items():
            lines = [line for line in row["lines"] if line["figure"] == figure]
            assert value is None or sum((Fraction(line["amount"]) for line in lines), Fraction(0)) == Fraction(value)
        for line in row["lines"]:
            assert line["why"]
            assert (line["table"] is None) == (line["match"] is None)


def test_the_lines_are_said_in_the_language_of_the_reader(six: Cup) -> None:
    played(six, 1)
    said = [
        read(six.get("/standings", headers={"Accept-Language": language}))["rows"][0]["lines"][0]["why"]
        for language in ("en", "ja")
    ]
    assert said == ["score of the match", "対局の得点"]


def test_what_is_still_played_counts_nothing_and_is_named(six: Cup) -> None:
    paired = six.pair()
    one, two = matches_of(paired)
    assert set(points(six.standings()).values()) == {"0"}
    read(six.house.client.post(f"/v1/matches/{one}/void", headers=dict(six.director)))
    assert read(six.get("/standings"))["running"] == [{"round": 1, "table": 2}]
    scores = play_out(six.house.services, two, Random(1))
    told = read(six.get("/standings"))
    assert (told["running"], told["paired"], told["rounds"]) == ([], 1, 4)
    names = [seat["name"] for seat in paired["tables"][1]["seats"]]
    found = points(told["rows"])
    assert [found[name] for name in names] == [str(score) for score in scores]
    void = [seat["name"] for seat in paired["tables"][0]["seats"]]
    assert [found[name] for name in void] == ["0", "0", "0"]
    (row,) = [row for row in told["rows"] if row["name"] == void[0]]
    assert row["lines"][0]["what"] == "void"


def test_who_withdraws_keeps_what_it_has_played(six: Cup) -> None:
    played(six, 1)
    before = points(six.standings())
    read(six.ask("/entrants/e2/withdrawal"))
    rows = six.standings()
    assert points(rows) == before
    assert [row["name"] for row in rows if row["withdrawn"]] == ["Ben"]


GAMES = [("towai", 2), ("catte", 3), ("tomorrow-never-meows", 3), ("familiars-trouble", 3)]


@pytest.mark.parametrize(("game", "size"), GAMES)
def test_what_the_end_of_a_match_says_is_what_its_log_comes_to(house: House, game: str, size: int) -> None:
    teams = game == "familiars-trouble"
    club = cup(house, game=game, seats=[size])
    members = [{"members": ["a", "b", "c"]} if teams else {} for _name in range(size)]
    read(club.ask("/entrants", {"entrants": [{"name": f"P{at}", **more} for at, more in enumerate(members)]}))
    for match in matches_of(club.pair())[:1]:
        play_out(house.services, match, Random(5))
        (stands,) = [each for each in house.services.store.tournaments.played(club.tournament) if each.match == match]
        quick = results_from(house.services, [stands])[match]
        assert quick.status == "finished"
        assert quick._replace(adjustments=()) == result_from_log(house.services, stands)._replace(adjustments=())


def test_fractions_of_corrections_stay_small(six: Cup) -> None:
    """Whatever is taken, sixtieths are the smallest part of it: no figure grows beyond what is published."""
    taken = [part for part in range(1, 100) if six.ask("/corrections", _part(part)).status_code == 201]
    assert taken == [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60]
    (row,) = [row for row in six.standings() if row["entrant"] == "e1"]
    assert row["points"] == "14/5"  # 168/60: the divisors of 60 add up to 168


def _part(part: int) -> Plain:
    return {"entrant": "e1", "points": f"1/{part}", "reason": "One part"}


def table_of(club: Cup, language: str = "en") -> list[list[str]]:
    """The rows of the standings as a spreadsheet reads them."""
    answer = club.get("/standings", headers={"Accept": "text/csv", "Accept-Language": language})
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{club.tournament}.csv"'
    return [*csv.reader(StringIO(answer.data.decode("utf-8-sig")))]


def test_the_table_says_the_same(six: Cup) -> None:
    played(six, 2)
    read(six.ask("/corrections", {"entrant": "e1", "points": "-1/3", "reason": "Loud"}))
    heading, *rows = table_of(six)
    assert heading == ["place", "entrant", "name", "withdrawn", "points", "opponents", "head to head", "lot"]
    assert table_of(six, "ja")[0][:5] == ["順位", "参加者", "名前", "棄権", "点"]
    told = six.standings()
    assert [row[:3] for row in rows] == [[str(row["place"]), row["entrant"], row["name"]] for row in told]
    for line, row in zip(rows, told, strict=True):
        assert float(line[4]) == pytest.approx(float(Fraction(row["points"])))


def test_a_spreadsheet_can_tell_how_the_table_is_written(house: House) -> None:
    """Excel takes a file without a mark for one of the machine's own code page, and 山田 for å±±ç”°."""
    answer = cup(house).enter("山田", "Ann").get("/standings", headers={"Accept": "text/csv"})
    assert answer.data.startswith(b'\xef\xbb\xbf"place","entrant","name"')
    assert "山田".encode() in answer.data
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.data.count("\ufeff".encode()) == 1


NASTY = ('=HYPERLINK("http://x","y")', "+1", "-2+3", "@SUM(A1)", "|calc", " =1+1", '"; DROP', "a,b")


def test_a_name_is_no_formula(house: House) -> None:
    club = cup(house, seats=[4]).enter(*NASTY)
    names = [row[2] for row in table_of(club)[1:]]
    assert names == [name if name.startswith(('"', "a")) else f"'{name}" for name in NASTY]


def test_numbers_are_no_formulas_and_no_dates() -> None:
    said = {"5/2": "2.5", "-1/3": "-0.333333", "7": "7", "0": "0", "-3": "-3", "100": "100"}
    assert {text: decimal(Fraction(text)) for text in said} == said
    assert harmless("Ann = best") == "Ann = best"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff20SUM(A1)", "'\uff20SUM(A1)"),
        ("\u22121", "'\u22121"),
        ("\ufeff=1+1", "'\ufeff=1+1"),
        ("\u200b\u3000+1", "'\u200b\u3000+1"),
        ("a;=1+1;b", "a;'=1+1;b"),
        ('a;"=1+1";b', 'a;\'"=1+1";b'),
        ("a; -1", "a;' -1"),
        ("Ann; Ben", "Ann; Ben"),
        (";", ";"),
        ("\u96ea-Yuki", "\u96ea-Yuki"),
    ],
)
def test_signs_of_other_widths_and_other_separators_make_no_formula(name: str, told: str) -> None:
    assert harmless(name) == told


def test_every_cell_is_in_quotes(six: Cup) -> None:
    lines = six.get("/standings", headers={"Accept": "text/csv"}).data.decode("utf-8-sig").splitlines()
    assert len(lines) == 7
    assert all(re.fullmatch(r'"[^"]*"(,"[^"]*"){7}', line) for line in lines)


def test_standings_are_made_anew_only_after_something_has_happened(six: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    paired = six.pair()
    before = six.get("/standings").data
    made: list[object] = []

    def counted(*of: object) -> tuple[()]:
        made.append(of)
        return ()

    monkeypatch.setattr("gyoji.app.tournaments.standings.compute_standings", counted)
    assert six.get("/standings").data == before
    assert made == []
    play_out(six.house.services, matches_of(paired)[0], Random(1))
    six.get("/standings")
    six.get("/standings")
    assert len(made) == 1
