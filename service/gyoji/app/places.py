"""Finds places for requests that last: streams, waits, downloads and audits."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from socket import MSG_DONTWAIT, MSG_PEEK

from gyoji.access.callers import Anonymous, Caller
from gyoji.app.audit_slots import AuditSlots
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import PeerConnection, RequestContext
from gyoji.app.shares import Follower, Shares

LONGEST_ADDRESS = 100
"""Characters of an address that are looked at."""

NETWORK = 64
"""Bits of an IPv6 address that tell callers apart: whoever has one of these networks has all addresses in it."""


def take_place(context: RequestContext, caller: Caller, match: str | None, *first: Shares) -> Callable[[], None]:
    """Take a place for a request that follows a match (``None``: all of its caller's), or downloads it; return what
    gives the place back, once.

    The place is one of ``first``, if there is one, else one for streams, or a thread to lend where the server cannot
    suspend a request. Raises 429 or 503 where there is none."""
    services, who = context.services, follower(context, caller, match)
    taken = [_take(who, (*first, services.lent if context.suspend is None else services.streams))]

    def give_back() -> None:
        while taken:
            taken.pop().give_back(who)

    return give_back


def _take(who: Follower, places: tuple[Shares, ...]) -> Shares:
    for streams in places[:-1]:
        try:
            streams.take(who)
        except HttpProblem:
            continue
        return streams
    places[-1].take(who)
    return places[-1]


def follower(context: RequestContext, caller: Caller, match: str | None) -> Follower:
    """Return who asks for a stream of the match, or of all matches, or for a replay."""
    if isinstance(caller, Anonymous):
        return Follower(match, address_of(context.connection, context.services.settings.proxies), has_credential=False)
    return Follower(match, caller, has_credential=True)


def address_of(connection: PeerConnection, proxies: int) -> Hashable | None:
    """Return the address of a caller: the one that the kernel names, or the one that the outermost of so many proxies
    of ours was asked by, each of which appends that to ``X-Forwarded-For``. What callers write there themselves stands
    before it."""
    forwarded = connection.forwarded_for.split(",")
    named = forwarded[-proxies].strip() if 0 < proxies <= len(forwarded) else ""
    text = (named or connection.peer)[:LONGEST_ADDRESS]
    try:
        address = ip_address(text)
    except ValueError:
        return text or None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or int(address) >> (128 - NETWORK)
    return address


@contextmanager
def lend_to_audit(context: RequestContext, slots: AuditSlots) -> Iterator[Callable[[], None]]:
    """Lend the thread of this request to an audit. Its block has to call what it is given, now and then, and end with
    what that raises."""
    address = address_of(context.connection, context.services.settings.proxies)
    with slots.turn(address, context.body.length, hang_up_check(context)) as turn:
        yield turn.look


def hang_up_check(context: RequestContext) -> Callable[[], bool]:
    """Make a function that tells whether the client has closed the connection, which would not be noticed before the
    next word to it."""
    connection = context.connection.socket

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
