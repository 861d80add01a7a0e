"""A server of one's own, with a store that goes with it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from signal import SIGKILL
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, sleep
from typing import IO

START_WITHIN = 15.0


class NotStarted(RuntimeError):
    """The server did not begin to answer; the text has what it said."""


class OwnServer:
    """``gyoji serve`` on a free port, with a store in a folder. One that is ``apart``, in a session of its own, can be
    killed with its workers, and started again at the same port."""

    def __init__(self, folder: str, log: IO[bytes], threads: int, *, apart: bool) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.key = token_urlsafe(32)
        """Of its operator."""
        self.store = f"sqlite:///{folder}/demo.db"
        self._log, self._apart = log, apart
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
        """Start it; it answers when this is done."""
        process = subprocess.Popen(  # noqa: S603 - our own command
            self._command, stderr=self._log, env=self.environment, start_new_session=self._apart
        )
        self._process = process
        _wait(process, self.port, self._log)

    def kill(self) -> None:
        """End it at once, without a word to it; nobody listens any more when this is done. It has to be apart."""
        if self._process is None or not self._apart:
            raise RuntimeError("only a server that runs apart is killed")
        os.killpg(self._process.pid, SIGKILL)
        self._process.wait()
        while _listens(self.port):
            sleep(0.01)

    def last_words(self, lines: int = 20) -> str:
        """The end of its log; it never holds a card, a key or a token."""
        self._log.seek(0)
        said = self._log.read().decode(errors="replace").splitlines()
        return "\n".join(said[-lines:])

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


@contextmanager
def own_server(threads: int = 2, *, apart: bool = False) -> Iterator[OwnServer]:
    """A server that is stopped when the block ends. Its store is a new one in a folder that goes with it; settings of
    another service do not reach it. Raises ``NotStarted``."""
    with TemporaryDirectory(prefix="gyoji-demo-") as folder, TemporaryFile() as log:
        server = OwnServer(folder, log, threads, apart=apart)
        try:
            server.start()
            yield server
        finally:
            server.stop()


def _wait(process: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
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
