"""The examples of seeding, groups and cancelling do what their page says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from gyoji.published_files import CHECKOUT
from operators import OPERATOR_KEY
from servers import serving

MATCHES = (CHECKOUT / "docs" / "matches.md").read_text("utf-8")
BLOCKS = re.findall(r"^```sh deal\n(.*?)^```$", MATCHES, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"


def test_the_examples_are_dealt_grouped_and_cancelled(tmp_path: Path) -> None:
    typed_in("".join(BLOCKS), tmp_path)

    def said(name: str) -> Any:
        return json.loads((tmp_path / name).read_bytes())

    assert said("deal.json")["status"] == "seeding"
    assert [said(f"committed.{seat}")["seq"] for seat in range(3)] == [1, 2, 3]
    assert [said(f"revealed.{seat}")["status"] for seat in range(3)] == ["seeding", "seeding", "playing"]
    tables = [said(f"table.{table}")["match"] for table in (1, 2)]
    assert said("closed.json")["waiting_for"] == {"close": False, "matches": tables, "until": None}
    assert (said("void.json")["seq"], said("void.json")["status"]) == (2, "voided")
    assert len(BLOCKS) == 5


def typed_in(blocks: str, folder: Path) -> None:
    """The commands of a page, against a server of their own; what they write lies in the folder."""
    with serving("--workers", "1", "--threads", "2") as server:
        here = blocks.replace(ADDRESS, f"http://127.0.0.1:{server.port}")
        script = "\n".join([f'python3() {{ {shlex.quote(sys.executable)} "$@"; }}', _curl(), here])
        environment = {**os.environ, "KEY": OPERATOR_KEY}
        subprocess.run(["sh", "-euc", script], cwd=folder, env=environment, check=True, timeout=120)


def _curl() -> str:
    """On a machine without curl one that is enough for the page."""
    if shutil.which("curl"):
        return ""
    return f'curl() {{ {shlex.quote(sys.executable)} {CHECKOUT / "tests" / "readme" / "curl.py"} "$@"; }}'
