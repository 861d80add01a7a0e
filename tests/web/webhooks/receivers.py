"""Receivers of webhooks, each with a habit of its own, on this machine."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from ssl import SSLContext
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

import orjson
from standardwebhooks import Webhook as Verifier

WAIT = 30.0


class Message(NamedTuple):
    """What came: headers in lower case, and the body."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The id of the message."""
        return self.headers["webhook-id"]

    @property
    def document(self) -> Any:
        """The body, understood."""
        return orjson.loads(self.body)

    @property
    def told(self) -> tuple[str, int]:
        """Type and event."""
        return self.document["type"], self.document["data"].get("seq", -1)

    def verified(self, secret: str) -> Any:
        """The body, as a receiver takes it that checks the signature with a library of the standard."""
        return Verifier(secret).verify(self.body, dict(self.headers))


Habit = Callable[["Receiver", BaseHTTPRequestHandler, Message], None]


@dataclass
class Receiver:
    """A receiver that answers as its habit has it."""

    habit: Habit
    port: int = 0
    came: list[Message] = field(default_factory=list)
    closed: Event = field(default_factory=Event)
    """Set when it is about to go: whoever stalls stops then."""

    def url(self, scheme: str = "http") -> str:
        """Where it listens."""
        return f"{scheme}://127.0.0.1:{self.port}/in?from=gyoji"

    def wait(self, messages: int, seconds: float = WAIT) -> list[Message]:
        """So many messages at least."""
        until = monotonic() + seconds
        while len(self.came) < messages:
            assert monotonic() < until, f"{len(self.came)} of {messages} messages came"
            sleep(0.01)
        return list(self.came)


def answering(status: int, **headers: str) -> Habit:
    """Answers at once."""

    def answer(_receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer


def in_turn(*habits: Habit) -> Habit:
    """One habit after the other; the last one stays."""

    def answer(receiver: Receiver, request: BaseHTTPRequestHandler, message: Message) -> None:
        habits[min(len(receiver.came), len(habits)) - 1](receiver, request, message)

    return answer


def stalling(receiver: Receiver, _request: BaseHTTPRequestHandler, _message: Message) -> None:
    """Takes the message and never answers."""
    receiver.closed.wait(WAIT)


def endless(receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
    """200, and a body without an end."""
    request.send_response(200)
    request.end_headers()
    with suppress(OSError):
        while not receiver.closed.is_set():
            request.wfile.write(b"x" * 4096)


def dripping(first: bytes) -> Habit:
    """Says this much at once, and then a byte at a time."""

    def answer(receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
        with suppress(OSError):
            request.wfile.write(first)
            while not receiver.closed.wait(0.05):
                request.wfile.write(b"H")
                request.wfile.flush()

    return answer


def saying(answer: bytes) -> Habit:
    """Answers with these bytes, and closes the connection."""

    def say(_receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
        request.wfile.write(answer)
        request.close_connection = True

    return say


def after_interim(habit: Habit, *statuses: int) -> Habit:
    """Says with interim answers that it is about to answer, and then does."""

    def answer(receiver: Receiver, request: BaseHTTPRequestHandler, message: Message) -> None:
        for status in statuses:
            request.wfile.write(b"HTTP/1.1 %d Wait\r\nLink: </style.css>\r\n\r\n" % status)
            request.wfile.flush()
        habit(receiver, request, message)

    return answer


def endless_interim(receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
    """Is about to answer, for ever."""
    with suppress(OSError):
        while not receiver.closed.is_set():
            request.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n" * 100)


def endless_headers(receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
    """200, and headers without an end."""
    with suppress(OSError):
        request.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not receiver.closed.is_set():
            request.wfile.write(b"X-More: x\r\n" * 100)


def no_http(_receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
    """Speaks something else."""
    request.wfile.write(b"220 mail.example ESMTP\r\n")


def hanging_up(_receiver: Receiver, request: BaseHTTPRequestHandler, _message: Message) -> None:
    """Takes the message and closes the connection."""
    request.close_connection = True


@contextmanager
def receiving(habit: Habit, tls: SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver on a free port of this machine."""
    receiver = Receiver(habit)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            message = Message(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            receiver.came.append(message)
            receiver.habit(receiver, self, message)

        def log_message(self, *_said: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, _request: Any, _address: Any) -> None:
            """Whoever was cut off says nothing."""

    server = Server(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.closed.set()
        server.shutdown()
        thread.join(WAIT)
        server.server_close()


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port
