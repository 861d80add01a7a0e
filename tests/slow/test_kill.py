"""Killed at any moment: what was acknowledged is in the log, once, and the service is back within five seconds.

Sixteen clients play over HTTP, matches of their own and matches that all play, while workers and master get SIGKILL. A
client that gets no answer sends the same request again until it has one; so in the end the moves in a log are exactly
those that were acknowledged.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from signal import SIGKILL
from socket import create_server
from time import monotonic, sleep
from typing import Literal

import pytest

from gyoji.log.canonical import ZERO
from gyoji.log.entries import Entry
from gyoji.simulation.server import spare_port
from gyoji.store import check_store, open_store
from players import NO_ANSWER, Line, Table, leaf, opened, seen
from servers import ENVIRONMENT, Server, is_running, started
from slow.clients import Client, Journal, Persistent
from store.databases import KINDS, empty_database
from store.logs import KEY

CLIENTS = 16
KILLS = 20
SHARED = 4
BACK = 5.0
"""Seconds within which the service has to be back."""

MOVES = ("move_played", "choice_made")

Aim = Literal["one worker", "all workers", "the master", "all of them"]


class House:
    """A service that is started again as soon as its master is dead, always at the same port."""

    def __init__(self, store: str) -> None:
        self.port = spare_port()
        self._store = store
        self._dead: list[Server] = []
        self.server = self._start()

    def _start(self) -> Server:
        environment = {"GYOJI_STORE": self._store, "GYOJI_STORE_KEY": KEY.hex()}
        return started("--port", str(self.port), "--workers", "2", environment=environment)

    def kill(self, aim: Aim, chance: Random) -> float:
        """Kill, start again where the master is dead, and wait until it answers; how many seconds that took."""
        began = monotonic()
        workers = self.server.workers()
        if aim in ("the master", "all of them"):
            self.server.kill()
        struck = {"one worker": workers[:1] if chance.random() < 0.5 else workers[-1:], "the master": []}
        for worker in struck.get(aim, workers):
            with suppress(ProcessLookupError):
                os.kill(worker, SIGKILL)
        if aim in ("the master", "all of them"):
            self._dead.append(self.server)
            self.server = self._start()
        until_ready(self.port, began + 30)
        return round(monotonic() - began, 2)

    def close(self) -> None:
        """Stop, and see what is left of the others."""
        try:
            assert self.server.stop() == 0
        finally:
            for server in self._dead:
                server.bury()


def until_ready(port: int, until: float) -> None:
    """Wait for 200 from ``/readyz`` on a new connection."""
    while monotonic() < until:
        line = Line(port, 5)
        with suppress(*NO_ANSWER):
            if line("GET", "/readyz", None, {}).status == 200:
                line.close()
                return
        line.close()
        sleep(0.02)
    raise AssertionError("the service did not come back")


@contextmanager
def playing(port: int, journal: Journal, chance: Random) -> Iterator[None]:
    """Clients at play, as long as the block lasts."""
    host = Persistent(port, journal)
    shared = [host.founded("towai", 4) for _ in range(SHARED)]
    host.line.close()
    clients = [Client(port, shared, journal, Random(chance.random())) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        for client in clients:
            client.stop.set()
        for client in clients:
            client.join(90)
    assert not any(client.is_alive() for client in clients)


@pytest.mark.parametrize("kind", KINDS)
def test_no_acknowledged_move_is_lost_or_doubled(kind: str, tmp_path: Path) -> None:
    chance = Random(20)
    journal = Journal()
    with empty_database(kind, tmp_path) as store:
        house = House(store)
        try:
            with playing(house.port, journal, chance):
                took = [_killed(house, journal, chance, number) for number in range(KILLS)]
                sleep(1)
            _the_same_again(house.port, journal, chance)
            _every_match_can_be_read(house.port, journal)
        finally:
            house.close()
        assert journal.faults == []
        the_log_is_what_was_acknowledged(store, journal)
    met = {name: journal.met[name] for name in sorted(journal.met)}
    print(f"{kind}: {len(journal.moves)} moves, {len(journal.tables)} matches, back in {took}, {met}")  # noqa: T201 - the figures of the run
    assert max(took) < BACK, took
    assert len(journal.moves) > 500
    assert journal.met["asked twice"] > 0


def _killed(house: House, journal: Journal, chance: Random, number: int) -> float:
    """Some time of play, then the kill; the next one comes only after moves have been acknowledged again."""
    sleep(chance.uniform(0.3, 1.5))
    before = len(journal.moves)
    aims: tuple[Aim, ...] = ("one worker", "the master", "all of them", "all workers")
    seconds = house.kill(aims[number % len(aims)], chance)
    until = monotonic() + 30
    while len(journal.moves) < before + 2 * CLIENTS and monotonic() < until:
        sleep(0.02)
    assert len(journal.moves) > before, "nothing is acknowledged any more"
    return seconds


def _the_same_again(port: int, journal: Journal, chance: Random) -> None:
    """The same requests again, matches long moved on: the same bytes."""
    line = Line(port)
    for move in chance.sample(journal.moves, min(200, len(journal.moves))):
        assert move.order.put(line).body == move.answer
    line.close()


def _every_match_can_be_read(port: int, journal: Journal) -> None:
    line = Line(port)
    for table in journal.tables:
        assert seen(line, table, 0)["match"] == table.match
    line.close()


def the_log_is_what_was_acknowledged(url: str, journal: Journal) -> None:
    """Every move that was acknowledged is in the log once, every other is not, and the store is sound."""
    store = open_store(url, KEY)
    try:
        assert sorted(store.every_match()) == sorted(table.match for table in journal.tables)
        logs = {match: list(store.entries(match)) for match in store.every_match()}
    finally:
        store.close()
    told = sorted((move.order.table.match, move.seq, move.hash) for move in journal.moves)
    stored = sorted(
        (match, entry.seq, leaf(entry.body)) for match, log in logs.items() for entry in log if _is_move(entry)
    )
    assert stored == told
    for log in logs.values():
        assert [entry.seq for entry in log] == list(range(len(log)))
        assert _prev(log[0]) == ZERO.hex()
        assert all(_prev(after) == leaf(before.body) for before, after in pairwise(log))
    assert check_store(url, KEY) == []


def _is_move(entry: Entry) -> bool:
    return json.loads(entry.body)["type"] in MOVES


def _prev(entry: Entry) -> str:
    prev: str = json.loads(entry.body)["prev"]
    return prev


def test_workers_without_a_master_leave_the_address_to_the_next(tmp_path: Path) -> None:
    """Also while somebody follows a match, which would hold a worker for as long as it likes."""
    with empty_database("sqlite", tmp_path) as store:
        house = House(store)
        line = Line(house.port)
        table = opened(line, "towai", 2)
        streams = [_followed(house.port, table) for _ in range(2)]
        before = house.server
        took = house.kill("the master", Random(1))
        until = monotonic() + BACK
        while any(is_running(worker) for worker in before.workers()) and monotonic() < until:
            sleep(0.05)
        left = before.workers()
        for stream in streams:
            stream.close()
        line.close()
        house.close()
    assert took < BACK
    assert left == []


def test_an_address_that_stays_taken_ends_the_start_after_ten_seconds(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as holder:
        port = str(holder.getsockname()[1])
        command = [sys.executable, "-m", "gyoji", "serve", "--port", port]
        environment = {**ENVIRONMENT, "GYOJI_STORE": f"sqlite:///{tmp_path}/gyoji.db"}
        with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment) as process:
            assert process.stderr is not None
            assert any(b"Waiting for" in line for line in process.stderr)
            began = monotonic()
            said = process.stderr.read()
            took = monotonic() - began
    assert process.returncode == 1
    assert said.decode() == f"Error: cannot listen at 127.0.0.1:{port}: Address already in use\n"
    assert 9 < took < 12


def _followed(port: int, table: Table) -> Line:
    line = Line(port)
    line.connection.request("GET", f"{table.path}/events", headers={**table.sits(0), "Accept": "text/event-stream"})
    response = line.connection.getresponse()
    assert response.status == 200
    assert response.readline() == b": gyoji\n"
    return line
