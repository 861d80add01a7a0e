"""Decides where a webhook may lead: to the public internet and nowhere else, so that nobody reaches inner hosts
through us.

What counts is the address that is connected to and not how the URL writes it: every address that a name has is looked
at, and one of just these is connected to. A name that leads elsewhere a moment later leads nowhere.
"""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal, NamedTuple
from urllib.parse import SplitResult, urlsplit

from gyoji.api.webhook_words import LONGEST_URL

Fault = Literal["bad-url", "no-https", "address-not-allowed", "unresolved"]

PORTS = {"https": 443, "http": 80}
FIRST_FREE_PORT = 1024
"""Below it only the port of the scheme is connected to: the others belong to services that speak no HTTP."""

_VISIBLE = re.compile(r"[\x21-\x7e]+")
_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?:\.(?!-)[a-z0-9-]{1,63})*\.?")

GLOBAL_UNICAST = ip_network("2000::/3")
NAT64 = IPv6Network("64:ff9b::/96")
"""Of these the last 32 bits are an IPv4 address, which is where they lead (RFC 6052)."""
NEVER = tuple([ip_network(each) for each in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20")])
"""Global by the letter, but protocol assignments, tunnels (Teredo, 6to4) and documentation."""


class RefusedDestination(Exception):
    """A URL is not one that a webhook may have; ``fault`` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault: Fault = fault


class Target(NamedTuple):
    """The parts of a URL that a message is sent to."""

    scheme: Literal["https", "http"]
    host: str
    """A name in lower case, or an address without brackets."""
    port: int
    path: str
    """With its query."""

    @property
    def authority(self) -> str:
        """The value of the ``Host`` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def parse_target(url: str, anywhere: bool = False) -> Target:
    """Parse a URL; ``RefusedDestination`` for one that a webhook may not have. ``anywhere``, which is for development,
    lets plain HTTP, any port and inner addresses pass."""
    parts = _split(url)
    host, port = _named(parts.hostname or ""), _port(parts)
    scheme: Literal["https", "http"] = "https" if parts.scheme == "https" else "http"
    if parts.scheme not in PORTS or (scheme == "http" and not anywhere):
        raise RefusedDestination("no-https")
    if not anywhere and port is not None and port < FIRST_FREE_PORT and port != PORTS[scheme]:
        raise RefusedDestination("bad-url")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    found = Target(scheme, host, PORTS[scheme] if port is None else port, path)
    if not anywhere:
        _must_not_be_inner(host)
    return found


def _split(url: str) -> SplitResult:
    if len(url) > LONGEST_URL or _VISIBLE.fullmatch(url) is None or "\\" in url:
        raise RefusedDestination("bad-url")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise RefusedDestination("bad-url") from None
    if "#" in url or "@" in parts.netloc:  # a credential in a URL would be kept, and shown, as one
        raise RefusedDestination("bad-url")
    return parts


def _port(parts: SplitResult) -> int | None:
    try:
        port = parts.port
    except ValueError:
        raise RefusedDestination("bad-url") from None
    if port == 0:
        raise RefusedDestination("bad-url")
    return port


def _named(host: str) -> str:
    """Accept a host that is a name of letters, digits and hyphens, or an address without a zone."""
    if ":" in host:
        try:
            return str(IPv6Address(host)) if "%" not in host else _bad()
        except ValueError:
            raise RefusedDestination("bad-url") from None
    return host if _HOST.fullmatch(host) and len(host) <= 253 else _bad()


def _bad() -> str:
    raise RefusedDestination("bad-url")


def _must_not_be_inner(host: str) -> None:
    """Refuse an inner address in any writing that the system understands (``127.1``, ``0x7f000001``, ``2130706433``);
    names are judged when they are resolved."""
    try:
        written = host if ":" in host else socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        if host.rstrip(".").rpartition(".")[2] in ("localhost", "local", "internal"):
            raise RefusedDestination("address-not-allowed") from None
        return
    if not is_public(written):
        raise RefusedDestination("address-not-allowed")


def is_public(address: str) -> bool:
    """Tell whether an address is one host on the public internet. An address inside it (IPv4-mapped, NAT64) is judged
    in its place."""
    if "%" in address:
        return False
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        inner = _carried(found)
        if inner is not None:
            return is_public(str(inner))
        if found not in GLOBAL_UNICAST:
            return False
    return found.is_global and not found.is_multicast and not any(found in network for network in NEVER)


def _carried(address: IPv6Address) -> IPv4Address | None:
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


def resolve_addresses(to: Target, anywhere: bool = False) -> list[str]:
    """Look up the addresses of the target, in the order in which they are to be tried. ``RefusedDestination`` if
    there are none, or if a single one of them is not public: such a name plays a game."""
    try:
        found = socket.getaddrinfo(to.host, to.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        raise RefusedDestination("unresolved") from None
    addresses = list(dict.fromkeys([str(place[4][0]) for place in found]))
    if not addresses:
        raise RefusedDestination("unresolved")
    if not anywhere and not all(map(is_public, addresses)):
        raise RefusedDestination("address-not-allowed")
    return addresses
