"""``gyoji audit``: reports that somebody has edited or that are none, odd files and places, processes, a terminal."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from gyoji.bulk import reports
from gyoji.bulk.locations import BulkError
from gyoji.bulk.reports import ReportDraft, open_draft
from replay.tampering import entries_of, file_of, forged
from verifier.corpora import trust

WHOLE = file_of(entries_of("towai")[:9])
BODY = b"".join(WHOLE)
Document = dict[str, Any]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Three replays, a file that is none, a broken archive; the keys to trust, and the report on all that."""
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.jsonl").write_bytes(BODY)
    (folder / "none.jsonl").write_bytes(b"no replay\n")
    (folder / "broken.zip").write_bytes(b"PK")
    (tmp_path / "trust.json").write_text(json.dumps(trust()), "utf-8")
    return tmp_path


def run_audit(gyoji: Gyoji, workspace: Path, report: Path, *more: str) -> Any:
    return gyoji("audit", workspace / "kept", "--trust", workspace / "trust.json", "--report", report, *more)


def changed(line: bytes, change: Callable[[Document], object]) -> bytes:
    document = json.loads(line)
    change(document)
    return json.dumps(document).encode() + b"\n"


EDITS: list[Callable[[Document], object]] = [
    lambda line: line.pop("verdict"),
    lambda line: line.pop("kind"),
    lambda line: line.pop("head"),
    lambda line: line.pop("rulings"),
    lambda line: line.update(replay=5),
    lambda line: line.update(replay=["a"]),
    lambda line: line.update(verdict="excellent"),
    lambda line: line.update(verdict=None),
    lambda line: line.update(head="x"),
    lambda line: line.update(head={**line["head"], "hash": "zz"}),
    lambda line: line.update(kind="zebra"),
    lambda line: line.update(mark=3),
    lambda line: line.update(verdict="tampered", first_divergence="x"),
    lambda line: line.update(verdict="tampered", rulings=[{}]),
]


@pytest.mark.parametrize("number", range(len(EDITS)))
def test_a_line_that_no_audit_writes_is_none(gyoji: Gyoji, workspace: Path, number: int) -> None:
    """What stands before it counts, and ``--resume`` judges the rest again; ``gyoji verdicts`` names the report."""
    report = workspace / "report"
    run_audit(gyoji, workspace, report)
    whole = report.read_bytes()
    lines = whole.splitlines(keepends=True)
    report.write_bytes(b"".join([*lines[:2], changed(lines[2], EDITS[number]), *lines[3:]]))
    ran = gyoji("verdicts", report)
    assert (ran.exit_code, ran.stdout.splitlines()[1:]) == (1, ["1 audited: 1 verified_partial", f"{CUT}: {report}"])
    again = run_audit(gyoji, workspace, report, "--resume")
    assert again.exit_code == 51
    assert sorted(report.read_bytes().splitlines()) == sorted(whole.splitlines())


CUT = "unfinished or damaged reports"


@pytest.mark.parametrize(
    "change",
    [
        lambda first: first.update(trusted=5),
        lambda first: first.update(trusted=[{}]),
        lambda first: first.pop("shard"),
        lambda first: first.update(shard="x/y"),
        lambda first: first.update(shard="1/99999999999"),
        lambda first: first.pop("version"),
        lambda first: first.update(report="gyoji-report/0"),
    ],
)
def test_a_heading_that_no_audit_writes_is_refused(gyoji: Gyoji, workspace: Path, change: Any) -> None:
    report = workspace / "report"
    run_audit(gyoji, workspace, report)
    first, rest = report.read_bytes().split(b"\n", 1)
    edited = changed(first, change) + rest
    report.write_bytes(edited)
    ran = gyoji("verdicts", report)
    assert (ran.exit_code, "is no report of gyoji audit" in ran.stderr) == (1, True)
    again = run_audit(gyoji, workspace, report, "--resume")
    assert (again.exit_code, "something else than a report" in again.stderr) == (1, True)
    assert report.read_bytes() == edited


@pytest.mark.parametrize("content", [b"my diary\n", b"my diary", b"\xef\xbb\xbf{}\n", b"\n"])
def test_what_is_no_report_is_not_written_over_by_going_on(gyoji: Gyoji, workspace: Path, content: bytes) -> None:
    report = workspace / "report"
    report.write_bytes(content)
    ran = run_audit(gyoji, workspace, report, "--resume")
    assert (ran.exit_code, "something else than a report" in ran.stderr) == (1, True)
    assert (report.read_bytes(), (workspace / "report.part").exists()) == (content, False)


def test_where_no_report_can_be(gyoji: Gyoji, workspace: Path) -> None:
    """Whoever runs as root would have a file in place of ``/dev/null``."""
    os.mkfifo(workspace / "pipe")
    ran = run_audit(gyoji, workspace, workspace / "pipe")
    assert (ran.exit_code, "is no regular file" in ran.stderr, (workspace / "pipe").is_fifo()) == (2, True, True)
    run_audit(gyoji, workspace, workspace / "report")
    ran = gyoji("verdicts", workspace / "report", "--report", workspace / "pipe")
    assert (ran.exit_code, "is no regular file" in ran.stderr, (workspace / "pipe").is_fifo()) == (2, True, True)
    ran = run_audit(gyoji, workspace, workspace / "kept" / "report.jsonl")
    assert (ran.exit_code, "put it elsewhere" in ran.stderr, (workspace / "kept" / "report.jsonl").exists()) == (
        2,
        True,
        False,
    )


