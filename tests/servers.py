"""Starts servers for tests: ``gyoji serve`` as a process, on a free port, with a store and an operator."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from queue import Empty, Queue
from signal import SIGKILL
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any

from operators import OPERATOR_KEY

WAIT = 30.0

SERVER = os.environ.get("GYOJI_TEST_SERVER", "gunicorn")
"""Whose HTTP the servers of the tests speak: ``gunicorn``'s or ``granian``'s."""

ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    "GYOJI_SERVER": SERVER,
}
"""What a process needs to import what the tests import."""


class Server:
    """A running server: its port, its process, and the lines that it has logged."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.raw: list[bytes] = []
        self._arrived: Queue[bytes] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        self.port = self._port()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.raw.append(line)
            self._arrived.put(line)

    def _port(self) -> int:
        until = monotonic() + WAIT
        while monotonic() < until and self.process.poll() is None:
            try:
                line = self._arrived.get(timeout=0.2).decode()
            except Empty:
                continue
            found = re.search(r"Listening at: http://127\.0\.0\.1:(\d+)", line)
            if found:
                return int(found[1])
        raise AssertionError(f"the server did not start: {self.raw}")

    def connection(self) -> HTTPConnection:
        """Open a connection to the server."""
        return HTTPConnection("127.0.0.1", self.port, timeout=WAIT)

    def asked(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Return status and bytes of one answer, over a connection of its own."""
        connection = self.connection()
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, sent, {"Content-Type": "application/json", **(headers or {})})
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def socket(self) -> socket.socket:
        """Open a bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)

    def said(self, part: bytes) -> bytes:
        """Return the first line of the log that has such a part, as soon as it is there: lines are written behind
        answers."""
        until = monotonic() + WAIT
        while True:
            for line in list(self.raw):
                if part in line:
                    return line
            assert monotonic() < until, f"no line of the log has {part!r}"
            sleep(0.01)

    def workers(self) -> list[int]:
        """List the worker processes that are there."""
        booted = [re.search(rb"Booting worker with pid: (\d+)", line) for line in list(self.raw)]
        return [int(found[1]) for found in booted if found and is_running(int(found[1]))]

    def stop(self) -> int:
        """Stop the server by SIGTERM; return its exit status."""
        self.process.terminate()
        return self._ended()

    def kill(self) -> None:
        """Send SIGKILL to the master alone; its workers find out by themselves."""
        self.process.kill()
        self.process.wait(WAIT)

    def bury(self) -> None:
        """Send SIGKILL to whatever is left of a server whose master was killed."""
        for worker in self.workers():
            with suppress(ProcessLookupError):
                os.kill(worker, SIGKILL)
        self._ended()

    def _ended(self) -> int:
        status = self.process.wait(WAIT)
        self._reader.join(WAIT)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status


def is_running(process: int) -> bool:
    """Tell whether there is such a process, and not only what is left of one that nobody has waited for."""
    try:
        status = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def answer_of(sock: socket.socket) -> tuple[int, bytes]:
    """Read status and body of the answer that comes over a bare connection."""
    response = HTTPResponse(sock)
    response.begin()
    return response.status, response.read()


def started(*options: str, environment: Mapping[str, str] | None = None, within: Sequence[str] = ()) -> Server:
    """Start a server that listens, for the operator of the tests; whoever starts it stops it. ``within`` is a command
    that ends by becoming the one that is given to it."""
    command = [sys.executable, "-m", "gyoji", "serve", *([] if "--port" in options else ["--port", "0"]), *options]
    variables = {**ENVIRONMENT, "GYOJI_OPERATOR_KEY": OPERATOR_KEY, **(environment or {})}
    return Server(subprocess.Popen([*within, *command], stderr=subprocess.PIPE, env=variables))


@contextmanager
def serving(
    *options: str, environment: Mapping[str, str] | None = None, within: Sequence[str] = ()
) -> Iterator[Server]:
    """Run a server, stopped when the block ends if it has not been before; without ``--store`` with one of its own."""
    with TemporaryDirectory(prefix="gyoji-store-") as folder:
        own = {"GYOJI_STORE": f"sqlite:///{folder}/gyoji.db"}
        server = started(*options, environment={**own, **(environment or {})}, within=within)
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.stop()
