"""A service whose log nobody takes: requests are answered as ever, and what was not written is counted and told."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import F_SETPIPE_SZ, fcntl
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic, sleep

import orjson

from gyoji.simulation.server import spare_port
from operators import OPERATOR, OPERATOR_KEY
from servers import ENVIRONMENT, WAIT
from web.test_metrics import Counts, counts


class Unheard:
    """A server that cannot say where it listens."""

    def __init__(self, folder: Path, standard_error: int, workers: int, within: Sequence[str]) -> None:
        self.port = spare_port()
        options = ["--port", str(self.port), "--workers", str(workers), "--store", f"sqlite:///{folder}/gyoji.db"]
        command = [sys.executable, "-m", "gyoji", "serve", *options]
        environment = {**ENVIRONMENT, "GYOJI_OPERATOR_KEY": OPERATOR_KEY}
        self.process = subprocess.Popen([*within, *command], stderr=standard_error, env=environment)
        self._connection = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)

    def come_up(self) -> None:
        """Wait until it listens."""
        until = monotonic() + WAIT
        while True:
            try:
                self._connection.connect()
            except ConnectionRefusedError:
                assert monotonic() < until
                assert self.process.poll() is None
                sleep(0.02)
            else:
                return

    def asked(self, method: str, path: str, body: object = None, name: str = "") -> tuple[int, bytes]:
        """One answer, to a request that may have a name."""
        headers = {**OPERATOR, "Content-Type": "application/json", "X-Request-ID": name}
        self._connection.request(method, path, None if body is None else orjson.dumps(body), headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def counted(self) -> Counts:
        """What its workers have counted."""
        return counts(self.asked("GET", "/metrics")[1].decode())

    def stop(self) -> int:
        """SIGTERM; the exit status."""
        self._connection.close()
        self.process.terminate()
        return self.process.wait(WAIT)


@contextmanager
def unheard(folder: Path, standard_error: int, workers: int = 2, within: Sequence[str] = ()) -> Iterator[Unheard]:
    """Such a server, which listens; stopped in the end if it has not been before. ``within`` is a command that ends by
    becoming the one that is given to it."""
    server = Unheard(folder, standard_error, workers, within)
    try:
        server.come_up()
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def test_standard_error_on_a_full_device(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full, unheard(tmp_path, full.fileno()) as server:
        for _request in range(50):
            assert server.asked("GET", "/healthz") == (200, b'{"status":"ok"}')
        status, made = server.asked("POST", "/v1/matches", {"game": "catte", "seats": 3})
        assert status == 201
        assert server.asked("GET", f"/v1/matches/{orjson.loads(made)['match']}")[0] == 200
        assert server.asked("GET", "/nowhere")[0] == 404
        assert server.stop() == 0


def test_standard_error_that_is_closed(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with unheard(tmp_path, write) as server:
        os.close(write)
        assert server.asked("GET", "/healthz")[0] == 200
        assert server.asked("POST", "/v1/matches", {"game": "catte", "seats": 3})[0] == 201
        assert server.stop() == 0


def test_standard_error_in_a_pipe_that_nobody_reads(tmp_path: Path) -> None:
    """As many requests as there are take more lines than the pipe holds; to stop takes no longer for it."""
    read, write = os.pipe()
    fcntl(write, F_SETPIPE_SZ, 4096)
    with unheard(tmp_path, write) as server:
        os.close(write)
        for _request in range(100):
            assert server.asked("GET", "/healthz")[0] == 200
        assert server.stop() == 0
    os.close(read)
