"""What is granian's own in a service that speaks its HTTP; all else is tested with either (``make granian``)."""

import builtins
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socket import create_connection, create_server
from time import monotonic, sleep
from typing import Any

import apsw
import orjson
import pytest
from click.testing import CliRunner

from bodies import SEED
from gyoji.cli.serve import serve
from gyoji.web.granian_worker import Unquoted, sweep
from operators import OPERATOR
from servers import Server, answer_of, serving
from web.test_no_requests import HOST, NO_REQUESTS, STATES
from web.test_paths import SLASHES_TOO_MANY

LENIENT = (
    "a method in lower case",
    "a long address",
    "a long header",
    "two hosts",
    "a line feed in a header",
    "an expectation that nobody knows",
)
"""What gunicorn refuses and granian takes for a request like any other."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of granian's with two threads in all."""
    with serving("--workers", "1", "--threads", "2", "--server", "granian") as running:
        yield running


@pytest.mark.parametrize("name", NO_REQUESTS)
def test_what_is_no_request_is_refused_without_a_word(server: Server, name: str) -> None:
    with server.socket() as sock:
        sock.sendall(NO_REQUESTS[name])
        status, body = answer_of(sock)
    if name in LENIENT:
        assert status == (404 if name == "a long address" else 200)
    else:
        assert (status, body) == (400, b"")


@pytest.mark.parametrize(("method", "path"), SLASHES_TOO_MANY)
def test_a_slash_too_many_leads_nowhere(server: Server, method: str, path: str) -> None:
    for target in (path, f"http://gyoji.example{path}"):
        assert server.asked(method, target, {} if method == "POST" else None)[0] == 404


def test_a_head_without_end_is_refused(server: Server) -> None:
    with server.socket() as sock:
        sock.sendall(b"GET /%b HTTP/1.1\r\n%b\r\n" % (b"a" * 66_000, HOST))
        assert answer_of(sock)[0] == 414


def test_the_rest_of_a_body_is_neither_repeated_nor_logged(server: Server) -> None:
    """A length that is too short leaves the seed in the place of the next request."""
    body = b'{"seats":3,"seed":"%b"}' % SEED.encode()
    head = b"POST %b HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: 11\r\n\r\n" % (
        STATES.encode(),
        HOST,
    )
    with server.socket() as sock:
        sock.sendall(head + body + b"\r\n\r\n")
        received = b"".join(iter(lambda: sock.recv(65536), b""))
    assert received.count(b"HTTP/1.1 400 ") == 2
    sleep(0.2)
    assert not [told for told in (received, *server.raw) if SEED.encode()[:16] in told]


def test_its_lines_have_the_shape_of_all_others(server: Server) -> None:
    assert server.asked("GET", "/healthz")[0] == 200
    for event in ("Using worker: GranianWorker", "Started worker-1"):
        assert orjson.loads(server.said(event.encode()))["event"] == event


def test_a_line_says_nothing_of_what_an_exception_says() -> None:
    try:
        raise ValueError("a card")
    except ValueError:
        failure = sys.exc_info()
    record = logging.LogRecord("_granian.utils", logging.ERROR, "", 1, "It %s\na card", ("failed",), failure)
    assert Unquoted().filter(record)
    assert logging.Formatter().format(record) == "It failed"


def test_connections_on_which_nothing_is_sent_are_cut_and_no_others() -> None:
    with create_server(("127.0.0.1", 0)) as listener, create_server(("127.0.0.1", 0)) as other:
        port = listener.getsockname()[1]
        silent = create_connection(listener.getsockname(), 5)
        elsewhere = create_connection(other.getsockname(), 5)
        served, apart = listener.accept()[0], other.accept()[0]
        with silent, elsewhere, served, apart:
            sleep(0.3)
            assert sweep(port, 60) == 0
            served.sendall(b"news")
            assert sweep(port, 0.25) == 0
            sleep(0.3)
            assert sweep(port, 0.25) == 1
            assert silent.recv(8) == b"news"
            assert silent.recv(8) == b""
            apart.sendall(b"still there")
            assert elsewhere.recv(16) == b"still there"


def test_to_look_for_silent_connections_leaves_the_locks_of_files_alone(tmp_path: Path) -> None:
    """SQLite's locks are the process's, and go with any descriptor of the file that it closes."""
    file = tmp_path / "locked.db"
    asks = f"import apsw; apsw.Connection({str(file)!r}).execute('BEGIN IMMEDIATE')"
    with closing(apsw.Connection(str(file))) as holder:
        holder.execute("CREATE TABLE held (a)")
        holder.execute("BEGIN EXCLUSIVE")
        sweep(1)
        asked = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, timeout=30, check=False)
    assert "database is locked" in asked.stderr


def test_streams_end_at_once_when_it_stops() -> None:
    with serving("--workers", "1", "--threads", "2", "--server", "granian") as running:
        created = orjson.loads(running.asked("POST", "/v1/matches", {"game": "catte", "seats": 3}, OPERATOR)[1])
        token = created["seats"][0]["token"]
        connection = running.connection()
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {token}"}
        connection.request("GET", f"{created['links']['self']}/events", headers=headers)
        response = connection.getresponse()
        assert response.readline() == b": gyoji\n"
        began = monotonic()
        assert running.stop() == 0
        assert monotonic() - began < 10
        response.read()
        connection.close()


def test_without_the_extra_it_says_which_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = builtins.__import__

    def without(name: str, *others: Any) -> Any:
        if name.startswith("gyoji.web.granian_worker"):
            raise ImportError(name)
        return known(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    run = CliRunner().invoke(serve, ["--server", "granian", "--store", "sqlite:///:nowhere:"])
    assert run.exit_code == 2
    assert "it is the extra granian: pip install '.[granian]' in a checkout" in run.output


def test_a_body_that_nobody_read_does_not_end_the_connection(server: Server) -> None:
    connection = server.connection()
    for _time in range(3):
        connection.request("POST", "/v1/matches", b" " * 20_000, {"Content-Type": "text/plain"})
        response = connection.getresponse()
        response.read()
        assert (response.status, response.headers["Connection"]) == (401, None)
    connection.close()


def test_a_large_body_that_nobody_read_ends_it_and_the_caller_is_told(server: Server) -> None:
    connection = server.connection()
    connection.request("POST", STATES, b" " * 70_000, {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    assert (response.status, response.headers["Connection"]) == (413, "close")
    connection.close()
