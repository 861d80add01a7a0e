"""A server of the demonstration's own, and how it is talked to."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from secrets import token_urlsafe
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, sleep
from typing import IO, Any

import click

START_WITHIN = 15.0


class Conversation:
    """Requests to one server over one connection, in one language."""

    def __init__(self, port: int, language: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Accept-Language": language, "Content-Type": "application/json"}

    def get(self, path: str, bearer: str | None = None) -> Any:
        """The answer to a GET, with a key or a token if there is one."""
        return json.loads(self.download(path, bearer))

    def download(self, path: str, bearer: str | None = None) -> bytes:
        """The bytes of the answer to a GET."""
        return self._ask("GET", path, None, bearer)[1]

    def post(self, path: str, body: Any, bearer: str | None = None) -> tuple[int, Any]:
        """Status and answer of a POST."""
        status, answer = self._ask("POST", path, json.dumps(body).encode(), bearer)
        return status, json.loads(answer)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _ask(self, method: str, path: str, body: bytes | None, bearer: str | None) -> tuple[int, bytes]:
        own = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
        self._connection.request(method, path, body, {**self._headers, **own})
        response = self._connection.getresponse()
        return response.status, response.read()


@contextmanager
def own_server() -> Iterator[tuple[int, str]]:
    """``gyoji serve`` on a free port, stopped when the block ends: its port, and the key of its operator.

    Its store is a new one in a folder that goes with it; settings of another service do not reach it.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gyoji", "serve", "--port", str(port), "--workers", "1", "--threads", "2"]
    key = token_urlsafe(32)
    with TemporaryDirectory(prefix="gyoji-demo-") as folder, TemporaryFile() as log:
        settings = {"GYOJI_STORE": f"sqlite:///{folder}/demo.db", "GYOJI_OPERATOR_KEY": key, "GYOJI_ORIGIN": "demo"}
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GYOJI_")} | settings
        with subprocess.Popen(command, stderr=log, env=environment) as process:  # noqa: S603 - our own command
            try:
                _wait(process, port, log)
                yield port, key
            finally:
                process.terminate()


def _wait(process: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    until = monotonic() + START_WITHIN
    while process.poll() is None and monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        sleep(0.02)
    log.seek(0)
    raise click.ClickException(f"the server did not start: {log.read().decode(errors='replace')}")


def choice(answer: Mapping[str, Any], ply: int) -> Any:
    """A legal move: no strategy, only variety."""
    legal = answer["legal_moves"]
    return legal[(7 * ply + ply // 3) % len(legal)]
