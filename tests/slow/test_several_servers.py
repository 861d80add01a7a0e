"""Two servers on one PostgreSQL while servers are killed and the database is restarted: no move is lost or doubled, and
whoever follows a match hears every event once, in order."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import sleep

import pytest

from players import NO_ANSWER, Line, Table
from slow.clients import Client, Journal, Persistent
from slow.clusters import Cluster, cluster
from slow.test_kill import House, the_log_is_what_was_acknowledged
from waiting import until

CLIENTS = 8
ROUNDS = 9


@pytest.fixture
def database() -> Iterator[Cluster]:
    """A PostgreSQL that can be restarted."""
    with TemporaryDirectory(prefix="gyoji-several-") as folder, cluster(Path(folder) / "data") as made:
        yield made


class Follower(Thread):
    """Follows a match through every break, now on one server and now on the other, from the last event on."""

    def __init__(self, ports: list[int], table: Table) -> None:
        super().__init__(daemon=True)
        self.stop = Event()
        self.seqs: list[int] = []
        self._ports = ports
        self._table = table
        self._turn = 0

    def run(self) -> None:
        """Stream after stream."""
        while not self.stop.is_set():
            self._turn += 1
            line = Line(self._ports[self._turn % len(self._ports)], 12)
            with suppress(*NO_ANSWER):
                self._listen(line)
            line.close()
            sleep(0.1)

    def _listen(self, line: Line) -> None:
        headers = {**self._table.sits(0), "Accept": "text/event-stream"}
        if self.seqs:
            headers["Last-Event-ID"] = str(self.seqs[-1])
        line.connection.request("GET", f"{self._table.path}/events", headers=headers)
        response = line.connection.getresponse()
        for said in response if response.status == 200 else ():
            if said.startswith(b"id: "):
                self.seqs.append(int(said[4:]))
            if self.stop.is_set():
                return


def test_no_move_is_lost_or_doubled_among_several_servers(database: Cluster) -> None:
    chance, journal = Random(21), Journal()
    houses = [House(database.url) for _ in range(2)]
    ports = [house.port for house in houses]
    hosts = [Persistent(port, journal) for port in ports]
    shared = [hosts[number % 2].founded("towai", 4) for number in range(4)]
    followers = [Follower(ports[::turn], shared[0]) for turn in (1, -1)]
    for follower in followers:
        follower.start()
    try:
        with playing([Client(ports[number % 2], shared, journal, Random(number)) for number in range(CLIENTS)]):
            for number in range(ROUNDS):
                disturbed(number, houses, database, journal, chance)
            sleep(1)
        head = hosts[0]("GET", shared[0].path, None, shared[0].sits(0)).document["seq"]
        until(lambda: all(follower.seqs[-1:] == [head] for follower in followers))
        assert [follower.seqs for follower in followers] == [list(range(head + 1))] * 2
    finally:
        for follower in followers:
            follower.stop.set()
        for host, house in zip(hosts, houses, strict=True):
            host.line.close()
            house.close()
    for follower in followers:
        follower.join(15)
    assert journal.faults == []
    the_log_is_what_was_acknowledged(database.url, journal)
    met = {name: journal.met[name] for name in sorted(journal.met)}
    print(f"{len(journal.moves)} moves, {len(journal.tables)} matches, {met}")  # noqa: T201 - the figures of the run


@contextmanager
def playing(clients: list[Client]) -> Iterator[None]:
    """They are at play, as long as the block lasts."""
    for client in clients:
        client.start()
    try:
        yield
    finally:
        for client in clients:
            client.stop.set()
        for client in clients:
            client.join(90)


def disturbed(number: int, houses: list[House], database: Cluster, journal: Journal, chance: Random) -> None:
    """Some time of play; then a server is killed, in turn, or the database restarted; and moves are stored again."""
    sleep(chance.uniform(0.3, 1.5))
    before = len(journal.moves)
    if number % 3 == 2:
        database.control("-m", chance.choice(("immediate", "fast")), "restart")
    else:
        houses[number % 2].kill("all of them" if number % 4 else "all workers", chance)
    until(lambda: len(journal.moves) >= before + CLIENTS)
    assert len(journal.moves) > before, "nothing is acknowledged any more"
