"""Every golden replay, judged by the verifier that shares no code: nothing wrong, and every shuffle made again."""

import json
from pathlib import Path

import pytest

from gyoji.audit.verdicts import CHECKS
from gyoji.log.files import redact_lines
from gyoji.published_files import CHECKOUT
from replay.tampering import cut_at_lf
from verifier.javascript import NODE, command, failed, result, verdicts

TRUST = json.loads((CHECKOUT / "replays" / "trust.json").read_text("utf-8"))
WHOLE = sorted((CHECKOUT / "replays").glob("*/*.jsonl"))
FORKS = sorted((CHECKOUT / "tests" / "golden" / "forks").glob("*/*.jsonl"))
TWO_SEATS = CHECKOUT / "replays" / "towai" / "two-seats.jsonl"


def policy(file: Path) -> str:
    """Whose chance the deal is."""
    created = json.loads(file.read_bytes().split(b"\n")[1])
    return str(created["data"]["randomness"]["policy"])


def test_nothing_is_wrong_and_every_shuffle_agrees() -> None:
    found = verdicts([file.read_bytes() for file in WHOLE], trust=TRUST)
    assert len(found) >= 48
    for file, told in zip(WHOLE, found, strict=True):
        assert (told["verdict"], told["first_divergence"], failed(told)) == ("verified_partial", None, set()), file
        left = [check for check in CHECKS[:7] if result(told, check) != "pass"]
        assert left == (["commitment"] if policy(file) == "external" else []) or is_void(file), (file, left)


def is_void(file: Path) -> bool:
    """Whether the match was given up before its cards were dealt."""
    return b'"type":"dealt"' not in file.read_bytes()


def test_a_fork_begins_with_what_another_match_has_dealt() -> None:
    found = verdicts([file.read_bytes() for file in FORKS], trust=TRUST)
    assert len(found) == 4
    for told in found:
        assert (told["verdict"], failed(told)) == ("verified_partial", set())
        assert (result(told, "commitment"), result(told, "shuffles")) == ("pass", "not_checkable")


PARTIAL = sorted((CHECKOUT / "tests" / "golden" / "partial").glob("*/*.jsonl"))
BEACONS = json.loads((CHECKOUT / "tests" / "golden" / "beacons.json").read_text("utf-8"))


@pytest.mark.parametrize(("beacons", "known"), [(BEACONS, "pass"), (None, "not_checkable")])
def test_secrets_that_are_withheld_and_values_of_a_beacon(beacons: object, known: str) -> None:
    found = verdicts([file.read_bytes() for file in PARTIAL], trust=TRUST, beacons=beacons)
    assert len(found) == 3
    for file, told in zip(PARTIAL, found, strict=True):
        assert (told["verdict"], failed(told)) == ("verified_partial", set())
        assert result(told, "commitment") == (known if policy(file) == "external" else "not_checkable")
        assert result(told, "shuffles") == ("pass" if policy(file) == "external" else "not_checkable")


def test_another_value_of_the_beacon(tmp_path: Path) -> None:
    (file,) = [file for file in PARTIAL if policy(file) == "external"]
    other = {"beacons": [{**BEACONS["beacons"][0], "value": "00" * 32}]}
    (tmp_path / "beacons.json").write_text(json.dumps(other), "utf-8")
    assert command(file, "--beacons", tmp_path / "beacons.json").returncode == 21


def test_redacted_copies_have_the_same_head_and_prove_less() -> None:
    files = [file for folder in sorted((CHECKOUT / "replays").iterdir()) for file in sorted(folder.glob("*.jsonl"))[:1]]
    copies = [redact_lines(cut_at_lf(file.read_bytes()), reader) for file in files for reader in ("public", 1)]
    for told in verdicts([b"".join(copy) for copy in copies], trust=TRUST):
        assert (told["verdict"], failed(told)) == ("verified_partial", set())
        assert [result(told, check) for check in ("head", "file")] == ["pass", "pass"]
        assert result(told, "openings") == "not_checkable"


def test_the_command_says_it_in_words_and_in_its_exit_status() -> None:
    done = command(TWO_SEATS, "--trust", CHECKOUT / "replays" / "trust.json")
    assert (done.returncode, done.stderr) == (10, "")
    assert done.stdout.startswith(f"verified_partial  {TWO_SEATS}\n")
    assert "  shuffles   pass\n" in done.stdout


def test_the_worst_of_several_files_decides(tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(TWO_SEATS.read_bytes().replace(b'"card":"T2"', b'"card":"T3"', 1))
    done = command(TWO_SEATS, changed, "--json")
    assert done.returncode == 40
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["verdict"], second["verdict"]) == ("verified_partial", "tampered")
    assert list(second) == ["verdict", "match", "first_divergence", "checks", "rulings"]
    assert list(second["first_divergence"]) == ["seq", "check", "expected", "found", "rule"]


def test_the_words_are_there_in_japanese() -> None:
    done = command(TWO_SEATS, "--lang", "ja")
    assert "この検証プログラムはゲームのルールを知りません。" in done.stdout


@pytest.mark.parametrize("given", ["nowhere.jsonl", "."])
def test_a_file_that_cannot_be_read_is_no_verdict(given: str, tmp_path: Path) -> None:
    done = command(given, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert given in done.stderr


def test_the_machine_has_a_node_of_its_own() -> None:
    assert NODE.is_file()
