"""The commands of docs/bulk-audit.md do what the page says, and its numbers are those of the code."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gyoji.bulk.cluster import REMOTE
from gyoji.bulk.sources import LARGEST_MEMBER, WHOLE
from gyoji.bulk.workers import LOCAL
from gyoji.cli.audit_output import HELD
from gyoji.published_files import CHECKOUT

PAGE = (CHECKOUT / "docs" / "bulk-audit.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```sh example\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_make_a_report_go_on_and_put_shards_together(tmp_path: Path) -> None:
    (tmp_path / "replays").mkdir()
    shutil.copytree(CHECKOUT / "replays" / "catte", tmp_path / "replays" / "catte")
    shutil.copy(CHECKOUT / "replays" / "trust.json", tmp_path / "replays")
    script = f'gyoji() {{ "{sys.executable}" -m gyoji "$@"; }}\n' + "".join(EXAMPLES)
    command = ["sh", "-euc", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr, len(EXAMPLES)) == (0, "", 3)
    first, *lines, last = lines_of(tmp_path / "whole.jsonl")
    golden = (CHECKOUT / "replays" / "catte").iterdir()
    assert {line["replay"] for line in lines} == {f"replays/catte/{file.name}" for file in golden}
    assert (first, last) == (lines_of(tmp_path / "report.jsonl")[0], lines_of(tmp_path / "report.jsonl")[-1])
    terms = PAGE[PAGE.index('{"report":') : PAGE.index('"shard"}') + 8]
    assert [*first] == re.findall(r'"(\w+)"', terms)
    rows = re.findall(r"^\| (`[a-z_`, ]+) \|", PAGE, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"\w+", row)}
    printed = {"replay", "verdict", "match", "first_divergence", "checks", "rulings"}
    assert named == {*lines[0], "by_itself"} - printed


def lines_of(report: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in report.read_bytes().splitlines()]


@pytest.mark.parametrize(
    "said",
    [
        f"chunks of {LOCAL.replays} replays or {LOCAL.size >> 20} MiB",
        f"Chunks of {REMOTE.replays} replays are the tasks",
        f"{HELD:,} others have been judged",
        f"in memory up to {WHOLE >> 20} MiB",
        f"up to {LARGEST_MEMBER >> 20} MiB",
    ],
)
def test_the_numbers_are_those_of_the_code(said: str) -> None:
    assert said in re.sub(r"\s+", " ", PAGE)
