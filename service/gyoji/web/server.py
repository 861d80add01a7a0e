"""The service under gunicorn: threads, a graceful stop, logs in one shape."""

import logging.config
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
from flask import Flask
from gunicorn import util
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException
from gunicorn.workers import gthread

from gyoji.api.media import PROBLEM_JSON
from gyoji.app.logs import configure_logs, log_unread
from gyoji.app.metrics import forget, shared
from gyoji.app.preparation import prepared
from gyoji.app.settings import Settings, WrongSetting
from gyoji.app.shutdown import PATIENT, STOP
from gyoji.app.webhooks.process import Beside
from gyoji.messages.problems import problem
from gyoji.web.app import create_app
from gyoji.web.garbage_collection import without_collection
from gyoji.web.middleware import HEADERS
from gyoji.web.responses import PRIVATE
from gyoji.web.sockets import is_handed_down, listening, named

GRACE = 30
"""Seconds that open requests get to finish when the service stops."""

PATIENCE = 20
"""Seconds in which a request has to arrive whole and its answer has to be taken; then the connection is cut."""


gthread.STOP_KEEPALIVE_LINGER = 1.0
"""Seconds that a connection without a request stays open when the service stops: one may be on its way."""


class JsonLogger(Logger):
    """gunicorn's own lines, in the shape of the request lines."""

    def setup(self, cfg: Any) -> None:
        """Send gunicorn's error log through our formatter; requests are logged by the application."""
        self.loglevel = getattr(logging, cfg.loglevel.upper())
        configure_logs()
        handler = {"class": "gyoji.app.logs.LineHandler", "formatter": "json"}
        logging.config.dictConfig(
            {
                "version": 1,
                "disable_existing_loggers": False,
                "formatters": {"json": {"()": "gyoji.app.logs.formatter"}},
                "handlers": {"stderr": handler},
                "loggers": {
                    "gunicorn.error": {"handlers": ["stderr"], "level": cfg.loglevel.upper(), "propagate": False}
                },
            }
        )


PROBE = re.compile(
    rb"(?:GET|HEAD) /(?:healthz|readyz) HTTP/1\.[01]\r\n(?:(?!content-length|transfer-)[^\r\n]+\r\n)*\r\n",
    re.IGNORECASE,
)
"""The whole of a request for a probe, which has no body."""

LONGEST_PROBE = 4096


def is_probe(sock: socket) -> bool:
    """Whether a probe, and nothing else, has arrived whole: whoever answers it waits for nobody."""
    try:
        return PROBE.fullmatch(sock.recv(LONGEST_PROBE, MSG_PEEK | MSG_DONTWAIT)) is not None
    except OSError:
        return False


class Threads(ThreadPoolExecutor):
    """The threads of a worker, and two beside them that answer nothing but probes: these are answered also where all
    others wait for something, in whatever queue."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._probing = ThreadPoolExecutor(2, "probe")

    def submit(self, handle: Callable[..., Any], /, conn: Any) -> Future[Any]:  # type: ignore[override]
        """A thread for a connection."""
        if is_probe(conn.sock):
            return self._probing.submit(handle, conn)
        return super().submit(handle, conn)

    def shutdown(self, *how: Any, **more: Any) -> None:
        """End all of them."""
        self._probing.shutdown(*how, **more)
        super().shutdown(*how, **more)


class Worker(gthread.ThreadWorker):
    """gunicorn's threads, lent to no caller that sends nothing or for ever; and problem details for what is no request
    at all."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.lent: dict[Any, float] = {}
        """Connections that hold a thread, and until when they may."""

    def get_thread_pool(self) -> Threads:
        """The threads that requests are handled in."""
        return Threads(self.cfg.threads)

    def enqueue_req(self, conn: Any) -> None:
        """A thread for a connection; a new one on which nothing has come yet waits without."""
        if conn.initialized or conn.wait_for_data(0):
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.set_timeout()
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: Any) -> Any:
        """One request of a connection, in a thread."""
        self.lent[conn] = monotonic() + PATIENCE
        try:
            return super().handle(conn)
        finally:
            del self.lent[conn]

    def murder_pending(self) -> None:
        """About once a second: cut what waits for too long, connections that hold a thread too."""
        super().murder_pending()
        now = monotonic()
        for conn, until in self.lent.copy().items():
            if until < now and conn.sock not in PATIENT:
                with suppress(OSError):
                    conn.sock.shutdown(SHUT_RDWR)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """SIGTERM: streams end at once, other requests are finished, nobody new is let in."""
        STOP.set()
        self.method_queue.defer(self.shut)
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """SIGINT and SIGQUIT: the same for streams."""
        STOP.set()
        super().handle_quit(sig, frame)

    def init_process(self) -> None:
        """The worker's life, from the fork on: only the master keeps the end of the pipe that is written to."""
        os.close(self.app.life[1])
        super().init_process()

    def run(self) -> None:
        """Serve until stopped, or until there is no master any more."""
        self.poller.register(self.app.life[0], EVENT_READ, self.on_orphaned)
        super().run()

    def on_orphaned(self, life: int) -> None:
        """The master's end of the pipe is closed. The kernel may still name it as the parent."""
        self.poller.unregister(life)
        self.alive = False
        self.leave()

    def is_parent_alive(self) -> bool:
        """Whether there is a master; about once a second, if a sibling that had not let go of the pipe yet has kept
        the end of it from us."""
        alive: bool = super().is_parent_alive()
        if not alive:
            self.leave()
        return alive

    def leave(self) -> None:
        """There is no master: streams end, and the address is free for the next one at once."""
        self.log.info("No master any more, stopping: %s", self)
        STOP.set()
        self.shut()

    def accept(self, listener: Any) -> None:
        """A new connection, unless the worker has stopped listening since it was told of one."""
        if self._accepting:
            super().accept(listener)

    def shut(self) -> None:
        """Listen no more: who comes now is refused, and not kept waiting for a process that is about to end."""
        self.set_accept_enabled(False)
        for listener in self.sockets:
            listener.close()

    def handle_error(self, _request: Any, client: Any, _address: Any, failure: BaseException) -> None:
        """The answer to bytes that are no request. Neither it nor the log repeats them: they may be what is left of a
        body whose length was given too short."""
        code = "malformed-header" if isinstance(failure, ParseException) else "internal-error"
        request_id = token_hex(16)
        body = {**problem(code, "/", "en").body, "request_id": request_id}
        log_unread(request_id, body["status"], code, failure)
        with suppress(OSError):
            client.sendall(_whole_answer(body, request_id))


