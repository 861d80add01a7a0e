"""Threads that are lent for longer than a request usually takes: counted, and their connections not cut meanwhile."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from socket import MSG_DONTWAIT, MSG_PEEK
from threading import Lock
from typing import TYPE_CHECKING

from flask import request

from gyoji.access.callers import Anonymous
from gyoji.app.application import Desk
from gyoji.app.audit_slots import AuditSlots
from gyoji.app.problems import HttpProblem
from gyoji.app.shutdown import PATIENT, Follower, Streams
from gyoji.web.matches.asking import Asked

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LONGEST_ADDRESS = 100
"""Characters of an address that are looked at."""

NETWORK = 64
"""Bits of an IPv6 address that tell callers apart: whoever has one of these networks has all addresses in it."""


@contextmanager
def lent_to(asked: Asked) -> Iterator[None]:
    """The thread of this request, to wait for news of the match, for as long as the block takes."""
    done = held(follower(asked), asked.desk.streams)
    try:
        yield
    finally:
        done()


def held(who: Follower, *places: Streams) -> Callable[[], None]:
    """The thread of this request, counted where there is a place first, and not cut for taking long. What comes back
    lets go of it, once."""
    streams = _taken(who, places)
    connection = request.environ.get("gunicorn.socket")
    PATIENT.add(connection)
    let_go = Lock()

    def done() -> None:
        if let_go.acquire(blocking=False):
            PATIENT.discard(connection)
            streams.give_back(who)

    return done


def _taken(who: Follower, places: tuple[Streams, ...]) -> Streams:
    for streams in places[:-1]:
        try:
            streams.take(who)
        except HttpProblem:
            continue
        return streams
    places[-1].take(who)
    return places[-1]


def follower(asked: Asked) -> Follower:
    """Who asks for a stream of the match, or for its replay."""
    if isinstance(asked.caller, Anonymous):
        address = address_of(request.environ, asked.desk.settings.proxies)
        return Follower(asked.row.match, address, has_credential=False)
    return Follower(asked.row.match, asked.caller, has_credential=True)


def address_of(environ: "WSGIEnvironment", proxies: int) -> Hashable | None:
    """Whose connection it is: by what the kernel says, or by what the outermost of so many proxies of ours has heard,
    each of which appends to ``X-Forwarded-For`` whom it was asked by. What callers write there themselves stands before
    that."""
    told = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
    heard = told[-proxies].strip() if 0 < proxies <= len(told) else ""
    text = (heard or environ.get("REMOTE_ADDR", ""))[:LONGEST_ADDRESS]
    try:
        address = ip_address(text)
    except ValueError:
        return text or None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or int(address) >> (128 - NETWORK)
    return address


@contextmanager
def lent_to_audit(here: Desk, slots: AuditSlots) -> Iterator[Callable[[], None]]:
    """The same for an audit, whose block has to call what it is given, now and then, and end with what that raises."""
    connection = request.environ.get("gunicorn.socket")
    PATIENT.add(connection)
    try:
        address = address_of(request.environ, here.settings.proxies)
        with slots.turn(address, request.content_length or 0, hung_up()) as turn:
            yield turn.look
    finally:
        PATIENT.discard(connection)


def hung_up() -> Callable[[], bool]:
    """Whether the client has closed the connection of this request, which would not be noticed before the next word."""
    connection = request.environ.get("gunicorn.socket")

    def gone() -> bool:
        if connection is None:
            return False
        try:
            return bool(connection.recv(1, MSG_PEEK | MSG_DONTWAIT) == b"")
        except BlockingIOError:
            return False
        except OSError:
            return True

    return gone
