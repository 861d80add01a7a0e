"""Probes: answered at once whatever requests wait for, and readiness as the store has it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from socket import socket, socketpair
from sqlite3 import connect
from threading import Event
from time import monotonic

import pytest
from gunicorn.config import Config

from gyoji.app.readiness import Readiness
from gyoji.app.services import LASTING_CAUSES, LastWrite
from gyoji.store.interface import CAUSES, Cause, Unavailable
from gyoji.web.connection import Connection, HungUp
from operators import OPERATOR
from servers import Server, answer_of, serving
from waiting import until

WAIT = 20.0
HELD = (
    b"POST /v1/games/towai/states HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n"
)
"""A request whose body is to come."""


# --- readiness by itself


class Store:
    """A store that answers when it is told to."""

    def __init__(self) -> None:
        self.asked = 0
        self.failure: Exception | None = None
        self.answers = Event()
        self.answers.set()
        self.now = 0.0

    def check(self) -> None:
        """Asked whether it is there."""
        self.asked += 1
        assert self.answers.wait(WAIT)
        if self.failure is not None:
            raise self.failure


@pytest.fixture
def store() -> Iterator[Store]:
    """A store, which answers in the end."""
    made = Store()
    yield made
    made.answers.set()


def said(readiness: Readiness) -> str | None:
    """Why it is not ready, if it is not."""
    try:
        readiness.look()
    except Unavailable as gone:
        return gone.cause
    return None


def test_the_store_is_asked_once_a_second(store: Store) -> None:
    readiness = Readiness(store.check, lambda: store.now)
    assert [said(readiness) for _ in range(20)] == [None] * 20
    assert store.asked == 1
    store.failure = Unavailable("", "read-only")
    store.now = 0.99
    assert said(readiness) is None
    store.now = 1.0
    assert [said(readiness) for _ in range(20)] == ["read-only"] * 20
    store.failure = None
    store.now = 2.0
    assert said(readiness) is None
    assert store.asked == 3


def test_a_store_that_does_not_answer_is_waited_for_a_second(store: Store) -> None:
    store.answers.clear()
    readiness = Readiness(store.check)
    with ThreadPoolExecutor(8) as people:
        assert set(people.map(lambda _number: said(readiness), range(8))) == {"timeout"}
    began = monotonic()
    for _ in range(20):
        assert said(readiness) == "timeout"
    assert monotonic() - began < WAIT / 2, "each of them waits"
    assert store.asked == 1, "it is asked again while it is asked"
    store.answers.set()
    assert until(lambda: said(readiness) is None)


def test_what_is_no_fault_of_the_store_is_not_taken_for_one(store: Store) -> None:
    store.failure = ValueError("ours")
    with pytest.raises(ValueError, match="ours"):
        Readiness(store.check).look()


def test_the_last_write_says_how_the_disk_is() -> None:
    last = LastWrite()
    assert last.cause is None
    for cause in LASTING_CAUSES:
        last.note(cause)
        assert last.cause == cause
    passing: list[Cause] = [cause for cause in CAUSES if cause not in LASTING_CAUSES]
    for cause in passing:
        last.note(cause)
        assert last.cause == LASTING_CAUSES[-1], "it says nothing of the disk"
    last.note(None)
    assert last.cause is None


# --- what is a probe


@pytest.fixture
def pair() -> Iterator[tuple[socket, socket]]:
    """A caller's end of a connection, and ours."""
    caller, ours = socketpair()
    with caller, ours:
        yield caller, ours


@pytest.mark.parametrize(
    ("sent", "probes"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", True),
        (b"GET /readyz HTTP/1.1\r\nHost: x\r\nUser-Agent: kube-probe/1.30\r\nConnection: close\r\n\r\n", True),
        (b"HEAD /healthz HTTP/1.0\r\n\r\n", True),
        (b"", False),
        (b"GET /healthz", False),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n", False),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", False),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\ncontent-length:5\r\n\r\n", False),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n", False),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", False),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/games HTTP/1.1\r\n", True),  # another request follows
        (b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 5000 + b"\r\n\r\n", True),
        (b"POST /healthz HTTP/1.1\r\nHost: x\r\n\r\n", False),
        (b"GET /healthz/x HTTP/1.1\r\nHost: x\r\n\r\n", False),
        (b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX: GET /healthz HTTP/1.1\r\n\r\n", False),
    ],
)
def test_a_probe_is_one_that_has_come_whole(pair: tuple[socket, socket], sent: bytes, probes: bool) -> None:
    caller, ours = pair
    caller.sendall(sent)
    connection = Connection(ours, ("127.0.0.1", 1), ("127.0.0.1", 2), 0.0)
    connection.receive()
    assert (connection.is_whole(Config()) and connection.is_probe) == probes


def test_a_connection_that_is_gone_is_none(pair: tuple[socket, socket]) -> None:
    caller, ours = pair
    caller.close()
    connection = Connection(ours, ("127.0.0.1", 1), ("127.0.0.1", 2), 0.0)
    connection.receive()
    with pytest.raises(HungUp):
        connection.is_whole(Config())


# --- a server all of whose threads wait


@pytest.fixture(scope="module")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the server's store."""
    return tmp_path_factory.mktemp("store") / "gyoji.db"


@pytest.fixture(scope="module")
def server(store_file: Path) -> Iterator[Server]:
    """A server with two threads, whichever the other tests are run with."""
    options = ("--server", "gunicorn", "--workers", "1", "--threads", "2", "--store", f"sqlite:///{store_file}")
    with serving(*options) as running:
        yield running


def test_probes_do_not_wait_for_those_who_wait(server: Server, store_file: Path) -> None:
    """Neither behind requests that wait for the store, nor behind what only looks like a probe."""
    assert server.asked("POST", "/v1/matches", {"game": "catte", "seats": 3}, OPERATOR)[0] == 201
    pretended = [server.socket() for _ in range(4)]
    with (
        closing(connect(store_file, isolation_level=None)) as other,
        closing(server.connection()) as kept,
        ThreadPoolExecutor(4) as people,
    ):
        other.execute("BEGIN IMMEDIATE")
        made = {"game": "catte", "seats": 3}
        held = [people.submit(server.asked, "POST", "/v1/matches", made, OPERATOR) for _ in range(4)]
        for sock in pretended:
            sock.sendall(HELD.replace(b"POST /v1/games/towai/states", b"GET /healthz"))
        began = monotonic()
        for path in ("/healthz", "/readyz") * 10:
            assert server.asked("GET", path) == (200, b'{"status":"ok"}')
        for _ in range(3):
            kept.request("GET", "/healthz")
            assert kept.getresponse().read() == b'{"status":"ok"}'
        assert monotonic() - began < 2, "they wait behind the others"
        assert not any(each.done() for each in held)
        other.execute("ROLLBACK")
        assert [each.result()[0] for each in held] == [201] * 4
    for sock in pretended:
        sock.close()


def test_bodies_that_are_to_come_hold_no_thread(server: Server) -> None:
    held = [server.socket() for _ in range(8)]
    for sock in held:
        sock.sendall(HELD)
    assert server.asked("POST", "/v1/games/towai/states", {"seats": 3})[0] == 200
    for sock in held:
        sock.sendall(b'{"seats":3}')
        assert answer_of(sock)[0] == 200
        sock.close()


def test_the_lines_of_probes_are_as_ever(server: Server) -> None:
    before = len(server.raw)
    server.asked("GET", "/readyz")
    assert until(lambda: any(b'"route":"/readyz"' in line for line in server.raw[before:]))
