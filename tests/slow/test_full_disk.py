"""A disk that is full, failing or read-only, and a database that is locked or gone: 503, nothing is acknowledged that
is not stored, and the service goes on by itself when the trouble is over."""

import errno
import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import FileIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg
import pytest

from gyoji.store import check_store, open_store
from gyoji.store.database.sqlite import connect
from players import Answer, Line, Order, Table, next_to_act, opened, order
from servers import Server, serving
from slow.clusters import NAME, cluster
from slow.powerloss.shim import FAULTS, built, watched
from store.databases import empty_database
from store.logs import KEY
from waiting import until

EVERY = 2**31
"""So many calls fail that all do."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The preloaded library."""
    return built(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EROFS], ids=errno.errorcode.get)
@pytest.mark.parametrize("times", [1, EVERY], ids=["once", "from-then-on"])
def test_whichever_call_the_disk_refuses(error: int, times: int, tmp_path: Path, library: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    command: list[str | Path] = [sys.executable, FAULTS, folder, str(error), str(times)]
    with (tmp_path / "log").open("wb") as log:
        done = subprocess.run(
            command, env=watched(library, folder), stdout=subprocess.PIPE, stderr=log, check=True, timeout=300
        )
    found = json.loads(done.stdout)
    print(f"{errno.errorcode[error]} {times}: {found['calls']} calls, {found['met']}")  # noqa: T201 - the figures of the run
    assert found["wrong"] == []
    assert found["findings"] == []
    assert found["calls"] >= 6
    assert found["refused"] >= 3


class Game:
    """A match on a server, and what its players were told."""

    def __init__(self, server: Server) -> None:
        self.line = Line(server.port)
        self._chance = Random(6)
        self._keys = 0
        self._table: Table | None = None
        self.told: dict[tuple[str, int], str] = {}

    def move(self) -> Order:
        """A legal move, under a key of its own."""
        view = None if self._table is None else next_to_act(self.line, self._table, self._chance)
        if self._table is None or view is None:
            self._table = opened(self.line, "towai", 3)
            view = next_to_act(self.line, self._table, self._chance)
        self._keys += 1
        return order(self._table, self._chance.choice(view["legal_moves"]), key=f"key-{self._keys}")

    def put(self, one: Order) -> Answer:
        """Send a move, and remember what was acknowledged."""
        answer = one.put(self.line)
        if answer.status == 200:
            self.told[one.table.match, answer.document["seq"]] = answer.document["receipt"]["hash"]
        return answer


@contextmanager
def playing(store: str) -> Iterator[tuple[Server, Game]]:
    """A server on the store; in the end everything that was acknowledged is there."""
    environment = {"GYOJI_STORE": store, "GYOJI_STORE_KEY": KEY.hex()}
    with serving("--workers", "1", environment=environment) as server:
        game = Game(server)
        try:
            yield server, game
        finally:
            game.line.close()
    kept = open_store(store, KEY)
    stored = {(match, entry.seq): entry.hash.hex() for match in kept.every_match() for entry in kept.entries(match)}
    kept.close()
    assert {place: stored.get(place) for place in game.told} == game.told
    assert check_store(store, KEY) == []


def refused_then_accepted(game: Game, one: Order, answer: Answer, accepted: Answer) -> None:
    """Unavailable while it lasted, and carried out once when the same request came again."""
    assert (answer.status, answer.document["code"]) == (503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert accepted.status == 200
    assert one.put(game.line).body == accepted.body


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """The worker's files may grow no further, as under a quota; then they may again."""
    with empty_database("sqlite", tmp_path) as store, playing(store) as (server, game):
        assert game.put(game.move()).status == 200
        (worker,) = server.workers()
        bounds = resource.prlimit(worker, resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
        one = game.move()
        answer = game.put(one)
        status, said = server.asked("GET", "/readyz")
        assert (status, json.loads(said)["status"]) == (200, "degraded")
        assert json.loads(said)["cause"] in ("disk-full", "disk-error")
        resource.prlimit(worker, resource.RLIMIT_FSIZE, bounds)
        refused_then_accepted(game, one, answer, game.put(one))
        assert server.asked("GET", "/readyz") == (200, b'{"status":"ok"}')


def test_a_small_volume_that_is_full(tmp_path: Path) -> None:
    """A file system of its own, filled to the last byte; it takes the right to mount one."""
    volume = tmp_path / "volume"
    volume.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", volume], check=True)
    ballast = volume / "ballast"
    try:
        with playing(f"sqlite:///{volume}/gyoji.db") as (server, game):
            while (answer := game.put(one := game.move())).status == 200:
                _fill(ballast)
            again = game.put(one)
            assert again.status == 503
            assert server.asked("GET", "/readyz") == (200, b'{"status":"degraded","cause":"disk-full"}')
            ballast.unlink()
            refused_then_accepted(game, one, answer, game.put(one))
            assert server.asked("GET", "/readyz") == (200, b'{"status":"ok"}')
    finally:
        subprocess.run(["umount", volume], check=True)


def test_a_small_volume_of_postgresql_that_is_full() -> None:
    """The tables lie on it, the write-ahead log elsewhere: a server whose log finds no room stops, and is down."""
    with TemporaryDirectory(prefix="gyoji-full-") as folder, cluster(Path(folder) / "data") as database:
        volume = Path(folder) / "volume"
        volume.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m,mode=777", "none", volume], check=True)
        try:
            database.own(volume / "tables")
            database.ask(f"CREATE TABLESPACE small LOCATION '{volume}/tables'")
            database.ask(f"CREATE DATABASE small TEMPLATE {NAME} TABLESPACE small")
            ballast = volume / "ballast"
            with playing(database.url.replace(f"/{NAME}?", "/small?")) as (server, game):
                while (answer := game.put(one := game.move())).status == 200:
                    _fill(ballast)
                assert server.asked("GET", "/readyz") == (200, b'{"status":"degraded","cause":"disk-full"}')
                assert game.line("GET", one.table.path, None, one.table.sits(0)).status == 200
                ballast.unlink()
                refused_then_accepted(game, one, answer, game.put(one))
                assert server.asked("GET", "/readyz") == (200, b'{"status":"ok"}')
            database.ask("DROP DATABASE small")
            database.ask("DROP TABLESPACE small")
        finally:
            subprocess.run(["umount", volume], check=True)


def _fill(ballast: Path) -> None:
    """Write until nothing more goes in."""
    with ballast.open("ab", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        _write_for_ever(file)


def _write_for_ever(file: FileIO) -> None:
    while file.write(bytes(4096)):
        pass


def test_an_sqlite_database_that_somebody_holds(tmp_path: Path) -> None:
    """Longer than the service is willing to wait."""
    with empty_database("sqlite", tmp_path) as store, playing(store) as (_server, game):
        assert game.put(game.move()).status == 200
        one = game.move()
        with closing(connect(tmp_path / "gyoji.db")) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = game.put(one)
            other.execute("ROLLBACK")
        refused_then_accepted(game, one, answer, game.put(one))


def _libpq(store: str) -> str:
    return store.replace("+psycopg", "", 1)


def test_a_postgresql_table_that_somebody_holds(tmp_path: Path) -> None:
    with empty_database("postgresql", tmp_path) as store, playing(store) as (_server, game):
        assert game.put(game.move()).status == 200
        one = game.move()
        with psycopg.connect(_libpq(store)) as other:
            other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
            answer = game.put(one)
            other.rollback()
        refused_then_accepted(game, one, answer, game.put(one))


def test_a_postgresql_database_that_is_read_only(tmp_path: Path) -> None:
    """As on a server that has become a standby; reading goes on."""
    with empty_database("postgresql", tmp_path) as store, playing(store) as (server, game):
        assert game.put(game.move()).status == 200
        one = game.move()
        _set_read_only(store, "on")
        answer = game.put(one)
        assert server.asked("GET", "/readyz") == (200, b'{"status":"degraded","cause":"read-only"}')
        assert one.table.match in game.line("GET", one.table.path, None, one.table.sits(0)).body.decode()
        _set_read_only(store, "off")
        refused_then_accepted(game, one, answer, game.put(one))


def _set_read_only(store: str, value: str) -> None:
    """For every connection from now on; the ones that there are, are cut."""
    with psycopg.connect(_libpq(store), autocommit=True) as other:
        other.execute("SET default_transaction_read_only TO off")
        other.execute(f"ALTER DATABASE {other.info.dbname} SET default_transaction_read_only TO {value}")
        other.execute(
            """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()"""
        )


def test_a_postgresql_database_that_lets_nobody_in(tmp_path: Path) -> None:
    """Gone for a while, for writers and for readers; liveness is not readiness."""
    with empty_database("postgresql", tmp_path) as store, playing(store) as (server, game):
        assert game.put(game.move()).status == 200
        one = game.move()
        name = psycopg.conninfo.conninfo_to_dict(_libpq(store))["dbname"]
        with psycopg.connect(_libpq(store), dbname="postgres", autocommit=True) as other:
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS off")
            other.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (name,))
            answer = game.put(one)
            assert [server.asked("GET", path)[0] for path in ("/healthz", "/readyz")] == [200, 503]
            other.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS on")
        refused_then_accepted(game, one, answer, game.put(one))
        assert until(lambda: server.asked("GET", "/readyz")[0] == 200)
