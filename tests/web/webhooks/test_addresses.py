"""Where webhooks may lead: nowhere but to the public internet, however an address is written."""

import socket
from typing import Any

import pytest

from gyoji.app.webhooks.destinations import RefusedDestination, Target, is_public, parse_target, resolve_addresses

WITHIN = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.7 224.0.0.1 239.1.1.1
240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1
64:ff9b::169.254.169.254 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 3fff::1
fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 ff0e::1 4000::1
"""
INNER = WITHIN.split()
OUTER = ("8.8.8.8", "93.184.215.14", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "64:ff9b::8.8.8.8")


@pytest.mark.parametrize("address", INNER)
def test_inner_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", OUTER)
def test_outer_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://hooks.example.com", Target("https", "hooks.example.com", 443, "/")),
        ("https://HOOKS.example.com:8443/a/b?c=d&e", Target("https", "hooks.example.com", 8443, "/a/b?c=d&e")),
        ("https://hooks.example.com:443/", Target("https", "hooks.example.com", 443, "/")),
        ("https://xn--bcher-kva.example/x", Target("https", "xn--bcher-kva.example", 443, "/x")),
        ("https://8.8.8.8/in", Target("https", "8.8.8.8", 443, "/in")),
        ("https://[2606:4700::1111]:8443/in", Target("https", "2606:4700::1111", 8443, "/in")),
    ],
)
def test_what_a_url_says(url: str, expected: Target) -> None:
    assert parse_target(url) == expected


def test_the_host_header_is_as_the_url_has_it() -> None:
    authorities = [
        parse_target(url).authority for url in ("https://a.example", "https://a.example:8443", "https://[2606::1]/")
    ]
    assert authorities == ["a.example", "a.example:8443", "[2606::1]"]


@pytest.mark.parametrize(
    "host",
    [
        *(f"[{address}]" if ":" in address else address for address in INNER if "%" not in address),
        # 127.0.0.1 and 169.254.169.254, as systems also understand them
        *("127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "0x7f.0.0.0x1"),
        *("2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "0", "0x0"),
        *("localhost", "LOCALHOST", "localhost.", "printer.local", "metadata.google.internal"),
    ],
)
def test_hosts_that_are_inner_by_their_writing(host: str) -> None:
    with pytest.raises(RefusedDestination) as refused:
        parse_target(f"https://{host}/in")
    assert refused.value.fault == "address-not-allowed"


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("http://hooks.example.com/", "no-https"),
        ("ftp://hooks.example.com/", "no-https"),
        ("file:///etc/passwd", "bad-url"),
        ("gopher://hooks.example.com/", "no-https"),
        ("https://", "bad-url"),
        ("https:///in", "bad-url"),
        ("hooks.example.com", "bad-url"),
        ("https://user:word@hooks.example.com/", "bad-url"),
        ("https://user@hooks.example.com/", "bad-url"),
        ("https://hooks.example.com/#in", "bad-url"),
        ("https://hooks.example.com\\@127.0.0.1/", "bad-url"),
        ("https://hooks.example.com/ in", "bad-url"),
        ("https://hooks.example.com/\r\nX: y", "bad-url"),
        ("https://hooks.example.com:22/", "bad-url"),
        ("https://hooks.example.com:80/", "bad-url"),
        ("https://hooks.example.com:0/", "bad-url"),
        ("https://hooks.example.com:99999/", "bad-url"),
        ("https://hooks.example.com:x/", "bad-url"),
        ("https://[2606:4700::1111", "bad-url"),
        ("https://[fe80::1%25eth0]/", "bad-url"),
        ("https://-hooks.example.com/", "bad-url"),
        ("https://hooks..example.com/", "bad-url"),
        ("https://%31%32%37.0.0.1/", "bad-url"),
        ("https://bücher.example/", "bad-url"),
        (f"https://hooks.example.com/{'x' * 2000}", "bad-url"),
    ],
)
def test_urls_that_a_webhook_may_not_have(url: str, fault: str) -> None:
    with pytest.raises(RefusedDestination) as refused:
        parse_target(url)
    assert refused.value.fault == fault


def test_for_development_any_host_will_do() -> None:
    assert parse_target("http://localhost:80/in", anywhere=True) == Target("http", "localhost", 80, "/in")
    assert resolve_addresses(parse_target("http://127.1:22", anywhere=True), anywhere=True) == ["127.0.0.1"]
    with pytest.raises(RefusedDestination):
        parse_target("ftp://localhost/", anywhere=True)


def names(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Every name has these addresses."""

    def found(_host: str, port: int, **_asked: Any) -> list[Any]:
        if not addresses:
            raise socket.gaierror
        return [(0, 0, 0, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", found)


@pytest.mark.parametrize(
    ("addresses", "fault"),
    [
        (("127.0.0.1",), "address-not-allowed"),
        (("8.8.8.8", "10.0.0.1"), "address-not-allowed"),
        (("2606:4700::1111", "::1"), "address-not-allowed"),
        (("fe80::1%eth0",), "address-not-allowed"),
        ((), "unresolved"),
    ],
)
def test_names_that_lead_inside(monkeypatch: pytest.MonkeyPatch, addresses: tuple[str, ...], fault: str) -> None:
    names(monkeypatch, *addresses)
    with pytest.raises(RefusedDestination) as refused:
        resolve_addresses(parse_target("https://hooks.example.com/"))
    assert refused.value.fault == fault


def test_names_that_lead_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, "8.8.8.8", "2606:4700::1111", "8.8.8.8")
    assert resolve_addresses(parse_target("https://hooks.example.com/")) == ["8.8.8.8", "2606:4700::1111"]
