"""A way to a database that can be spoilt: a proxy that delays what it passes on, swallows it, or cuts it off."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, SHUT_RDWR, create_connection, create_server, socket
from threading import Event, Thread
from time import sleep
from urllib.parse import urlsplit, urlunsplit

from psycopg.conninfo import conninfo_to_dict

PIECE = 1 << 16


class Proxy:
    """Listens on a port of this machine and passes on what comes, both ways."""

    def __init__(self, url: str) -> None:
        """``url`` is the store's, as gyoji has it."""
        self._url = url
        found = conninfo_to_dict(url.replace("+psycopg", "", 1))
        self._host, self._port = str(found.get("host", "127.0.0.1")), int(found.get("port") or 5432)
        self.delay = 0.0
        """Seconds that each answer of the server is held back."""
        self.swallows_new = False
        """Whether nothing comes through a connection that is made from now on; the others are as they were."""
        self._open = Event()
        self._open.set()
        self._sockets: set[socket] = set()
        self._listener = create_server(("127.0.0.1", 0))
        self._threads = [Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """The store by way of the proxy."""
        parts = urlsplit(self._url)
        user = parts.username or "postgres"
        port = self._listener.getsockname()[1]
        return urlunsplit(parts._replace(netloc=f"{user}@127.0.0.1:{port}", query=""))

    def swallow(self) -> None:
        """From now on nothing comes through, and nobody is told: as if there were no route."""
        self._open.clear()

    def cut(self) -> None:
        """End all connections."""
        for each in list(self._sockets):
            with suppress(OSError):
                each.shutdown(SHUT_RDWR)

    def restore(self) -> None:
        """What comes from now on goes through; what was swallowed is lost, and so are the connections."""
        self.cut()
        self._open.set()

    def close(self) -> None:
        """Pass on nothing any more."""
        self._listener.shutdown(SHUT_RDWR)
        self._threads[0].join()
        self._listener.close()
        self.delay = 0.0
        self.cut()
        for thread in self._threads:
            thread.join()

    def _server(self) -> socket:
        if not self._host.startswith("/"):
            return create_connection((self._host, self._port))
        made = socket(AF_UNIX)
        made.connect(str(Path(self._host) / f".s.PGSQL.{self._port}"))
        return made

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _address = self._listener.accept()
                server = self._server()
                self._sockets |= {caller, server}
                for source, target in ((caller, server), (server, caller)):
                    put = (source, target, source is server, self.swallows_new)
                    self._threads.append(Thread(target=self._pass, args=put, daemon=True))
                    self._threads[-1].start()

    def _pass(self, source: socket, target: socket, is_answer: bool, swallowed: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                if swallowed or not self._open.is_set():
                    continue
                if is_answer and self.delay:
                    sleep(self.delay)
                target.sendall(piece)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(SHUT_RDWR)
        source.close()
        self._sockets.discard(source)


@contextmanager
def proxy(url: str) -> Iterator[Proxy]:
    """A proxy before the store."""
    made = Proxy(url)
    try:
        yield made
    finally:
        made.close()
