"""The page on sealed positions: its example runs, and what it says in numbers is so."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from gyoji.access.capsules import STEP
from gyoji.api.calls import requests
from gyoji.api.contract import SHAPES
from gyoji.api.media import SEALED
from gyoji.api.operations.catalogue import STATELESS
from gyoji.app.settings import Settings
from gyoji.messages.language import messages
from gyoji.published_files import CHECKOUT
from servers import serving

PAGE = (CHECKOUT / "docs" / "sealed.md").read_text("utf-8")
VECTORS = json.loads((CHECKOUT / "docs" / "vectors" / "capsule-v1.json").read_bytes())["vectors"]


def commands(folder: Path) -> str:
    """Where commands are found: this Python, and on a machine without curl one that is enough for the page."""
    (folder / "python3").symlink_to(sys.executable)
    if shutil.which("curl") is None:
        ours = shlex.join([sys.executable, str(CHECKOUT / "tests" / "readme" / "curl.py")])
        (folder / "curl").write_text(f'#!/bin/sh\nexec {ours} "$@"\n', "utf-8")
        (folder / "curl").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_the_example_runs(tmp_path: Path) -> None:
    """From a first position over a move to what another seat sees."""
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    folder = tmp_path / "bin"
    folder.mkdir()
    environment = {**os.environ, "PATH": commands(folder)}
    with serving("--workers", "1", "--threads", "2", "--store", f"sqlite:///{tmp_path / 'gyoji.db'}") as server:
        script = block.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{server.port}")
        done = subprocess.run(
            ["sh", "-euc", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
    seen = json.loads(done.stdout)
    assert [isinstance(hand, list) for hand in seen["view"]["table"]["hands"]] == [False, True, False]
    assert (seen["view"]["ply"], seen["view"]["seed"]) == (1, None)
    first, after = [json.loads((tmp_path / name).read_bytes()) for name in ("first.json", "next.json")]
    assert first["match"] == after["match"]
    assert len(first["capsule"]) == len(after["capsule"])


def test_the_calls_have_the_members_that_the_page_lists() -> None:
    rows = re.findall(r"^\| `POST …/([a-z-]+)` \| ([^|]*) \|", PAGE, re.MULTILINE)
    listed = {call: set(re.findall(r"`([a-z]+)`", body)) - {"true", "null"} for call, body in rows}
    assert set(listed) == set(SEALED)
    taking = {operation.path.rpartition("/")[2]: operation for operation in STATELESS}
    for shapes in SHAPES.values():
        bodies = requests(shapes)
        for call in SEALED:
            operation = taking[call]
            assert bodies[SEALED[call]].__name__ == operation.of(shapes.prefix, shapes.game.slug).sealed
            members = set(bodies[SEALED[call]]().fields)
            assert listed[call] == members - ({"sealed"} if call == "adjudications" else set()), call


def test_the_numbers_and_reasons_are_those_of_the_code() -> None:
    assert f"multiple of {STEP:,} bytes" in PAGE
    assert f"`GYOJI_CAPSULE_HOURS` ({Settings().capsule_hours} by default)" in PAGE
    assert all(f"`{reason}`" in PAGE for reason in messages()["capsule"])
    assert all(f"| `{VECTORS[0][name]}` |" in PAGE for name in ("key", "key_id", "match_key"))
