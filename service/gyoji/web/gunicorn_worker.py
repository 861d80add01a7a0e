"""gunicorn's worker for the service: threads, probes that wait for nobody, silent connections cut, a graceful stop."""

import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from secrets import token_hex
from selectors import EVENT_READ
from socket import MSG_DONTWAIT, MSG_PEEK, SHUT_RDWR, socket
from time import monotonic
from typing import Any

import orjson
from gunicorn.http.errors import ParseException
from gunicorn.workers import gthread

from gyoji.api.media import PROBLEM_JSON
from gyoji.app.logs import log_unread
from gyoji.app.shutdown import STOP
from gyoji.app.thread_budget import UNCUT_SOCKETS
from gyoji.messages.problems import problem
from gyoji.web.middleware import HEADERS
from gyoji.web.responses import PRIVATE

REQUEST_SECONDS = 20
"""Seconds in which a request has to arrive whole and its answer has to be taken; then the connection is cut."""


gthread.STOP_KEEPALIVE_LINGER = 1.0
"""Seconds that a connection without a request stays open when the service stops: one may be on its way."""


PROBE = re.compile(
    rb"(?:GET|HEAD) /(?:healthz|readyz) HTTP/1\.[01]\r\n(?:(?!content-length|transfer-)[^\r\n]+\r\n)*\r\n",
    re.IGNORECASE,
)
"""The whole of a request for a probe, which has no body."""

LONGEST_PROBE = 4096


def is_probe(sock: socket) -> bool:
    """Tell whether a whole probe, and nothing else, has arrived on a socket, so that it can be answered at once."""
    try:
        return PROBE.fullmatch(sock.recv(LONGEST_PROBE, MSG_PEEK | MSG_DONTWAIT)) is not None
    except OSError:
        return False


class Threads(ThreadPoolExecutor):
    """The threads of a worker, and two more that answer nothing but probes. These are answered even while all others
    wait."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._probing = ThreadPoolExecutor(2, "probe")

    def submit(self, handle: Callable[..., Any], /, conn: Any) -> Future[Any]:  # type: ignore[override]
        """Give a connection to a thread."""
        if is_probe(conn.sock):
            return self._probing.submit(handle, conn)
        return super().submit(handle, conn)

    def shutdown(self, *how: Any, **more: Any) -> None:
        """End all threads."""
        self._probing.shutdown(*how, **more)
        super().shutdown(*how, **more)


class Worker(gthread.ThreadWorker):
    """A gunicorn worker whose threads wait for no silent caller and serve none for ever. Answers malformed requests
    with problem details."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.lent: dict[Any, float] = {}
        """Connections that hold a thread, and until when they may."""

    def get_thread_pool(self) -> Threads:
        """Make the threads that requests are handled in."""
        return Threads(self.cfg.threads)

    def enqueue_req(self, conn: Any) -> None:
        """Give a connection to a thread; a new one on which nothing has arrived waits without a thread."""
        if conn.initialized or conn.wait_for_data(0):
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: Any) -> Any:
        """Handle one request of a connection, in a thread."""
        self.lent[conn] = monotonic() + REQUEST_SECONDS
        try:
            return super().handle(conn)
        finally:
            del self.lent[conn]

    def murder_pending(self) -> None:
        """Cut connections that wait too long, those that hold a thread too; called about once a second."""
        super().murder_pending()
        now = monotonic()
        for conn, until in self.lent.copy().items():
            if until < now and conn.sock not in UNCUT_SOCKETS:
                with suppress(OSError):
                    conn.sock.shutdown(SHUT_RDWR)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Heed SIGTERM: streams end at once, other requests are finished, nobody new is let in."""
        STOP.set()
        self.method_queue.defer(self.shut)
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Heed SIGINT and SIGQUIT: streams end at once."""
        STOP.set()
        super().handle_quit(sig, frame)

    def init_process(self) -> None:
        """Live as a worker, from the fork on: only the master keeps the end of the pipe that is written to."""
        os.close(self.app.life[1])
        super().init_process()

    def run(self) -> None:
        """Serve until stopped, or until there is no master any more."""
        self.poller.register(self.app.life[0], EVENT_READ, self.on_orphaned)
        super().run()

    def on_orphaned(self, life: int) -> None:
        """Stop serving, when the master's end of the pipe is closed, though the kernel may still name it as the
        parent."""
        self.poller.unregister(life)
        self.alive = False
        self.leave()

    def is_parent_alive(self) -> bool:
        """Tell whether there is a master. Asked about once a second, if a sibling that had not closed the pipe yet has
        kept the end of it from us."""
        alive: bool = super().is_parent_alive()
        if not alive:
            self.leave()
        return alive

    def leave(self) -> None:
        """End streams and free the address for the next master at once, as there is none now."""
        self.log.info("No master any more, stopping: %s", self)
        STOP.set()
        self.shut()

    def accept(self, listener: Any) -> None:
        """Accept a new connection, unless the worker has stopped listening since it was told of one."""
        if self._accepting:
            super().accept(listener)

    def shut(self) -> None:
        """Listen no more: new callers are refused, and not kept waiting for a process that is about to end."""
        self.set_accept_enabled(False)
        for listener in self.sockets:
            listener.close()

    def handle_error(self, _request: Any, client: Any, _address: Any, failure: BaseException) -> None:
        """Answer bytes that are no request. Neither it nor the log repeats them: they may be what is left of a
        body whose length was given too short."""
        code = "malformed-header" if isinstance(failure, ParseException) else "internal-error"
        request_id = token_hex(16)
        body = {**problem(code, "/", "en").body, "request_id": request_id}
        log_unread(request_id, body["status"], code, failure)
        with suppress(OSError):
            client.sendall(_whole_answer(body, request_id))


def _whole_answer(body: Mapping[str, Any], request_id: str) -> bytes:
    """Write problem details as an HTTP message, with the headers of every answer."""
    content = orjson.dumps(body)
    headers = [
        ("Connection", "close"),
        *PRIVATE["en"],
        ("Content-Type", PROBLEM_JSON),
        ("Content-Length", str(len(content))),
        *HEADERS,
        ("X-Request-ID", request_id),
    ]
    status = HTTPStatus(body["status"])
    lines = [f"HTTP/1.1 {status} {status.phrase}", *[f"{name}: {value}" for name, value in headers], "", ""]
    return "\r\n".join(lines).encode() + content
