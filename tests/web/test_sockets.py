"""The address is taken as soon as it is free, and given back as soon as the service is dead."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from signal import SIGHUP
from socket import AF_INET6, IPPROTO_TCP, TCP_NODELAY, create_connection, create_server
from time import monotonic, sleep

import pytest

from gyoji.web.gunicorn_worker import Worker
from gyoji.web.start import BIND_SECONDS, CannotListen, inherits_sockets, listen
from gyoji.web.worker_places import CROWDS
from servers import ENVIRONMENT, serving

WAIT = 20.0


def test_a_free_address_is_taken_at_once() -> None:
    with listen("127.0.0.1", 0, 0) as made, create_connection(made.getsockname()):
        accepted, _address = made.accept()
        accepted.close()


def test_an_address_of_ipv6() -> None:
    with listen("::1", 0, 0) as made:
        assert made.family == AF_INET6
        assert made.getsockname()[0] == "::1"


def test_an_address_that_is_let_go_of_is_taken_within_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is free when the third pause ends, and there is no fourth."""
    pauses: list[float] = []
    with create_server(("127.0.0.1", 0)) as holder:
        address = holder.getsockname()

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 3:
                holder.close()

        monkeypatch.setattr("gyoji.web.start.sleep", pause)
        with listen(*address) as made:
            assert made.getsockname() == address
    assert pauses == [0.02] * 3


def test_an_address_that_stays_taken_is_named() -> None:
    began = monotonic()
    with create_server(("127.0.0.1", 0)) as holder, pytest.raises(CannotListen) as refused:
        listen("127.0.0.1", port := holder.getsockname()[1], 0.2)
    assert 0.2 <= monotonic() - began < BIND_SECONDS
    assert str(refused.value) == f"cannot listen at 127.0.0.1:{port}: Address already in use"


def test_an_address_that_is_none_is_not_waited_for(tmp_path: Path) -> None:
    began = monotonic()
    with pytest.raises(CannotListen, match=re.escape("cannot listen at [:]:8000: ")):
        listen(":", 8000)
    assert monotonic() - began < BIND_SECONDS
    with _starting(8000, tmp_path, "--host", ":") as process:
        _out, said = process.communicate(timeout=WAIT)
    assert process.returncode == 1
    assert said.decode().startswith("Error: cannot listen at [:]:8000: ")


def test_who_is_handed_a_socket_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not inherits_sockets()
    monkeypatch.setenv("LISTEN_FDS", "1")
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + 1))
    assert not inherits_sockets()
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    assert inherits_sockets()
    monkeypatch.delenv("LISTEN_PID")
    monkeypatch.setenv("GUNICORN_FD", "7")
    assert inherits_sockets()


def _starting(port: int, folder: Path, *options: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "gyoji", "serve", "--port", str(port), "--workers", "1", *options]
    environment = {**ENVIRONMENT, "GYOJI_STORE": f"sqlite:///{folder}/gyoji.db"}
    return subprocess.Popen(command, stderr=subprocess.PIPE, env=environment)


def _answer(port: int, patience: float = WAIT) -> bytes:
    """The first answer to a new caller, who calls until he has one."""
    until = monotonic() + patience
    while monotonic() < until:
        with suppress(OSError), create_connection(("127.0.0.1", port), timeout=patience) as sock:
            sock.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            answer = b"".join(iter(lambda: sock.recv(65536), b""))
            if answer:
                return answer
        sleep(0.01)
    raise AssertionError("no answer")


def test_a_start_that_has_to_wait_answers_when_the_address_is_free(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        with _starting(port, tmp_path) as process:
            assert process.stderr is not None
            waiting = next(line for line in process.stderr if b"Waiting for" in line)
            assert f"127.0.0.1:{port}".encode() in waiting
            holder.close()
            assert _answer(port).startswith(b"HTTP/1.1 200 ")
            process.terminate()
            process.communicate(timeout=WAIT)
    assert process.returncode == 0


def test_a_dead_master_leaves_a_free_address() -> None:
    """By themselves workers would find out within a second, each at its own moment; the machine may be busy."""
    assert any(_orphaned() < 0.4 for _attempt in range(3))


def _orphaned() -> float:
    """Seconds from the death of the master to a free address."""
    with serving("--workers", "2") as server:
        assert server.asked("GET", "/healthz")[0] == 200
        server.kill()
        killed = monotonic()
        with listen("127.0.0.1", server.port, WAIT):
            freed = monotonic() - killed
        until = monotonic() + WAIT
        while server.workers() and monotonic() < until:  # one may still have been starting
            sleep(0.02)
        assert server.workers() == []
        server.bury()
    return freed


def test_no_part_of_an_answer_waits_for_the_one_before() -> None:
    """Held back until it is acknowledged (Nagle's algorithm), the body of an answer would come 40 ms after its head."""
    with listen("127.0.0.1", 0) as made, create_connection(made.getsockname()):
        connection, _address = made.accept()
        with connection:
            assert connection.getsockopt(IPPROTO_TCP, TCP_NODELAY)


def test_a_reload_keeps_the_address_and_the_workers_a_master() -> None:
    with serving("--workers", "1") as server:
        assert (
            server.asked("GET", "/healthz")[0] == 200
        )  # the first worker is there: it is not to be taken for the next
        wait_until(lambda: len(server.workers()) == 1)
        (before,) = server.workers()
        server.process.send_signal(SIGHUP)
        wait_until(lambda: len(server.workers()) == 1 and before not in server.workers())
        assert server.asked("GET", "/healthz")[0] == 200
        assert server.stop() == 0
    assert sum(b"Listening at" in line for line in server.raw) == 1


def wait_until(told: Callable[[], bool]) -> None:
    """Wait for what has to come, however busy the machine is; the limit is for a test that fails."""
    until = monotonic() + 120
    while not told():
        assert monotonic() < until
        sleep(0.02)


def test_a_new_connection_that_comes_with_the_stop_is_nobodys() -> None:
    """A thread hears of it, and the main thread has closed the socket when it comes to that."""
    worker = Worker.__new__(Worker)
    worker.alive, worker.connections, worker.slot = False, {}, CROWDS.take_slot()
    made = listen("127.0.0.1", 0)
    worker.listeners = {made.fileno(): (made, made.getsockname())}
    with create_connection(made.getsockname()):
        (descriptor,) = worker.listeners
        made.close()
        worker._accept(descriptor)
    CROWDS.free(worker.slot)
    assert worker.connections == {}
