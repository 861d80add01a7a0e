"""Starts servers on a spare loopback port, watches them and stops them again."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

from benchmarks.programs import end_program

HOST = "127.0.0.1"
WORKERS, THREADS, KEEP_ALIVE = 2, 4, 5
ANSWER_SECONDS = 30.0
STARTING = 120.0
"""Seconds within which a server has to give its first answer: modules may have to be compiled on a busy machine."""
GRACE = 10.0
"""Seconds that a server gets to end by itself."""
PROC = Path("/proc")


class Server(NamedTuple):
    """A running server: its first process and its port."""

    process: subprocess.Popen[bytes]
    port: int


def gyoji_command(port: int, folder: Path, store: str | None = None, server: str = "gunicorn") -> list[str]:
    """Return the command of the service, with a store in that folder or at that URL."""
    settings = ["--port", str(port), "--workers", str(WORKERS), "--threads", str(THREADS), "--server", server]
    return [sys.executable, "-m", "gyoji", "serve", *settings, "--store", store or f"sqlite:///{folder / 'gyoji.db'}"]


def has_granian() -> bool:
    """Tell whether the extra of that name is installed."""
    return find_spec("granian") is not None


def echo_command(port: int, application: str = "echo") -> list[str]:
    """Return the command of the peer: an application of a few lines on the same server with the same settings."""
    settings = ["--workers", str(WORKERS), "--threads", str(THREADS), "--keep-alive", str(KEEP_ALIVE)]
    quiet = ["--log-level", "error", "--no-control-socket", "--worker-class", "gthread", "--preload"]
    bind = ["--bind", f"{HOST}:{port}"]
    return [sys.executable, "-m", "gunicorn", *quiet, *settings, *bind, f"benchmarks.peers.{application}:app"]


@contextmanager
def run_server(command: list[str], port: int, log: Path, more: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run a server from the start of its process to its end; what it logs goes to that file, ``more`` into its
    environment."""
    with log.open("ab") as lines:
        environment = {**os.environ, **(more or {})}
        process = subprocess.Popen(command, stdout=lines, stderr=lines, env=environment, start_new_session=True)
        try:
            yield Server(process, port)
        finally:
            end_program(process, patience=GRACE)


def spare_port() -> int:
    """Return a port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_answering(server: Server, path: str) -> None:
    """Ask until the first answer; it has to be 200."""
    deadline = perf_counter() + STARTING
    while (status := _status(server.port, path)) is None:
        if server.process.poll() is not None or perf_counter() > deadline:
            raise RuntimeError(f"no answer from {server.process.args!r}")
        sleep(0.003)
    if status != 200:
        raise RuntimeError(f"{path} answered {status}")


def _status(port: int, path: str) -> int | None:
    connection = HTTPConnection(HOST, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def cpu_seconds(root: int) -> float:
    """Return the processor time, user and system, of a process and all that descend from it."""
    return sum(cpu_by_process(root).values())


def cpu_by_process(root: int) -> dict[int, float]:
    """Return the same of each of them, by its id."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (fields := _statistics(entry)):
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = int(fields[11]) + int(fields[12])
    ticks = os.sysconf("SC_CLK_TCK")
    return {pid: spent / ticks for pid, spent in used.items() if _descends(pid, root, parents)}


def _statistics(entry: Path) -> list[str]:
    """Return the fields of ``/proc/<pid>/stat`` after the command's name; none if the process has just ended."""
    try:
        return (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _descends(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid != root and pid in parents:
        pid = parents[pid]
    return pid == root
