"""One message to one receiver, over a connection of its own, within a time.

A receiver is not trusted: its name is resolved here and one of just these addresses connected to, what it answers is
not kept, redirects are not followed, and whoever keeps a connection busy past the time has it cut. No proxy of the
environment is used.
"""

import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException
from socket import SHUT_RDWR, create_connection, socket
from threading import Lock
from time import monotonic
from typing import Literal, NamedTuple

from gyoji import __version__
from gyoji.web.webhooks.addresses import Fault as Unreachable
from gyoji.web.webhooks.addresses import Refused, Target, resolved, target

Fault = (
    Unreachable
    | Literal["refused", "timeout", "tls", "connection", "no-http", "redirect", "status", "gone", "disabled", "stopped"]
)
"""Why a message was not taken: ``gone``: what it tells of is not there any more; ``disabled``: it was not sent, since
its webhook failed for days; ``stopped``: we were, and nothing is kept of that."""

TIME = 15.0
"""Seconds that an attempt may take, from the connection to the first line of the answer."""

CONNECTING = 5.0
"""Seconds for one address to answer."""

MOST_ADDRESSES = 3

MOST_READ = 1024
"""Bytes of an answer's body that are taken off the connection; none is looked at."""

READING = 1.0
"""Seconds for each piece of it: the status has told everything."""

AGENT = f"gyoji/{__version__}"


class Sent(NamedTuple):
    """How an attempt ended."""

    status: int | None
    """The status that was answered."""
    fault: Fault | None
    """Why the message counts as not taken; ``None``: it was taken."""
    retry_after: float | None = None
    """Seconds after which the receiver asks to be asked again."""


class Sending:
    """The attempts that are under way: at what time each is cut."""

    def __init__(self, anywhere: bool = False, time: float = TIME) -> None:
        self._anywhere = anywhere
        self._time = time
        self._open: dict[socket, float] = {}
        self._lock = Lock()
        self._stopped = False

    def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Sent:
        """The message, posted. Never raises for what a receiver, a network or a name server does."""
        until = monotonic() + self._time
        try:
            to = target(url, self._anywhere)
            connection = self._connected(to, resolved(to, self._anywhere), until)
        except Refused as refused:
            return Sent(None, refused.fault)
        except (OSError, ValueError) as failure:
            return Sent(None, self._fault(failure, until))
        sock: socket = connection.sock  # http.client forgets it as soon as the answer says that it is the last
        try:
            return _posted(connection, to, headers, body)
        except (OSError, HTTPException, ValueError) as failure:
            return Sent(None, self._fault(failure, until))
        finally:
            self._release(sock)
            connection.close()
            sock.close()

    def cut_late(self) -> None:
        """Cut the connections of attempts whose time is over; to be called about once a second."""
        now = monotonic()
        self._cut([sock for sock, until in self._listed() if until < now])

    def stop(self) -> None:
        """Cut all of them; those to come fail at once."""
        with self._lock:
            self._stopped = True
        self._cut([sock for sock, _until in self._listed()])

    def _listed(self) -> list[tuple[socket, float]]:
        with self._lock:
            return list(self._open.items())

    def _cut(self, sockets: list[socket]) -> None:
        for sock in sockets:
            with suppress(OSError):
                sock.shutdown(SHUT_RDWR)

    def _connected(self, to: Target, addresses: list[str], until: float) -> HTTPConnection:
        """A connection to the first of the addresses that answers; over TLS for the name that the URL has."""
        failure: OSError = TimeoutError()
        for address in addresses[:MOST_ADDRESSES]:
            try:
                sock = create_connection((address, to.port), _left(until, CONNECTING))
            except OSError as failed:
                failure = failed
                continue
            return self._spoken(to, sock, until)
        raise failure

    def _spoken(self, to: Target, sock: socket, until: float) -> HTTPConnection:
        connection = HTTPConnection(to.host, to.port)
        connection.auto_open = 0  # never to a name
        connection.sock = sock
        try:
            self._hold(sock, until)
            sock.settimeout(_left(until, self._time))
            if to.scheme == "https":
                connection.sock = _trust().wrap_socket(sock, server_hostname=to.host.rstrip("."))
                self._release(sock)
                self._hold(connection.sock, until)
        except BaseException:
            self._release(sock)
            connection.close()
            raise
        return connection

    def _hold(self, sock: socket, until: float) -> None:
        with self._lock:
            if self._stopped:
                raise TimeoutError
            self._open[sock] = until

    def _release(self, sock: socket) -> None:
        with self._lock:
            self._open.pop(sock, None)

    def _fault(self, failure: Exception, until: float) -> Fault:
        """The kind of what went wrong: never its text, which may hold what the receiver sent."""
        if self._stopped:
            return "stopped"
        if isinstance(failure, TimeoutError) or monotonic() >= until:
            return "timeout"
        if isinstance(failure, ssl.SSLError):
            return "tls"
        if isinstance(failure, ConnectionRefusedError):
            return "refused"
        return "connection" if isinstance(failure, OSError) else "no-http"


def _left(until: float, most: float) -> float:
    """Seconds until then, and so many at most; a moment where none is left."""
    return max(0.01, min(until - monotonic(), most))


@cache
def _trust() -> ssl.SSLContext:
    """The authorities that the system trusts; ``SSL_CERT_FILE`` names others."""
    return ssl.create_default_context()


def _posted(connection: HTTPConnection, to: Target, headers: Mapping[str, str], body: bytes) -> Sent:
    own = {"Host": to.authority, "User-Agent": AGENT, "Content-Type": "application/json", "Connection": "close"}
    sock: socket = connection.sock
    connection.request("POST", to.path, body, {**own, **headers})
    with connection.getresponse() as answer:
        with suppress(OSError, HTTPException, ValueError):
            sock.settimeout(READING)
            answer.read(MOST_READ)
        return Sent(answer.status, _judged(answer.status), _seconds(answer.getheader("Retry-After", "")))


def _seconds(asked: str) -> float | None:
    return float(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 8 else None


def _judged(status: int) -> Fault | None:
    if 200 <= status < 300:
        return None
    return "redirect" if 300 <= status < 400 else "status"
