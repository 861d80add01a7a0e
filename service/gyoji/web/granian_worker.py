"""Serves by granian's HTTP in place of gunicorn's.

The master is the same, and so is all that it sees to: the address, the stop, the process for webhooks, logs, metrics.
In each worker the connections are granian's, which is written in Rust and hands requests to Python threads. What it
cannot do as gunicorn's worker does is told in ``docs/operating.md``.

It stands on parts of granian that are not published, and the extra names the versions that it was tried with: what is
published will not do. ``granian.server.embed`` refuses WSGI ("not supported in embedded mode"), and the server itself
takes no socket that listens already, and is its own master: it would leave none who sees to the process for webhooks,
and no worker that ends its streams when it is told to stop.
"""

import logging
import os
from asyncio import new_event_loop
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from select import select
from socket import AF_INET, AF_INET6, IPPROTO_TCP, SHUT_RDWR, SO_TYPE, SOCK_STREAM, SOL_SOCKET, TCP_INFO, socket
from struct import Struct
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from granian import wsgi
from granian._futures import _new_cbscheduler
from granian._granian import SocketHolder, WorkerSignal, WSGIWorker
from granian.constants import HTTPModes
from granian.http import HTTP1Settings
from gunicorn.workers.base import Worker

from gyoji.app.logs import LineHandler, formatter
from gyoji.app.requests import MAX_BODY
from gyoji.app.shutdown import STOP
from gyoji.web.start import BACKLOG
from gyoji.web.worker_places import CROWDS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEAD_WITHIN = 20.0
"""Seconds in which the head of a request has to arrive; a connection without a request is closed after them too."""

SILENCE = 60.0
"""Seconds after which a connection is cut on which nothing has been sent: its request has not arrived whole, or its
answer is not taken. Who waits for news hears something after 30 seconds, a stream after 10."""

SWEPT_EVERY = 5.0
HEAD = 64 * 1024
"""Bytes that the head of a request can have."""

INFO = Struct("=8B10I")
"""The beginning of Linux's ``tcp_info``; its last field here are the milliseconds since something was sent."""


class GranianWorker(Worker):  # type: ignore[misc]  # gunicorn has no types
    """A worker of gunicorn's whose requests come by way of granian."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.slot = CROWDS.take_slot()

    def init_process(self) -> None:
        """Run the worker from the fork on: only the master keeps the end of the pipe that is written to."""
        os.close(self.app.life[1])
        if self.app.service.affinity:
            CROWDS.keep_to_processor(self.slot, self.cfg.workers)
        _log_as(self.log.error_log.level)
        self.told = WorkerSignal()
        self.ended, ends = os.pipe()
        self.told.add_cb(partial(os.write, ends, b"."))
        super().init_process()

    def run(self) -> None:
        """Serve until stopped, or until there is no master any more."""
        port = self.sockets[0].getsockname()[1]
        self._serve()
        Thread(target=self._orphaned, daemon=True).start()
        Thread(target=_swept, args=(port,), daemon=True).start()
        while not select([self.ended], [], [], 1.0)[0]:  # no lock, which a signal could find held by this very thread
            self.notify()

    def _serve(self) -> None:
        """Hand the listening socket to granian, which has its own threads."""
        listener = SocketHolder(os.dup(self.sockets[0].fileno()), False, BACKLOG)  # type: ignore[call-arg]
        for each in self.sockets:
            each.close()
        settings = HTTP1Settings(header_read_timeout=int(HEAD_WITHIN * 1000), max_buffer_size=HEAD)
        threads = self.cfg.threads
        worker: Any = WSGIWorker(  # type: ignore[call-arg]  # its stubs are older than it
            self.age,
            (None, listener),
            None,  # type: ignore[arg-type]
            py_threads=threads,
            py_threads_idle_timeout=600,
            backpressure=BACKLOG,
            http_mode=HTTPModes.http1,
            http1_opts=settings,
            metrics=(None, None),
        )
        loop = new_event_loop()
        answer = wsgi._callback_wrapper(read_whole(self.wsgi), {}, None)  # noqa: SLF001 - as granian's own worker does
        scheduler = _new_cbscheduler(loop, answer, impl_asyncio=True)  # type: ignore[no-untyped-call]
        worker.serve_mtr(scheduler, loop, self.told)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Heed SIGTERM: streams end at once, other requests are finished, nobody new is let in."""
        super().handle_exit(sig, frame)
        self._stop()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Heed SIGINT and SIGQUIT: streams end at once."""
        STOP.set()
        super().handle_quit(sig, frame)

    def _stop(self) -> None:
        STOP.set()
        self.told.set()

    def _orphaned(self) -> None:
        """Stop when the master's end of the pipe is closed: then there is none any more."""
        with suppress(OSError):
            os.read(self.app.life[0], 1)
        self.log.info("No master any more, stopping: %s", self)
        self._stop()


def _log_as(level: int) -> None:
    """Write granian's own lines in the shape of all others."""
    handler = LineHandler()
    handler.setFormatter(formatter())
    handler.addFilter(Unquoted())
    log = logging.getLogger("_granian")
    log.handlers, log.propagate = [handler], False
    log.setLevel(level)


def read_whole(application: "WSGIApplication") -> "WSGIApplication":
    """Wrap the application so that every small body is read to its end. Granian would close the connection without
    telling the caller where the answer did not need the body. Where the body is not small the connection is closed, and
    the caller is told so."""

    def answered(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH", "0")
        if "HTTP_TRANSFER_ENCODING" in environ or not length.isdecimal() or int(length) > MAX_BODY:
            start_response = partial(_closing, start_response)
            return application(environ, start_response)
        answer = application(environ, start_response)
        if length != "0":
            environ["wsgi.input"].read()
        return answer

    return answered


def _closing(start_response: Any, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
    return start_response(status, [*headers, ("Connection", "close")], exc_info)


class Unquoted(logging.Filter):
    """A log filter that strips from granian's lines what an exception says, which may hold values of a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the first line of a record's message, without exception and stack."""
        record.msg = record.getMessage().partition("\n")[0]
        record.args = record.exc_info = record.exc_text = record.stack_info = None
        return True


def _swept(port: int) -> None:
    """Cut connections on which nothing moves, now and then: granian waits for a body for ever."""
    pause = Event()
    while not pause.wait(SWEPT_EVERY):
        sweep(port)


def sweep(port: int, silence: float = SILENCE) -> int:
    """Cut the connections of this process to one of its ports on which nothing has been sent for so many seconds.
    Return how many were cut."""
    cut = 0
    for each in list(Path("/proc/self/fd").iterdir()):
        with suppress(OSError):
            cut += _cut(int(each.name), port, silence)
    return cut


def _cut(descriptor: int, port: int, silence: float) -> bool:
    """Cut the connection if it is a silent one of that port, and tell whether it was. ``OSError`` for what is no
    socket, or one that is not connected.

    Nothing is ever closed here, not even a copy: with any descriptor of a file that is closed the process loses its
    locks on that file, those of SQLite too.
    """
    each = socket(fileno=descriptor)
    try:
        if each.family not in (AF_INET, AF_INET6) or each.getsockopt(SOL_SOCKET, SO_TYPE) != SOCK_STREAM:
            return False
        each.getpeername()
        sent_before = INFO.unpack(each.getsockopt(IPPROTO_TCP, TCP_INFO, INFO.size))[-1] / 1000
        if each.getsockname()[1] != port or sent_before < silence:
            return False
        each.shutdown(SHUT_RDWR)
        return True
    finally:
        each.detach()
