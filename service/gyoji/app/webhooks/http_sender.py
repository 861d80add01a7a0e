"""Sends one message to one receiver, over a connection of its own, within a time.

A receiver is not trusted: its name is resolved here and one of just these addresses connected to, redirects are not
followed, the connection is closed as soon as the answer's head has come, and all of it, from the look-up to that head,
has to come within one time. Of the answer nothing is kept but what ``DeliveryAttempt`` has. No proxy of the
environment is used.

urllib3 2.8 lacks two things: its time-outs are of each read, so that a head which drips takes as long as it likes (8 s
measured with a total of 2), and it takes 103 for the answer, since ``http.client`` passes over 100 alone.
"""

import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from socket import SHUT_RDWR, create_connection, socket
from threading import Lock
from time import monotonic
from typing import Literal, NamedTuple

from gyoji import __version__
from gyoji.app.webhooks.destinations import Fault as Unreachable
from gyoji.app.webhooks.destinations import RefusedDestination, Target, parse_target, resolve_addresses
from gyoji.store.deadlines import within

Fault = (
    Unreachable
    | Literal["refused", "timeout", "tls", "connection", "no-http", "redirect", "status", "gone", "disabled", "stopped"]
)
"""Why a message was not taken: ``gone``: what it tells of is not there any more; ``disabled``: it was not sent, since
its webhook failed for days; ``stopped``: we were, and nothing is kept of that."""

TIME = 15.0
"""Seconds that an attempt may take, from the look-up of the name to the end of the answer's head."""

CONNECTING = 5.0
"""Seconds for one address to answer."""

MOST_ADDRESSES = 3

MOST_READ = 64 * 1024
"""Bytes of an answer's head that are read, interim answers before it included."""

PIECE = 4096

AGENT = f"gyoji/{__version__}"

_END_OF_HEAD = re.compile(rb"\n\r?\n")
_STATUS = re.compile(rb"HTTP/1\.[0-9] ([1-9][0-9]{2})(?:[ \t][^\r\n]*)?\r?\n")
_RETRY_AFTER = re.compile(rb"\nretry-after:[ \t]*([^\r\n]*)", re.IGNORECASE)

SWITCHING = 101
"""The one status below 200 after which no other comes."""


class InvalidHttpResponse(ValueError):
    """The bytes that a receiver answered with are no HTTP/1 response."""


class DeliveryAttempt(NamedTuple):
    """The result of one attempt to deliver a message."""

    status: int | None
    """The status that was answered."""
    fault: Fault | None
    """Why the message counts as not taken; ``None``: it was taken."""
    retry_after: str | None = None
    """The ``Retry-After`` of the answer, as it came."""


