"""A proxy that cuts answers: what a client meets on a bad line."""

import socket
from contextlib import suppress
from random import Random
from threading import Lock, Thread


class CuttingProxy:
    """Listens on a port of its own, passes requests on to a service, and cuts some of what comes back.

    Of the answers one in five is cut within, or before it has begun; of the streams one in three. Each connection takes
    one request.
    """

    def __init__(self, port: int, seed: int) -> None:
        self._to = ("127.0.0.1", port)
        self._random, self._lock = Random(seed), Lock()
        self.cut = 0
        """Answers and streams that were cut."""
        self.streams: list[str] = []
        """The paths of the streams that were asked for."""
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        """Let nobody in any more."""
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                client, _address = self._listener.accept()
            except OSError:
                return
            Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client, suppress(OSError), socket.create_connection(self._to) as service:
            request = _read_request(client)
            service.sendall(request)
            is_stream = b"text/event-stream" in request
            if is_stream:
                self.streams.append(request.split(b" ", 2)[1].decode())
            left = self._bytes_until_cut(1 / 3 if is_stream else 1 / 5, 3000 if is_stream else 1500)
            while received := service.recv(65536):
                client.sendall(received[:left])
                left -= len(received)
                if left <= 0:
                    return

    def _bytes_until_cut(self, share: float, most: int) -> int:
        with self._lock:
            if self._random.random() >= share:
                return 1 << 60
            self.cut += 1
            return self._random.randrange(1, most)


def _read_request(client: socket.socket) -> bytes:
    """One request, which asks for no second one on its connection."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += client.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    length = next((int(line.partition(b":")[2]) for line in lines if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        body += client.recv(65536)
    return b"\r\n".join([*lines, b"Connection: close", b"", body])
