"""Plays moves in stored matches as quickly as the service takes them, over eight connections with their own matches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple

import orjson

from benchmarks import servers
from benchmarks.load import CONNECTIONS, wrk
from benchmarks.programs import ProgramFailed, children_cpu_seconds
from benchmarks.random_games import play_move
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.store.database.sqlite import DURABILITY

FIRST = 1_000.0
"""Moves a second and connection that are prepared as long as nobody knows how many will be played."""
AMPLE, SPARE = 3.0, 40
"""So many times what was played in the first slice is prepared for each of the others, and some moves more."""
RUN_OUT = "the moves have run out"
OPERATOR = "an-operators-key-for-one-benchmark-run"
SCRIPT = Path(__file__).resolve().parent / "wrk_moves.lua"
GAME: Game[Any] = BY_SLUG["tomorrow-never-meows"]


def durability() -> str:
    """Describe how ours is kept: nothing that was acknowledged can be lost."""
    mode, synchronous = DURABILITY
    return f"journal_mode={mode} synchronous={synchronous}"


class PlayedSlice(NamedTuple):
    """The result of a slice."""

    rate: float
    """Moves a second of the clock."""
    cost: float
    """Microseconds of processor time a move, of all processes of the service; the database's are not among them."""
    asking: float
    """The same of wrk."""
    moves: int


@contextmanager
def run_players(
    folder: Path, store: str | None, seconds: float, slices: int, server: str = "gunicorn"
) -> Iterator[Callable[[], PlayedSlice]]:
    """Run the service on a store in that folder or at that URL; what comes back plays for so long, ``slices`` times at
    most."""
    secrets = {"GYOJI_OPERATOR_KEY": OPERATOR, "GYOJI_STORE_KEY": token_hex(32)}
    port = servers.spare_port()
    command = servers.gyoji_command(port, folder, store, server)
    with servers.run_server(command, port, folder / "gyoji.log", secrets) as running:
        servers.wait_until_answering(running, "/readyz")
        _prepare(port, folder / "first-", FIRST * seconds)
        first = _slice(running, folder / "first-", seconds)
        names = [folder / f"{number}-" for number in range(slices)]
        for name in names:
            _prepare(port, name, first.rate * seconds / CONNECTIONS * AMPLE + SPARE)
        coming = iter(names)

        def play() -> PlayedSlice:
            try:
                return _slice(running, next(coming), seconds)
            except ProgramFailed as failure:
                if RUN_OUT not in str(failure):
                    raise
                _prepare(port, folder / "more-", FIRST * seconds)  # something held the first slice up
                return _slice(running, folder / "more-", seconds)

        yield play


def _slice(server: servers.Server, moves: Path, seconds: float) -> PlayedSlice:
    before, begun = servers.cpu_seconds(server.process.pid), children_cpu_seconds()
    counted = wrk(server.port, "", CONNECTIONS, SCRIPT, seconds, MOVES=str(moves))
    spent = servers.cpu_seconds(server.process.pid) - before
    if counted["errors"]:
        raise RuntimeError(f"{counted['errors']} of {counted['requests']} moves failed")
    played = counted["requests"]
    return PlayedSlice(
        played / counted["seconds"], spent / played * 1e6, (children_cpu_seconds() - begun) / played * 1e6, played
    )


def _prepare(port: int, name: Path, moves: float) -> None:
    """Prepare the moves that each connection will send: those known beforehand, the first rounds of new matches."""
    connection = HTTPConnection(servers.HOST, port, timeout=30)
    for number in range(CONNECTIONS):
        lines: list[bytes] = []
        for match in count():
            lines += _round(connection, match)
            if len(lines) >= moves:
                break
        name.with_name(f"{name.name}{number}").write_bytes(b"\n".join(lines) + b"\n")
    connection.close()


def _ask(connection: HTTPConnection, method: str, path: str, body: bytes | None = None) -> Any:
    headers = {"Authorization": f"Bearer {OPERATOR}", "Content-Type": "application/json"}
    connection.request(method, path, body, headers)
    return orjson.loads(connection.getresponse().read())


class RoundOver(Exception):
    """A round is over: the next deal is the service's secret."""


def _round(connection: HTTPConnection, number: int) -> Iterator[bytes]:
    """Play the first round of a new match, as its operator can work it out."""
    created = _ask(connection, "POST", "/v1/matches", orjson.dumps({"game": GAME.slug, "seats": 4}))
    address = created["links"]["moves"].encode()
    tokens = [seat["token"].encode() for seat in created["seats"]]
    state = GAME.read_state(_ask(connection, "GET", created["links"]["self"])["view"])
    for ply in count(number):
        legal = GAME.legal_moves(state)
        move = legal[ply % len(legal)]
        try:
            state = play_move(GAME, state, move, _no_chance)
        except RoundOver:
            return
        yield b"\t".join((address, tokens[move["seat"]], orjson.dumps({"move": move})))


def _no_chance(*_shuffle: object) -> tuple[str, ...]:
    raise RoundOver
