"""The blocks of the README do what the README says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gyoji.cli.main import COMMANDS
from gyoji.published_files import CHECKOUT
from servers import serving
from tools.settings_table import with_table

README = (CHECKOUT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\S[^\n]*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"


def blocks(*kinds: str) -> list[tuple[str, str]]:
    """Kind and text of every block of these kinds, in the order of the README."""
    return [(kind, text) for kind, text in BLOCKS if kind in kinds]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The store of the server."""
    return f"sqlite:///{tmp_path_factory.mktemp('store')}/gyoji.db"


@pytest.fixture(scope="module")
def address(store: str) -> Iterator[str]:
    """A running server, where the README says 127.0.0.1:8000."""
    with serving("--workers", "1", "--threads", "2", "--store", store) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where commands are found; on a machine without curl with one that is enough for the README."""
    if shutil.which("curl"):
        return os.environ["PATH"]
    folder = tmp_path_factory.mktemp("bin")
    command = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {CHECKOUT / "tests" / "readme" / "curl.py"} "$@"\n'
    (folder / "curl").write_text(command, "utf-8")
    (folder / "curl").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def run(command: list[str], cwd: Path = CHECKOUT, **more: str) -> str:
    """What the command prints; it has to end well."""
    environment = {**os.environ, "PYTHONWARNINGS": "error", **more}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("block", [text for _kind, text in blocks("sh") if "curl" in text])
def test_curl_blocks_get_json(block: str, address: str, path: str) -> None:
    answer = json.loads(run(["sh", "-c", block.replace(ADDRESS, address)], PATH=path))
    assert "game" in answer or answer["code"] == "illegal-move"


def test_the_refused_move_is_printed_as_the_service_prints_it(address: str, path: str) -> None:
    block = next(text for _kind, text in blocks("sh") if "refused.json" in text)
    printed = json.loads(blocks("json")[0][1])
    answer = json.loads(run(["sh", "-c", block.replace(ADDRESS, address)], PATH=path))
    assert answer == printed
    assert list(answer) == list(printed)


@pytest.mark.parametrize("block", [text for _kind, text in blocks("python")])
def test_python_blocks_run(block: str, address: str) -> None:
    assert re.fullmatch(r"\[\d\] \[\d, \d, \d\]\n", run([sys.executable, "-c", block.replace(ADDRESS, address)]))


def script(kind: str, text: str) -> str:
    """One block as a piece of the shell script that all the blocks of the stored match are."""
    here = text.replace(".venv/bin/gyoji", f"{shlex.quote(sys.executable)} -m gyoji")
    return here if kind == "sh match" else f"{shlex.quote(sys.executable)} -c {shlex.quote(text)}\n"


def test_the_stored_match_is_played_and_audited(address: str, path: str, store: str, tmp_path: Path) -> None:
    pieces = blocks("sh match", "python match")
    mark = "next-block"
    whole = f"\necho; echo {mark}\n".join(script(kind, text) for kind, text in pieces).replace(ADDRESS, address)
    printed = run(["sh", "-euc", whole], tmp_path, PATH=path, GYOJI_STORE=store).split(f"\n{mark}\n")
    assert len(printed) == len(pieces)
    moved, feed, outcome, audited = printed[-4:]
    created = json.loads((tmp_path / "match.json").read_bytes())
    assert [seat["seat"] for seat in created["seats"]] == [0, 1, 2]
    assert json.loads((tmp_path / "view.json").read_bytes())["viewer"] == {"role": "seat", "seat": 0}
    assert json.loads(moved)["seq"] == 2
    assert json.loads(moved)["receipt"]["hash"] == json.loads(feed)["events"][-1]["hash"]
    assert [event["type"] for event in json.loads(feed)["events"]] == ["dealt", "move_played"]
    assert re.fullmatch(r"\[[\d, ]+\] \[\d+, \d+, \d+\]\n?", outcome)
    header = json.loads((tmp_path / "match.jsonl").read_bytes().splitlines()[0])
    assert (header["match"], header["audience"]) == (created["match"], "full")
    assert re.search(r"\bverified\b", audited)


def test_make_targets_exist() -> None:
    targets = {
        line.split()[1]
        for _kind, block in blocks("sh", "sh serve")
        for line in block.splitlines()
        if line.startswith("make ")
    }
    makefile = (CHECKOUT / "Makefile").read_text("utf-8")
    assert targets == {"demo", "serve", "test", "pages"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_settings_are_those_that_are_declared() -> None:
    """``python -m tools.settings_table`` writes them."""
    assert with_table(README) == README


def test_the_settings_are_those_of_serve() -> None:
    shown = run([sys.executable, "-m", "gyoji", "serve", "--help"])
    listed = re.findall(r"^\| `(--[a-z-]+)` \| `(GYOJI_[A-Z_]+)` \| (`[^`]+`|none) \|", README, re.MULTILINE)
    explained = re.findall(r"^  (--(?!help)[a-z-]+)(.*?)(?=^  -)", shown, re.MULTILINE | re.DOTALL)
    assert [option for option, _variable, _default in listed] == [option for option, _words in explained]
    for (option, variable, default), (_option, words) in zip(listed, explained, strict=True):
        plain = " ".join(words.split())
        assert f"env var: {variable}" in plain, option
        if default == "none":
            assert "default:" not in plain, option
        else:
            assert re.search(rf"default: {re.escape(default[1:-1])}[;\]]", plain), option


def test_every_command_has_its_line() -> None:
    table = "".join(line for line in README.splitlines() if line.startswith("| `gyoji "))
    assert set(re.findall(r"`gyoji ([a-z-]+)`", table)) == set(COMMANDS)