def _whole_answer(body: Mapping[str, Any], request_id: str) -> bytes:
    """Problem details as an HTTP message, with the headers of every answer."""
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


class Master(Arbiter):
    """gunicorn's master, which sees to one more process than its workers: the one that delivers to webhooks."""

    def __init__(self, app: "Server") -> None:
        super().__init__(app)
        self.beside = Beside(app.service, app.life[0], self._let_go) if app.service.webhooks else None

    def manage_workers(self) -> None:
        """At the start, when they listen, and about once a second."""
        super().manage_workers()
        if self.beside is not None:
            self.beside.tend()

    def stop(self, graceful: bool = True) -> None:
        """Stop all of them."""
        if self.beside is not None:
            self.beside.tell()
        super().stop(graceful)
        if self.beside is not None:
            self.beside.see_off()

    def _let_go(self) -> None:
        """In that process: it listens to nobody, and only the master keeps the end of the pipe that is written to."""
        util._setproctitle(f"webhooks [{self.proc_name}]")  # noqa: SLF001 - as gunicorn names its own
        for listener in self.LISTENERS:
            listener.close()
        for worker in self.WORKERS.values():
            worker.tmp.close()
        os.close(self.app.life[1])


class Server(BaseApplication):
    """gunicorn with settings given in code; it reads no configuration file and no arguments."""

    def __init__(self, address: tuple[str, int], settings: dict[str, Any], service: Settings) -> None:
        self.address = address
        self.settings = {"bind": [named(*address)], **settings}
        self.service = service
        self.life = os.pipe()
        """A pipe: its ends for reading and for writing. Nothing is ever written; it is closed when the master dies."""
        super().__init__()

    def load_config(self) -> None:
        """Our settings into gunicorn's."""
        for name, value in self.settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The application, made once before the workers are forked; the collector leaves what they share alone. When
        it is ready the address is taken."""
        with without_collection():
            prepared(self.service)
            application = create_app(self.service)
            if not is_handed_down():
                self._take(listening(*self.address).detach())
        return application

    def run(self) -> None:
        """Serve until stopped."""
        Master(self).run()

    def _take(self, descriptor: int) -> None:
        """Have gunicorn listen there; in its settings too, so that it finds no change when it reads them again."""
        self.settings["bind"] = [f"fd://{descriptor}"]
        self.cfg.set("bind", self.settings["bind"])


def worker_of(server: str) -> type[Any]:
    """The class of the workers. ``WrongSetting`` where what it stands on is not installed."""
    if server == "gunicorn":
        return Worker
    try:
        from gyoji.web.granian_server import GranianWorker  # noqa: PLC0415 - an extra
    except ImportError:
        raise WrongSetting(
            "GYOJI_SERVER: granian is not installed; it is the extra granian: pip install '.[granian]' in a checkout"
        ) from None
    return GranianWorker


@shared()
def serve(settings: Settings) -> None:
    """Serve until stopped. SIGTERM lets open requests finish; then the process ends with status 0.

    The master is gunicorn's, whose HTTP the workers speak or not. Raises ``CannotListen`` where the address cannot be
    had.
    """
    Server(
        (settings.host, settings.port),
        {
            "workers": settings.workers,
            "threads": settings.threads,
            "worker_class": worker_of(settings.server),
            "graceful_timeout": GRACE,
            "keepalive": 5,
            "preload_app": True,
            "control_socket_disable": True,
            "forwarded_allow_ips": "",  # headers of a proxy say nothing here, whoever sends them
            "logger_class": JsonLogger,
            "loglevel": settings.log_level,
            "proc_name": "gyoji",
            "child_exit": forget,
        },
        settings,
    ).run()
