"""Two files of one match that cannot both be true, the proof of it, and what is no proof."""

import json
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.log.canonical import canonical
from gyoji.trust.receipts import make_receipt
from replay.tampering import SIGNING, STRANGER, entries_of, file_of, forged, taken_apart
from verifier.corpora import trust

ENTRIES = entries_of("towai")[:9]
WHOLE = file_of(ENTRIES)


def change_time(parts: Any) -> None:
    """Another time for event 4, and so other hashes from there on."""
    parts.events[4].document["at"] = "2026-01-01T00:00:04.001Z"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with the keys to trust, the match, and another end of it that is one event shorter."""
    other = forged(file_of(ENTRIES[:8]), change_time)
    for name, lines in (("longer", WHOLE), ("other", other), ("before", file_of(ENTRIES[:6]))):
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "trust.json").write_text(json.dumps(trust()), "utf-8")
    return tmp_path


def test_two_files_and_the_proof_that_stands_alone(gyoji: Gyoji, workspace: Path) -> None:
    keys = ("--trust", workspace / "trust.json")
    both = gyoji(
        "audit", workspace / "longer.jsonl", workspace / "other.jsonl", *keys, "--proofs", workspace / "proofs"
    )
    assert (both.exit_code, both.stdout.count("equivocation  ")) == (41, 2)
    assert "event 7, head" in both.stdout
    (file,) = (workspace / "proofs").iterdir()
    proof = json.loads(file.read_bytes())
    assert [told["seq"] for told in proof["statements"]] == [7, 8]
    assert [json.loads(text)["seq"] for text in proof["chain"]] == [7, 8]
    assert gyoji("proof", "check", file, *keys).exit_code == 41
    honest = gyoji("audit", workspace / "longer.jsonl", workspace / "before.jsonl", *keys)
    assert (honest.exit_code, "equivocation" in honest.stdout) == (10, False)
    alone = gyoji("audit", workspace / "other.jsonl", *keys)
    assert "equivocation" not in alone.stdout


def test_a_receipt_against_a_file(gyoji: Gyoji, workspace: Path) -> None:
    keys = ("--trust", workspace / "trust.json")
    match = json.loads(ENTRIES[0].body)["match"]
    (workspace / "receipt.json").write_bytes(canonical(make_receipt(SIGNING, match, ENTRIES[5], 0)))
    given = ("--receipts", workspace / "receipt.json", "--proofs", workspace / "proofs")
    assert gyoji("audit", workspace / "other.jsonl", *keys, *given).exit_code == 41
    (file,) = (workspace / "proofs").iterdir()
    assert gyoji("proof", "check", file, *keys).exit_code == 41
    (workspace / "head.json").write_bytes(canonical(taken_apart(WHOLE).ending))
    assert gyoji("audit", workspace / "longer.jsonl", *keys, "--receipts", workspace / "head.json").exit_code == 10


def test_what_proves_nothing(gyoji: Gyoji, workspace: Path) -> None:
    keys = ("--trust", workspace / "trust.json")
    gyoji("audit", workspace / "longer.jsonl", workspace / "other.jsonl", *keys, "--proofs", workspace / "proofs")
    (file,) = (workspace / "proofs").iterdir()
    whole = json.loads(file.read_bytes())
    one, other = whole["statements"]
    cases: list[tuple[Any, int]] = [
        ({**whole, "statements": [{**one, "sig": "0" * 128}, other]}, 40),
        ({**whole, "chain": [whole["chain"][0], whole["chain"][0]]}, 40),
        ({"format": whole["format"], "statements": [other, other]}, 40),
        ({**whole, "statements": [other, one]}, 51),
        ({"format": whole["format"], "statements": [one, other]}, 51),
        ({**whole, "statements": [{**one, "kind": "note"}, other]}, 51),
        ({**whole, "statements": [{**one, "kind": "note", "match": ""}, {**other, "match": ""}]}, 51),
        ({**whole, "more": 1}, 51),
        ([], 51),
    ]
    for number, (document, expected) in enumerate(cases):
        (workspace / "proof.json").write_bytes(canonical(document))
        assert gyoji("proof", "check", workspace / "proof.json", *keys).exit_code == expected, number
    for strange in (trust(STRANGER), trust(revoked="2026-01-02T00:00:00.000Z")):
        (workspace / "strange.json").write_text(json.dumps(strange), "utf-8")
        assert gyoji("proof", "check", file, "--trust", workspace / "strange.json").exit_code == 42
    assert gyoji("proof", "check", file).exit_code == 2
