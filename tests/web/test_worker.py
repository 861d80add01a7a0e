"""The worker as a process: nobody who waits holds a thread, and every request that was let in is answered."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EPERM
from http.client import HTTPConnection
from pathlib import Path
from signal import SIGCONT, SIGHUP, SIGKILL, SIGSTOP, SIGTERM
from socket import SHUT_WR, SO_RCVBUF, SOL_SOCKET, socket
from threading import Event, Thread
from time import monotonic, sleep

import pytest
from structlog.testing import capture_logs

from bodies import body
from gyoji.web.gunicorn_worker import MOST_LONG_BODIES
from gyoji.web.worker_places import MOST_WORKERS, Crowds
from operators import OPERATOR_KEY
from servers import ENVIRONMENT, WAIT, Server, answer_of, serving, started
from waiting import until
from web.matches.test_streams import Away

STATES = b"/v1/games/catte/states"
SEATS = b'{"seats":3}'
ASKED = (
    b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    % (STATES, len(SEATS))
) + SEATS
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
LONG = b"POST /v1/audits HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\nContent-Length: %d\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A worker with two threads."""
    with serving("--server", "gunicorn", "--workers", "1", "--threads", "2") as running:
        yield running


TUNED = """
import json, os, sys, time
from socket import SO_SNDBUF, SOL_SOCKET
from gyoji.app.matches import feeds
from gyoji.app.settings import Settings
from gyoji.web import gunicorn_worker, server
tuned, store = json.loads(sys.argv[1]), sys.argv[2]
gunicorn_worker.REQUEST_SECONDS = tuned.pop("seconds", gunicorn_worker.REQUEST_SECONDS)
feeds.HEARTBEAT = tuned.pop("heartbeat", feeds.HEARTBEAT)
kept = tuned.pop("kept", 0)
class Narrow(gunicorn_worker.Connection):
    def __init__(self, sock, *more):
        if kept:
            sock.setsockopt(SOL_SOCKET, SO_SNDBUF, kept)
        super().__init__(sock, *more)
gunicorn_worker.Connection = Narrow
gunicorn_worker.LEAVE_SECONDS = tuned.pop("leave", gunicorn_worker.LEAVE_SECONDS)
boot, init_process = tuned.pop("boot", 0), gunicorn_worker.Worker.init_process
def boot_slowly(worker):
    time.sleep(boot)
    init_process(worker)
gunicorn_worker.Worker.init_process = boot_slowly
class Tuned(server.Server):
    def __init__(self, address, settings, service):
        super().__init__(address, {**settings, **tuned}, service)
server.Server = Tuned
server.serve(Settings(port=0, workers=1, threads=2, store=store, operator_key=os.environ["GYOJI_OPERATOR_KEY"]))
"""


@contextmanager
def tuned(folder: Path, **settings: int) -> Iterator[Server]:
    """A server with settings of gunicorn's that ours do not name; ``seconds`` are those of a request,
    ``heartbeat`` those between two of a stream, ``boot`` those that a worker takes to boot,
    ``leave`` those for which it leaves a connection to others; of ``kept`` bytes the system keeps some for a client who
    does not read."""
    command = [sys.executable, "-c", TUNED, json.dumps(settings), f"sqlite:///{folder}/gyoji.db"]
    environment = {**ENVIRONMENT, "GYOJI_OPERATOR_KEY": OPERATOR_KEY}
    running = Server(subprocess.Popen(command, stderr=subprocess.PIPE, env=environment))
    try:
        yield running
    finally:
        running.stop()


def answers(sock: socket) -> list[tuple[int, bytes]]:
    """All answers until the server hangs up."""
    file, found = sock.makefile("rb"), list[tuple[int, bytes]]()
    while line := file.readline():
        status, length = int(line.split()[1]), 0
        while (header := file.readline()) != b"\r\n":
            name, _colon, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        found.append((status, file.read(length)))
    return found


# --- whoever waits


