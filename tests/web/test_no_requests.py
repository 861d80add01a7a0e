"""Bytes that are no request, and callers that send or take nothing: all answered or cut, none repeated, none in the
way of others."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPResponse
from socket import socketpair
from time import monotonic

import jsonschema_rs
import pytest

from answers import ALWAYS, closed, contract
from bodies import SEED
from gyoji.web import gunicorn_worker as module
from gyoji.web.connection import Connection
from gyoji.web.deadlines import Deadlines
from gyoji.web.gunicorn_worker import Worker
from servers import SERVER, Server, serving

STATES = "/v1/games/catte/states"
HOST = b"Host: x\r\n"
NO_REQUESTS = {
    "no words": b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    "no version": b"GET /healthz\r\n\r\n",
    "another version": b"GET /healthz HTTP/2.0\r\n" + HOST + b"\r\n",
    "a method in lower case": b"get /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "a space in the address": b"GET /a b HTTP/1.1\r\n" + HOST + b"\r\n",
    "a long address": b"GET /%b HTTP/1.1\r\n" % (b"a" * 9000) + HOST + b"\r\n",
    "a long header": b"GET /healthz HTTP/1.1\r\nX: %b\r\n" % (b"a" * 9000) + HOST + b"\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\n" + HOST * 2 + b"\r\n",
    "a line feed in a header": b"GET /healthz HTTP/1.1\r\nX-Request-ID: a\nX: b\r\n" + HOST + b"\r\n",
    "a length that is no number": b"POST /healthz HTTP/1.1\r\nContent-Length: ten\r\n" + HOST + b"\r\n",
    "a length below nothing": b"POST /healthz HTTP/1.1\r\nContent-Length: -1\r\n" + HOST + b"\r\n",
    "a coding that nobody knows": b"POST /healthz HTTP/1.1\r\nTransfer-Encoding: x\r\n" + HOST + b"\r\n",
    "an expectation that nobody knows": b"GET /healthz HTTP/1.1\r\nExpect: the worst\r\n" + HOST + b"\r\n",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server with two threads in all."""
    with serving("--workers", "1", "--threads", "2") as running:
        yield running


@pytest.fixture(scope="module")
def gunicorn(server: Server) -> Iterator[Server]:
    """The same with gunicorn's HTTP, whichever the others speak: granian answers such bytes by itself."""
    if SERVER == "gunicorn":
        yield server
        return
    with serving("--workers", "1", "--threads", "2", "--server", "gunicorn") as running:
        yield running


@pytest.mark.parametrize("name", NO_REQUESTS)
def test_what_is_no_request_gets_problem_details(gunicorn: Server, name: str) -> None:
    with gunicorn.socket() as sock:
        sock.sendall(NO_REQUESTS[name])
        response = HTTPResponse(sock)
        response.begin()
        found = json.loads(response.read())
        assert sock.recv(1) == b""
    assert response.status == found["status"] == 400
    assert found["code"] == "malformed-header"
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["X-Request-ID"] == found["request_id"]
    assert all(response.headers[header] for header in (*ALWAYS, "Cache-Control", "Content-Language", "Vary"))
    schema = {"$ref": "#/components/schemas/Problem", "components": closed(contract()["components"])}
    assert jsonschema_rs.validator_for(schema).is_valid(found)


def test_the_rest_of_a_body_is_neither_repeated_nor_logged(gunicorn: Server) -> None:
    """A length that is too short leaves the seed in the place of the next request."""
    body = b'{"seats":3,"seed":"%b"}' % SEED.encode()
    head = b"POST %b HTTP/1.1\r\n%bContent-Type: application/json\r\nContent-Length: 11\r\n\r\n" % (
        STATES.encode(),
        HOST,
    )
    with gunicorn.socket() as sock:
        sock.sendall(head + body + b"\r\n\r\n")
        received = b"".join(iter(lambda: sock.recv(65536), b""))
    assert received.count(b"HTTP/1.1 400 ") == 2
    assert gunicorn.asked("GET", "/healthz")[0] == 200
    gunicorn.said(b'"kind":"InvalidRequestLine"')
    for told in (received, *gunicorn.raw):
        assert SEED.encode()[:16] not in told


@pytest.mark.parametrize(
    "header", [b"SCRIPT_NAME: /x", b"PATH_INFO: /", b"X-Forwarded-Proto: https\r\nX-Forwarded-Ssl: off"]
)
def test_headers_of_a_proxy_say_nothing(server: Server, header: bytes) -> None:
    with server.socket() as sock:
        sock.sendall(b"GET /healthz HTTP/1.1\r\n%b%b\r\n\r\n" % (HOST, header))
        response = HTTPResponse(sock)
        response.begin()
        assert (response.status, response.read()) == (200, b'{"status":"ok"}')


def test_connections_on_which_nothing_comes_hold_no_thread(server: Server) -> None:
    with ExitStack() as open_sockets:
        idle = [open_sockets.enter_context(server.socket()) for _each in range(12)]
        started = monotonic()
        assert server.asked("GET", "/healthz")[0] == 200
        assert monotonic() - started < 3
        idle[-1].sendall(b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")
        assert idle[-1].recv(15) == b"HTTP/1.1 200 OK"


def test_who_is_too_slow_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker.__new__(Worker)
    monkeypatch.setattr(worker, "notify", lambda: None, raising=False)
    with ExitStack() as open_sockets:
        pairs = [tuple(map(open_sockets.enter_context, socketpair())) for _each in range(2)]
        (slow, ours), (fresh, other) = pairs
        worker.connections, worker.deadlines = {}, Deadlines()
        for sock, until in ((ours, monotonic() - 1), (other, monotonic() + module.REQUEST_SECONDS)):
            conn = worker.connections[sock.fileno()] = Connection(sock, "", "", until)
            worker.deadlines.note(conn, until)
        worker._look_around()
        assert slow.recv(1) == b""
        fresh.setblocking(False)
        with pytest.raises(BlockingIOError):
            fresh.recv(1)
