"""Load for a server on loopback: as many requests as it answers within the given time, over connections kept alive.

wrk makes it where it is installed, else some threads of our own. Every answer has to be 200.
"""

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from gyoji.bench.calling import printed
from gyoji.bench.servers import HOST

CONNECTIONS = 8
SCRIPT = Path(__file__).resolve().parent / "wrk.lua"
HEADERS = {"Content-Type": "application/json"}


def loader() -> str:
    """What makes the load here."""
    return "wrk" if shutil.which("wrk") else "threads of http.client"


class Load(NamedTuple):
    """What came of it."""

    requests: int
    p50: float
    """Milliseconds, as the client saw them."""
    p99: float


def loaded(port: int, path: str, bodies: Path | None, seconds: int) -> Load:
    """POST the bodies of that file (one a line) in turn, or GET without one, for that long."""
    return _by_wrk(port, path, bodies, seconds) if shutil.which("wrk") else _by_threads(port, path, bodies, seconds)


def _by_wrk(port: int, path: str, bodies: Path | None, seconds: int) -> Load:
    options = ["-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", str(SCRIPT)]
    environment = {**os.environ, "BODIES": str(bodies or "")}
    counted = printed(["wrk", *options, f"http://{HOST}:{port}{path}"], environment, seconds + 60)
    if counted["errors"]:
        raise RuntimeError(f"{path}: {counted['errors']} of {counted['requests']} requests failed")
    return Load(int(counted["requests"]), counted["p50"], counted["p99"])


def _by_threads(port: int, path: str, bodies: Path | None, seconds: int) -> Load:
    lines: list[bytes] | None = bodies.read_bytes().splitlines() if bodies else None
    deadline = perf_counter() + seconds
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        tasks = [threads.submit(_one_connection, port, path, lines, at, deadline) for at in range(CONNECTIONS)]
        took = sorted(second * 1e3 for task in tasks for second in task.result())
    return Load(len(took), took[len(took) // 2], took[len(took) * 99 // 100])


def _one_connection(port: int, path: str, bodies: Sequence[bytes] | None, first: int, deadline: float) -> list[float]:
    """Seconds of every answer; each connection begins with another body."""
    connection = HTTPConnection(HOST, port, timeout=10)
    took: list[float] = []
    for body in cycle([None] if bodies is None else [*bodies[first:], *bodies[:first]]):
        begun = perf_counter()
        if begun > deadline:
            break
        _must_be_answered(connection, path, body)
        took.append(perf_counter() - begun)
    connection.close()
    return took


def _must_be_answered(connection: HTTPConnection, path: str, body: bytes | None) -> None:
    try:
        connection.request("GET" if body is None else "POST", path, body, {} if body is None else HEADERS)
        answer = connection.getresponse()
        answer.read()
    except HTTPException as error:
        raise RuntimeError(f"{path}: {error!r}") from error
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
