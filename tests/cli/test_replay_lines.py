"""``gyoji replay show --line``: what was played and what was ruled, and the result that stands."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.log.redaction import Reader
from gyoji.match.effective_history import history_lines, taken_back_events
from gyoji.simulation.matches import SimulatedLog
from gyoji.store import migrate
from replay.refereed import BANKED, Match, until
from replay.tampering import file_of
from stored import keep


def stored_match(folder: Path, match: Match, reader: Any = "full") -> Path:
    file = folder / "match.jsonl"
    file.write_bytes(b"".join(file_of(match.entries, reader)))
    return file


def numbers(text: str) -> list[tuple[int, str]]:
    """The events that are told, and the mark beside each."""
    return [(int(number), mark) for number, mark in re.findall(r"^ *(\d+)([ ×]) \S", text, re.MULTILINE)]


@pytest.fixture
def taken_back() -> Match:
    """Events 5 to 8 are taken back by event 9."""
    match = Match("catte").play(7)
    match.rule("take_back", to=4)
    return match.play(3)


def test_what_was_taken_back_bears_a_cross(gyoji: Gyoji, tmp_path: Path, taken_back: Match) -> None:
    said = gyoji("replay", "show", stored_match(tmp_path, taken_back)).stdout
    assert numbers(said) == [(seq, "×" if 5 <= seq <= 8 else " ") for seq in range(13)]


def test_the_line_that_was_ruled(gyoji: Gyoji, tmp_path: Path, taken_back: Match) -> None:
    said = gyoji("replay", "show", stored_match(tmp_path, taken_back), "--line", "ruled").stdout
    assert numbers(said) == [(seq, " ") for seq in (0, 1, 2, 3, 4, 9, 10, 11, 12)]


@pytest.mark.parametrize("reader", ["full", "public", 1])
def test_lines_as_json_for_any_reader(gyoji: Gyoji, tmp_path: Path, taken_back: Match, reader: Any) -> None:
    file = stored_match(tmp_path, taken_back, reader)
    played = json.loads(gyoji("replay", "show", file, "--json").stdout)
    ruled = json.loads(gyoji("replay", "show", file, "--line", "ruled", "--json").stdout)
    assert (played["line"], ruled["line"]) == ("played", "ruled")
    assert played["taken_back"] == ruled["taken_back"] == [{"seq": seq, "by": 9} for seq in range(5, 9)]
    assert [event["seq"] for event in played["events"]] == list(range(13))
    assert ruled["events"] == [event for event in played["events"] if not 5 <= event["seq"] <= 8]


def scores(text: str) -> list[list[tuple[bool, int]]]:
    """Every table of final scores: who has won, and the score, by seat."""
    found: list[list[tuple[bool, int]]] = []
    for line in text.splitlines():
        if line == "Final scores":
            found.append([])
        seat = re.fullmatch(r"([* ]) seat \d +(-?\d+)", line)
        if seat:
            found[-1].append((seat[1] == "*", int(seat[2])))
    return found


def test_points_of_a_referee_count(gyoji: Gyoji, tmp_path: Path) -> None:
    """Before the end, and after it: then the scores are told anew."""
    match = until(Match("catte"), lambda current: current.state.round == 2)
    match.rule("points", seat=3, points=-7)
    match.play()
    ended = match.current.state.scores
    match.rule("points", seat=0, points=500)
    first, second = scores(gyoji("replay", "show", stored_match(tmp_path, match)).stdout)
    totals = [*ended[:3], ended[3] - 7]
    assert first == [(total == max(totals), total) for total in totals]
    assert second == [(seat == 0, total + 500 * (seat == 0)) for seat, total in enumerate(totals)]


def test_points_and_substitutes_outlast_a_take_back(gyoji: Gyoji, tmp_path: Path) -> None:
    """They stay when play is taken back to before them: they bear no cross, and the ruled line has them too."""
    match = Match("catte").play(3)
    match.rule("points", seat=2, points=-7)
    given = match.seq
    match.rule("substitute", seat=1, name="Kuro")
    match.rule("note", reason="the cards were counted")
    match.rule("take_back", to=2)
    match.play()
    total = match.current.state.scores[2] - 7
    file = stored_match(tmp_path, match)
    played, ruled = (gyoji("replay", "show", file, "--line", line).stdout for line in ("played", "ruled"))
    marks = dict(numbers(played))
    assert [marks[seq] for seq in range(given - 1, given + 4)] == ["×", " ", " ", "×", " "]
    told = [seq for seq, _mark in numbers(ruled)]
    assert [seq for seq in range(given - 1, given + 4) if seq in told] == [given, given + 1, given + 3]
    (final,), (stands,) = (scores(text.replace(" Kuro ", " ")) for text in (played, ruled))
    assert final == stands
    assert final[2][1] == total
    assert "eat 1 plays" not in ruled[ruled.index("Kuro takes over") :]
    told = json.loads(gyoji("replay", "show", stored_match(tmp_path, match), "--line", "ruled", "--json").stdout)
    listed = {event["seq"] for event in told["events"]}
    assert listed.isdisjoint(each["seq"] for each in told["taken_back"])
    assert len(listed) + len(told["taken_back"]) == len(match.entries)


@pytest.mark.parametrize("scored", [None, (5, 9, 2, 9)])
def test_a_result_that_was_ruled(gyoji: Gyoji, tmp_path: Path, scored: Any) -> None:
    """While the match runs it ends it; after the end it changes the result, and points leave the winners alone."""
    running = Match("catte").play(6)
    running.rule("result", winners=(1, 3), scores=scored)
    over = Match("catte").play()
    before = over.current.state.scores
    over.rule("result", winners=(1, 3), scores=scored)
    over.rule("points", seat=0, points=1_000)
    wins = [False, True, False, True]
    file = stored_match(tmp_path, running)
    assert scores(gyoji("replay", "show", file).stdout) == [[*zip(wins, scored or (0, 0, 0, 0), strict=True)]]
    _played, ruled, pointed = scores(gyoji("replay", "show", stored_match(tmp_path, over)).stdout)
    assert ruled == [*zip(wins, scored or before, strict=True)]
    assert pointed == [(False, ruled[0][1] + 1_000), *ruled[1:]]


def test_a_forfeit(gyoji: Gyoji, tmp_path: Path) -> None:
    """Nobody has points yet, so that the others share the win; points for one of them make it the winner."""
    match = Match("catte").play(2)
    match.rule("forfeit", seats=(2,))
    match.rule("points", seat=1, points=4)
    match.rule("points", seat=2, points=9)
    told = scores(gyoji("replay", "show", stored_match(tmp_path, match)).stdout)
    assert told == [
        [(True, 0), (True, 0), (False, 0), (True, 0)],
        [(False, 0), (True, 4), (False, 0), (False, 0)],
        [(False, 0), (True, 4), (False, 9), (False, 0)],
    ]


def test_a_match_that_runs_again(gyoji: Gyoji, tmp_path: Path) -> None:
    """Its end was taken back: the line that was ruled has no result."""
    match = Match("catte").play()
    match.rule("take_back", to=match.seq - 3)
    file = stored_match(tmp_path, match)
    assert len(scores(gyoji("replay", "show", file).stdout)) == 1
    assert scores(gyoji("replay", "show", file, "--line", "ruled").stdout) == []


def test_rulings_and_clocks_in_words(gyoji: Gyoji, tmp_path: Path) -> None:
    """Every ruling says its reason; a claim says whose time was up."""
    match = Match("catte", clock=BANKED).play(2)
    match.claim("2026-01-01T01:00:00.000Z")
    match.rule("pause")
    match.rule("resume")
    match.rule("time", seat=0, add_ms=60_000)
    match.rule("substitute", seat=1, name="Kuro")
    match.rule("note", reason="the cards were counted")
    file = stored_match(tmp_path, match)
    said = gyoji("replay", "show", file)
    assert (said.exit_code, said.stderr) == (0, "")
    told = [number for number, _mark in numbers(said.stdout)]
    assert told == list(range(match.seq + 1))
    assert said.stdout.count("because") == 4
    for text in ("the cards were counted", "Kuro"):
        assert text in said.stdout
    assert "Kuro" in gyoji("replay", "show", file, "--lang", "ja").stdout


def test_the_line_that_was_ruled_is_exported(gyoji: Gyoji, tmp_path: Path, taken_back: Match) -> None:
    """For reading: it does not say that it verifies. The line that was played is the replay file."""
    url = f"sqlite:///{tmp_path}/kept.db"
    migrate(url)
    match = keep(url, SimulatedLog((*taken_back.entries,), taken_back.current))
    export = ("replay", "export", match, "--store", url)
    assert gyoji(*export, "--line", "played").stdout == gyoji(*export).stdout
    readers: list[tuple[Reader, tuple[str, ...]]] = [
        ("full", ()),
        ("public", ("--for", "public")),
        (2, ("--for", "2")),
    ]
    for reader, more in readers:
        out = tmp_path / "line.jsonl"
        assert gyoji(*export, "--line", "ruled", "--out", out, *more).exit_code == 0
        taken = taken_back_events(taken_back.entries)
        assert out.read_bytes() == b"".join(history_lines(reader, taken_back.entries, taken))
    assert gyoji("audit", out).exit_code == 51
    refused = gyoji("replay", "show", out)
    assert (refused.exit_code, "gyoji-replay/1" in refused.stderr, "gyoji-line/1" in refused.stderr) == (1, True, True)
