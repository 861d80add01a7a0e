"""``gyoji audit --rules``: the matches that would come out otherwise, and the exit status."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.games.catalogue import BY_SLUG, BY_VERSION
from gyoji.games.game import Chance, IllegalMove, Infraction, Move
from gyoji.match import prescan
from gyoji.messages.impact import rules_of
from gyoji.published_files import CHECKOUT
from gyoji.store import migrate
from replay.refereed import Match
from replay.tampering import entries_of, file_of
from stored import kept_match

CATTE = BY_SLUG["catte"]


@pytest.fixture(autouse=True)
def second_versions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Version 2 of Catte serves no coffee, and that of TOWAI is as version 1."""

    def adjudicate(state: Any, move: Move, chance: Chance) -> Any:
        if move["type"] == "coffee":
            return IllegalMove(Infraction("rule-violation", move["seat"], "CAT-5.1", "not-your-turn"))
        return CATTE.adjudicate(state, move, chance)

    monkeypatch.setitem(BY_VERSION, ("catte", 2), CATTE._replace(version=2, adjudicate=adjudicate))
    monkeypatch.setitem(BY_VERSION, ("towai", 2), BY_SLUG["towai"]._replace(version=2))
    rules_of.cache_clear()
    yield
    rules_of.cache_clear()


def file(folder: Path, slug: str) -> Path:
    place = folder / f"{slug}.jsonl"
    place.write_bytes(b"".join(file_of(entries_of(slug))))
    return place


def test_what_would_change(gyoji: Gyoji, tmp_path: Path) -> None:
    place = file(tmp_path, "catte")
    ran = gyoji("audit", place, "--rules", "2")
    assert ran.exit_code == 60
    assert ran.stdout.splitlines() == [
        f"changes      {place}: event 5: the move of seat 1 would be illegal (rule-violation) [CAT-5.1];"
        " it would have gone otherwise from there on",
        "1 compared: 1 changes",
    ]
    assert "認められなくなります" in gyoji("audit", place, "--rules", "2", "--lang", "ja").stdout


def test_more_take_backs_than_the_audit_follows_are_not_compared(
    gyoji: Gyoji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has looked at the positions that later ones go back to."""
    match = Match("towai")
    for _time in range(2):
        match.play(3)
        match.rule("take_back", to=match.seq - 2)
    match.close()
    place = tmp_path / "towai.jsonl"
    place.write_bytes(b"".join(file_of(match.entries)))
    assert "it was taken back too often" not in gyoji("audit", place, "--rules", "2").stdout
    monkeypatch.setattr(prescan, "MOST_TAKEN_BACK", 1)
    ran = gyoji("audit", place, "--rules", "2")
    assert ran.exit_code == 61
    assert f"not compared {place}: it was taken back too often" in ran.stdout


def test_what_would_not(gyoji: Gyoji, tmp_path: Path) -> None:
    ran = gyoji("audit", file(tmp_path, "towai"), "--rules", "2")
    assert (ran.exit_code, ran.stdout) == (0, "1 compared: 1 same\n")


def test_what_cannot_be_compared(gyoji: Gyoji, tmp_path: Path) -> None:
    """A game without that version, a file that the audit finds wrong, no replay file, and one that is not there."""
    place = file(tmp_path, "familiars-trouble")
    ran = gyoji("audit", place, "--rules", "2")
    assert (ran.exit_code, ran.stdout.splitlines()[0]) == (
        61,
        f"not compared {place}: familiars-trouble has no such version",
    )
    place.write_bytes(file(tmp_path, "catte").read_bytes().replace(b'"at":"2026', b'"at":"2027', 1))
    wrong = gyoji("audit", place, "--rules", "2")
    assert (wrong.exit_code, wrong.stdout.splitlines()[0]) == (61, f"not compared {place}: the audit says tampered")
    (tmp_path / "broken.zip").write_bytes(b"PK")
    unreadable = gyoji("audit", tmp_path / "broken.zip", "--rules", "2")
    assert (unreadable.exit_code, unreadable.stdout.split()[0]) == (1, "unreadable")


def test_json_and_a_report(gyoji: Gyoji, tmp_path: Path) -> None:
    for slug in ("catte", "towai"):
        file(tmp_path, slug)
    report = tmp_path / "report"
    ran = gyoji("audit", tmp_path, "--rules", "2", "--json", "--report", report)
    catte, towai, summary = [json.loads(line) for line in ran.stdout.splitlines()]
    terms, *lines, _summary = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert (terms["version"], [line["replay"] for line in lines]) == (2, [catte["replay"], towai["replay"]])
    assert [line.items() >= told.items() for line, told in zip(lines, (catte, towai), strict=True)] == [True, True]
    assert (catte["changes"], towai["changes"], towai["not_compared"]) == (True, False, None)
    (illegal,) = catte["illegal"]
    assert {name: illegal[name] for name in ("seq", "seat", "reason", "rule", "is_taken_back")} == {
        "seq": 5,
        "seat": 1,
        "reason": "rule-violation",
        "rule": "CAT-5.1",
        "is_taken_back": False,
    }
    assert catte["not_compared"]["from"] == 5
    assert (summary["summary"]["compared"], summary["summary"]["impact"]) == (2, {"changes": 1, "same": 1})
    assert ran.exit_code == 60


def test_a_version_that_no_game_has(gyoji: Gyoji, tmp_path: Path) -> None:
    ran = gyoji("audit", file(tmp_path, "catte"), "--rules", "3")
    assert ran.exit_code == 2
    assert "no game has a version 3; there are" in ran.stderr
    for listed in ("tomorrow-never-meows 1", "catte 1, 2", "towai 1, 2", "familiars-trouble 1"):
        assert listed in " ".join(ran.stderr.split())


def test_nothing_to_prove(gyoji: Gyoji, tmp_path: Path) -> None:
    ran = gyoji("audit", file(tmp_path, "catte"), "--rules", "2", "--proofs", tmp_path)
    assert (ran.exit_code, "--proofs" in ran.stderr) == (2, True)


def test_by_several_processes(gyoji: Gyoji) -> None:
    """Under the version that they were played by nothing changes in golden replays."""
    golden = CHECKOUT / "replays" / "catte"
    count = len([*golden.rglob("*.jsonl")])
    ran = gyoji("audit", golden, "--rules", "1", "--jobs", "2")
    assert (ran.exit_code, ran.stdout) == (0, f"{count} compared: {count} same\n")


def test_a_store(gyoji: Gyoji, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kept.db"
    migrate(url)
    match = kept_match(url)
    ran = gyoji("audit", "--store", url, "--rules", "2")
    assert (ran.exit_code, ran.stdout.startswith(f"changes      {match}: event ")) == (60, True)