class Dribbler(Thread):
    """Somebody who sends requests byte by byte, over many connections."""

    def __init__(self, sockets: list[socket], sent: list[bytes]) -> None:
        super().__init__(daemon=True)
        self.sockets, self.sent, self.is_over = sockets, sent, Event()

    def run(self) -> None:
        at = 0
        while not self.is_over.wait(0.05):
            for sock, sent in zip(self.sockets, self.sent, strict=True):
                sock.sendall(sent[at : at + 1])
            at += 1


def test_slow_callers_keep_nobody_waiting(server: Server) -> None:
    """64 whose heads and bodies dribble; somebody honest asks all the while."""
    honest, took = body("catte", "adjudications"), list[float]()
    with ExitStack() as stack:
        slow = [stack.enter_context(server.socket()) for _ in range(64)]
        heads = [b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"x" * 2000] * 32
        for sock in slow[32:]:
            sock.sendall(ASKED[: -len(SEATS)].replace(b": 11", b": 2000"))
        dribbler = Dribbler(slow, [*heads, *[b"[" * 2000] * 32])
        dribbler.start()
        connection = server.connection()
        for _ in range(200):
            began = monotonic()
            connection.request(
                "POST", "/v1/games/catte/adjudications", json.dumps(honest), {"Content-Type": "application/json"}
            )
            answer = connection.getresponse()
            assert (answer.status, answer.read() != b"") == (200, True)
            took.append(monotonic() - began)
        connection.close()
        dribbler.is_over.set()
        dribbler.join()
    assert sorted(took)[len(took) * 99 // 100] < 0.2


def test_thousands_of_connections_on_which_nothing_comes(server: Server) -> None:
    with ExitStack() as stack:
        idle = [stack.enter_context(server.socket()) for _ in range(800)]
        for sock in idle:
            sock.sendall(b"GET /v1/ga")
        idle += [stack.enter_context(server.socket()) for _ in range(1600)]
        began = monotonic()
        for _ in range(20):
            assert server.asked("POST", STATES.decode(), SEATS)[0] == 200
        assert monotonic() - began < 5
        for sock in idle[:100]:
            sock.sendall(b"mes HTTP/1.1\r\nHost: x\r\n\r\n")
            assert answer_of(sock)[0] == 200


def test_long_bodies_that_are_to_come_hold_no_thread(server: Server) -> None:
    """Not even those that the application waits for; it refuses first what it will not read."""
    sent = b"\n" * 100_000
    with ExitStack() as stack:
        slow = [stack.enter_context(server.socket()) for _ in range(8)]
        for sock in slow:
            sock.sendall(LONG % len(sent) + b"\r\n" + sent[:70_000])
        assert server.asked("POST", STATES.decode(), SEATS)[0] == 200
        for sock in slow:
            sock.sendall(sent[70_000:])
            status, answer = answer_of(sock)
            assert (status, json.loads(answer)["verdict"]) == (200, "malformed")


def test_only_so_many_long_bodies_are_received_at_a_time(server: Server) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.socket()) for _ in range(MOST_LONG_BODIES)]
        for sock in slow:
            sock.sendall(LONG % 100_000 + b"Expect: 100-continue\r\n\r\n")
            assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        with server.socket() as late:
            late.sendall(LONG % 100_000 + b"Expect: 100-continue\r\n\r\n")
            status, answer = answer_of(late)
            assert (status, json.loads(answer)["code"]) == (503, "too-many-at-once")
    assert until(
        lambda: server.asked("POST", "/v1/audits", b"\n" * 100_000, {"Content-Type": "application/jsonl"})[0] == 200
    )


