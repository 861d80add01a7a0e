"""``gyoji audit`` of many replays: shards, reports that are put together, runs that are stopped and go on."""

import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.bulk import audits, workers
from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.locations import Location
from gyoji.bulk.sources import Lines
from gyoji.cli import audit_options, audit_output
from gyoji.log.canonical import canonical
from replay.tampering import entries_of, file_of, forged
from verifier.corpora import trust

ENTRIES = entries_of("towai")[:9]
WHOLE = file_of(ENTRIES)
BODY = b"".join(WHOLE)
MATCH = json.loads(WHOLE[0])["match"]
Document = dict[str, Any]


def change_time(parts: Any) -> None:
    """Another time for event 4, and so other hashes from there on."""
    parts.events[4].document["at"] = "2026-01-01T00:00:04.001Z"


SPLIT = b"".join(forged(WHOLE, change_time))
SHORTER = b"".join(forged(file_of(ENTRIES[:8]), change_time))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Replays in folders, a zip and a tar; a file that is none, a broken archive; and the keys to trust."""
    folder = tmp_path / "kept"
    for name in ("a/1", "a/2", "b/c/3", "b/4"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.jsonl").write_bytes(BODY)
    (folder / "b" / "none.jsonl").write_bytes(b"no replay\n")
    (folder / "b" / "broken.zip").write_bytes(b"PK")
    (folder / "notes.txt").write_bytes(BODY)
    with zipfile.ZipFile(folder / "b" / "some.zip", "w") as zipped:
        for number in range(5):
            zipped.writestr(f"inner/{number}.jsonl", BODY)
    with tarfile.open(folder / "more.tar.gz", "w:gz") as tarred:
        for number in range(5):
            entry = tarfile.TarInfo(f"{number}.jsonl")
            entry.size = len(BODY)
            tarred.addfile(entry, io.BytesIO(BODY))
    (tmp_path / "trust.json").write_text(json.dumps(trust()), "utf-8")
    return tmp_path


def lines_of(report: Path) -> list[Document]:
    return [json.loads(line) for line in report.read_bytes().splitlines()]


def replays_of(report: Path) -> list[str]:
    return [line["replay"] for line in lines_of(report) if "replay" in line]


def run_audit(gyoji: Gyoji, workspace: Path, name: str, *more: str | Path) -> Path:
    report = workspace / name
    gyoji("audit", workspace / "kept", "--trust", workspace / "trust.json", "--report", report, *more)
    return report


def by_name(lines: Sequence[Document]) -> list[Document]:
    return sorted(lines, key=lambda line: str(line.get("replay")))


@pytest.mark.parametrize("of", [1, 3, 20])
def test_shards_are_the_whole_each_replay_once(gyoji: Gyoji, workspace: Path, of: int) -> None:
    whole = run_audit(gyoji, workspace, "whole")
    shards = [
        run_audit(gyoji, workspace, f"shard-{number}", "--shard", f"{number}/{of}") for number in range(1, of + 1)
    ]
    names = [name for shard in shards for name in replays_of(shard) if not name.endswith("broken.zip")]
    assert (
        sorted(names) == sorted(set(names)) == sorted(set(replays_of(whole)) - {str(workspace / "kept/b/broken.zip")})
    )
    assert len(names) == 15
    merged = workspace / "merged"
    ran = gyoji("verdicts", *shards, "--report", merged)
    assert by_name(lines_of(merged)) == by_name(lines_of(whole))
    assert (ran.exit_code, ran.stdout.splitlines()[-1]) == (
        51,
        "16 audited: 1 malformed, 1 unreadable, 14 verified_partial",
    )


def test_a_shard_does_not_depend_on_where_things_are(gyoji: Gyoji, workspace: Path) -> None:
    one = run_audit(gyoji, workspace, "one", "--shard", "1/3")
    (workspace / "kept").rename(workspace / "elsewhere")
    other = workspace / "other"
    gyoji("audit", workspace / "elsewhere", "--trust", workspace / "trust.json", "--report", other, "--shard", "1/3")
    assert [name.replace("/elsewhere/", "/kept/") for name in replays_of(other)] == replays_of(one)


@pytest.mark.parametrize(("body", "place"), [(SPLIT, 8), (SHORTER, 7)])
def test_an_equivocation_over_two_shards_is_found_in_the_end(
    gyoji: Gyoji, workspace: Path, body: bytes, place: int
) -> None:
    """Of heads of one place the reports tell; of a shorter one the longer file has to be read again."""
    number = next(number for number in range(99) if shard_of(gyoji, workspace, f"{number}.jsonl") == "2/2")
    for name in ("kept/b/some.zip", "kept/more.tar.gz"):
        (workspace / name).unlink()
    for file in [*(workspace / "kept").rglob("*.jsonl")]:
        if shard_of(gyoji, workspace, str(file.relative_to(workspace / "kept"))) == "2/2":
            file.unlink()
    (workspace / "kept" / f"{number}.jsonl").write_bytes(body)
    shards = [run_audit(gyoji, workspace, f"shard-{number}", "--shard", f"{number}/2") for number in (1, 2)]
    assert [b'"equivocation"' in shard.read_bytes() for shard in shards] == [False, False]
    ran = gyoji("verdicts", *shards, "--json")
    *told, summary = [json.loads(line) for line in ran.stdout.splitlines()]
    apart = [one for one in told if one["verdict"] == "equivocation"]
    assert {one["first_divergence"]["seq"] for one in apart} == {place}
    assert {one["verdict"] for one in told if one not in apart} <= {None, "malformed"}
    assert ran.exit_code == 41
    assert summary["summary"]["verdicts"]["equivocation"] == len(apart) > 1
    assert {one["by_itself"] for one in apart} == {"verified_partial"}
    if place == 7:
        for file in (workspace / "kept").rglob("*.jsonl"):
            file.unlink()
        blind = gyoji("verdicts", *shards)
        assert "not held against each other" in blind.stdout
        assert blind.exit_code in {1, 51}


def shard_of(gyoji: Gyoji, workspace: Path, key: str) -> str:
    """The shard of two that a file of that name is in."""
    place = workspace / "alone" / key
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"no replay\n")
    ran = gyoji("audit", workspace / "alone", "--shard", "1/2")
    place.unlink()
    return "1/2" if ran.stdout.startswith("malformed") else "2/2"


def test_what_is_missing_is_named(gyoji: Gyoji, workspace: Path) -> None:
    (workspace / "kept" / "b" / "none.jsonl").unlink()
    (workspace / "kept" / "b" / "broken.zip").unlink()
    one, two, three = (run_audit(gyoji, workspace, f"shard-{number}", "--shard", f"{number}/3") for number in (1, 2, 3))
    assert gyoji("verdicts", one, two, three).exit_code == 10
    without = gyoji("verdicts", one, three)
    assert (without.exit_code, without.stdout.splitlines()[-1]) == (1, "missing shards: 2/3")
    *_, summary = gyoji("verdicts", one, three, "--json").stdout.splitlines()
    assert json.loads(summary)["summary"]["missing"] == ["2/3"]
    again = gyoji("verdicts", one, two, three, two)
    assert (again.exit_code, again.stdout.splitlines()[-1]) == (10, f"twice: {', '.join(replays_of(two))}")
    two.write_bytes(two.read_bytes()[:-5])
    cut = gyoji("verdicts", one, two, three)
    assert (cut.exit_code, cut.stdout.splitlines()[-1]) == (1, f"unfinished or damaged reports: {two}")


def test_reports_that_do_not_belong_together(gyoji: Gyoji, workspace: Path) -> None:
    one = run_audit(gyoji, workspace, "one", "--shard", "1/2")
    third = run_audit(gyoji, workspace, "third", "--shard", "2/3")
    other = workspace / "other"
    gyoji("audit", workspace / "kept", "--report", other, "--shard", "2/2")
    for report, said in ((third, "different numbers of shards"), (other, "by other terms: trusted")):
        ran = gyoji("verdicts", one, report)
        assert (ran.exit_code, said in ran.stderr) == (1, True)
    assert gyoji("verdicts", workspace / "trust.json").exit_code == 1
    assert gyoji("verdicts").exit_code == 2


def test_a_run_that_was_stopped_anywhere_goes_on_to_the_same_verdicts(gyoji: Gyoji, workspace: Path) -> None:
    (workspace / "kept" / "b" / "1.jsonl").write_bytes(SPLIT)
    for report, more, is_split in (("all", (), True), ("alone", ("--rules", "1"), False)):
        whole = run_audit(gyoji, workspace, report, *more).read_bytes()
        lines = by_name(lines_of(workspace / report))
        assert sum("by_itself" in line for line in lines) == (15 if is_split else 0)
        for stop in (0, 5, *range(700, len(whole), len(whole) // 4), len(whole)):
            (workspace / f"{report}.part").write_bytes(whole[:stop])
            run_audit(gyoji, workspace, report, *more, "--resume")
            assert by_name(lines_of(workspace / report)) == lines, stop
            assert not (workspace / f"{report}.part").exists()


def test_what_was_judged_before_is_not_judged_again(
    gyoji: Gyoji, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = run_audit(gyoji, workspace, "report")
    number = len(replays_of(report))
    (workspace / "kept" / "a" / "1.jsonl").write_bytes(BODY[:-300])
    (workspace / "kept" / "a" / "2.jsonl").unlink()
    (workspace / "kept" / "b" / "new.jsonl").write_bytes(BODY)
    asked = []
    audit_lines = audits.audit_lines

    def noticed(terms: AuditTerms, name: str, lines: Lines) -> audits.AuditedReplay:
        asked.append(name)
        return audit_lines(terms, name, lines)

    monkeypatch.setattr(audits, "audit_lines", noticed)
    ran = gyoji("audit", workspace / "kept", "--trust", workspace / "trust.json", "--report", report, "--resume")
    assert [Path(name).name for name in asked] == ["1.jsonl", "new.jsonl"]
    assert ran.stdout.splitlines()[-1] == (
        "16 audited: 1 incomplete, 1 malformed, 1 unreadable, 13 verified_partial (13 of them by an earlier run)"
    )
    assert len(replays_of(report)) == number == 16
    assert str(workspace / "kept" / "a" / "2.jsonl") not in replays_of(report)


def test_what_is_refused(gyoji: Gyoji, workspace: Path) -> None:
    report = run_audit(gyoji, workspace, "report")
    keys = ("--trust", workspace / "trust.json")
    other = gyoji("audit", workspace / "kept", "--report", report, "--resume")
    assert (other.exit_code, "other terms (trusted)" in other.stderr) == (1, True)
    shard = gyoji("audit", workspace / "kept", *keys, "--report", report, "--resume", "--shard", "1/2")
    assert (shard.exit_code, "other terms (shard)" in shard.stderr) == (1, True)
    assert not (workspace / "report.part").exists()
    with (workspace / "report.part").open("wb") as taken:
        fcntl.flock(taken, fcntl.LOCK_EX)
        another = gyoji("audit", workspace / "kept", *keys, "--report", report, "--resume")
    assert (another.exit_code, "being written by another run" in another.stderr) == (1, True)
    (workspace / "report.part").write_bytes(report.read_bytes()[:-40])
    anew = gyoji("audit", workspace / "kept", *keys, "--report", report)
    assert (anew.exit_code, "--resume" in anew.stderr) == (1, True)
    (workspace / "report.part").write_bytes(canonical({"other": 1}) + b"\n")
    assert gyoji("audit", workspace / "kept", *keys, "--report", report, "--resume").exit_code == 1
    for wrong in (
        ("--resume",),
        ("--shard", "0/2"),
        ("--shard", "3/2"),
        ("--shard", "1"),
        ("--shard", "1/x"),
        ("--cluster", "tcp://127.0.0.1:1", "--jobs", "2"),
    ):
        assert gyoji("audit", workspace / "kept", *wrong).exit_code == 2
    assert gyoji("audit", "-", "--shard", "1/2", sent=BODY).exit_code == 2


def test_a_run_that_is_interrupted_keeps_what_it_has(workspace: Path) -> None:
    """Ctrl-C in mid-run, of two processes; nothing is on standard error but what was stopped."""
    many = workspace / "many"
    many.mkdir()
    for number in range(6000):
        os.link(workspace / "kept" / "a" / "1.jsonl", many / f"{number:04}.jsonl")
    report = workspace / "report"
    given = ["--trust", str(workspace / "trust.json"), "--report", str(report), "--jobs", "2"]
    command = [sys.executable, "-m", "gyoji", "audit", str(many), *given]
    part = workspace / "report.part"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        until = time.monotonic() + 60
        while time.monotonic() < until and (not part.exists() or part.stat().st_size < 50_000):
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        stdout, stderr = run.communicate(timeout=30)
    assert run.returncode == 130, stderr
    judged = len(stdout.splitlines())
    assert stderr == f"stopped: {judged} judged; go on with --report {report} --resume\n"
    assert 0 < judged == len([line for line in part.read_bytes().splitlines() if b'"replay"' in line]) < 6000
    assert not report.exists()


def test_processes_that_are_broken_off_leave_no_thread_that_the_end_would_trip_over(workspace: Path) -> None:
    place = Location("file", str(workspace / "kept" / "a" / "1.jsonl"))
    before = set(threading.enumerate())
    batches = workers.Processes(2)(AuditTerms(None, None), [[place]] * 40)
    assert next(batches)[0] == [place]
    batches.close()
    assert [thread for thread in set(threading.enumerate()) - before if not thread.daemon] == []


@pytest.mark.parametrize("held", [0, 1, 4096])
def test_what_a_later_file_makes_of_one_told_of_long_before(
    gyoji: Gyoji, workspace: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """It is told again; the counts, the report and the exit status are the same however long lines wait."""
    monkeypatch.setattr(audit_output, "HELD", held)
    monkeypatch.setattr(audit_options, "LOCAL", workers.ChunkSize(1))
    (workspace / "kept" / "z.jsonl").write_bytes(SPLIT)
    given = ("audit", workspace / "kept", "--trust", workspace / "trust.json", "--report", workspace / "report")
    ran = gyoji(*given, "--proofs", workspace / "proofs")
    *lines, summary = ran.stdout.splitlines()
    assert (ran.exit_code, summary) == (41, "17 audited: 15 equivocation, 1 malformed, 1 unreadable")
    last = {line.split()[1].rstrip(":"): line.split()[0] for line in lines}
    assert sorted(last.values()).count("equivocation") == 15
    assert len(lines) == {0: 17 + 15, 1: 17 + 14, 4096: 17}[held]
    assert sum("by_itself" in line for line in lines_of(workspace / "report")) == 15
    assert [file.name for file in (workspace / "proofs").iterdir()] == [f"equivocation-{MATCH}-8.json"]


def test_two_processes_share_what_is_in_archives(gyoji: Gyoji, workspace: Path) -> None:
    given = ("audit", workspace / "kept", "--trust", workspace / "trust.json")
    one, two = gyoji(*given), gyoji(*given, "--jobs", "2")
    assert (two.exit_code, two.stdout) == (one.exit_code, one.stdout)
    assert one.stdout.count("more.tar.gz:") == one.stdout.count("some.zip:") == 5


def test_how_far_it_is_stands_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = iter([100.0, 110.0, 110.0, 110.0, 120.0])
    monkeypatch.setattr(audit_output, "monotonic", lambda: next(now))
    silent = audit_output.AuditProgress(lambda: 1 // 0)
    silent.go_on(1, 1, 0)
    assert silent.is_shown is False
    now = iter([100.0, 110.0, 110.0, 110.0, 120.0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    pace = audit_output.AuditProgress(lambda: 4000)
    pace.go_on(1000, 50_000, 1000)
    pace.end()
    assert capsys.readouterr().err == (
        "\r\033[K2000 of 4000, 100 replays/s, 5000 moves/s, 0:00:20 left"
        "\r\033[K1000 judged in 0:00:20: 50 replays/s, 2500 moves/s\n"
    )
