"""Serves HTTP as a worker of gunicorn's, in which nobody who waits holds a thread.

All threads of a worker wait at one epoll. It reports a connection to one of them (``EPOLLONESHOT``), which does for it
what can be done at once, and then asks epoll to report it again. The states of a connection:

* ``READING``: nothing has come, or a part of a request. When all has come the application is called, which takes one
  of the places for work; there are as many as ``GYOJI_THREADS``.
* ``QUEUED``: all places are taken. Whoever gives one back hands it on to the connection that has waited longest.
* ``SENDING``: the client has not taken yet what was sent. Of a long answer no more is made meanwhile.
* ``SUSPENDED``: the application waits for news (``app/suspension.py``). The connection is looked at when it is woken,
  when its time has come, when the client hangs up and when the service stops; that takes a place.
* ``ENDING``: the last answer was sent, and what the client may still be sending is thrown away.
* ``CLOSED``.

Probes have two places of their own, and there are two threads more than places for work: so there is always one that
accepts, receives, sends, and answers probes. The main thread does nothing of that. It tells the master that the worker
lives, looks whether there is still a master, and cuts connections whose time is over.

The workers of a master share in memory how many connections each has. One that has more than another leaves a new one
to it.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from math import inf
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from secrets import token_hex
from select import EPOLLERR, EPOLLHUP, EPOLLIN, EPOLLONESHOT, EPOLLOUT, EPOLLRDHUP, POLLIN, epoll, poll
from socket import socket
from threading import Thread
from time import monotonic, sleep
from typing import Any

import orjson
from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException
from gunicorn.workers.base import Worker as BaseWorker

from gyoji.api.media import PROBLEM_JSON
from gyoji.app.logs import log_aside, log_refused, log_unread
from gyoji.app.problems import HttpProblem
from gyoji.app.shutdown import STOP
from gyoji.app.suspension import SUSPEND, WAITED
from gyoji.messages.problems import problem
from gyoji.web.connection import BodyWanted, Connection, HungUp, State
from gyoji.web.deadlines import Deadlines
from gyoji.web.malformed_requests import malformed
from gyoji.web.responses import LOCALIZED_HEADERS
from gyoji.web.worker_places import CROWDS, Places

REQUEST_SECONDS = 20
"""Seconds in which a request has to arrive whole, and what is sent of its answer at a time has to be taken; then the
connection is cut."""

STOP_SECONDS = 1.0
"""Seconds that a connection without a request stays open when the service stops: one may be on its way. And seconds in
which the client has to close one that the service has ended then."""

END_SECONDS = 2.0
"""Seconds in which the client has to close a connection that the service has ended."""

TICK, LEAST_TICK = 1.0, 0.05
"""Seconds after which the main thread looks around, at most and at least."""

AT_ONCE = 64 * 1024
"""Bytes of an answer that are made before the first of them are sent, and that may wait to be taken before more are
made."""

MOST_LONG_BODIES = 128
"""Long bodies that are received at a time: each may take 16 MiB of disk."""

OTHER_FILES = 200
"""Files that a worker has open besides its connections, at most; where it may have few, it lets connections have
half."""

LEAVE_SECONDS = 0.002
"""Seconds for which a worker leaves a new connection to others. Chance would give one of two workers 6 of 8 callers, or
more, every third time; without it 1.2 times as many moves are stored a second."""

Pull = Callable[[], bytes | None]
GONE = EPOLLRDHUP | EPOLLHUP | EPOLLERR


class Worker(BaseWorker):
    """A gunicorn worker in which nobody who waits holds a thread. Answers malformed requests with problem details."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.slot = CROWDS.take_slot()
        self.places, self.probing = Places(self.cfg.threads), Places(2)
        self.connections: dict[int, Connection] = {}
        """By their descriptors."""
        self.deadlines = Deadlines()
        self.listeners: dict[int, tuple[socket, Any]] = {}
        """Listening sockets and their addresses, by their descriptors."""
        self.most = 0
        """Connections that may be open."""
        self.next_look = 0.0
        """When the main thread looks around next, on the clock of ``monotonic``."""

    def init_process(self) -> None:
        """Live as a worker, from the fork on: only the master keeps the end of the pipe that is written to."""
        os.close(self.app.life[1])
        if self.app.service.affinity:
            CROWDS.keep_to_processor(self.slot, self.cfg.workers)
        _now, files = getrlimit(RLIMIT_NOFILE)
        setrlimit(RLIMIT_NOFILE, (files, files))
        self.most = min(self.cfg.worker_connections, max(files - OTHER_FILES, files // 2))
        self.epoll = epoll()
        super().init_process()

    # --- the main thread

    def run(self) -> None:
        """Serve until stopped, or until there is no master any more."""
        for listener in self.sockets:
            listener.setblocking(False)
            self.listeners[listener.fileno()] = listener, listener.getsockname()
            self.epoll.register(listener, EPOLLIN | EPOLLONESHOT)
        self.threads = [Thread(target=self._serve, daemon=True) for _number in range(self.cfg.threads + 2)]
        for thread in self.threads:
            thread.start()
        told = poll()
        told.register(self.PIPE[0], POLLIN)
        told.register(self.app.life[0], POLLIN)
        while self.alive and all(thread.is_alive() for thread in self.threads):
            self._look_around()
            self._listen()
            self._pause(told)
        self._stop(told)

    def _stop(self, told: Any) -> None:
        """Let nobody in, end what waits for news, and let others be answered."""
        self.shut()
        now = monotonic()
        for conn in list(self.connections.values()):
            if conn.suspended is not None:
                self._wake(conn)
            elif conn.turn.acquire(blocking=False):
                if conn.is_idle:
                    conn.until = min(conn.until, now + STOP_SECONDS)
                    self.deadlines.note(conn, conn.until)
                conn.turn.release()
        while self.connections and monotonic() < now + self.cfg.graceful_timeout:
            self._look_around()
            self._pause(told)

    def _look_around(self) -> None:
        """Tell the master that the worker lives, and see to the connections whose time has come."""
        self.notify()
        self.next_look = inf
        now = monotonic()
        for conn in self.deadlines.take_due(self.connections, now):
            if conn.until <= now and conn.turn.acquire(blocking=False):
                self._look_at(conn, now)
                conn.turn.release()
            self.deadlines.note(conn, max(conn.until, now + TICK))
        self.next_look = min(self.deadlines.first(), now + TICK)

    def _look_at(self, conn: Connection, now: float) -> None:
        """See to a connection whose time has come. What may take long is left to a thread: to pull again, or to find
        that the connection is cut."""
        if conn.state is State.SUSPENDED:  # pulled if it takes anything, else cut
            self._park(conn, State.SENDING, EPOLLOUT, now + REQUEST_SECONDS)
        elif conn.until <= now and conn.state not in (State.QUEUED, State.CLOSED):
            conn.cut()

    def _pause(self, told: Any) -> None:
        """Sleep until there is something to look at, or a signal came."""
        seconds = max(LEAST_TICK, self.next_look - monotonic())
        for descriptor, _events in told.poll(seconds * 1000):
            if descriptor == self.PIPE[0]:
                os.read(descriptor, 4096)
            else:
                told.unregister(descriptor)
                self._leave()
        if self.alive and self.ppid != os.getppid():
            self._leave()

    def _leave(self) -> None:
        """Stop, and free the address for the next master at once: the pipe from the master is closed, so there is none
        now, though the kernel may still name it as the parent."""
        self.log.info("No master any more, stopping: %s", self)
        STOP.set()
        self.alive = False
        self.shut()

    def _nudge(self) -> None:
        """Have the main thread look around soon."""
        with suppress(BlockingIOError):  # it is told already
            os.write(self.PIPE[1], b".")

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Heed SIGTERM: streams end at once, other requests are finished, nobody new is let in."""
        STOP.set()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Heed SIGINT and SIGQUIT: streams end at once."""
        STOP.set()
        super().handle_quit(sig, frame)

    def shut(self) -> None:
        """Listen no more: new callers are refused, and not kept waiting for a process that is about to end."""
        CROWDS.free(self.slot)
        for listener in self.sockets:
            with suppress(OSError, ValueError):  # shut before
                self.epoll.unregister(listener)  # the master has it open still
            listener.close()

    # --- the threads

    def _serve(self) -> None:
        """Do for one connection after another what can be done at once, for ever."""
        while True:
            for descriptor, events in self.epoll.poll(maxevents=1):
                if descriptor in self.listeners:
                    self._accept(descriptor)
                elif (conn := self.connections.get(descriptor)) is not None:
                    self._visit(conn, events)

    def _listen(self) -> None:
        """Have epoll report the next new connection, if there is room for one."""
        if self.alive and len(self.connections) < self.most:
            for listener, _address in self.listeners.values():
                with suppress(OSError, ValueError):  # shut meanwhile
                    self.epoll.modify(listener, EPOLLIN | EPOLLONESHOT)

    def _accept(self, descriptor: int) -> None:
        """Let a new connection in; where that cannot be done now the main thread has it tried again."""
        listener, address = self.listeners[descriptor]
        if CROWDS.is_larger(self.slot, len(self.connections)):
            sleep(LEAVE_SECONDS)
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # another worker has it, or nobody
            self._listen()
        except OSError as refused:
            log_refused("not-accepted", refused) if self.alive else None
        else:
            conn = Connection(sock, client, address, monotonic() + self.cfg.keepalive)
            self.connections[sock.fileno()] = conn
            self.deadlines.note(conn, conn.until)
            self._listen()
            self.epoll.register(sock, EPOLLIN | EPOLLONESHOT)

    def _visit(self, conn: Connection, events: int) -> None:
        """Go on with a connection. Whoever has taken a place for that goes on with those who wait for it."""
        places = None
        with conn.turn:
            if self._try(self._is_ready, conn, events):
                wanted = self.probing if conn.is_probe else self.places
                if wanted.take(conn):
                    places = wanted
                    self._try(self._work, conn)
        while True:
            if conn.is_woken:
                self._wake(conn)
            if places is None or (waiting := places.give_back()) is None:
                return
            conn = waiting
            with conn.turn:
                self._try(self._work, conn)

    def _try(self, step: Callable[..., Any], conn: Connection, *more: Any) -> Any:
        try:
            return step(conn, *more)
        except HungUp:
            self._close(conn)
        except BaseException as failure:
            self._refuse(conn, failure)
        return None

    def _wake(self, conn: Connection) -> None:
        """Have a thread pull what a connection waits for; from any thread. Whoever has the turn just now looks whether
        it was woken when it lets go of that."""
        conn.is_woken = True
        if conn.turn.acquire(blocking=False):
            if conn.state is State.SUSPENDED:
                self._park(conn, State.SUSPENDED, EPOLLOUT, conn.until)
            conn.turn.release()

    # --- what a thread does, each with the turn of the connection

    def _park(self, conn: Connection, state: State, events: int, until: float) -> None:
        """Have epoll report the next of these events to one thread; the last thing to be done with a turn."""
        conn.state, conn.until = state, until
        self.deadlines.note(conn, until)
        self.epoll.modify(conn.sock, events | EPOLLONESHOT)

    def _is_ready(self, conn: Connection, events: int) -> bool:
        """Receive or send what can be; tell whether there is work for the application, which takes a place."""
        if conn.state is State.READING:
            return self._read(conn)
        if conn.state is State.SUSPENDED:
            if events & GONE:
                conn.pull = _nothing
            return True
        if conn.state is State.SENDING:
            if not conn.flush():
                self._park(conn, State.SENDING, EPOLLOUT, conn.until)
            elif conn.pull is not None:
                return True
            else:
                self._next(conn)
        elif conn.state is State.ENDING:
            conn.receive()
            if conn.has_ended or len(conn.received) > AT_ONCE:
                raise HungUp
            self._park(conn, State.ENDING, EPOLLIN, conn.until)
        return False

    def _read(self, conn: Connection) -> bool:
        now, was_idle = monotonic(), conn.is_idle
        if conn.until <= now:
            raise HungUp
        conn.receive()
        if was_idle and conn.received:
            conn.until = now + REQUEST_SECONDS
        if conn.is_whole(self.cfg):
            return True
        self._park(conn, State.READING, EPOLLIN, conn.until)
        return False

    def _work(self, conn: Connection) -> None:
        """Have the application answer, or go on with its answer; with a place."""
        while (pull := conn.pull or self._call(conn)) is not None:
            if self._send(conn, pull):
                return

    def _call(self, conn: Connection) -> Pull | None:
        """Call the application; return what gives its answer, if it has one."""
        if conn.response is None:
            self._begin(conn)
        try:
            answer = self.wsgi(conn.environ, conn.response.start_response)
        except BodyWanted:
            if sum(other.has_long_body for other in list(self.connections.values())) >= MOST_LONG_BODIES:
                raise HttpProblem("too-many-at-once") from None
            conn.want_body()
            conn.response = None
            self._park(conn, State.READING, EPOLLIN | EPOLLOUT, conn.until)
            return None
        conn.close_answer = getattr(answer, "close", None)
        if conn.suspended is None:
            conn.pull = partial(next, iter(answer), None)
        else:
            conn.suspended.subscribe(partial(self._wake, conn))
            conn.pull = conn.suspended.pull
        return conn.pull

    def _begin(self, conn: Connection) -> None:
        """Make the WSGI environment of a request, and what its answer is written by."""
        conn.response, conn.environ = wsgi.create(conn.request, conn, conn.client, conn.server, self.cfg)
        conn.environ["wsgi.multithread"] = True
        conn.environ["wsgi.input"] = conn.body()
        conn.environ["gunicorn.socket"] = conn.sock
        conn.environ[SUSPEND] = partial(setattr, conn, "suspended")
        self.nr += 1
        if self.nr >= self.max_requests and self.alive:
            self.log.info("Restarting after so many requests: %s", self)
            self.alive = False
        if not (self.alive and self.cfg.keepalive and conn.is_framed):
            conn.response.force_close()

    def _send(self, conn: Connection, pull: Pull) -> bool:
        """Send an answer, as far as it is made and taken. Tell whether that is all that can be done now; else the
        application is to be called again."""
        response, suspended = conn.response, conn.suspended
        conn.is_woken = False
        while (piece := pull()) is not None:
            if response.status is not None:  # else it is decided after the wait
                response.write(piece)
            if (response.response_length is None or len(conn.to_send) > AT_ONCE) and not conn.flush():
                self._park(conn, State.SENDING, EPOLLOUT, monotonic() + REQUEST_SECONDS)
                return True
            if suspended is not None and not piece:
                self._park(conn, State.SUSPENDED, EPOLLRDHUP, suspended.look_at)
                if conn.until < self.next_look:
                    self._nudge()
                return True
        if suspended is not None and suspended.is_wait:
            self._let_go(conn)
            conn.environ[WAITED] = True
            return False
        response.close()
        self._end(conn)
        return True

    def _end(self, conn: Connection) -> None:
        """Let go of what the answer has taken, when it is sent or at least made."""
        is_sent = conn.flush()
        self._let_go(conn)
        if is_sent:
            self._next(conn)
        else:
            self._park(conn, State.SENDING, EPOLLOUT, monotonic() + REQUEST_SECONDS)

    def _next(self, conn: Connection) -> None:
        """Wait for the next request, of which something may have come already; or have the client hang up."""
        now = monotonic()
        if conn.response is None or conn.response.should_close():
            conn.end()
            self._park(conn, State.ENDING, EPOLLIN, now + (END_SECONDS if self.alive else STOP_SECONDS))
            return
        conn.forget()
        if conn.received:
            self._park(conn, State.READING, EPOLLIN | EPOLLOUT, now + REQUEST_SECONDS)
        else:
            self._park(conn, State.READING, EPOLLIN, now + (self.cfg.keepalive if self.alive else STOP_SECONDS))

    def _refuse(self, conn: Connection, failure: BaseException) -> None:
        """Answer bytes that are no request, and failures. Neither the answer nor the log repeats the bytes: they may be
        what is left of a body whose length was given too short."""
        refused = malformed(failure) if isinstance(failure, ParseException) else failure
        if not isinstance(refused, HttpProblem):
            refused = HttpProblem("internal-error")
        request_id = token_hex(16)
        members = {**refused.members, "request_id": request_id}
        body = problem(refused.code, "/", "en", refused.facts, members).body
        log_unread(request_id, body["status"], refused.code, failure)
        if conn.response is None or not conn.response.headers_sent:
            conn.sendall(self._whole_answer(conn, body, request_id))
        conn.response = None
        try:
            self._end(conn)
        except HungUp:
            self._close(conn)

    def _close(self, conn: Connection) -> None:
        self._let_go(conn)
        conn.state = State.CLOSED
        del self.connections[conn.sock.fileno()]
        conn.sock.close()
        if not (self.alive or self.connections):
            self._nudge()

    def _let_go(self, conn: Connection) -> None:
        """Close what the answer of a connection has taken."""
        for close in conn.let_go():
            try:
                close()
            except Exception as failure:
                log_aside("close-failed", failure)

    def _whole_answer(self, conn: Connection, body: Mapping[str, Any], request_id: str) -> bytes:
        """Write problem details as an HTTP message, with the headers of every answer."""
        content = orjson.dumps(body)
        headers = [
            ("Connection", "close"),
            *LOCALIZED_HEADERS["en"],
            ("Content-Type", PROBLEM_JSON),
            ("Content-Length", str(len(content))),
            ("X-Request-ID", request_id),
        ]
        self.wsgi.cross_origin.add_headers(headers, conn.environ, None)
        status = HTTPStatus(body["status"])
        lines = [f"HTTP/1.1 {status} {status.phrase}", *[f"{name}: {value}" for name, value in headers], "", ""]
        return "\r\n".join(lines).encode() + content


def _nothing() -> None:
    """Pull the end of an answer."""
