"""Moves in stored matches as quickly as the service takes them, over eight connections that each have their matches."""

import os
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any

import orjson

from gyoji.bench import servers
from gyoji.bench.calling import printed
from gyoji.bench.playing import accepted
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.store.sqlite import journal

CONNECTIONS = 8
MATCHES = 30
"""Matches a connection has to play for every second; a round of one is over after some 40 moves."""
OPERATOR = "an-operators-key-for-one-benchmark-run"
SCRIPT = Path(__file__).resolve().parent / "wrk_moves.lua"
GAME: Game[Any] = BY_SLUG["tomorrow-never-meows"]


def durability() -> str:
    """How ours is kept: nothing that was acknowledged can be lost."""
    mode, synchronous = journal()
    return f"journal_mode={mode} synchronous={synchronous}"


def rate(folder: Path, seconds: int, store: str | None) -> float:
    """Moves a second on a store in that folder or at that URL."""
    secrets = {"GYOJI_OPERATOR_KEY": OPERATOR, "GYOJI_STORE_KEY": token_hex(32)}
    port = servers.spare_port()
    with servers.running(servers.gyoji(port, folder, store), port, folder / "gyoji.log", secrets) as server:
        servers.wait_until_answering(server, "/readyz")
        _prepare(port, folder, MATCHES * seconds)
        options = [f"-t{CONNECTIONS}", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", str(SCRIPT)]
        environment = {**os.environ, "MOVES": str(folder / "moves-")}
        counted = printed(["wrk", *options, f"http://{servers.HOST}:{port}"], environment)
    if counted["errors"]:
        raise RuntimeError(f"{counted['errors']} of {counted['requests']} moves failed")
    return float(counted["requests"] / counted["seconds"])


def _prepare(port: int, folder: Path, matches: int) -> None:
    """The moves that each connection will send: what can be known beforehand, the first round of every match."""
    connection = HTTPConnection(servers.HOST, port, timeout=30)
    for number in range(CONNECTIONS):
        lines = [line for match in range(matches) for line in _round(connection, match)]
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
    created = _asked(connection, "POST", "/v1/matches", orjson.dumps({"game": GAME.slug, "seats": 4}))
    address = created["links"]["moves"].encode()
    tokens = [seat["token"].encode() for seat in created["seats"]]
    state = GAME.read_state(_asked(connection, "GET", created["links"]["self"])["view"])
    for ply in count(number):
        legal = GAME.legal_moves(state)
        move = legal[ply % len(legal)]
        try:
            state = accepted(GAME, state, move, _no_chance)
        except RoundOver:
            return
        yield b"\t".join((address, tokens[move["seat"]], orjson.dumps({"move": move})))


def _no_chance(*_shuffle: object) -> tuple[str, ...]:
    raise RoundOver
