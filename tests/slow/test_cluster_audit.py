"""A Dask cluster of several worker processes, one of which is killed in mid-run: every verdict comes, once."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dask_cluster import cluster
from gyoji.published_files import CHECKOUT

REPLAYS = CHECKOUT / "replays"
COPIES = 12
GYOJI = (sys.executable, "-m", "gyoji")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some hundreds of replays, a few of them tampered with, cut short or none."""
    folder = tmp_path_factory.mktemp("kept")
    golden = sorted((REPLAYS).rglob("*.jsonl"))
    for number in range(COPIES):
        for file in golden:
            body = file.read_bytes()
            if number == 3:
                body = body.replace(b'"at":"2026', b'"at":"2027', 1)
            if number == 4:
                body = body[:-500]
            place = folder / "replays" / f"{number:02}" / f"{file.parent.name}-{file.name}"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(body)
    return folder


def test_a_worker_is_killed_in_mid_run(kept: Path, tmp_path: Path) -> None:
    given = [*GYOJI, "audit", str(kept / "replays"), "--trust", str(REPLAYS / "trust.json")]
    one, far = tmp_path / "one", tmp_path / "far"
    alone = subprocess.run([*given, "--report", str(one)], capture_output=True, text=True, check=False)
    part = tmp_path / "far.part"
    with cluster(tmp_path, 3) as running:
        command = [*given, "--report", str(far), "--cluster", running.address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            until = time.monotonic() + 120
            while time.monotonic() < until and not (part.exists() and part.stat().st_size > 100_000):
                time.sleep(0.02)
            running.workers[0].send_signal(signal.SIGKILL)
            assert run.poll() is None
            stdout, stderr = run.communicate(timeout=600)
        assert running.workers[0].wait() == -signal.SIGKILL
    assert (run.returncode, stderr) == (alone.returncode, "")
    assert stdout == alone.stdout
    assert far.read_bytes() == one.read_bytes()
    names = [json.loads(line)["replay"] for line in far.read_bytes().splitlines()[1:-1]]
    assert len(names) == len(set(names)) == COPIES * len(list(REPLAYS.rglob("*.jsonl")))


def test_a_scheduler_that_is_stopped_ends_the_run(kept: Path, tmp_path: Path) -> None:
    """Its connections stay; what was judged before is kept."""
    given = [*GYOJI, "audit", str(kept / "replays"), "--trust", str(REPLAYS / "trust.json")]
    far = tmp_path / "far"
    part = tmp_path / "far.part"
    with cluster(tmp_path, 2) as running:
        command = [*given, "--report", str(far), "--cluster", running.address]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
            until = time.monotonic() + 120
            while time.monotonic() < until and not (part.exists() and part.stat().st_size > 100_000):
                time.sleep(0.02)
            running.scheduler.send_signal(signal.SIGSTOP)
            began = time.monotonic()
            assert run.poll() is None
            _, stderr = run.communicate(timeout=120)
            took = time.monotonic() - began
        running.scheduler.send_signal(signal.SIGCONT)
    print(f"ended {took:.0f} s after the scheduler was stopped")  # noqa: T201 - the figures of the run
    assert run.returncode == 1
    assert "the scheduler does not answer any more" in stderr, stderr
    assert part.read_bytes().count(b"\n") > 50


def test_a_run_that_is_killed_goes_on(kept: Path, tmp_path: Path) -> None:
    """SIGKILL of the whole command in mid-run, of two processes; the rest is judged by another run, of one process."""
    given = [*GYOJI, "audit", str(kept / "replays"), "--trust", str(REPLAYS / "trust.json")]
    one, two = tmp_path / "one", tmp_path / "two"
    alone = subprocess.run([*given, "--report", str(one)], capture_output=True, text=True, check=False)
    part = tmp_path / "two.part"
    with subprocess.Popen([*given, "--report", str(two), "--jobs", "2"], stdout=subprocess.DEVNULL) as run:
        until = time.monotonic() + 120
        while time.monotonic() < until and not (part.exists() and part.stat().st_size > 100_000):
            time.sleep(0.02)
        run.kill()
    judged = part.read_bytes().count(b"\n") - 1
    assert judged > 50
    again = subprocess.run([*given, "--report", str(two), "--resume"], capture_output=True, text=True, check=False)
    assert (again.returncode, two.read_bytes()) == (alone.returncode, one.read_bytes())
    lines = again.stdout.splitlines()
    assert (
        len([line for line in lines[:-1] if not line.startswith(" ")]) < len(one.read_bytes().splitlines()) - judged + 2
    )
    assert "by an earlier run" in lines[-1]
