"""A server of one's own: ``gyoji serve`` as a process, on a free port."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any

WAIT = 30.0

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
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
        """A connection to the server."""
        return HTTPConnection("127.0.0.1", self.port, timeout=WAIT)

    def asked(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Status and bytes of one answer, over a connection of its own."""
        connection = self.connection()
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, sent, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = response.status, response.read()
        connection.close()
        return answer

    def socket(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)

    def stop(self) -> int:
        """SIGTERM; the exit status."""
        self.process.terminate()
        status = self.process.wait(WAIT)
        self._reader.join(WAIT)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status


def answer_of(sock: socket.socket) -> tuple[int, bytes]:
    """Status and body of the answer that comes over a bare connection."""
    response = HTTPResponse(sock)
    response.begin()
    return response.status, response.read()


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    """A server, stopped when the block ends if it has not been before."""
    command = [sys.executable, "-m", "gyoji", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env=ENVIRONMENT)
    server = Server(process)
    try:
        yield server
    finally:
        if process.poll() is None:
            server.stop()
