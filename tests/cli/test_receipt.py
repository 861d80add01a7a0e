"""``gyoji receipt check`` and ``gyoji audit --receipts``: what players keep, held against what the service shows."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pytest

from commands import Gyoji
from gyoji.cli.input_files import LARGEST, MOST
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.signatures import public_bytes, signer
from gyoji.store import migrate
from gyoji.trust.receipts import make_receipt
from replay.tampering import SIGNING, STRANGER, Parts, entries_of, file_of, forged
from stored import ORIGIN, PRIVATE, kept_match

ENTRIES = entries_of("catte")
MATCH = orjson.loads(ENTRIES[0].body)["match"]


def given(seq: int = 8, key: Any = SIGNING) -> dict[str, Any]:
    return make_receipt(key, MATCH, ENTRIES[seq], 0)


def write_receipts(path: Path, document: Any) -> Path:
    """A file with that document."""
    path.write_bytes(canonical(document))
    return path


def trust_file(folder: Path, key: Any = SIGNING, revoked: str | None = None) -> Path:
    """The keys as a player has pinned them."""
    public = public_bytes(key.private).hex()
    entry = {"key": key.key, "origin": key.origin, "public": public, "from": "", "until": None, "revoked": revoked}
    return write_receipts(folder / "trust.json", {"keys": [entry]})


def replay(folder: Path, lines: Any) -> Path:
    path = folder / "replay.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def change_time(parts: Parts) -> None:
    parts.events[8].document["at"] = "2031-01-01T00:00:00.000Z"


@pytest.fixture
def trust(tmp_path: Path) -> Path:
    return trust_file(tmp_path)


def test_good_receipts_of_every_form(gyoji: Gyoji, tmp_path: Path, trust: Path) -> None:
    one, many = (
        write_receipts(tmp_path / "one.json", given()),
        write_receipts(tmp_path / "many.json", [given(3), given(4)]),
    )
    answer = write_receipts(tmp_path / "answer.json", {"seq": 8, "receipt": given(), "events": []})
    lines = tmp_path / "lines.jsonl"
    lines.write_bytes(canonical(given(5)) + b"\n" + canonical([given(6), given(7)]) + b"\n")
    file = replay(tmp_path, file_of(ENTRIES, "public"))
    ran = gyoji("receipt", "check", one, many, answer, lines, "--trust", trust, "--replay", file)
    assert ran.exit_code == 0
    assert ran.stdout.splitlines()[:2] == [
        f"verified           {one} {MATCH} 8: The receipt is good, and the log holds its event.",
        f"verified           {many}:1 {MATCH} 3: The receipt is good, and the log holds its event.",
    ]
    assert [line.split()[3] for line in ran.stdout.splitlines()] == ["8:", "3:", "4:", "8:", "5:", "6:", "7:"]
    alone = gyoji("receipt", "check", one, "--trust", trust)
    assert alone.stdout == f"verified           {one} {MATCH} 8: The receipt is good.\n"


def test_as_json_and_in_japanese(gyoji: Gyoji, tmp_path: Path, trust: Path) -> None:
    one = write_receipts(tmp_path / "one.json", given())
    ran = gyoji("receipt", "check", one, "--trust", trust, "--json", "--lang", "ja")
    assert json.loads(ran.stdout) == {
        "receipt": str(one),
        "verdict": "verified",
        "match": MATCH,
        "seq": 8,
        "checks": [
            {"check": "event", "result": "pass", "why": None},
            {"check": "openings", "result": "pass", "why": None},
            {"check": "signature", "result": "pass", "why": None},
            {"check": "log", "result": "not_checkable", "why": "受領証と照らし合わせる記録が与えられていません。"},
            {"check": "others", "result": "pass", "why": None},
        ],
    }


def test_the_exit_status_is_that_of_the_worst(gyoji: Gyoji, tmp_path: Path, trust: Path) -> None:
    one = write_receipts(tmp_path / "one.json", given())

    def status(*more: str | Path) -> int:
        return gyoji("receipt", "check", one, "--trust", trust, *more).exit_code

    assert gyoji("receipt", "check", one).exit_code == 10
    assert status("--replay", replay(tmp_path, file_of(ENTRIES[:6]))) == 30
    assert status(write_receipts(tmp_path / "bad.json", {**given(), "hash": "0" * 64})) == 40
    assert status("--replay", replay(tmp_path, forged(file_of(ENTRIES), change_time))) == 41
    assert status("--replay", replay(tmp_path, forged(file_of(ENTRIES), change_time, STRANGER))) == 40
    assert status(write_receipts(tmp_path / "strange.json", given(key=STRANGER))) == 42
    assert status(write_receipts(tmp_path / "none.json", {"event": 1})) == 51
    trust_file(tmp_path, revoked="2026-01-01T00:00:00.000Z")
    assert status() == 42


def contradicting_receipt(seq: int, key: Any = SIGNING) -> dict[str, Any]:
    """The receipt of an event of the log as ``change_time`` has it, signed as well."""
    start = b'{"actor"'
    lines = [line[:-1] for line in forged(file_of(ENTRIES), change_time) if line.startswith(start)]
    entry = ENTRIES[seq]._replace(body=lines[seq], hash=leaf_hash(lines[seq]), openings=(), position=None)
    return make_receipt(key, MATCH, entry, "public")


def test_two_that_contradict_each_other_and_the_proof(gyoji: Gyoji, tmp_path: Path, trust: Path) -> None:
    one, other = (
        write_receipts(tmp_path / "one.json", given()),
        write_receipts(tmp_path / "other.json", contradicting_receipt(8)),
    )
    for alone in (one, other):
        assert gyoji("receipt", "check", alone, "--trust", trust).exit_code == 0
    ran = gyoji("receipt", "check", one, other, "--trust", trust, "--proofs", tmp_path / "proofs")
    assert ran.exit_code == 41
    said = "The service has signed two things that contradict each other. Another of the receipts given"
    assert ran.stdout.splitlines() == [
        f"equivocation       {file} {MATCH} 8: {said}, itself or by the log that leads to it, tells of another event 8."
        for file in (one, other)
    ]
    (proof,) = (tmp_path / "proofs").iterdir()
    assert proof.name == f"equivocation-{MATCH}-8.json"
    assert gyoji("proof", "check", proof, "--trust", trust).exit_code == 41
    strange = write_receipts(tmp_path / "strange.json", contradicting_receipt(8, STRANGER))
    ran = gyoji("receipt", "check", one, strange, "--trust", trust, "--proofs", tmp_path / "none")
    assert (ran.exit_code, (tmp_path / "none").exists()) == (42, False)


def test_the_proof_leads_through_the_log_that_is_given(gyoji: Gyoji, tmp_path: Path, trust: Path) -> None:
    """From one receipt to another through a log without a head; and to the head of one that has it."""
    one, other = (
        write_receipts(tmp_path / "one.json", given()),
        write_receipts(tmp_path / "other.json", contradicting_receipt(11)),
    )
    lines = forged(file_of(ENTRIES), change_time)
    for number, (receipts, log) in enumerate([((one, other), lines[:-1]), ((one,), lines)]):
        file, proofs = replay(tmp_path, log), tmp_path / f"proofs-{number}"
        ran = gyoji("receipt", "check", *receipts, "--trust", trust, "--replay", file, "--proofs", proofs)
        assert ran.exit_code == 41
        (proof,) = proofs.iterdir()
        assert gyoji("proof", "check", proof, "--trust", trust).exit_code == 41


def test_against_a_store(gyoji: Gyoji, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kept.db"
    migrate(url)
    match = kept_match(url)
    exported = gyoji("replay", "export", match, "--store", url).stdout.encode()
    own = signer(PRIVATE, ORIGIN)
    event = next(line for line in exported.split(b"\n") if b'"seq":4,' in line and line.startswith(b'{"actor"'))
    entry = ENTRIES[4]._replace(body=event, hash=leaf_hash(event), openings=(), position=None)
    good = write_receipts(tmp_path / "good.json", make_receipt(own, match, entry, "public"))
    assert gyoji("receipt", "check", good, "--store", url).exit_code == 0
    other = event.replace(b"2026", b"2031")
    told = entry._replace(body=other, hash=leaf_hash(other))
    lie = write_receipts(tmp_path / "lie.json", make_receipt(own, match, told, "public"))
    assert gyoji("receipt", "check", lie, "--store", url, "--proofs", tmp_path / "proofs").exit_code == 41
    (proof,) = (tmp_path / "proofs").iterdir()
    keys = tmp_path / "keys.json"
    keys.write_text(gyoji("keys", "signing", "export", "--store", url).stdout, "utf-8")
    assert gyoji("proof", "check", proof, "--trust", keys).exit_code == 41
    elsewhere = write_receipts(tmp_path / "elsewhere.json", given(key=STRANGER))
    assert gyoji("receipt", "check", elsewhere, "--store", url).exit_code == 42
    assert (
        gyoji("receipt", "check", elsewhere, "--store", url, "--trust", trust_file(tmp_path, STRANGER)).exit_code == 30
    )


@pytest.mark.parametrize(
    ("files", "status"),
    [({"a.json": b"{"}, 1), ({"a.jsonl": b"\n"}, 1), ({"a.json": b"[]"}, 1)],
)
def test_what_cannot_be_read(gyoji: Gyoji, tmp_path: Path, files: Mapping[str, bytes], status: int) -> None:
    for name, body in files.items():
        (tmp_path / name).write_bytes(body)
        assert gyoji("receipt", "check", tmp_path / name).exit_code == status
    one = write_receipts(tmp_path / "one.json", given())
    for wrong in (("--replay", one), ("--replay", one, "--store", "sqlite:///x.db"), ("--trust", one)):
        assert gyoji("receipt", "check", one, *wrong).exit_code == 2
    assert gyoji("receipt", "check").exit_code == 2


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_more_than_a_file_of_that_size_can_hold(gyoji: Gyoji, tmp_path: Path, form: str) -> None:
    """Each would be told of in a line of its own: of four megabytes of nothing 225."""
    path = tmp_path / f"many.{form}"
    path.write_bytes(b"[" + b"{}," * MOST + b"{}]" if form == "json" else b"{}\n" * (MOST + 1))
    for command in (["receipt", "check", str(path)], ["audit", str(tmp_path), "--receipts", str(path)]):
        result = gyoji(*command)
        assert (result.exit_code, result.output) == (1, f"Error: {path}: more than 131072 receipts\n")


def test_no_receipt_is_so_short_that_a_file_could_hold_more() -> None:
    shortest = min(len(canonical(make_receipt(SIGNING, MATCH, entry, "public"))) for entry in ENTRIES)
    assert shortest > LARGEST // MOST


def test_an_audit_with_a_folder_of_receipts(gyoji: Gyoji, tmp_path: Path, trust: Path) -> None:
    folder = tmp_path / "receipts"
    (folder / "seat-1").mkdir(parents=True)
    write_receipts(folder / "3.json", given(3))
    (folder / "notes.txt").write_text("mine")
    (folder / "seat-1" / "more.jsonl").write_bytes(canonical(given(8)) + b"\n" + canonical([given(4)]))
    whole, short = tmp_path / "whole.jsonl", tmp_path / "short.jsonl"
    whole.write_bytes(b"".join(file_of(ENTRIES)))
    short.write_bytes(b"".join(file_of(ENTRIES[:6])))
    ran = gyoji("audit", whole, "--trust", trust, "--receipts", folder, "--json")
    assert ran.exit_code == 0
    assert json.loads(ran.stdout.splitlines()[0])["checks"][11] == {"check": "receipts", "result": "pass", "why": None}
    assert gyoji("audit", short, "--trust", trust, "--receipts", folder).exit_code == 30
    assert gyoji("audit", short, "--trust", trust, "--receipts", folder / "3.json").exit_code == 10
    write_receipts(folder / "keys.json", {"keys": []})
    assert gyoji("audit", whole, "--trust", trust, "--receipts", folder).exit_code == 2
