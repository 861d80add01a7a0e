"""``gyoji audit``: files, folders, archives, standard input and stores; one line a replay, the worst exit status."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from commands import Gyoji
from gyoji.log.canonical import canonical
from gyoji.published_files import CHECKOUT
from gyoji.store import migrate
from gyoji.trust.receipts import make_receipt
from replay.tampering import SIGNING, entries_of, file_of, refiled, taken_apart
from stored import kept_match

REPLAYS = CHECKOUT / "replays"
TRUST = REPLAYS / "trust.json"
CATTE = REPLAYS / "catte"
NAMES = sorted(file.name for file in CATTE.glob("*.jsonl") if b'"ruling_made"' not in file.read_bytes())
FILE = CATTE / NAMES[0]
RULED = CATTE / "card-that-stands-and-costs-points.jsonl"
BODY = FILE.read_bytes()


def in_folder(folder: Path, **bodies: bytes) -> Path:
    for name, body in bodies.items():
        (folder / f"{name}.jsonl").write_bytes(body)
    return folder


def test_a_file_that_is_verified(gyoji: Gyoji) -> None:
    ran = gyoji("audit", FILE, "--trust", TRUST)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout == f"verified           {FILE}\n1 audited: 1 verified\n"


def test_what_could_not_be_checked_is_said(gyoji: Gyoji) -> None:
    ran = gyoji("audit", FILE)
    assert ran.exit_code == 10
    assert ran.stdout.startswith(f"verified_partial   {FILE}: No trusted keys were given")
    assert "鍵" in gyoji("audit", FILE, "--lang", "ja").stdout


def test_values_of_public_beacons(gyoji: Gyoji, tmp_path: Path) -> None:
    golden = CHECKOUT / "tests" / "golden"
    file = golden / "partial" / "tomorrow-never-meows" / "value-of-a-public-beacon.jsonl"
    without = gyoji("audit", file, "--trust", TRUST)
    assert (without.exit_code, "was not given" in without.stdout) == (10, True)
    assert gyoji("audit", file, "--trust", TRUST, "--beacons", golden / "beacons.json").exit_code == 0
    known = json.loads((golden / "beacons.json").read_bytes())
    known["beacons"][0]["value"] = "00" * 32
    other = tmp_path / "beacons.json"
    other.write_bytes(canonical(known))
    wrong = gyoji("audit", file, "--trust", TRUST, "--beacons", other)
    assert (wrong.exit_code, wrong.stdout.startswith("deal_divergence")) == (21, True)
    for body in (b"{", b"[]", b'{"beacons":[{}]}'):
        other.write_bytes(body)
        refused = gyoji("audit", file, "--beacons", other)
        assert (refused.exit_code, "--beacons" in refused.stderr) == (2, True)


def test_a_folder_in_order_by_one_process_and_by_two(gyoji: Gyoji) -> None:
    one = gyoji("audit", REPLAYS, "--trust", TRUST)
    two = gyoji("audit", REPLAYS, "--trust", TRUST, "--jobs", "2")
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout
    count = len(list(REPLAYS.rglob("*.jsonl")))
    lines = one.stdout.splitlines()
    ruled = sum(line.startswith("verified_with_rulings ") for line in lines)
    counts = f"{count - ruled} verified, {ruled} verified_with_rulings"
    assert (lines[-1], ruled > 0) == (f"{count} audited: {counts}", True)


def test_every_ruling_is_listed(gyoji: Gyoji) -> None:
    found = gyoji("audit", RULED, "--trust", TRUST)
    first, second, *_others = found.stdout.splitlines()
    assert first.startswith("verified_with_rulings ")
    assert second == "    event 9: accept, a ruling that overrides the rules [CAT-3.1]"
    document = json.loads(gyoji("audit", RULED, "--json").stdout.splitlines()[0])
    kinds = [(ruling["kind"], ruling["rule"], ruling["overrides"]) for ruling in document["rulings"]]
    assert kinds == [
        ("accept", "CAT-3.1", True),
        ("points", "CAT-3.1", True),
        ("note", None, False),
        ("points", None, True),
    ]


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_an_archive(gyoji: Gyoji, tmp_path: Path, kind: str) -> None:
    archive = tmp_path / f"replays.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name in NAMES:
                zipped.write(CATTE / name, f"inner/{name}")
            zipped.writestr("README.md", "no replay")
    else:
        with tarfile.open(archive, "w:gz" if kind == "tar.gz" else "w") as tarred:
            for name in NAMES:
                tarred.add(CATTE / name, f"inner/{name}")
            tarred.addfile(tarfile.TarInfo("README.md"), io.BytesIO())
    lines = gyoji("audit", archive, "--trust", TRUST).stdout.splitlines()
    assert lines[:-1] == [f"verified           {archive}:inner/{name}" for name in NAMES]
    assert sorted(path.name for path in tmp_path.iterdir()) == [archive.name]


def test_standard_input(gyoji: Gyoji) -> None:
    assert gyoji("audit", "-", "--trust", TRUST, sent=BODY).stdout.startswith("verified           -\n")
    cut = gyoji("audit", "-", "--trust", TRUST, sent=BODY[:-200])
    assert cut.exit_code == 30
    assert cut.stdout.startswith("incomplete         -: event ")


def test_the_worst_verdict_is_the_exit_status(gyoji: Gyoji, tmp_path: Path) -> None:
    lines = file_of(entries_of("catte"))
    folder = in_folder(
        tmp_path, a=BODY, b=BODY[:-300], c=BODY.replace(b'"at":"2026', b'"at":"2027', 1), d=b"no replay\n"
    )
    ran = gyoji("audit", folder, "--trust", TRUST)
    words = [line.split()[0] for line in ran.stdout.splitlines()]
    assert words == ["verified", "incomplete", "tampered", "malformed", "4"]
    assert ran.exit_code == 40
    for name, body, status in (
        ("d", b"no replay\n", 51),
        ("k", b"".join(lines), 42),
        ("g", b"".join(refiled(lines[:-3], taken_apart(lines).ending["head"])), 42),
    ):
        assert (
            gyoji("audit", in_folder(tmp_path, **{name: body}) / f"{name}.jsonl", "--trust", TRUST).exit_code == status
        )


def test_a_tampered_file_says_where(gyoji: Gyoji, tmp_path: Path) -> None:
    changed = in_folder(tmp_path, c=BODY.replace(b'"at":"2026', b'"at":"2027', 1)) / "c.jsonl"
    first = gyoji("audit", changed, "--trust", TRUST).stdout.splitlines()[0]
    assert (
        first
        == f"tampered           {changed}: event 1, chain: The event does not name the hash of the event before it."
    )


def test_json_and_a_report(gyoji: Gyoji, tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    ran = gyoji("audit", FILE, "--trust", TRUST, "--json", "--report", report)
    told, summary = [json.loads(line) for line in ran.stdout.splitlines()]
    assert list(told) == ["replay", "verdict", "match", "first_divergence", "checks", "rulings"]
    assert (told["replay"], told["verdict"], told["first_divergence"]) == (str(FILE), "verified", None)
    assert len(told["checks"]) == 12
    assert told["checks"][0] == {"check": "bytes", "result": "pass", "why": None}
    counts = {"audited": 1, "verdicts": {"verified": 1}}
    rates = {"seconds", "replays_per_second", "moves_per_second"}
    assert (summary["summary"].items() >= counts.items(), summary["summary"].keys()) == (True, {*counts, *rates})
    terms, line, last = [json.loads(line) for line in report.read_bytes().splitlines()]
    assert (terms["report"], last) == ("gyoji-report/1", {"summary": counts})
    assert list(line.items())[: len(told)] == list(told.items())
    assert [path.name for path in tmp_path.iterdir()] == ["report.jsonl"]


def test_receipts(gyoji: Gyoji, tmp_path: Path) -> None:
    """A receipt for an event that the file does not hold any more."""
    entries = entries_of("catte")
    file, receipts, trust = tmp_path / "short.jsonl", tmp_path / "receipts.json", tmp_path / "trust.json"
    match = taken_apart(file_of(entries)).header["match"]
    file.write_bytes(b"".join(file_of(entries[:6])))
    receipts.write_bytes(canonical([make_receipt(SIGNING, match, entries[8], 0)]))
    public = SIGNING.private.public_key().public_bytes_raw().hex()
    key = {"key": SIGNING.key, "origin": SIGNING.origin, "public": public, "from": "", "until": None, "revoked": None}
    trust.write_bytes(canonical({"keys": [key]}))
    ran = gyoji("audit", file, "--trust", trust, "--receipts", receipts)
    assert (ran.exit_code, ran.stdout.split()[0]) == (30, "incomplete")


def test_a_store(gyoji: Gyoji, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/kept.db"
    migrate(url)
    finished, running = kept_match(url), kept_match(url, "towai", 9, 1)
    ran = gyoji("audit", "--store", url)
    assert ran.exit_code == 10
    words = {line.split()[1].rstrip(":"): line.split()[0] for line in ran.stdout.splitlines()[:2]}
    assert words == {finished: "verified", running: "verified_partial"}
    assert gyoji("audit", "--store", url, "--jobs", "2").stdout == ran.stdout


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((), 2),
        (("nowhere.jsonl",), 2),
        ((FILE, "--trust", FILE), 2),
        ((FILE, "--receipts", TRUST), 2),
        ((FILE, "--jobs", "0"), 2),
        ((CHECKOUT / "schemas",), 1),
        (("--store", "sqlite:///nowhere/at-all.db"), 1),
        (("--store", "mysql://somewhere"), 2),
    ],
)
def test_what_cannot_be_done(gyoji: Gyoji, arguments: tuple[str, ...], status: int) -> None:
    ran = gyoji("audit", *arguments)
    assert ran.exit_code == status
    assert "Traceback" not in ran.output


@pytest.mark.parametrize("name", ["broken.zip", "broken.tar", "broken.tar.gz"])
def test_a_broken_archive(gyoji: Gyoji, tmp_path: Path, name: str) -> None:
    archive = tmp_path / name
    archive.write_bytes(b"no archive" * 99)
    ran = gyoji("audit", archive, FILE, "--trust", TRUST)
    assert ran.exit_code == 1
    assert [line.split()[0] for line in ran.stdout.splitlines()[:2]] == ["unreadable", "verified"]


def test_a_broken_archive_hides_no_worse_verdict(gyoji: Gyoji, tmp_path: Path) -> None:
    archive, forged = tmp_path / "broken.zip", tmp_path / "forged.jsonl"
    archive.write_bytes(b"no archive" * 99)
    forged.write_bytes(FILE.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    ran = gyoji("audit", archive, forged, "--trust", TRUST)
    assert ran.exit_code == 40


def test_a_cut_archive(gyoji: Gyoji, tmp_path: Path) -> None:
    whole, archive = tmp_path / "whole.tar.gz", tmp_path / "cut.tar.gz"
    with tarfile.open(whole, "w:gz") as tarred:
        tarred.add(FILE, "a.jsonl")
    archive.write_bytes(whole.read_bytes()[:3000])
    ran = gyoji("audit", archive)
    assert (ran.exit_code, ran.stdout.split()[0]) == (1, "unreadable")


def test_a_name_that_would_steer_the_terminal(gyoji: Gyoji, tmp_path: Path) -> None:
    archive = tmp_path / "names.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("a\n\x1b[2Jverified.jsonl", b"no replay")
    ran = gyoji("audit", archive, "--json")
    assert (
        json.loads(ran.stdout.splitlines()[0])["replay"]
        == f"{archive}:a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[2Jverified.jsonl"
    )
