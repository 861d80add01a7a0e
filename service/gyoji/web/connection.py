"""Holds a client's connection without ever waiting for the client: what has come from it, what is to be sent to it.

``receive`` takes what is there, ``is_whole`` tells whether that makes a request, ``flush`` sends what the socket takes.
gunicorn's parser is the judge of every head: it is given what has come as soon as that may hold a whole one, and each
time it has doubled, so that it refuses early what can be no request. Nothing else here looks into a head but for where
it may end; how long the body is, is what the parser has let pass.

A short body is received before the application is called. A long one is not, for the application may refuse it:
whoever reads it meets ``BodyWanted``, and is called again when it has come, in a file. Chunks are not waited for at
all: the application demands lengths.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from io import BytesIO
from math import inf
from socket import SHUT_RDWR, SHUT_WR, socket
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import IO, Any

from gunicorn.http import Request
from gunicorn.http.errors import LimitRequestHeaders, NoMoreData
from gunicorn.http.unreader import IterUnreader

from gyoji.app.requests import MAX_BODY
from gyoji.app.suspension import Suspended

PIECE, LARGE_PIECE = 16 * 1024, 256 * 1024
"""Bytes that are received at a time: of heads, and of bodies."""

new_file = partial(SpooledTemporaryFile, max_size=1024 * 1024)
"""Makes the file of a long body; up to so many bytes it is kept in memory."""

PROBES = ("/healthz", "/readyz")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class HungUp(Exception):
    """The client is gone."""


class BodyWanted(BaseException):
    """The application reads a body that has not been received. No ``Exception``: it has to pass through."""


class _Incomplete(Exception):
    """The parser has come to the end of what has been received."""


class _Withheld:
    """The body of a request that has not been received."""

    def read(self, _size: int = -1) -> bytes:
        """Raise ``BodyWanted``, so that the body is received first."""
        raise BodyWanted


class State(Enum):
    """The state of a connection, which says what may be done next; see ``gunicorn_worker``."""

    READING = auto()
    QUEUED = auto()
    SENDING = auto()
    SUSPENDED = auto()
    ENDING = auto()
    CLOSED = auto()


class Connection:
    """One client's connection, its request if there is one, and how far the answer is."""

    def __init__(self, sock: socket, client: Any, server: Any, until: float) -> None:
        sock.setblocking(False)
        self.sock, self.client, self.server = sock, client, server
        self.turn = Lock()
        """Held by the one thread that does something with the connection."""
        self.state = State.READING
        self.until = until
        """The time, on the clock of ``monotonic``, at which the worker cuts it, or looks again for news."""
        self.looked_at = inf
        """When the worker's main thread looks at it next, which is not after ``until``; see ``Deadlines``."""
        self.is_woken = False
        self.received, self.to_send = bytearray(), bytearray()
        self.has_ended = False
        """Whether the client sends nothing more. It may still wait for an answer."""
        self.forget()

    def forget(self) -> None:
        """Make ready for the next request."""
        self.request: Any = None
        self.response: Any = None
        self.environ: dict[str, Any] = {}
        self.pull: Callable[[], bytes | None] | None = None
        """Gives the next piece of the answer; ``None`` at its end, and where there is no more to be asked for."""
        self.close_answer: Callable[[], None] | None = None
        self.suspended: Suspended | None = None
        self._file: IO[bytes] | None = None
        self._length = self._needed = 0
        self._is_chunked = self._is_expectant = self._has_body = False
        self._looked, self._tried = 0, 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing has come of a request."""
        return self.state is State.READING and self.request is None and not self.received

    @property
    def is_probe(self) -> bool:
        """Whether the request is one of those that are answered whatever others wait for."""
        return self.is_framed and self.request.path in PROBES and self.request.method in ("GET", "HEAD")

    # --- what comes

    def receive(self) -> None:
        """Take what has come."""
        size = LARGE_PIECE if self._file is not None else PIECE
        try:
            piece = self.sock.recv(size)
        except BlockingIOError:
            return
        except OSError:
            raise HungUp from None
        self.has_ended = not piece
        self.received += piece

    def is_whole(self, settings: Any) -> bool:
        """Tell whether a request has come that the application can be called with. ``ParseException`` for what is no
        request, ``HungUp`` where none will come."""
        if self.request is None and not self._read_head(settings):
            return False
        self._has_body = self._take_body()
        if self._has_body or self.has_ended:
            return True
        if self._is_expectant:
            self._is_expectant = False
            self.sendall(CONTINUE)
            self.flush()
        return False

    def _read_head(self, settings: Any) -> bool:
        size = len(self.received)
        may_be_whole = self.received.find(b"\r\n\r\n", self._looked) >= 0
        self._looked = max(0, size - 3)
        if not (may_be_whole or self.has_ended or size >= max(1, 2 * self._tried)):
            return False
        self._tried = size
        unreader = IterUnreader(self._pieces())
        try:
            self.request = Request(settings, unreader, self.client)
        except _Incomplete:
            # the parser looks at this only where it is given more
            if size > settings.limit_request_fields * settings.limit_request_field_size:
                raise LimitRequestHeaders("the head does not end") from None
            return False
        except (NoMoreData, StopIteration):
            raise HungUp from None
        self.received = bytearray(unreader.take_buffered())
        for name, value in self.request.headers:
            if name == "CONTENT-LENGTH":
                self._length = int(value)
            elif name == "TRANSFER-ENCODING":
                self._is_chunked = True
            elif name == "EXPECT":
                self._is_expectant = self.request.version >= (1, 1)
        self._needed = self._length if self._length <= MAX_BODY else 0
        return True

    def _pieces(self) -> Iterator[bytes]:
        yield bytes(self.received)
        if not self.has_ended:
            raise _Incomplete

    def _take_body(self) -> bool:
        if self._file is None:
            return len(self.received) >= self._needed
        left = self._needed - self._file.tell()
        self._file.write(self.received[:left])
        del self.received[:left]
        return self._file.tell() == self._needed

    def want_body(self) -> None:
        """Receive the long body, which the application wants to read."""
        self._file = new_file()
        self._needed = self._length

    @property
    def has_long_body(self) -> bool:
        """Whether a long body is received."""
        return self._file is not None

    def body(self) -> Any:
        """Return the body of the request, as the application reads it. Of a caller who has hung up it may be short."""
        if self._file is not None:
            self._file.seek(0)
            return self._file
        if self._length > MAX_BODY:
            return _Withheld()
        body = BytesIO(bytes(self.received[: self._needed]))
        del self.received[: self._needed]
        return body

    @property
    def is_framed(self) -> bool:
        """Whether it is known where the next request begins, since all of this one was received."""
        return self._has_body and not self._is_chunked and self._needed == self._length

    # --- what goes

    def sendall(self, data: bytes) -> None:
        """Note bytes to be sent; gunicorn's ``Response`` writes so."""
        self.to_send += data

    def send(self, _data: bytes) -> None:
        """Take gunicorn's "100 Continue", which has been sent when the body was waited for, if it was."""

    def flush(self) -> bool:
        """Send what the socket takes; tell whether it has taken all."""
        while self.to_send:
            try:
                sent = self.sock.send(self.to_send)
            except BlockingIOError:
                return False
            except OSError:
                raise HungUp from None
            del self.to_send[:sent]
        return True

    # --- the end

    def let_go(self) -> list[Callable[[], None]]:
        """Return what closes what the answer has taken, to be called whether it was sent whole or not."""
        closing = [self.close_answer]
        closing += [taken.close for taken in (self.suspended, self._file) if taken is not None]
        self.pull = self.close_answer = self.suspended = self._file = None
        return [close for close in closing if close is not None]

    def end(self) -> None:
        """Send nothing more. What the client still sends would destroy what it has not read yet, were it not received
        (RFC 9112, section 9.6)."""
        with suppress(OSError):
            self.sock.shutdown(SHUT_WR)

    def cut(self) -> None:
        """Hang up; whoever waits for the connection finds out."""
        with suppress(OSError):
            self.sock.shutdown(SHUT_RDWR)