def test_a_report_of_somebody_else_cannot_paint_the_terminal(gyoji: Gyoji, workspace: Path) -> None:
    report = workspace / "report"
    run_audit(gyoji, workspace, report)
    lines = report.read_bytes().splitlines(keepends=True)
    lines[2] = changed(lines[2], lambda line: line.update(replay="\x1b[31mred"))
    report.write_bytes(b"".join([*lines[:-1], lines[2], lines[-1]]))
    printed = gyoji("verdicts", report).stdout
    assert ("\x1b" in printed, printed.count("\N{REPLACEMENT CHARACTER}[31mred")) == (False, 2)


def test_links_that_lead_nowhere_are_told_of(gyoji: Gyoji, tmp_path: Path) -> None:
    folder = tmp_path / "linked"
    folder.mkdir()
    (folder / "circle.jsonl").symlink_to("circle.jsonl")
    (folder / "gone.jsonl").symlink_to("nowhere")
    (folder / "up").symlink_to(tmp_path)
    (folder / "file.jsonl").symlink_to(folder / "body")
    (folder / "body").write_bytes(BODY)
    os.mkfifo(folder / "pipe.jsonl")
    ran = gyoji("audit", folder)
    assert [line.split(maxsplit=1)[0] for line in ran.stdout.splitlines()] == [
        "unreadable",
        "verified_partial",
        "unreadable",
        "3",
    ]
    assert ran.exit_code == 1


def test_paths_that_mean_something_else(gyoji: Gyoji, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No path is not this folder, and a file that is called - is not standard input."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").write_bytes(BODY)
    assert gyoji("audit", "").exit_code == 2
    assert gyoji("audit", "./-", sent=b"").stdout.startswith("verified_partial")
    assert gyoji("audit", "-", sent=b"").exit_code == 51


def write_line(report: Path, then: Callable[[ReportDraft], object]) -> None:
    """Begin a report, write a line, and do something else."""
    with open_draft(report, {}, resume=False) as draft:
        draft.write(b"{}\n")
        then(draft)


def fail(failure: Exception) -> None:
    raise failure


def test_what_fails_while_a_report_is_written_is_no_failure_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError):
        write_line(tmp_path / "report", lambda _draft: fail(TimeoutError()))
    assert (tmp_path / "report.part").read_bytes() == b"{}\n{}\n"


def test_a_report_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "sync", lambda _file: fail(OSError(ENOSPC, os.strerror(ENOSPC))))
    with pytest.raises(BulkError, match=f"cannot write {tmp_path}/report: No space left on device"):
        write_line(tmp_path / "report", lambda draft: draft.finish({}, None))
    with pytest.raises(BulkError, match=f"cannot write {tmp_path}/nowhere/report: No such file or directory"):
        write_line(tmp_path / "nowhere" / "report", lambda _draft: None)


def test_nowhere_to_print(workspace: Path) -> None:
    """It is what is printed that has no room, and not the report: that can be gone on with."""
    command = [sys.executable, "-m", "gyoji", "audit", str(workspace / "kept"), "--report", str(workspace / "report")]
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "Error: cannot print: No space left on device\n")
    assert len((workspace / "report.part").read_bytes().splitlines()) == 1 + 5


def test_processes_end_with_the_one_that_started_them(workspace: Path) -> None:
    """However it ended: nobody else would end them."""
    for number in range(2000):
        os.link(workspace / "kept" / "a.jsonl", workspace / "kept" / f"{number}.jsonl")
    command = [
        sys.executable,
        "-m",
        "gyoji",
        "audit",
        str(workspace / "kept"),
        "--jobs",
        "2",
        "--report",
        str(workspace / "r"),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
        part = workspace / "r.part"
        wait_until(lambda: part.exists() and part.stat().st_size > 10_000)
        begun = descendants(run.pid)
        run.send_signal(signal.SIGKILL)
    # one of them keeps account of what the others share, and one has forked the two that audit
    assert len(begun) == 4
    wait_until(lambda: not any(is_alive(process) for process in begun))


def test_an_interrupt_while_processes_start_is_told_of_in_one_line(workspace: Path) -> None:
    """It reaches every process of the terminal."""
    command = [sys.executable, "-m", "gyoji", "audit", str(workspace / "kept"), "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
        wait_until(lambda: len(children.read_text("ascii").split()) == 2)
        os.killpg(run.pid, signal.SIGINT)
        _, stderr = run.communicate(timeout=60)
    assert (run.returncode, stderr) == (130, "stopped: 0 judged\n")


def descendants(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    return [one for child in map(int, children) for one in (child, *descendants(child))]


def wait_until(told: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not told():
        assert time.monotonic() < until
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_somebody_at_a_terminal_sees_every_line_as_it_comes(gyoji: Gyoji, tmp_path: Path) -> None:
    """And is told later what another file makes of it; in a pipe each is told once."""
    folder = tmp_path / "split"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(BODY)
    (folder / "b.jsonl").write_bytes(b"".join(forged(WHOLE, change_time)))
    (tmp_path / "trust.json").write_text(json.dumps(trust()), "utf-8")
    given = ["audit", str(folder), "--trust", str(tmp_path / "trust.json")]
    piped = gyoji(*given).stdout
    ours, theirs = os.openpty()
    with subprocess.Popen([sys.executable, "-m", "gyoji", *given], stdout=theirs, stderr=subprocess.DEVNULL) as run:
        os.close(theirs)
        seen = b""
        while b"audited" not in seen:
            seen += os.read(ours, 1000)
    os.close(ours)
    words = [line.split()[0] for line in seen.decode().splitlines()]
    assert words == ["verified_partial"] * 2 + ["equivocation"] * 2 + ["2"]
    assert [line.split()[0] for line in piped.splitlines()] == ["equivocation"] * 2 + ["2"]
    assert run.returncode == 41


def change_time(parts: Any) -> None:
    """Of event 4, and so other hashes from there on."""
    parts.events[4].document["at"] = "2026-01-01T00:00:04.001Z"
