"""``gyoji tournament simulate``: a small tournament with every fault; and that its checks see what is wrong."""

import re
from typing import Any

import orjson
import pytest

from commands import run
from gyoji.match.effective_history import history_lines, taken_back_events
from gyoji.simulation.checks import MatchFiles, check_matches, check_standings
from replay.refereed import Match
from replay.tampering import TRUSTED, file_of


def test_eight_players_two_rounds_and_every_fault() -> None:
    """Each of the four tables has two faults, so that all kinds happen; the server is killed in the first round. Two
    entrants sit out."""
    ran = run("tournament", "simulate", "--players", "8", "--rounds", "2", "--seats", "3", "--seed", "5eed")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "seed 5eed" in ran.stdout.splitlines()[0]
    for said in ("time-out (referee) 1", "take_back 1", "void 1", "result 1", "the server was killed after 8 moves"):
        assert said in ran.stdout
    assert ", absent e1, " in ran.stdout
    assert "  e2 withdraws\n  e9 comes late\n  e1 is here, and e3 has to leave\n" in ran.stdout
    assert ", absent e3, " in ran.stdout
    matches = re.search(r"(\d+) matches: (\d+) verified, (\d+) verified with (\d+) rulings; both lines", ran.stdout)
    assert matches is not None
    count, verified, with_rulings, rulings = map(int, matches.groups())
    assert (count, verified + with_rulings) == (5, 5)
    assert rulings >= 5
    assert "standings counted a second time from the files: the same, all 9 rows" in ran.stdout


def test_who_is_not_there_ends_nothing_for_the_others() -> None:
    table = ("--players", "8", "--rounds", "1", "--seats", "4", "--faults", "removed,forfeited")
    ran = run("tournament", "simulate", *table, "--seed", "5eed")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert len(re.findall(r"^  e\d is not there: (?:removed|forfeited)$", ran.stdout, re.MULTILINE)) == 2
    assert "2 matches: 1 verified, 1 verified with 1 rulings" in ran.stdout
    assert "standings counted a second time from the files: the same, all 8 rows" in ran.stdout


@pytest.mark.parametrize("wrong", [("--seed", "xyz"), ("--faults", "floods"), ("--players", "1"), ("--game", "go")])
def test_what_cannot_be_simulated(wrong: tuple[str, str]) -> None:
    assert run("tournament", "simulate", *wrong).exit_code == 2


# The checks


@pytest.fixture(scope="module")
def match_files() -> MatchFiles:
    """A match with a card that was let stand, a take-back and points."""
    match = Match("catte").play(12)
    match.rule("points", seat=1, points=4)
    match.rule("take_back", to=6)
    match.play()
    match.close()
    lines = [*history_lines("full", match.entries, taken_back_events(match.entries))]
    return MatchFiles(match.current.match, file_of(match.entries), lines)


def test_files_and_lines_that_are_true(match_files: MatchFiles) -> None:
    found = check_matches([match_files], TRUSTED)
    assert (found.wrong, found.counts) == ((), {"verified_with_rulings": 1, "rulings": 2})


def test_a_file_that_is_not(match_files: MatchFiles) -> None:
    changed = [line.replace(b'"points":4', b'"points":5') for line in match_files.played]
    (said,) = check_matches([match_files._replace(played=changed)], TRUSTED).wrong
    assert "audits to tampered" in said


def test_a_line_that_is_not_what_is_left_of_the_log(match_files: MatchFiles) -> None:
    (said,) = check_matches([match_files._replace(ruled=match_files.ruled[:-2])], TRUSTED).wrong
    assert "not what is left" in said


SAID = {
    "rows": [
        {"place": 1, "entrant": "e2", "points": "7/2", "tie_breaks": []},
        {"place": 2, "entrant": "e1", "points": "-1", "tie_breaks": []},
    ]
}
LOG = [
    orjson.dumps({"type": kind, "data": data})
    for kind, data in (
        ("tournament_created", {"rules": {"points": {"by": "score"}, "bye": None, "tie_breaks": []}}),
        ("entrant_added", {"entrant": "e1"}),
        ("entrant_added", {"entrant": "e2"}),
        ("correction_made", {"entrant": "e2", "points": "7/2"}),
        ("correction_made", {"entrant": "e1", "points": "-1"}),
    )
]


def test_standings_that_add_up() -> None:
    assert check_standings(SAID, LOG, {}, ()) == ()


@pytest.mark.parametrize(
    "changed", [{"points": "4"}, {"place": 2}, {"entrant": "e3"}, {"tie_breaks": [{"figure": "lot", "value": "1"}]}]
)
def test_standings_that_do_not(changed: dict[str, Any]) -> None:
    rows = [{**SAID["rows"][0], **changed}, SAID["rows"][1]]
    assert len(check_standings({"rows": rows}, LOG, {}, ())) == 1


def test_a_row_that_is_missing() -> None:
    assert check_standings({"rows": SAID["rows"][:1]}, LOG, {}, ()) == ("2 entrants, and 1 are listed",)
