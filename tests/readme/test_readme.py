"""The README's blocks do what the README says."""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from gyoji.cli.demo import own_server
from gyoji.wire.published import CHECKOUT

README = (CHECKOUT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\S[^\n]*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"


def blocks(kind: str) -> list[str]:
    """The text of every block of that kind."""
    return [text for found, text in BLOCKS if found == kind]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running server, where the README says 127.0.0.1:8000."""
    with own_server() as port:
        yield f"http://127.0.0.1:{port}"


def run(command: list[str], cwd: Path = CHECKOUT) -> str:
    """What the command prints; it has to end well."""
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def curl(block: str) -> str:
    """What the block prints; on a machine without curl the same request is made from here."""
    if shutil.which("curl"):
        return run(["sh", "-c", block])
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("-sS", action="store_true")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("-d")
    given = parser.parse_args(shlex.split(block.replace("\\\n", " "))[1:])
    body = None if given.d is None else (CHECKOUT / given.d[1:]).read_bytes() if given.d[0] == "@" else given.d.encode()
    headers = dict(header.split(": ") for header in given.H)
    try:
        with urlopen(Request(given.address, body, headers)) as answer:
            return str(answer.read(), "utf-8")
    except HTTPError as refused:
        with refused:
            return str(refused.read(), "utf-8")


@pytest.mark.parametrize("block", [block for block in blocks("sh") if "curl" in block])
def test_curl_blocks_get_json(block: str, address: str) -> None:
    answer = json.loads(curl(block.replace(ADDRESS, address)))
    assert "game" in answer or answer["code"] == "illegal-move"


def test_the_refused_move_is_printed_as_the_service_prints_it(address: str) -> None:
    block = next(block for block in blocks("sh") if "refused.json" in block)
    printed = json.loads(blocks("json")[0])
    answer = json.loads(curl(block.replace(ADDRESS, address)))
    assert answer == printed
    assert list(answer) == list(printed)


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks_run(block: str, address: str) -> None:
    assert re.fullmatch(r"\[\d\] \[\d, \d, \d\]\n", run([sys.executable, "-c", block.replace(ADDRESS, address)]))


def test_make_targets_exist() -> None:
    targets = {
        line.split()[1]
        for block in blocks("sh") + blocks("sh serve")
        for line in block.splitlines()
        if line.startswith("make ")
    }
    makefile = (CHECKOUT / "Makefile").read_text("utf-8")
    assert targets == {"demo", "serve", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_settings_are_those_of_serve() -> None:
    shown = run([sys.executable, "-m", "gyoji", "serve", "--help"])
    listed = re.findall(r"^\| `(--[a-z-]+)` \| `(GYOJI_[A-Z_]+)` \| `([^`]+)` \|", README, re.MULTILINE)
    assert [option for option, _variable, _default in listed] == re.findall(
        r"^  (--(?!help)[a-z-]+)", shown, re.MULTILINE
    )
    for option, variable, default in listed:
        assert variable in shown, option
        assert f"default: {default}" in shown, option
