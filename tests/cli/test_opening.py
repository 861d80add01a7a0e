"""``gyoji replay opening`` and ``gyoji replay open``: one fact shown later, offline."""

import json
from pathlib import Path

import pytest

from commands import Gyoji
from gyoji.published_files import CHECKOUT

REPLAYS = CHECKOUT / "replays"
TRUST = REPLAYS / "trust.json"
SWAP = REPLAYS / "towai" / "swap-that-feeds-the-combo.jsonl"
OTHER = REPLAYS / "towai" / "two-seats.jsonl"


@pytest.fixture
def public_file(gyoji: Gyoji, tmp_path: Path) -> Path:
    """What everybody may have of a match."""
    path = tmp_path / "public.jsonl"
    assert gyoji("replay", "redact", SWAP, "--for", "public", "--out", path).exit_code == 0
    return path


def test_one_hand_is_shown_later(gyoji: Gyoji, public_file: Path, tmp_path: Path) -> None:
    line = gyoji("replay", "opening", SWAP, "--seq", "1", "--index", "0")
    assert line.exit_code == 0
    (cards,) = json.loads(line.stdout)["opening"]["payload"].values()
    fact, shown = tmp_path / "fact.jsonl", tmp_path / "shown.jsonl"
    fact.write_text(line.stdout)
    assert gyoji("replay", "open", public_file, "--with", fact, "--out", shown).exit_code == 0
    as_argument = gyoji("replay", "open", public_file, "--with", line.stdout.strip())
    assert as_argument.stdout.encode() == shown.read_bytes()
    told = gyoji("replay", "show", shown).stdout
    assert f"seat 0: {' '.join(cards)}" in told
    assert "seat 1: 7 cards" in told
    assert told.splitlines()[0].endswith(" · public")
    ran = gyoji("audit", shown, "--trust", TRUST)
    assert (ran.exit_code, ran.stdout.split()[0]) == (10, "verified_partial")
    assert shown.stat().st_size < SWAP.stat().st_size


def test_with_the_fuller_file_it_is_that_file(gyoji: Gyoji, public_file: Path) -> None:
    ran = gyoji("replay", "open", public_file, "--with", SWAP)
    assert ran.exit_code == 0
    assert ran.stdout.encode() == SWAP.read_bytes()


def test_a_position(gyoji: Gyoji, public_file: Path, tmp_path: Path) -> None:
    """Refused as long as not all before it is open."""
    line = gyoji("replay", "opening", SWAP, "--seq", "16", "--position").stdout
    assert list(json.loads(line)["opening"]) == ["position", "seq"]
    refused = gyoji("replay", "open", public_file, "--with", line.strip(), "--out", tmp_path / "no.jsonl")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "Error: the position of event 16 cannot be checked: not all before it is open\n"
    assert not (tmp_path / "no.jsonl").exists()
    assert gyoji("replay", "open", SWAP, "--with", line.strip()).stdout.encode() == SWAP.read_bytes()


def test_which_one_has_to_be_said_where_there_are_several(gyoji: Gyoji) -> None:
    ran = gyoji("replay", "opening", SWAP, "--seq", "1")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "name one with --index: 0 (of seat 0), 1 (of seat 1), 2 (of seat 2), 3 (of nobody)" in ran.stderr
    only = next(
        json.loads(line)["opening"]["seq"]
        for line in SWAP.read_bytes().splitlines()
        if line.startswith(b'{"opening":{"index":0') and b'"seq":1}' not in line and b'"seq":0}' not in line
    )
    assert gyoji("replay", "opening", SWAP, "--seq", str(only)).exit_code == 0


def test_what_does_not_fit(gyoji: Gyoji, public_file: Path, tmp_path: Path) -> None:
    line = gyoji("replay", "opening", SWAP, "--seq", "1", "--index", "0").stdout.strip()
    (tmp_path / "words.txt").write_text("no opening\n")
    for source, why in (
        (line.replace('"salt":"0', '"salt":"1'), "the opening does not fit secret 0 of event 1"),
        (line.replace('"index":0', '"index":1'), "the opening does not fit secret 1 of event 1"),
        (line.replace('"seq":1', '"seq":999'), "the log has no event 999"),
        (line.replace(" ", "").replace('{"index"', '{ "index"'), "the opening: expected a canonical opening"),
        ('{"opening":{}}', "the opening: expected a canonical opening"),
        ("{}", "the opening: expected a canonical opening"),
        (str(OTHER), "is of another match"),
        (str(tmp_path / "words.txt"), "line 1: expected a canonical opening"),
        (str(tmp_path / "nowhere"), "cannot read"),
    ):
        ran = gyoji("replay", "open", public_file, "--with", source, "--out", tmp_path / "no.jsonl")
        assert (ran.exit_code, ran.stdout) == (1, "")
        assert why in ran.stderr
        assert not (tmp_path / "no.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("--seq", "99999"), 2),
        (("--seq", "1", "--index", "99"), 1),
        (("--seq", "2", "--position"), 1),
        (("--seq", "1", "--position", "--index", "0"), 2),
        ((), 2),
    ],
)
def test_openings_that_are_not_there(gyoji: Gyoji, public_file: Path, arguments: tuple[str, ...], status: int) -> None:
    ran = gyoji("replay", "opening", SWAP, *arguments)
    assert (ran.exit_code, ran.stdout) == (status, "")
    assert gyoji("replay", "opening", public_file, "--seq", "1").exit_code == 1
