"""Measure 4: what keeping a move costs: appends in one process, and moves in stored matches over HTTP.

Everything lies on a memory file system where there is one, so that the disk's share, which is the machine's and not the
code's, stays out.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from gyoji.bench import servers
from gyoji.bench.engines import PEERS
from gyoji.bench.figures import Goal, Row, times_as_fast
from gyoji.bench.installing import stores_python
from gyoji.bench.playing import accepted
from gyoji.bench.surroundings import progress
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game

EVENTSOURCING, CORE = "eventsourcing's Application.save", "SQLAlchemy Core, 8 connections"
IN_PROCESS = Goal(floor=0.7, aim=2)
OVER_HTTP = Goal(floor=0.25, aim=0.40)
CONNECTIONS = 8
MATCHES = 120
"""Matches a connection has to play; a round of one is over after some 40 moves."""
OPERATOR = "an-operators-key-for-one-benchmark-run"
SCRIPT = Path(__file__).resolve().parent / "wrk_moves.lua"
MEMORY = Path("/dev/shm")  # noqa: S108 - a temporary folder of our own is made in it


def measure(repeats: int, seconds: float, http_seconds: int) -> list[Row]:
    """Ours and the peers in turn."""
    return [_in_process(repeats, seconds), _over_http(repeats, http_seconds)]


def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="gyoji-bench-", dir=MEMORY if MEMORY.is_dir() else None)


def _printed(command: list[str]) -> Any:
    run = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    if run.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{run.stderr}")
    return json.loads(run.stdout)


def _peer(kind: str, folder: str, seconds: float) -> float | None:
    python = stores_python()
    if python is None:
        return None
    rate: float = _printed([str(python), str(PEERS / "appends.py"), kind, folder, str(seconds)])["appends_per_second"]
    return rate


def _in_process(repeats: int, seconds: float) -> Row:
    ours, theirs = [], []
    for repeat in range(repeats):
        progress(f"appends, repeat {repeat + 1} of {repeats}")
        with _folder() as folder:
            command = [sys.executable, "-m", "gyoji.bench.appends", folder, str(seconds), str(repeat)]
            ours.append(_printed(command)["appends_per_second"])
            peer = _peer("eventsourcing", folder, seconds)
            theirs += [] if peer is None else [peer]
    ratios = times_as_fast(ours, theirs)
    return Row("append in one process, a second of CPU", tuple(ours), EVENTSOURCING, tuple(theirs), ratios, IN_PROCESS)


def _over_http(repeats: int, seconds: int) -> Row:
    measured = "move in a stored match over HTTP, a second"
    if shutil.which("wrk") is None:
        return Row(measured, (), CORE, missing="not measured: wrk is not installed")
    ours, theirs = [], []
    for repeat in range(repeats):
        progress(f"stored moves over HTTP, repeat {repeat + 1} of {repeats}")
        with _folder() as folder:
            ours.append(_moves_a_second(Path(folder), seconds))
            peer = _peer("sqlalchemy", folder, seconds)
            theirs += [] if peer is None else [peer]
    return Row(measured, tuple(ours), CORE, tuple(theirs), times_as_fast(ours, theirs), OVER_HTTP)


def _moves_a_second(folder: Path, seconds: int) -> float:
    os.environ["GYOJI_OPERATOR_KEY"] = OPERATOR
    port = servers.spare_port()
    with servers.running(servers.gyoji(port, folder), port, folder / "gyoji.log") as server:
        servers.wait_until_answering(server, "/readyz")
        _prepare(port, folder)
        counted = _printed_last(
            [
                "wrk",
                f"-t{CONNECTIONS}",
                f"-c{CONNECTIONS}",
                f"-d{seconds}s",
                "-s",
                str(SCRIPT),
                f"http://{servers.HOST}:{port}",
            ],
            {"MOVES": str(folder / "moves-")},
        )
    if counted["errors"]:
        raise RuntimeError(f"{counted['errors']} of {counted['requests']} moves failed")
    return float(counted["requests"] / counted["seconds"])


def _printed_last(command: list[str], more: dict[str, str]) -> Any:
    run = subprocess.run(command, env={**os.environ, **more}, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def _prepare(port: int, folder: Path) -> None:
    """The moves that each connection will send: what can be known beforehand, the first round of every match."""
    connection = HTTPConnection(servers.HOST, port, timeout=30)
    for number in range(CONNECTIONS):
        lines = [line for match in range(MATCHES) for line in _round(connection, match)]
        (folder / f"moves-{number}").write_bytes(b"\n".join(lines) + b"\n")
    connection.close()


def _asked(connection: HTTPConnection, method: str, path: str, body: bytes | None = None) -> Any:
    headers = {"Authorization": f"Bearer {OPERATOR}", "Content-Type": "application/json"}
    connection.request(method, path, body, headers)
    return orjson.loads(connection.getresponse().read())


class RoundOver(Exception):
    """The next deal is the service's secret."""


def _round(connection: HTTPConnection, number: int) -> Iterator[bytes]:
    """The moves of the first round of a new match, as its operator can work them out."""
    game: Game[Any] = BY_SLUG["tomorrow-never-meows"]
    created = _asked(connection, "POST", "/v1/matches", orjson.dumps({"game": game.slug, "seats": 4}))
    address = created["links"]["moves"].encode()
    tokens = [seat["token"].encode() for seat in created["seats"]]
    state = game.read_state(_asked(connection, "GET", created["links"]["self"])["view"])
    for ply in count(number):
        legal = game.legal_moves(state)
        move = legal[ply % len(legal)]
        try:
            state = accepted(game, state, move, _no_chance)
        except RoundOver:
            return
        yield b"\t".join((address, tokens[move["seat"]], orjson.dumps({"move": move})))


def _no_chance(*_shuffle: object) -> tuple[str, ...]:
    raise RoundOver
