"""The fifth game, a package of its own, installed into a folder, and a service that finds it there."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from operators import OPERATOR
from servers import ENVIRONMENT, Server

PACKAGE = Path(__file__).parent / "lanterns"
SLUG = "lanterns"


@cache
def site() -> Path:
    """A folder with the package, installed without network; made once a process."""
    folder = Path(mkdtemp(prefix="gyoji-lanterns-"))
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *install, str(PACKAGE)], check=True, capture_output=True)
    return folder


def environment() -> dict[str, str]:
    """The variables of a process that finds the game beside what the tests import."""
    return {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join([ENVIRONMENT["PYTHONPATH"], str(site())])}


def asked(server: Server, method: str, path: str, body: Any = None, token: str | None = None) -> tuple[int, Any]:
    """Status and document of one answer."""
    headers = OPERATOR if token is None else {"Authorization": f"Bearer {token}"}
    status, answer = server.asked(method, path, body, headers)
    return status, json.loads(answer)


def played(server: Server) -> dict[str, Any]:
    """A stored match, played to its end by the tokens of its seats."""
    status, created = asked(server, "POST", "/v1/matches", {"game": SLUG, "seats": 3})
    assert status == 201, created
    path, tokens = created["links"]["self"], [seat["token"] for seat in created["seats"]]
    seen = asked(server, "GET", path, None, tokens[0])[1]
    while seen["outcome"] is None:
        seat = seen["view"]["to_act"][0]
        seen = asked(server, "GET", path, None, tokens[seat])[1]
        status, seen = asked(server, "POST", f"{path}/moves", {"move": seen["legal_moves"][0]}, tokens[seat])
        assert status == 200, seen
    return {**created, "path": path, "tokens": tokens}


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """A Python program of that process, to its end."""
    return subprocess.run(
        [sys.executable, *command], env=environment(), capture_output=True, text=True, timeout=600, check=False
    )
