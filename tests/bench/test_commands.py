"""The commands of the measures: what holds for those of ``gyoji`` holds for them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.cli import bench
from gyoji.published_files import CHECKOUT

BARE = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
RECORD = str(CHECKOUT / "docs" / "benchmarks" / "0.1.0.json")


@pytest.mark.parametrize("arguments", [("compare", RECORD, RECORD), ("--help",), ("soak", "--help")])
def test_a_standard_output_that_is_gone_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=BARE, cwd=CHECKOUT, timeout=60, check=False
        )
    assert (ran.returncode, ran.stderr) == (1, "Error: cannot print: No space left on device\n")


def test_every_command_has_help_and_says_what_it_does_in_a_whole_sentence() -> None:
    text = CliRunner().invoke(bench, ["-h"]).output
    _usage, told = text.split("Commands:\n")
    assert "..." not in told
    assert [line.split()[0] for line in told.splitlines() if re.match(r"  \w", line)] == ["compare", "soak"]
    for sentence in re.split(r"\n  (?=\w)", told.rstrip()):
        assert sentence.endswith("."), sentence
    for command in ("compare", "soak"):
        result = CliRunner().invoke(bench, [command, "--help"])
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: bench {command}")
        assert len(result.output.splitlines()) > 4
