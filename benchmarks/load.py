"""Loads a server on loopback with as many requests as it answers in the given time, over connections kept alive.

wrk makes it where it is installed, else some threads of our own. Every answer has to be 200.
"""

import json
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from signal import SIGINT
from time import perf_counter, sleep
from typing import Any, NamedTuple

from benchmarks.programs import await_output, start_program
from benchmarks.servers import HOST

CONNECTIONS = 8
SCRIPT, CLOCK = (Path(__file__).resolve().parent / name for name in ("wrk.lua", "wrk_clock.lua"))
STARTING = 0.03
"""Seconds until wrk has read what it is to send."""
LOAD_SECONDS = 30.0
HEADERS = {"Content-Type": "application/json"}


def loader() -> str:
    """Name what makes the load here."""
    return "wrk" if shutil.which("wrk") else "threads of http.client"


class LoadResult(NamedTuple):
    """The result of some seconds of load."""

    requests: int
    p50: float
    """Milliseconds, as the client saw them."""
    p99: float
    seconds: float
    """How long it lasted."""


def run_load(port: int, path: str, bodies: Path | None, seconds: float, threads: int = 1) -> LoadResult:
    """Post the bodies of a file (one a line) in turn, or GET without one, for that long; ``threads`` are wrk's."""
    if shutil.which("wrk"):
        return _by_wrk(port, path, bodies, seconds, threads)
    return _by_threads(port, path, bodies, seconds)


def wrk(port: int, path: str, threads: int, script: Path, seconds: float, **environment: str) -> Any:
    """Run a script of wrk; return what it prints. wrk counts whole seconds; interrupted, it prints what has been until
    then."""
    options = [f"-t{threads}", f"-c{CONNECTIONS}", "-d60s", "--timeout", "10s", "-s", str(script)]
    command = ["wrk", *options, f"http://{HOST}:{port}{path}"]
    with start_program(command, {**os.environ, "CLOCK": str(CLOCK), **environment}) as process:
        sleep(STARTING + seconds)
        process.send_signal(SIGINT)
        return json.loads(await_output(process, LOAD_SECONDS).splitlines()[-1])


def _by_wrk(port: int, path: str, bodies: Path | None, seconds: float, threads: int) -> LoadResult:
    counted = wrk(port, path, threads, SCRIPT, seconds, BODIES=str(bodies or ""))
    if counted["errors"]:
        raise RuntimeError(f"{path}: {counted['errors']} of {counted['requests']} requests failed")
    return LoadResult(int(counted["requests"]), counted["p50"], counted["p99"], counted["seconds"])


def _by_threads(port: int, path: str, bodies: Path | None, seconds: float) -> LoadResult:
    lines: list[bytes] | None = bodies.read_bytes().splitlines() if bodies else None
    deadline = perf_counter() + seconds
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        tasks = [threads.submit(_one_connection, port, path, lines, at, deadline) for at in range(CONNECTIONS)]
        took = sorted(second * 1e3 for task in tasks for second in task.result())
    return LoadResult(len(took), took[len(took) // 2], took[len(took) * 99 // 100], seconds)


def _one_connection(port: int, path: str, bodies: Sequence[bytes] | None, first: int, deadline: float) -> list[float]:
    """Time every answer, in seconds; each connection begins with another body."""
    connection = HTTPConnection(HOST, port, timeout=10)
    took: list[float] = []
    for body in cycle([None] if bodies is None else [*bodies[first:], *bodies[:first]]):
        begun = perf_counter()
        if begun > deadline:
            break
        _check_answered(connection, path, body)
        took.append(perf_counter() - begun)
    connection.close()
    return took


def _check_answered(connection: HTTPConnection, path: str, body: bytes | None) -> None:
    try:
        connection.request("GET" if body is None else "POST", path, body, {} if body is None else HEADERS)
        answer = connection.getresponse()
        answer.read()
    except HTTPException as error:
        raise RuntimeError(f"{path}: {error!r}") from error
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}")
