"""Replay files of every game and option, read by a second implementation that shares no code with the first."""

import json
from typing import Any

import pytest
from flask import Flask

from replay import independent_deals as deals
from replay.independent import faults
from replay.independent_cases import CASES, DIGESTS, FILES, ROOT, redactions, states, written
from replay.independent_file import Doc, Replay, taken_apart
from replay.independent_secrets import FIELDS

VECTORS: Doc = json.loads((ROOT / "tests/games/vectors/deal-v1.json").read_text("utf-8"))


def opened(file: bytes) -> int:
    return sum(line.startswith(b'{"opening"') for line in file.splitlines())


def recorded(replay: Replay) -> list[Doc]:
    """What happened at the table after the first deal, with all that the file opens."""
    later = [entry for entry in replay.entries if entry.doc["type"] != "dealt"]
    return [event for entry in later for event in entry.known.get("events", [])]


# Randomness against its vectors


def test_commitments_of_the_vectors() -> None:
    secret, given = bytes.fromhex(VECTORS["server_secret"]), VECTORS["with_entropy"]
    deal_id = VECTORS["deal_id"]
    assert deals.commitment(deal_id, VECTORS["game"], VECTORS["version"], secret) == VECTORS["commitment"]
    entropies = [bytes.fromhex(entropy) for entropy in given["player_entropy"]]
    found = [deals.player_commitment(deal_id, seat, entropy) for seat, entropy in enumerate(entropies)]
    assert found == given["player_commitments"]


@pytest.mark.parametrize("name", ["no_entropy", "with_entropy"])
def test_root_of_the_vectors(name: str) -> None:
    given = VECTORS[name]
    entropies = [bytes.fromhex(entropy) for entropy in given["player_entropy"]]
    secret, beacon = bytes.fromhex(VECTORS["server_secret"]), bytes.fromhex(given["beacon"])
    found = deals.root(VECTORS["deal_id"], VECTORS["game"], VECTORS["version"], secret, entropies, beacon)
    assert found.hex() == given["seed"]


@pytest.mark.parametrize("given", VECTORS["shuffles"], ids=lambda given: f"{given['label']}-{given['k']}")
def test_shuffles_of_the_vectors(given: Doc) -> None:
    seed = bytes.fromhex(VECTORS[given["seed"]]["seed"])
    assert deals.order(seed, given["label"], given["k"], given["n"]) == given["order"]


# Files


@pytest.mark.parametrize("name", FILES)
def test_a_file_and_its_redactions_keep_every_promise(app: Flask, name: str) -> None:
    """Where the seed is disclosed, positions and events are those of the stateless calls with the same seed."""
    file, trust = written(name)
    replay = taken_apart(file)
    known, events = states(app, file) if replay.secret else (None, recorded(replay))
    assert faults(file, trust, DIGESTS, known.__getitem__ if known else None) == []
    assert recorded(replay) == events
    for part in redactions(file):
        assert faults(part, trust, DIGESTS) == []
        assert taken_apart(part).footer["head"] == replay.footer["head"]
        assert opened(part) < opened(file) or replay.deal is None


def test_a_running_match_discloses_nothing_of_its_seed() -> None:
    replay = taken_apart(written("towai, still running")[0])
    assert replay.secret is None
    assert {entry.doc["type"] for entry in replay.entries} <= {"match_created", "dealt", "move_played", "choice_made"}


def test_the_value_of_a_beacon_is_held_against_what_it_is_known_to_be() -> None:
    name = "tests/golden/partial/tomorrow-never-meows/value-of-a-public-beacon.jsonl"
    known = json.loads((ROOT / "tests/golden/beacons.json").read_text("utf-8"))
    file, trust = written(name)
    assert faults(file, trust, DIGESTS, beacons=known) == []
    known["beacons"][0]["value"] = "00" * 32
    assert {fault.check for fault in faults(file, trust, DIGESTS, beacons=known)} == {"seeding"}


@pytest.mark.parametrize("name", ["towai, 4 seats", "towai, 5 seats"])
def test_redactions_know_the_seed_by_the_policy_only(name: str) -> None:
    file, _trust = written(name)
    known = {taken_apart(part).secret is not None for part in redactions(file)}
    assert known == {CASES[name].disclosure == "public_on_close"}


def test_the_cases_show_everything_that_can_happen_at_a_table() -> None:
    seen: dict[str, set[Any]] = {game: set() for game in FIELDS}
    for name, case in CASES.items():
        for entry in taken_apart(written(name)[0]).entries:
            seen[case.game] |= {event["type"] for event in entry.doc["data"].get("events", [])}
    assert seen == {game: set(events) for game, events in FIELDS.items()}
