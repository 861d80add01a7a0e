"""The service as ``gyoji serve`` starts it."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import orjson
import pytest

from bodies import POSTS, body
from servers import SERVER, Server, answer_of, serving
from web.test_paths import SLASHES_TOO_MANY

STATES = "/v1/games/catte/states"
REFUSED = {"gunicorn": (400, 501), "granian": (400, 411)}
"""granian believes the chunks where a length is given too, and then the length is missing."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server with two workers."""
    with serving("--workers", "2", "--threads", "4") as running:
        yield running


def test_it_answers(server: Server) -> None:
    assert server.asked("GET", "/healthz") == (200, b'{"status":"ok"}')
    assert server.asked("GET", "/readyz")[0] == 200
    assert server.asked("POST", STATES, {"seats": 3})[0] == 200
    assert server.asked("GET", "/nowhere")[0] == 404


@pytest.mark.parametrize(("method", "path"), SLASHES_TOO_MANY)
def test_a_slash_too_many_leads_nowhere(server: Server, method: str, path: str) -> None:
    for target in (path, f"http://gyoji.example{path}"):
        status, answer = server.asked(method, target, {} if method == "POST" else None)
        assert (status, method == "HEAD" or json.loads(answer)["code"]) == (404, method == "HEAD" or "not-found")


def test_a_connection_is_kept(server: Server) -> None:
    connection = server.connection()
    sockets = set()
    for path in ("/healthz", "/nowhere", "/v1/games", "/static/page.css"):
        connection.request("GET", path)
        connection.getresponse().read()
        sockets.add(connection.sock)
    assert len(sockets) == 1
    connection.close()


def test_chunks_are_refused_and_the_server_goes_on(server: Server) -> None:
    connection = server.connection()
    connection.request(
        "POST", STATES, iter([b'{"seats"', b":3}"]), {"Content-Type": "application/json"}, encode_chunked=True
    )
    response = connection.getresponse()
    assert response.status == 411
    assert json.loads(response.read())["code"] == "length-required"
    connection.close()
    assert server.asked("POST", STATES, {"seats": 3})[0] == 200


def test_a_body_that_is_too_large_is_refused_and_the_server_goes_on(server: Server) -> None:
    for size in (65_537, 300_000):
        status, answer = server.asked("POST", STATES, b" " * size)
        assert status == 413
        assert json.loads(answer)["code"] == "too-large"
    assert server.asked("POST", STATES, b" " * 65_536)[0] == 400
    assert server.asked("POST", STATES, {"seats": 3})[0] == 200


def test_what_follows_a_refused_body_is_not_taken_for_a_request(server: Server) -> None:
    """A body that is not read must not become the next request of the connection."""
    hidden = b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n"
    unread = b"Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%b" % (len(hidden), hidden)
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(hidden), hidden)
    for rest in (unread, chunked):
        head = b"POST %b HTTP/1.1\r\nHost: x\r\n%b" % (STATES.encode(), rest)
        with server.socket() as sock:
            sock.sendall(head + b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            received = b"".join(iter(lambda: sock.recv(65536), b""))
        assert received.count(b"HTTP/1.1 ") <= 2
        assert b'{"games":' not in received


def test_depth_is_no_matter_for_a_thread(server: Server) -> None:
    """The stacks of the server's threads are not that of a test."""
    connection = server.connection()
    for sent in (b"[" * 60_000, b"[" * 32_000 + b"]" * 32_000, b'{"a":' * 10_000 + b"0" + b"}" * 10_000, b"[" * 990):
        connection.request("POST", STATES, sent, {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert (response.status, json.loads(response.read())["code"]) == (400, "malformed-json")
    connection.request("POST", STATES, b'{"seats":3}', {"Content-Type": "application/json"})
    assert connection.getresponse().status == 200
    connection.close()


@pytest.mark.parametrize(
    "head",
    [
        b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Length: 10\r\n\r\n{}",
        b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}",
        b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\n\r\n{}",
        b"POST %b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n",
        b"NO REQUEST AT ALL %b\r\n\r\n",
    ],
)
def test_bytes_that_are_no_request_are_refused(server: Server, head: bytes) -> None:
    with server.socket() as sock:
        sock.sendall(head % STATES.encode())
        assert answer_of(sock)[0] in REFUSED[SERVER]
    assert server.asked("GET", "/healthz")[0] == 200


def test_a_caller_that_goes_away_leaves_the_server_as_it_was(server: Server) -> None:
    for sent in (b"", b"POST", b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{" % STATES.encode()):
        with server.socket() as sock:
            sock.sendall(sent)
    assert server.asked("GET", "/healthz")[0] == 200


def test_the_same_request_has_the_same_answer_whoever_asks_and_whoever_answers(server: Server) -> None:
    bodies = {f"/v1/games/{slug}/{call}": body(slug, call) for slug, call in POSTS}
    illegal = body("catte", "adjudications")
    illegal["move"]["seat"] = 2
    bodies["/v1/games/catte/adjudications?illegal"] = illegal
    paths = list(bodies) * 12
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda path: server.asked("POST", path, bodies[path]), paths))
    for path in bodies:
        found = {answer for asked, answer in zip(paths, answers, strict=True) if asked == path}
        assert len(found) == 1, path
        assert {status for status, _bytes in found} == ({409} if "illegal" in path else {200})


def test_every_line_of_the_log_is_json_and_tells_no_card(server: Server) -> None:
    canary = body("towai", "scores")["state"]["seed"]
    server.asked("POST", "/v1/games/towai/scores", body("towai", "scores"))
    server.said(b'"route":"/v1/games/<game>/scores"')
    lines = [orjson.loads(line) for line in list(server.raw)]
    assert all({"event", "level", "timestamp"} <= set(line) for line in lines)
    assert any(line["event"].startswith("Listening at") for line in lines)
    assert {"/v1/games/<game>/scores", "/healthz"} <= {line.get("route") for line in lines}
    assert not any(canary in line.decode() for line in server.raw)


def _half_sent(server: Server, sent: bytes) -> Any:
    sock = server.socket()
    head = f"POST {STATES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    sock.sendall(head.encode() + sent[:4])
    return sock


def test_sigterm_lets_an_open_request_finish() -> None:
    sent = b'{"seats":3}'
    with serving("--workers", "2", "--threads", "2") as server:
        sock = _half_sent(server, sent)
        sleep(0.5)  # until a thread waits for the rest
        stopped = Event()
        statuses: list[int] = []

        def stop() -> None:
            statuses.append(server.stop())
            stopped.set()

        stopping = Thread(target=stop)
        stopping.start()
        assert not stopped.wait(0.7)
        sock.sendall(sent[4:])
        status, answer = answer_of(sock)
        sock.close()
        stopping.join(30)
        assert status == 200
        assert json.loads(answer)["state"]["seats"] == 3
        assert statuses == [0]
        events = [orjson.loads(line)["event"] for line in server.raw]
        assert "Handling signal: term" in events


def test_sigterm_stops_an_idle_server_at_once() -> None:
    with serving("--workers", "1") as server:
        assert server.asked("GET", "/healthz")[0] == 200
        connection = server.connection()
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        started = monotonic()
        assert server.stop() == 0
        assert monotonic() - started < 15  # the grace is 30
        connection.close()
        with pytest.raises(ConnectionRefusedError):
            server.asked("GET", "/healthz")
