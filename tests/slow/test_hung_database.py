"""PostgreSQL that answers nothing, or too late, under load: callers are told within five seconds, what needs none goes
on, probes are answered at once, nothing is lost, and all is well within five seconds of its coming back."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep
from typing import NamedTuple
from uuid import uuid4

import pytest

from gyoji.store import open_store
from gyoji.store.urls import ConnectionOptions
from operators import OPERATOR
from players import JSON, Answer, Line, setting, table_of
from servers import SERVER, serving
from slow.clients import Client, Journal, Persistent
from slow.clusters import Cluster, cluster, standby
from slow.test_kill import the_log_is_what_was_acknowledged
from slow.test_standby import closed, has, read
from store.logs import KEY
from store.proxy import proxy
from waiting import until

CLIENTS = 12
LASTS = 12.0
"""Seconds for which the database does not answer."""
TOLD = 5.0
"""Seconds within which a caller is told so, and within which all is well when it does again."""
AT_ONCE = 2.0
"""Seconds for an answer that waits for nothing, on a machine that has much to do."""

WITHOUT_DATABASE = (
    ("GET", "/v1/games", None),
    ("GET", "/", None),
    ("GET", "/problems", None),
    ("POST", "/v1/games/towai/states", b'{"seats":3}'),
)


class Fault(NamedTuple):
    """The store, what spoils it, and what mends it."""

    url: str
    begin: Callable[[], None]
    end: Callable[[], None]


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    """A PostgreSQL that can be stopped."""
    with TemporaryDirectory(prefix="gyoji-hung-") as folder, cluster(Path(folder) / "data") as made:
        yield made


@pytest.fixture(params=["stopped", "no route", "slow"])
def fault(request: pytest.FixtureRequest, database: Cluster) -> Iterator[Fault]:
    """All processes of the database are stopped; or nothing comes through to it; or its answers come too late."""
    database.ask("SELECT 1")
    fresh = f"gyoji_{uuid4().hex}"
    database.ask(f"CREATE DATABASE {fresh} TEMPLATE gyoji")
    url = database.url.replace("/gyoji?", f"/{fresh}?")
    if request.param == "stopped":
        yield Fault(url, database.stop_short, database.go_on)
        return
    with proxy(url) as way:
        if request.param == "no route":
            yield Fault(way.url, way.swallow, way.restore)
            return

        def slow(seconds: float) -> Callable[[], None]:
            return lambda: setattr(way, "delay", seconds)

        yield Fault(way.url, slow(6.0), slow(0.0))


class Asked(NamedTuple):
    """What was answered to a request that was put again and again: when it was put, how late that was, the status."""

    answers: list[tuple[float, float, int]]


class Watcher(Thread):
    """Asks for some paths in turn, over a new connection each time."""

    def __init__(self, port: int, *paths: str) -> None:
        super().__init__(daemon=True)
        self.asked = {path: Asked([]) for path in paths}
        self.stop = Event()
        self._port = port

    def run(self) -> None:
        """Until it is stopped."""
        while not self.stop.is_set():
            for path, asked in self.asked.items():
                began = monotonic()
                with closing(Line(self._port)) as line:
                    status = line("GET", path, None, {}).status
                asked.answers.append((began, monotonic() - began, status))
            sleep(0.05)


@contextmanager
def watched(port: int, *paths: str) -> Iterator[dict[str, Asked]]:
    """The paths are asked for as long as the block lasts."""
    watcher = Watcher(port, *paths)
    watcher.start()
    try:
        yield watcher.asked
    finally:
        watcher.stop.set()
        watcher.join(40)
    assert not watcher.is_alive()


@contextmanager
def played(port: int, journal: Journal) -> Iterator[None]:
    """Clients at play, who send what was not done again, as long as the block lasts."""
    host = Persistent(port, journal)
    shared = [host.founded("towai", 4) for _ in range(2)]
    host.line.close()
    clients = [Client(port, shared, journal, Random(number)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        for client in clients:
            client.stop.set()
        for client in clients:
            client.join(90)


def written(port: int) -> tuple[float, Answer]:
    """A match created, or not; and how many seconds that took."""
    began = monotonic()
    with closing(Line(port)) as line:
        answer = line("POST", "/v1/matches", setting("towai", 2), {**OPERATOR, **JSON})
    return monotonic() - began, answer


def retry_after(answer: Answer) -> int:
    """The seconds after which to try again; granian writes the names of headers in lower case."""
    return int({name.lower(): value for name, value in answer.headers.items()}["retry-after"])


def store_of(url: str) -> dict[str, str]:
    """The settings of a service on the store."""
    return {"GYOJI_STORE": url, "GYOJI_STORE_KEY": KEY.hex()}


@pytest.mark.parametrize("shared", [(), ("--store-connections", "4")], ids=["own connections", "shared"])
def test_a_database_that_does_not_answer(fault: Fault, shared: tuple[str, ...]) -> None:
    journal = Journal()
    with serving("--workers", "2", *shared, environment=store_of(fault.url)) as server:
        with played(server.port, journal), watched(server.port, "/healthz", "/readyz") as probes:
            enough(journal)
            began = monotonic()
            fault.begin()
            try:
                refused = refusals(server.port, began + LASTS)
                without = needing_no_database(server.port)
            finally:
                ended = monotonic()
                fault.end()
            back, created = came_back(server.port)
            enough(journal)
        said = [json.loads(line) for line in server.raw if line.startswith(b"{")]
        counted = server.asked("GET", "/metrics")[1].decode()
    slowest = {path: max(seconds for _at, seconds, _status in asked.answers) for path, asked in probes.items()}
    print(  # noqa: T201 - the figures of the run
        f"{len(refused)} writes, told within {max(seconds for seconds, _answer in refused):.2f} s; probes within"
        f" {slowest}; back after {back:.2f} s; {len(journal.moves)} moves, {journal.met}"
    )
    assert {answer.status for _seconds, answer in refused} == {503}
    assert max(seconds for seconds, _answer in refused) < TOLD
    assert {answer.document["code"] for _seconds, answer in refused} == {"unavailable"}
    assert all(retry_after(answer) > 0 for _seconds, answer in refused)
    assert {status for status, _seconds in without.values()} == {200}
    assert max(seconds for _status, seconds in without.values()) < AT_ONCE, without
    assert back < TOLD
    assert max(slowest.values()) < (AT_ONCE if SERVER == "gunicorn" else TOLD)
    assert {status for _at, _seconds, status in probes["/healthz"].answers} == {200}
    while_it_lasts = [(at, status) for at, _seconds, status in probes["/readyz"].answers if began + 2.5 < at < ended]
    assert {status for _at, status in while_it_lasts} == {503}
    causes = {line["cause"] for line in said if line.get("code") == "unavailable" and line["status"] == 503}
    assert "timeout" in causes
    assert causes <= {"timeout", "busy"}
    assert max(line["duration_ms"] for line in said if "duration_ms" in line) < 1000 * TOLD
    assert 'gyoji_unavailable_total{cause="timeout"}' in counted
    assert journal.faults == []
    journal.tables.append(table_of(created))
    the_log_is_what_was_acknowledged(fault.url, journal)


def enough(journal: Journal) -> None:
    """Play goes on until moves are stored again."""
    before = len(journal.moves)
    assert until(lambda: len(journal.moves) >= before + 2 * CLIENTS)


def refusals(port: int, end: float) -> list[tuple[float, Answer]]:
    """What writers are told, one after the other, until then, and after how many seconds."""
    told = []
    while monotonic() < end:
        told.append(written(port))
        sleep(0.1)
    return told


def needing_no_database(port: int) -> dict[str, tuple[int, float]]:
    """Status and seconds of what needs none."""
    found = {}
    for method, path, body in WITHOUT_DATABASE:
        began = monotonic()
        with closing(Line(port)) as line:
            found[path] = line(method, path, body, JSON).status, monotonic() - began
    return found


def came_back(port: int) -> tuple[float, Answer]:
    """How many seconds it takes until a match is created again; and that match."""
    began = monotonic()
    while monotonic() < began + 30:
        _seconds, answer = written(port)
        if answer.status == 201:
            return monotonic() - began, answer
        sleep(0.1)
    raise AssertionError("nothing can be written")


def test_a_standby_that_does_not_answer_costs_two_seconds_once(database: Cluster) -> None:
    with TemporaryDirectory(prefix="gyoji-hung-") as folder, standby(database, Path(folder) / "data") as copy:
        ways = ConnectionOptions(replica_url=copy.url, is_interactive=True)
        with closing(open_store(database.url, KEY, options=ways)) as store:
            match, entries = closed(store)
            assert until(lambda: has(copy, match))
            assert read(store, match, 3) == entries
            copy.stop_short()
            began = monotonic()
            assert read(store, match) == entries
            first = monotonic() - began
            assert read(store, match, 100) == entries
            hundred = monotonic() - began - first
            copy.go_on()
            print(f"standby stopped: {first:.2f} s the first time, {hundred:.2f} s for a hundred more")  # noqa: T201 - figures
            assert first < AT_ONCE + 1
            assert hundred < AT_ONCE
            replica = store._replica
            assert replica is not None
            assert until(lambda: replica.query("SELECT 1", (), 1) is not None)
            assert read(store, match) == entries