class HttpSender:
    """Sends messages, and can stop the attempts that are under way."""

    def __init__(self, anywhere: bool = False, time: float = TIME) -> None:
        self._anywhere = anywhere
        self._time = time
        self._open: set[socket] = set()
        self._lock = Lock()
        self._stopped = False

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryAttempt:
        """Post a message. Never raises for what a receiver, a network or a name server does."""
        until = monotonic() + self._time
        try:
            to = parse_target(url, self._anywhere)
            addresses = within(_left(until), lambda: resolve_addresses(to, self._anywhere))
            sock = self._connected(to, addresses, until)
        except RefusedDestination as refused:
            return DeliveryAttempt(None, refused.fault)
        except (OSError, ValueError) as failure:
            return DeliveryAttempt(None, self._fault(failure, until))
        try:
            return _posted(sock, to, headers, body, until)
        except (OSError, ValueError) as failure:
            return DeliveryAttempt(None, self._fault(failure, until))
        finally:
            self._close(sock)

    def stop(self) -> None:
        """Cut all attempts; those to come fail at once."""
        with self._lock:
            self._stopped = True
            cut = list(self._open)
        for sock in cut:
            with suppress(OSError):
                sock.shutdown(SHUT_RDWR)

    def _connected(self, to: Target, addresses: list[str], until: float) -> socket:
        """Connect to the first of the addresses that answers; over TLS for the name that the URL has."""
        failure: OSError = TimeoutError()
        for address in addresses[:MOST_ADDRESSES]:
            try:
                sock = create_connection((address, to.port), min(_left(until), CONNECTING))
            except OSError as failed:
                failure = failed
                continue
            return self._secured(to, sock, until)
        raise failure

    def _secured(self, to: Target, sock: socket, until: float) -> socket:
        if to.scheme == "https":
            sock = _trust().wrap_socket(sock, server_hostname=to.host.rstrip("."), do_handshake_on_connect=False)
        try:
            self._hold(sock)
            if isinstance(sock, ssl.SSLSocket):
                sock.settimeout(_left(until))
                sock.do_handshake()
        except BaseException:
            self._close(sock)
            raise
        return sock

    def _hold(self, sock: socket) -> None:
        with self._lock:
            if self._stopped:
                raise TimeoutError
            self._open.add(sock)

    def _close(self, sock: socket) -> None:
        with self._lock:
            self._open.discard(sock)
        sock.close()

    def _fault(self, failure: Exception, until: float) -> Fault:
        """Name what went wrong: never by its text, which may hold what the receiver sent."""
        if self._stopped:
            return "stopped"
        if isinstance(failure, TimeoutError) or monotonic() >= until:
            return "timeout"
        if isinstance(failure, ssl.SSLError):
            return "tls"
        if isinstance(failure, ConnectionRefusedError):
            return "refused"
        return "connection" if isinstance(failure, OSError) else "no-http"


def _left(until: float) -> float:
    """Count the seconds until then; ``TimeoutError`` where none is left."""
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


@cache
def _trust() -> ssl.SSLContext:
    """Trust the authorities that the system trusts; ``SSL_CERT_FILE`` names others."""
    return ssl.create_default_context()


def _posted(sock: socket, to: Target, headers: Mapping[str, str], body: bytes, until: float) -> DeliveryAttempt:
    own = {
        "Host": to.authority,
        "User-Agent": AGENT,
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    lines = [f"POST {to.path} HTTP/1.1", *[f"{name}: {value}" for name, value in {**own, **headers}.items()], "", ""]
    left = memoryview("\r\n".join(lines).encode("ascii") + body)
    while left:
        sock.settimeout(_left(until))
        left = left[sock.send(left) :]
    return _answered(sock, until)


def _answered(sock: socket, until: float) -> DeliveryAttempt:
    """Read the final answer: interim ones (RFC 9110, section 15.2) say that another is to come."""
    came, begins = bytearray(), 0
    while True:
        ends = _end_of_head(sock, came, begins, until)
        status, retry_after = _read_head(bytes(came[begins:ends]))
        if status >= 200 or status == SWITCHING:
            return DeliveryAttempt(status, _fault_of(status), retry_after)
        begins = ends


def _end_of_head(sock: socket, came: bytearray, begins: int, until: float) -> int:
    """Find where the head ends that begins there, once it has come; where the receiver ends before, it ends there.
    ``InvalidHttpResponse`` where it does not come to its end."""
    looked = begins
    while (found := _END_OF_HEAD.search(came, looked)) is None:
        if len(came) > MOST_READ:
            raise InvalidHttpResponse
        looked = max(begins, len(came) - 2)
        sock.settimeout(_left(until))
        piece = sock.recv(PIECE)
        if not piece:
            return len(came)
        came += piece
    return found.end()


def _read_head(head: bytes) -> tuple[int, str | None]:
    """Read the status and the ``Retry-After`` of an answer."""
    if not head:
        raise ConnectionResetError
    found, asked = _STATUS.match(head), _RETRY_AFTER.search(head)
    if found is None:
        raise InvalidHttpResponse
    return int(found[1]), None if asked is None else asked[1].decode("latin-1")


def _fault_of(status: int) -> Fault | None:
    if 200 <= status < 300:
        return None
    return "redirect" if 300 <= status < 400 else "status"
