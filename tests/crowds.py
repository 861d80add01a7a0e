"""Many listeners of a server's streams, which one thread reads."""

import os
import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from select import EPOLLIN, epoll
from socket import create_connection, socket
from time import monotonic

from servers import WAIT, Server

CORES = os.sysconf("SC_CLK_TCK")


@contextmanager
def many_files() -> Iterator[None]:
    """Let this process, and those that it starts, open as many files as it may."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


class Crowd:
    """Listeners of streams, and when each of them last heard something."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._epoll = epoll()
        self._sockets: dict[int, socket] = {}
        self.heard: dict[int, bytes] = {}
        """By descriptor: all that came since ``begin``."""

    def __len__(self) -> int:
        return len(self._sockets)

    def join(self, path: str, headers: Mapping[str, str]) -> None:
        """Open one more stream, and wait until it has begun."""
        sock = create_connection(("127.0.0.1", self._server.port), timeout=WAIT)
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n{lines}\r\n".encode())
        begun = b""
        while b": gyoji\n\n" not in begun:
            piece = sock.recv(65_536)
            assert piece, begun
            begun += piece
        assert begun.startswith(b"HTTP/1.1 200 "), begun
        sock.setblocking(False)
        self._sockets[sock.fileno()] = sock
        self._epoll.register(sock, EPOLLIN)

    def begin(self) -> None:
        """Forget what came before."""
        self.listen(0.5, b"\0")
        self.heard = dict.fromkeys(self._sockets, b"")

    def listen(self, seconds: float, word: bytes) -> dict[int, float]:
        """Listen for so long at most; return when each heard the word, on the clock of ``monotonic``."""
        until, found = monotonic() + seconds, dict[int, float]()
        while len(found) < len(self._sockets) and (left := until - monotonic()) > 0:
            for descriptor, _events in self._epoll.poll(min(left, 0.1), 1000):
                piece = self._sockets[descriptor].recv(65_536)
                assert piece, "a stream has ended"
                self.heard[descriptor] = self.heard.get(descriptor, b"") + piece
                if descriptor not in found and word in self.heard[descriptor]:
                    found[descriptor] = monotonic()
        return found

    def close(self) -> None:
        """Hang up, all of them."""
        for sock in self._sockets.values():
            sock.close()
        self._sockets.clear()
        self._epoll.close()


def memory(process: int) -> int:
    """Return how many bytes of memory a process has for itself."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    kib = [int(line.split()[1]) for line in lines if line.startswith(("Private_Clean:", "Private_Dirty:"))]
    return 1024 * sum(kib)


def processor_seconds(process: int) -> float:
    """Return how many seconds of processor time a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CORES
