"""The commands of docs/verify.md, which an outsider would type, print what the page says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gyoji.audit.verdicts import CHECKS
from gyoji.log.parser import LIMITS
from gyoji.published_files import CHECKOUT
from verifier.javascript import NODE

PAGE = (CHECKOUT / "docs" / "verify.md").read_text("utf-8")
RUN = re.findall(r"^```(sh|python)\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
GOLDEN = "replays/towai/entropy-of-all-seats.jsonl"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where commands are found: our node and python first, and an openssl that is enough where there is none."""
    folder = tmp_path_factory.mktemp("bin")
    stands = {"node": [str(NODE)], "python3": [sys.executable]}
    if shutil.which("openssl") is None:
        stands["openssl"] = [sys.executable, str(CHECKOUT / "tests" / "readme" / "openssl.py")]
    for name, command in stands.items():
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', "utf-8")
        (folder / name).chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def printed(kind: str, text: str, path: str, cwd: Path = CHECKOUT) -> "subprocess.CompletedProcess[str]":
    command = ["sh", "-c", text] if kind == "sh" else [sys.executable, "-I", "-c", text]
    environment = {**os.environ, "PATH": path}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(("kind", "text", "expected"), RUN)
def test_a_block_prints_what_the_page_says(kind: str, text: str, expected: str, path: str) -> None:
    done = printed(kind, text, path)
    assert (done.stdout, done.stderr) == (expected, "")


def test_no_block_is_left_out() -> None:
    assert len(RUN) == len(re.findall(r"^```(?:sh|python)$", PAGE, re.MULTILINE)) == 5


def test_what_a_lying_service_would_change_is_noticed(path: str, tmp_path: Path) -> None:
    """The hand-made checks are checks: another entropy, another card, another head."""
    (program,) = [text for kind, text, _ in RUN if kind == "python"]
    signature = next(text for kind, text, _ in RUN if "openssl" in text)
    body = (CHECKOUT / GOLDEN).read_bytes()
    (tmp_path / "replays" / "towai").mkdir(parents=True)
    (tmp_path / "replays" / "trust.json").write_bytes((CHECKOUT / "replays" / "trust.json").read_bytes())
    changed = tmp_path / GOLDEN
    for before, after in ((rb'("entropy":")..', rb"\g<1>00"), (rb'("/events/0/hands/0":\["..",")..', rb"\g<1>T4")):
        other = re.sub(before, after, body, count=1)
        assert other != body
        changed.write_bytes(other)
        assert "AssertionError" in printed("python", program, path, tmp_path).stderr
    changed.write_bytes(re.sub(rb'("hash":")....', rb"\g<1>0000", body))
    assert "Signature Verified Successfully" not in printed("sh", signature, path, tmp_path).stdout


def test_the_limits_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| ([a-z ]+) \| ([\d,]+)(?: MiB| below.*)? \|$", PAGE, re.MULTILINE))
    assert rows["a line"] == str(LIMITS.line // 2**20)
    assert rows["lines"] == f"{LIMITS.lines:,}"
    assert rows["the openings of one event"] == str(LIMITS.openings // 2**20)
    assert rows["levels of lists and objects in a line"] == str(LIMITS.depth)


def rows_of(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading, without what stands over them."""
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return [row for row in rows if not row[0].startswith("**")]


def test_every_promise_is_checked_under_a_name_that_verdicts_have() -> None:
    rows = rows_of("What a log promises, and where it is checked")
    assert {len(row) for row in rows} == {3}
    named = [[re.findall(r"`([^`]+)`", cell) for cell in row[1:]] for row in rows]
    given = {"--beacons"}
    for row, (first, second) in zip(rows, named, strict=True):
        assert set(first) - given
        assert {*first, *second} - given <= {*CHECKS}, row
        assert second or row[2].startswith("—"), row
    assert {name for first, _second in named for name in first} - given == {*CHECKS}
    assert {name for _first, second in named for name in second} - given == {*CHECKS} - {"scores"}
