"""``gyoji simulate``: the same seed, the same bytes."""

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.statements import statement_of_head, why_doubted
from gyoji.trust.trusted_keys import read_trusted_keys


def _written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _documents(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _events(file: Path) -> list[Any]:
    return [document for document in _documents(file) if "seq" in document]


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_same_seed_gives_the_same_bytes(gyoji: Gyoji, tmp_path: Path, slug: str) -> None:
    for folder, seed in (("a", "c0ffee"), ("b", "C0FFEE"), ("c", "c0ffef")):
        assert gyoji("simulate", slug, "--games", "2", "--seed", seed, "--out", tmp_path / folder).exit_code == 0
    first, again, other = (_written(tmp_path / folder) for folder in "abc")
    assert list(first) == [f"{slug}-00000.jsonl", f"{slug}-00001.jsonl", "trust.json"]
    assert first == again
    assert not {*first.values()} & {*other.values()}
    assert len(set(first.values())) == 3


def test_what_is_written_is_a_whole_match(gyoji: Gyoji, tmp_path: Path) -> None:
    options = json.dumps({"finishes_to_win": 1})
    said = gyoji(
        "simulate", "towai", "--seats", "4", "--options", options, "--seed", "1", "--out", tmp_path, "--json"
    ).stdout
    header, created, *_ = _documents(tmp_path / "towai-00000.jsonl")
    assert (header["format"], header["audience"]) == ("gyoji-replay/1", "full")
    assert (created["type"], created["data"]["options"]["finishes_to_win"]) == ("match_created", 1)
    events = _events(tmp_path / "towai-00000.jsonl")
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert [event["type"] for event in events[-2:]] == ["match_finished", "seed_disclosed"]
    plies = sum(event["type"] in ("move_played", "choice_made") for event in events)
    assert json.loads(said) == {
        "game": "towai",
        "games": 1,
        "seats": 4,
        "seed": "1",
        "plies": plies,
        "unfinished": [],
    }


def test_an_event_a_second_from_a_fixed_epoch(gyoji: Gyoji, tmp_path: Path) -> None:
    gyoji("simulate", "tomorrow-never-meows", "--seed", "0", "--out", tmp_path)
    times = [event["at"] for event in _events(tmp_path / "tomorrow-never-meows-00000.jsonl")]
    assert times[:4] == [
        "2026-01-01T00:00:00.000Z",
        "2026-01-01T00:00:00.000Z",
        "2026-01-01T00:00:02.000Z",
        "2026-01-01T00:00:03.000Z",
    ]
    assert times[61] == "2026-01-01T00:01:01.000Z"
    assert len(set(times[-3:])) == 1  # the last move and what closes the log are one transaction


def test_the_head_is_signed_by_the_key_beside_it(gyoji: Gyoji, tmp_path: Path) -> None:
    gyoji("simulate", "familiars-trouble", "--seed", "0", "--out", tmp_path)
    (trusted,) = read_trusted_keys(json.loads((tmp_path / "trust.json").read_bytes()))
    header, *_, last = _documents(tmp_path / "familiars-trouble-00000.jsonl")
    head = last["head"]
    assert (head["key"], header["origin"]) == (trusted.key, trusted.origin)
    said = statement_of_head(header["origin"], head)
    assert said is not None
    assert why_doubted(said, [trusted]) is None


def test_no_two_matches_share_an_id(gyoji: Gyoji, tmp_path: Path) -> None:
    """Two signed heads of one match that cannot both be true would be a lie of the signer."""
    variants = [
        ("--seats", "2"),
        ("--seats", "3"),
        ("--options", '{"first_card":"any"}'),
        ("--disclosure", "auditors_only"),
        ("--games", "2"),
    ]
    ids = set()
    for at, variant in enumerate(variants):
        folder = tmp_path / str(at)
        gyoji("simulate", "towai", "--seed", "0", "--max-plies", "1", "--out", folder, *variant)
        ids |= {_documents(file)[0]["match"] for file in folder.glob("*.jsonl")}
    assert len(ids) == len(variants)  # the first of the two games is that of the first variant


def test_with_auditors_only_the_secret_is_an_opening(gyoji: Gyoji, tmp_path: Path) -> None:
    arguments = ("simulate", "catte", "--seed", "0", "--disclosure", "auditors_only", "--out", tmp_path)
    assert gyoji(*arguments).exit_code == 0
    *_, disclosed, opening, _head = _documents(tmp_path / "catte-00000.jsonl")
    assert disclosed["type"] == "seed_disclosed"
    assert disclosed["data"] == {"server_secret": None}
    assert len(opening["opening"]["payload"]["/server_secret"]) == 128


def test_the_folder_goes_on_trusting_what_lies_there(gyoji: Gyoji, tmp_path: Path) -> None:
    for seed in ("0", "1", "0"):
        assert gyoji("simulate", "catte", "--seed", seed, "--out", tmp_path).exit_code == 0
    assert len(read_trusted_keys(json.loads((tmp_path / "trust.json").read_bytes()))) == 2


@pytest.mark.parametrize("there", [b"{", b"{}", b'{"keys":[{"key":"00"}]}', b"\xff"])
def test_what_is_no_trust_file_is_left_alone(gyoji: Gyoji, tmp_path: Path, there: bytes) -> None:
    (tmp_path / "trust.json").write_bytes(there)
    result = gyoji("simulate", "catte", "--out", tmp_path)
    assert result.exit_code == 1
    assert "holds no trusted keys" in result.stderr
    assert _written(tmp_path) == {"trust.json": there}


def test_a_fresh_seed_is_said(gyoji: Gyoji, tmp_path: Path) -> None:
    said = [json.loads(gyoji("simulate", "catte", "--out", tmp_path, "--json").stdout)["seed"] for _again in range(2)]
    assert said[0] != said[1]
    assert all(len(seed) == 64 for seed in said)


def test_a_game_that_is_stopped_says_so(gyoji: Gyoji, tmp_path: Path) -> None:
    result = gyoji("simulate", "catte", "--max-plies", "3", "--seed", "0", "--out", tmp_path)
    assert result.exit_code == 0
    assert "not finished within the limit: catte-00000.jsonl" in result.stdout
    *_, last = _documents(tmp_path / "catte-00000.jsonl")
    assert last["head"]["seq"] == 4
    assert [event["type"] for event in _events(tmp_path / "catte-00000.jsonl")] == [
        "match_created",
        "dealt",
        *["move_played"] * 3,
    ]


@pytest.mark.parametrize(
    ("randomness", "kinds"),
    [
        ("players", ["entropy_committed"] * 3 + ["entropy_revealed"] * 3),
        ("director", ["entropy_revealed"]),
        ("external", ["entropy_revealed"]),
    ],
)
def test_every_randomness(gyoji: Gyoji, tmp_path: Path, randomness: str, kinds: list[str]) -> None:
    for folder in ("one", "again"):
        command = ("simulate", "catte", "--seed", "f00d", "--randomness", randomness, "--games", "2")
        assert gyoji(*command, "--out", tmp_path / folder).exit_code == 0
    assert _written(tmp_path / "one") == _written(tmp_path / "again")
    assert (tmp_path / "one" / "beacons.json").exists() == (randomness == "external")
    created, *rest = _events(tmp_path / "one" / "catte-00000.jsonl")
    assert created["data"]["randomness"]["policy"] == randomness
    assert [event["type"] for event in rest[: len(kinds) + 1]] == [*kinds, "dealt"]


def test_values_of_a_beacon_are_added_to_those_that_lie_there(gyoji: Gyoji, tmp_path: Path) -> None:
    command = ("simulate", "catte", "--randomness", "external", "--max-plies", "1", "--out", tmp_path)
    for seed in ("1", "2", "1"):
        assert gyoji(*command, "--seed", seed).exit_code == 0
    values = json.loads((tmp_path / "beacons.json").read_bytes())["beacons"]
    assert len(values) == len({value["value"] for value in values}) == 2
    (tmp_path / "beacons.json").write_text('{"beacons":[{}]}', "utf-8")
    refused = gyoji(*command, "--seed", "3")
    assert refused.exit_code == 1
    assert "holds no values of beacons" in refused.stderr


def test_a_folder_that_cannot_be_made(gyoji: Gyoji, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    result = gyoji("simulate", "catte", "--out", tmp_path / "file" / "folder")
    assert result.exit_code == 1
    assert "cannot write" in result.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ("--seed", ""),
        ("--seed", "xyz"),
        ("--seed", "0" * 129),
        ("--seats", "9"),
        ("--seats", "0"),
        ("--games", "0"),
        ("--max-plies", "0"),
        ("--disclosure", "never"),
        ("--randomness", "dice"),
        ("--options", "{"),
        ("--options", "[]"),
        ("--options", '{"no_such_option":1}'),
        ("--options", '{"deck":["B1"]}'),
        ("--options", '{"deck":["B1"],"deck":null}'),
        ("--options", '{"deck":"\\ud800"}'),
        ("--options", '{"deck":[1.5]}'),
    ],
)
def test_what_cannot_be_simulated(gyoji: Gyoji, tmp_path: Path, wrong: tuple[str, str]) -> None:
    result = gyoji("simulate", "catte", "--out", tmp_path / "out", *wrong)
    assert result.exit_code == 2
    assert not (tmp_path / "out").exists()
