"""Starts a local server with a store that is removed with it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import randbelow, token_urlsafe
from signal import SIGKILL
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, sleep
from typing import IO

START_WITHIN = 60.0
"""Seconds that a server may take until it answers: on a busy machine its imports take long."""

PORTS = range(20_000, 32_768)
"""Ports that no system hands out to whoever asks for any (RFC 6335, section 6; Linux begins at 32,768)."""


class NotStarted(RuntimeError):
    """The server did not begin to answer; the text has what it logged."""


def spare_port() -> int:
    """Return a port of this machine that nobody listens on, and that nobody is given who asks for any port."""
    for _attempt in range(100):
        port = PORTS[randbelow(len(PORTS))]
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise NotStarted("no port is free")


class LocalServer:
    """``gyoji serve`` on a free port, with a store in a folder.

    One in a session of its own can be killed with its workers, and started again at the same port.
    """

    def __init__(self, folder: str, log: IO[bytes], threads: int, *, own_session: bool) -> None:
        self.port = spare_port()
        self.key = token_urlsafe(32)
        """The key of its operator."""
        self.store = f"sqlite:///{folder}/demo.db"
        self._log, self._own_session = log, own_session
        serve = ("serve", "--port", str(self.port), "--workers", "1", "--threads", str(threads))
        self._command = [sys.executable, "-m", "gyoji", *serve]
        settings = {"GYOJI_STORE": self.store, "GYOJI_OPERATOR_KEY": self.key, "GYOJI_ORIGIN": "demo"}
        own = {name: value for name, value in os.environ.items() if not name.startswith("GYOJI_")}
        metrics = Path(folder, "metrics")  # a server that is killed leaves its own behind
        metrics.mkdir()
        settings |= {"GYOJI_WEBHOOKS": "off", "PROMETHEUS_MULTIPROC_DIR": str(metrics)}
        self.environment = {**own, **settings}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server; it answers when this is done."""
        process = subprocess.Popen(  # noqa: S603 - our own command
            self._command, stderr=self._log, env=self.environment, start_new_session=self._own_session
        )
        self._process = process
        _wait_for_port(process, self.port, self._log)

    def kill(self) -> None:
        """Kill the server and its workers; nobody listens any more when this is done. It needs a session of its own."""
        if self._process is None or not self._own_session:
            raise RuntimeError("only a server in a session of its own is killed")
        os.killpg(self._process.pid, SIGKILL)
        self._process.wait()
        while _listens(self.port):
            sleep(0.01)

    def log_tail(self, lines: int = 20) -> str:
        """Return the end of the log; it never holds a card, a key or a token."""
        self._log.seek(0)
        lines_read = self._log.read().decode(errors="replace").splitlines()
        return "\n".join(lines_read[-lines:])

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


@contextmanager
def local_server(threads: int = 2, *, own_session: bool = False) -> Iterator[LocalServer]:
    """Start a server that is stopped when the block ends. Its store is a new one in a folder that is removed with it;
    settings of another service do not reach it. Raises ``NotStarted``."""
    with TemporaryDirectory(prefix="gyoji-demo-") as folder, TemporaryFile() as log:
        server = LocalServer(folder, log, threads, own_session=own_session)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _wait_for_port(process: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    until = monotonic() + START_WITHIN
    while process.poll() is None and monotonic() < until:
        if _listens(port):
            return
        sleep(0.02)
    log.seek(0)
    raise NotStarted(f"the server did not start: {log.read().decode(errors='replace')}")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
