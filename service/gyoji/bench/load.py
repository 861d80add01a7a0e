"""Load for a server on loopback: as many requests as it answers within the given time, over connections kept alive.

wrk makes it where it is installed, else some threads of our own. Every answer has to be 200.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

from gyoji.bench.servers import HOST

CONNECTIONS = 8
SCRIPT = Path(__file__).resolve().parent / "wrk.lua"
HEADERS = {"Content-Type": "application/json"}


def loader() -> str:
    """What makes the load here."""
    return "wrk" if shutil.which("wrk") else "threads of http.client"


def answered(port: int, path: str, bodies: Path, seconds: int) -> int:
    """POST the bodies of that file (one a line) in turn; how many were answered."""
    return _by_wrk(port, path, bodies, seconds) if shutil.which("wrk") else _by_threads(port, path, bodies, seconds)


def _by_wrk(port: int, path: str, bodies: Path, seconds: int) -> int:
    options = ["-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", str(SCRIPT)]
    run = subprocess.run(
        ["wrk", *options, f"http://{HOST}:{port}{path}"],
        env={**os.environ, "BODIES": str(bodies)},
        capture_output=True,
        text=True,
        timeout=seconds + 60,
        check=True,
    )
    counted = json.loads(run.stdout.splitlines()[-1])
    if counted["errors"]:
        raise RuntimeError(f"{path}: {counted['errors']} of {counted['requests']} requests failed")
    return int(counted["requests"])


def _by_threads(port: int, path: str, bodies: Path, seconds: int) -> int:
    lines = bodies.read_bytes().splitlines()
    deadline = perf_counter() + seconds
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        tasks = [
            threads.submit(_one_connection, port, path, lines[at:] + lines[:at], deadline) for at in _starts(lines)
        ]
        return sum(task.result() for task in tasks)


def _starts(lines: Sequence[bytes]) -> list[int]:
    return list(islice(cycle(range(len(lines))), CONNECTIONS))


def _one_connection(port: int, path: str, bodies: Sequence[bytes], deadline: float) -> int:
    connection = HTTPConnection(HOST, port, timeout=10)
    count = 0
    for body in cycle(bodies):
        if perf_counter() > deadline:
            break
        _must_be_answered(connection, path, body)
        count += 1
    connection.close()
    return count


def _must_be_answered(connection: HTTPConnection, path: str, body: bytes) -> None:
    try:
        connection.request("POST", path, body, HEADERS)
        answer = connection.getresponse()
        answer.read()
    except HTTPException as error:
        raise RuntimeError(f"{path}: {error!r}") from error
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
