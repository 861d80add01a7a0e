"""The golden replays: unchanged, readable, and verified."""

import json
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from golden.logs import EVERY, FILES, FORKS, NAMES, REPLAYS, documents, entries, game_of, shown_in, standings
from gyoji.replay.audit import audit
from gyoji.replay.files import redacted
from gyoji.replay.signatures import is_signed, trusted_keys
from gyoji.replay.verdicts import Check, Word
from gyoji.wire.published import CHECKOUT
from gyoji.wire.verdicts import rules_for
from servers import ENVIRONMENT

EACH = pytest.mark.parametrize("file", EVERY, ids=NAMES)
MOST_BYTES = 3 * 2**20


# They are what they were


def test_no_file_has_changed() -> None:
    """The digests were written down when the files were released; whoever changes one has to say so there."""
    listed = (Path(__file__).with_name("digests.txt")).read_text("utf-8").splitlines()
    there = [*FILES, REPLAYS / "trust.json", *FORKS]
    found = [f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(CHECKOUT).as_posix()}" for file in there]
    assert found == listed


def test_they_are_small() -> None:
    assert 0 < sum(file.stat().st_size for file in FILES) < MOST_BYTES


REMADE = [
    "tomorrow-never-meows/bluff-that-fails",
    "catte/own-deck",
    "towai/fork-in-the-middle-of-a-swap",
    "familiars-trouble/all-piles-empty",
]


def test_made_anew_they_are_the_same_bytes() -> None:
    """One a game; `python -m tools.golden check` does all."""
    command = [sys.executable, "-m", "tools.golden", "check", *REMADE]
    done = subprocess.run(command, cwd=CHECKOUT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_file_has_its_place_and_its_words() -> None:
    listed = tomllib.loads((CHECKOUT / "tools" / "golden.toml").read_text("utf-8"))["replay"]
    assert sorted(f"{entry['game']}/{entry['name']}" for entry in listed) == sorted(NAMES)
    readme = (REPLAYS / "README.md").read_text("utf-8")
    for entry in listed:
        assert "fork" in entry or f"| `{entry['name']}.jsonl` | {entry['shows']} |" in readme


def test_no_two_share_an_id() -> None:
    assert len({documents(file)[0]["match"] for file in EVERY}) == len(EVERY)


# They read


@EACH
def test_it_folds_to_its_result(file: Path) -> None:
    last = standings(file)[-1]
    finished = next(document for document in shown_in(file) if document["type"] == "match_finished")
    assert last.over
    assert json.loads(json.dumps(last.state.outcome)) == finished["data"]["outcome"]
    assert not game_of(file).findings(last.state._replace(seed="0" * 128))


@EACH
def test_its_head_is_signed_by_the_key_beside_it(file: Path) -> None:
    (trusted,) = trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
    head = documents(file)[-1]["head"]
    last = entries(file)[-1]
    assert (head["seq"], head["hash"]) == (last.seq, last.hash.hex())
    assert is_signed(trusted, "head/1", documents(file)[0]["origin"], head["match"], last.seq, last.hash, head["sig"])


def unsure_of(file: Path) -> tuple[Word, set[Check]]:
    """The verdict, and the checks that did not pass. Nobody gave receipts, so those are never checked."""
    keys = trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
    lines = file.read_bytes().splitlines(keepends=True)
    verdict = audit(lambda: lines, rules_for, keys)
    return verdict.verdict, {
        checked.check for checked in verdict.checks if checked.result != "pass" and checked.check != "receipts"
    }


@pytest.mark.parametrize("file", FILES, ids=NAMES[: len(FILES)])
def test_it_audits_to_verified(file: Path) -> None:
    assert unsure_of(file) == ("verified", set())


@pytest.mark.parametrize("file", FORKS, ids=NAMES[len(FILES) :])
def test_of_a_fork_all_but_the_first_deal_is_verified(file: Path) -> None:
    assert unsure_of(file) == ("verified_partial", {"shuffles"})


@EACH
def test_redacted_it_keeps_its_events_and_its_head(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    public = list(redacted(lines, "public"))
    assert [line for line in public if b'"prev"' in line] == [line for line in lines if b'"prev"' in line]
    assert json.loads(public[-1])["head"] == documents(file)[-1]["head"]
    openings = [json.loads(line)["opening"] for line in public if line.startswith(b'{"opening"')]
    assert all({"/names", "/metadata", "/tags"} == opening["payload"].keys() for opening in openings)