def test_whoever_does_not_read_holds_no_thread(server: Server) -> None:
    """Each asks for a hundred big answers and reads none of them until others have been answered."""
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with ExitStack() as stack:
        slow = [stack.enter_context(socket()) for _ in range(8)]
        for sock in slow:
            sock.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
            sock.settimeout(WAIT)
            sock.connect(("127.0.0.1", server.port))
            sock.sendall(asked * 99 + asked.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        sleep(1)  # until what the system holds of their answers is full
        began = monotonic()
        for _ in range(20):
            assert server.asked("POST", STATES.decode(), SEATS)[0] == 200
        assert monotonic() - began < 15, "they are cut after twenty seconds"
        found = answers(slow[0])
        assert (len(found), {status for status, _body in found}, len({each for _status, each in found})) == (
            100,
            {200},
            1,
        )


def test_whoever_waits_for_news_is_not_cut_as_others_are(tmp_path: Path) -> None:
    with tuned(tmp_path, seconds=1) as running:
        match = Away(running)
        listener = match.listening(match.seats[0])
        listener.hears(2)
        with running.socket() as slow, running.socket() as deaf:
            slow.sendall(b"GET /v1/ga")
            deaf.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
            began = monotonic()
            assert slow.recv(1) == b""
            assert match.asked("GET", "/events?after=1&wait=4", match.seats[1]) == {"events": [], "next": None}
            assert monotonic() - began >= 4
            with suppress(ConnectionError):
                assert len(answers(deaf)) < 200
        match.move()
        assert [id_ for id_, _event, _data in listener.hears(1)] == ["2"]
        listener.close()


def test_whoever_follows_and_reads_nothing_is_cut(tmp_path: Path) -> None:
    """What is kept for each is full to another degree: some take another heartbeat, of some the system says that they
    take no more yet, though it would."""
    with tuned(tmp_path, seconds=1, heartbeat=1, kept=8192) as running, ExitStack() as stack:
        match = Away(running)
        for _ in range(30):
            match.move()
        followers = [stack.enter_context(socket()) for _ in range(25)]
        for after, sock in enumerate(followers):
            sock.setsockopt(SOL_SOCKET, SO_RCVBUF, 2048)
            sock.connect(("127.0.0.1", running.port))
            asked = f"GET {match.path}/events?after={after} HTTP/1.1", "Host: x", "Accept: text/event-stream"
            key = f"Authorization: {match.seats[0]['Authorization']}"
            sock.sendall("\r\n".join([*asked, key, "", ""]).encode())
        sleep(6)
        beats = [_beats(sock) for sock in followers]
        assert 0 < beats.count(None) < len(beats)
        assert all(count is None or count > 3 for count in beats), beats


def _beats(sock: socket) -> int | None:
    """How often somebody was told that the stream is still there; ``None`` where it was cut."""
    sock.settimeout(0.5)
    received = b""
    try:
        while piece := sock.recv(65536):
            received += piece
    except TimeoutError:
        return received.count(b": still here")
    except ConnectionError:
        pass
    return None


# --- how requests follow each other


def test_requests_that_are_sent_at_once_are_answered_in_their_order(server: Server) -> None:
    paths = [b"/healthz", b"/nowhere", b"/v1/games"] * 40
    sent = [b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % path for path in paths]
    sent = [each if at % 3 else each + ASKED for at, each in enumerate(sent)]
    with server.socket() as sock:
        sock.sendall(b"".join(sent))
        sock.shutdown(SHUT_WR)
        statuses = [status for status, _body in answers(sock)]
    assert statuses == [200, 200, 404, 200] * 40


@pytest.mark.parametrize("size", [1, 7, 100])
def test_requests_in_pieces(server: Server, size: int) -> None:
    sent = ASKED + HEALTH + ASKED
    with server.socket() as sock:
        for at in range(0, len(sent), size):
            sock.sendall(sent[at : at + size])
            sleep(0.001)
        sock.shutdown(SHUT_WR)
        found = answers(sock)
    assert [status for status, _body in found] == [200, 200, 200]
    assert [json.loads(answer).get("state", {}).get("seats") for _status, answer in found] == [3, None, 3]


def test_a_head_that_does_not_end_is_refused(server: Server) -> None:
    with server.socket() as sock:
        with suppress(ConnectionError):
            sock.sendall(b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 2_000_000)
        status, answer = answer_of(sock)
    assert (status, json.loads(answer)["code"]) == (400, "malformed-header")


def test_lines_that_end_otherwise_are_refused_at_once(server: Server) -> None:
    with server.socket() as sock:
        sock.settimeout(5)
        sock.sendall(HEALTH.replace(b"\r\n", b"\n"))
        status, answer = answer_of(sock)
    assert (status, json.loads(answer)["code"]) == (400, "malformed-header")


def test_whoever_sends_no_more_is_answered(server: Server) -> None:
    with server.socket() as sock:
        sock.sendall(ASKED)
        sock.shutdown(SHUT_WR)
        (found,) = answers(sock)
    assert (found[0], json.loads(found[1])["state"]["seats"]) == (200, 3)


@pytest.mark.parametrize("length", [100, 100_000])
def test_a_body_that_ends_too_soon(server: Server, length: int) -> None:
    head = LONG % length if length > 65536 else ASKED[: -len(SEATS) - 4].replace(b": 11", b": %d" % length) + b"\r\n"
    with server.socket() as sock:
        sock.sendall(head + b"\r\n{}")
        sock.shutdown(SHUT_WR)
        ((status, answer),) = answers(sock)
    assert (status, json.loads(answer)["code"]) == (400, "malformed-header")


def test_http_1_0(server: Server) -> None:
    with server.socket() as sock:
        sock.sendall(HEALTH.replace(b"1.1", b"1.0"))
        received = b"".join(iter(lambda: sock.recv(65536), b""))
    assert received.startswith(b"HTTP/1.0 200 OK\r\n")
    assert b"Connection: close\r\n" in received
    with server.socket() as sock:
        sock.sendall(HEALTH.replace(b"1.1\r\n", b"1.0\r\nConnection: keep-alive\r\n") * 2)
        sock.sendall(HEALTH.replace(b"1.1", b"1.0"))
        assert [status for status, _body in answers(sock)] == [200] * 3


def test_100_continue(server: Server) -> None:
    head = ASKED[: -len(SEATS) - 2] + b"Expect: 100-continue\r\n\r\n"
    with server.socket() as sock:
        sock.sendall(head)
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(SEATS)
        assert answer_of(sock)[0] == 200
        sock.sendall(head + SEATS)
        assert answer_of(sock)[0] == 200


def test_nobody_is_asked_for_a_body_that_will_not_be_read(server: Server) -> None:
    with server.socket() as sock:
        sock.sendall(LONG % 20_000_000 + b"Expect: 100-continue\r\n\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 413 ")
    with server.socket() as sock:
        sock.sendall(LONG % 100_000 + b"Content-Encoding: gzip\r\nExpect: 100-continue\r\n\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 415 ")


def test_a_connection_without_a_request_is_closed_after_five_seconds(server: Server) -> None:
    kept, fresh = server.socket(), server.socket()
    with kept, fresh:
        began = monotonic()
        kept.sendall(HEALTH)
        assert answer_of(kept)[0] == 200
        assert (kept.recv(1), fresh.recv(1)) == (b"", b"")
        assert 4 < monotonic() - began < 9


# --- ends


def test_so_many_requests_and_then_another_worker(tmp_path: Path) -> None:
    with tuned(tmp_path, max_requests=20) as running:
        for _ in range(100):
            assert running.asked("GET", "/healthz")[0] == 200
        assert until(lambda: sum(b"Booting worker" in line for line in list(running.raw)) >= 4)


def test_more_connections_than_may_be_are_let_in_when_others_have_gone(tmp_path: Path) -> None:
    with tuned(tmp_path, worker_connections=4) as running, ExitStack() as stack:
        first = [stack.enter_context(running.socket()) for _ in range(4)]
        for sock in first:
            sock.sendall(HEALTH)
            assert answer_of(sock)[0] == 200
        late = stack.enter_context(running.socket())
        late.sendall(HEALTH)
        late.settimeout(0.5)
        with pytest.raises(TimeoutError):
            late.recv(1)
        first[0].close()
        late.settimeout(WAIT)
        assert answer_of(late)[0] == 200


def test_whoever_may_open_few_files_serves_one_after_another(tmp_path: Path) -> None:
    running = started("--workers", "1", "--store", f"sqlite:///{tmp_path}/gyoji.db", within=["prlimit", "--nofile=128"])
    try:
        assert [running.asked("GET", "/v1/games")[0] for _ in range(5)] == [200] * 5
    finally:
        running.stop()


def test_a_worker_that_does_not_live_is_replaced(tmp_path: Path) -> None:
    with tuned(tmp_path, timeout=2) as running:
        assert running.asked("GET", "/healthz")[0] == 200
        (hung,) = running.workers()
        os.kill(hung, SIGSTOP)
        assert until(lambda: hung not in running.workers() and len(running.workers()) == 1)
        assert running.asked("GET", "/healthz")[0] == 200


def answering(running: Server, path: str) -> Counter[int]:
    """How many requests of a path each worker has logged."""
    lines = [json.loads(line) for line in list(running.raw) if b'"event":"request"' in line]
    return Counter(line["pid"] for line in lines if line["route"] == path)


def test_connections_are_left_to_the_worker_that_has_fewer(tmp_path: Path) -> None:
    with tuned(tmp_path, workers=2, leave=2) as running:
        assert until(lambda: len(running.workers()) == 2)
        with ExitStack() as stack:
            for _connection in range(8):
                sock = stack.enter_context(running.socket())
                sock.sendall(HEALTH)
                assert answer_of(sock)[0] == 200
            assert until(lambda: sorted(answering(running, "/healthz").values()) == [4, 4])


def is_stopped(process: int) -> bool:
    """Whether every thread of a process stands still."""
    tasks = list(Path(f"/proc/{process}/task").iterdir())
    return all((task / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "T" for task in tasks)


def test_a_worker_that_does_not_take_its_share_keeps_nobody_waiting(tmp_path: Path) -> None:
    with tuned(tmp_path, workers=2) as running:
        assert until(lambda: len(running.workers()) == 2)
        hung = running.workers()[0]
        os.kill(hung, SIGSTOP)
        try:
            assert until(lambda: is_stopped(hung))  # else it may yet take a connection
            with ExitStack() as stack:
                for _connection in range(20):
                    sock = stack.enter_context(running.socket())
                    sock.sendall(HEALTH)
                    assert answer_of(sock)[0] == 200
        finally:
            os.kill(hung, SIGCONT)


def test_crowds_are_compared_with_the_smallest() -> None:
    crowds = Crowds()
    one, other = crowds.take_slot(), crowds.take_slot()
    assert not crowds.is_larger(one, 0)
    assert crowds.is_larger(one, 1)
    assert not crowds.is_larger(other, 1)
    assert [crowds.is_larger(one, connections) for connections in (1, 2)] == [False, True]
    crowds.is_larger(other, 80)
    assert [crowds.is_larger(one, connections) for connections in (90, 91)] == [False, True]
    crowds.free(other)
    assert not crowds.is_larger(one, 1000)
    assert crowds.take_slot() == other


def test_more_workers_than_slots_share_the_last() -> None:
    crowds = Crowds()
    assert [crowds.take_slot() for _worker in range(MOST_WORKERS + 2)][-3:] == [MOST_WORKERS - 1] * 3


PROCESSORS = os.sched_getaffinity(0)


def booted(server: Server, workers: int, *but: int) -> list[int]:
    """Return the workers, as soon as there are so many beside those that are named, and each has its threads."""

    def there() -> list[int]:
        return [worker for worker in server.workers() if worker not in but]

    assert until(lambda: len(there()) == workers and all(len(threads_of(each)) > 2 for each in there()))
    return there()


def threads_of(process: int) -> list[int]:
    return [int(each.name) for each in Path(f"/proc/{process}/task").iterdir()]


def processors_of(process: int) -> set[int]:
    """Return the processors that the threads of a process may run on."""
    return set().union(*map(os.sched_getaffinity, threads_of(process)))


@pytest.mark.parametrize("server", ["gunicorn", "granian"])
def test_each_worker_keeps_to_a_processor_of_its_own(server: str) -> None:
    with serving("--server", server, "--workers", str(len(PROCESSORS))) as running:
        workers = booted(running, len(PROCESSORS))
        kept = {worker: processors_of(worker) for worker in workers}
        assert sorted(min(each) for each in kept.values()) == sorted(PROCESSORS)
        assert all(len(each) == 1 for each in kept.values())
        os.kill(workers[0], SIGKILL)
        successor = booted(running, 1, *workers)[0]
        assert processors_of(successor) == kept[workers[0]]
        beside = int(running.said(b"Delivering to webhooks with pid").split(b"pid: ")[1].split(b'"')[0])
        assert processors_of(beside) == PROCESSORS


@pytest.mark.parametrize("server", ["gunicorn", "granian"])
@pytest.mark.parametrize(
    "options",
    [("--workers", str(max(len(PROCESSORS) - 1, 1))), ("--workers", str(len(PROCESSORS)), "--affinity", "off")],
)
def test_fewer_workers_than_processors_keep_to_none_and_so_do_those_that_shall_not(
    server: str, options: tuple[str, ...]
) -> None:
    with serving("--server", server, *options) as running:
        assert {frozenset(processors_of(each)) for each in booted(running, int(options[1]))} == {frozenset(PROCESSORS)}


def test_more_workers_than_processors_share_them(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[set[int]] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {2, 3, 5})
    monkeypatch.setattr(os, "sched_setaffinity", lambda _process, processors: kept.append(processors))
    monkeypatch.setattr(Path, "iterdir", lambda _tasks: [Path("7")])
    crowds = Crowds()
    for _worker in range(5):
        crowds.keep_to_processor(crowds.take_slot(), 5)
    assert kept == [{2}, {3}, {5}, {2}, {3}]


def test_where_the_system_refuses_a_processor_the_worker_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_process: int, _processors: set[int]) -> None:
        raise PermissionError(EPERM, "no")

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    with capture_logs() as lines:
        Crowds().keep_to_processor(0, MOST_WORKERS)
    assert [(line["event"], line["reason"]) for line in lines] == [("no-affinity", os.strerror(EPERM))]


def test_a_worker_that_hangs_while_it_boots_is_replaced(tmp_path: Path) -> None:
    with tuned(tmp_path, timeout=2, boot=1) as running:
        assert until(lambda: len(running.workers()) == 1)
        (hung,) = running.workers()
        os.kill(hung, SIGSTOP)
        assert until(lambda: hung not in running.workers() and len(running.workers()) == 1)
        assert running.asked("GET", "/healthz")[0] == 200


def test_a_worker_is_told_to_stop_while_it_boots(tmp_path: Path) -> None:
    with tuned(tmp_path, boot=1) as running:
        assert until(lambda: len(running.workers()) == 1)
        began = monotonic()
        assert running.stop() == 0
        assert monotonic() < began + 10


class Caller(Thread):
    """Asks without a pause, until the server says good-bye and lets nobody in. While it stops, a new connection may be
    reset by the system, to which it was never let in."""

    def __init__(self, server: Server, sign: int) -> None:
        super().__init__(daemon=True)
        self.server, self.sign, self.answered, self.lost = server, sign, 0, list[str]()
        self.is_over = Event()

    def run(self) -> None:
        while not self.is_over.is_set():
            connection = self.server.connection()
            try:
                connection.connect()
            except ConnectionError:
                return
            self._ask(connection)
            connection.close()

    def _ask(self, connection: HTTPConnection) -> None:
        is_new = True
        while not self.is_over.is_set():
            try:
                connection.request("POST", STATES.decode(), SEATS, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                if (answer.status, len(answer.read()) > 100) != (200, True):
                    self.lost.append(f"status {answer.status}")
            except OSError as failure:
                if not (is_new and self.sign == SIGTERM and isinstance(failure, ConnectionError)):
                    self.lost.append(repr(failure))
                return
            is_new = False
            self.answered += 1
            if answer.will_close:
                return


@pytest.mark.parametrize("sign", [SIGHUP, SIGTERM])
def test_a_reload_and_a_stop_lose_no_answer(sign: int) -> None:
    with serving("--server", "gunicorn", "--workers", "2", "--threads", "4") as running:
        callers = [Caller(running, sign) for _ in range(8)]
        for caller in callers:
            caller.start()
        sleep(1)
        if sign == SIGHUP:
            before = running.workers()
            for _ in range(2):
                running.process.send_signal(SIGHUP)
                sleep(2)
            assert until(lambda: not {*before} & {*running.workers()})
            for caller in callers:
                caller.is_over.set()
        else:
            assert running.stop() == 0
        for caller in callers:
            caller.join(WAIT)
        assert [lost for caller in callers for lost in caller.lost] == []
        assert min(caller.answered for caller in callers) > 20
