"""The golden replays: unchanged, readable, and verified."""

import json
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from golden.logs import (
    BEACONS,
    EVERY,
    FILES,
    FORKS,
    NAMES,
    PARTIAL,
    REPLAYS,
    documents,
    entries,
    game_of,
    match_states,
    settings,
    shown_in,
)
from gyoji.audit.audit import audit
from gyoji.audit.commitments import known_beacons
from gyoji.audit.verdicts import Check, Word
from gyoji.log.files import redact_lines
from gyoji.log.statements import statement_of_head, why_doubted
from gyoji.messages.verdicts import rules_for
from gyoji.published_files import CHECKOUT
from gyoji.trust.trusted_keys import read_trusted_keys
from servers import ENVIRONMENT

EACH = pytest.mark.parametrize("file", EVERY, ids=NAMES)
MOST_BYTES = 3 * 2**20


# They are what they were


def test_no_file_has_changed() -> None:
    """The digests were written down when the files were released; whoever changes one has to say so there."""
    listed = (Path(__file__).with_name("digests.txt")).read_text("utf-8").splitlines()
    there = [*FILES, REPLAYS / "trust.json", *FORKS, *PARTIAL, BEACONS]
    found = [f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(CHECKOUT).as_posix()}" for file in there]
    assert found == listed


def test_they_are_small() -> None:
    assert 0 < sum(file.stat().st_size for file in FILES) < MOST_BYTES


REMADE = [
    "tomorrow-never-meows/bluff-that-fails",
    "catte/own-deck",
    "towai/fork-in-the-middle-of-a-swap",
    "familiars-trouble/all-piles-empty",
    "tomorrow-never-meows/value-of-a-public-beacon",
    "catte/dealt-without-a-seats-entropy",
    "catte/withheld-deals-table-2",
    "towai/withheld-until-a-time",
    "towai/passes-when-its-time-is-up",
    "tomorrow-never-meows/card-that-stands-and-a-forfeit",
]


def test_made_anew_they_are_the_same_bytes() -> None:
    """One of each kind; `python -m tools.golden check` does all."""
    command = [sys.executable, "-m", "tools.golden", "check", *REMADE]
    done = subprocess.run(command, cwd=CHECKOUT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_file_has_its_place_and_its_words() -> None:
    listed = tomllib.loads((CHECKOUT / "tools" / "golden.toml").read_text("utf-8"))["replay"]
    assert sorted(f"{entry['game']}/{entry['name']}" for entry in listed) == sorted(NAMES)
    readme = (REPLAYS / "README.md").read_text("utf-8")
    own = {f"{file.parent.name}/{file.stem}" for file in FILES}
    for entry in listed:
        is_elsewhere = f"{entry['game']}/{entry['name']}" not in own
        assert is_elsewhere or f"| `{entry['name']}.jsonl` | {entry['shows']} |" in readme


def test_no_two_share_an_id() -> None:
    assert len({documents(file)[0]["match"] for file in EVERY}) == len(EVERY)


# They read


@EACH
def test_it_folds_to_its_result(file: Path) -> None:
    last = match_states(file)[-1]
    *taken_back, end = [event for event in shown_in(file) if event["type"] in ("match_finished", "match_voided")]
    assert last.over
    assert not taken_back or last.course.branches
    if end["type"] == "match_voided":
        assert (last.status, last.state and last.state.outcome) == ("voided", None)
        return
    assert json.loads(json.dumps(last.state.outcome)) == end["data"]["outcome"]
    assert (last.state.outcome is None) == ("result" in end["data"])
    assert not game_of(file).findings(last.state._replace(seed="0" * 128))


@EACH
def test_its_head_is_signed_by_the_key_beside_it(file: Path) -> None:
    trusted = read_trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
    assert len(trusted) == 1
    head = documents(file)[-1]["head"]
    last = entries(file)[-1]
    assert (head["seq"], head["hash"]) == (last.seq, last.hash.hex())
    said = statement_of_head(documents(file)[0]["origin"], head)
    assert said is not None
    assert why_doubted(said, trusted) is None


def unsure_of(file: Path, beacons: Any = None) -> tuple[Word, set[Check]]:
    """The verdict, and the checks that did not pass. Nobody gave receipts, so those are never checked."""
    keys = read_trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
    lines = file.read_bytes().splitlines(keepends=True)
    known = None if beacons is None else known_beacons(beacons)
    verdict = audit(lambda: lines, rules_for, keys, beacons=known)
    return verdict.verdict, {
        checked.check for checked in verdict.checks if checked.result != "pass" and checked.check != "receipts"
    }


@pytest.mark.parametrize("file", FILES, ids=NAMES[: len(FILES)])
def test_it_audits_to_verified(file: Path) -> None:
    is_ruled = any(event["type"] == "ruling_made" for event in shown_in(file))
    assert unsure_of(file) == ("verified_with_rulings" if is_ruled else "verified", set())


@pytest.mark.parametrize("file", FORKS, ids=NAMES[len(FILES) : len(FILES) + len(FORKS)])
def test_of_a_fork_all_but_the_first_deal_is_verified(file: Path) -> None:
    assert unsure_of(file) == ("verified_partial", {"shuffles"})


@pytest.mark.parametrize("file", PARTIAL, ids=NAMES[len(FILES) + len(FORKS) :])
def test_what_is_not_told_yet_or_stands_elsewhere_is_not_checkable(file: Path) -> None:
    if settings(file)["randomness"]["policy"] == "external":
        assert unsure_of(file) == ("verified_partial", {"commitment"})
        assert unsure_of(file, json.loads(BEACONS.read_bytes())) == ("verified", set())
    else:
        assert unsure_of(file) == ("verified_partial", {"commitment", "shuffles"})


@EACH
def test_redacted_it_keeps_its_events_and_its_head(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    public = list(redact_lines(lines, "public"))
    assert [line for line in public if b'"prev"' in line] == [line for line in lines if b'"prev"' in line]
    assert json.loads(public[-1])["head"] == documents(file)[-1]["head"]
    openings = [json.loads(line)["opening"] for line in public if line.startswith(b'{"opening"')]
    for_all = [{"/names", "/metadata", "/tags"}, {"/reason"}, {"/reason", "/ruling/name"}]
    assert all(opening["payload"].keys() in for_all for opening in openings)
