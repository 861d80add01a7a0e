"""One message to receivers of every kind: an attempt ends in its time, and tells no more than how."""

import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from socket import AF_INET, create_connection, create_server
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from gyoji.app.webhooks import http_sender
from gyoji.app.webhooks.http_sender import DeliveryAttempt, HttpSender
from gyoji.app.webhooks.signatures import signed_headers, written_secret
from web.webhooks.receivers import (
    Habit,
    after_interim,
    answering,
    closed_port,
    dripping,
    endless,
    endless_headers,
    endless_interim,
    hanging_up,
    no_http,
    receiving,
    saying,
    stalling,
)

SHORT = 0.8
LONG_AGO = "Fri, 31 Dec 1999 23:59:59 GMT"
BODY = b'{"type":"match.moved"}'
SECRET = b"K" * 32


@pytest.fixture
def sender() -> HttpSender:
    """Attempts that have time."""
    return HttpSender(anywhere=True, time=20.0)


@pytest.fixture
def hasty() -> HttpSender:
    """Attempts that have little time."""
    return HttpSender(anywhere=True, time=SHORT)


def headers() -> dict[str, str]:
    """Those of a message."""
    now = int(datetime.now(UTC).timestamp())
    return dict(signed_headers(SECRET, "msg_1", now, BODY))


def test_a_message_is_posted_as_it_is_signed(sender: HttpSender) -> None:
    with receiving(answering(204)) as receiver:
        assert sender.send(receiver.url(), headers(), BODY) == DeliveryAttempt(204, None)
    (message,) = receiver.came
    assert message.path == "/in?from=gyoji"
    assert message.body == BODY
    assert message.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert message.headers["content-type"] == "application/json"
    assert message.headers["user-agent"].startswith("gyoji/")
    assert message.id == "msg_1"
    assert message.verified(written_secret(SECRET)) == {"type": "match.moved"}


def test_the_signature_is_that_of_the_standard() -> None:
    """An example of the specification's own libraries."""
    secret = b"\x31\xf1\x1c\x33\xe0\x0a\x5f\x7a\x82\xa9\x0e\x2f\x21\x24\xaf\x3d\x9d\xd8\x09\xe5\x7e\x14\x2f\x1b"
    from standardwebhooks import Webhook  # noqa: PLC0415 - beside the one thing that it is compared with

    signed = signed_headers(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    when = datetime.fromtimestamp(1614265330, UTC).replace(tzinfo=None)
    theirs = Webhook(written_secret(secret)).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", when, '{"test": 2432232314}')
    assert signed["webhook-signature"] == theirs


@pytest.mark.parametrize(
    ("habit", "expected"),
    [
        (answering(200), DeliveryAttempt(200, None)),
        (answering(299), DeliveryAttempt(299, None)),
        (answering(500), DeliveryAttempt(500, "status")),
        (answering(404), DeliveryAttempt(404, "status")),
        (answering(410), DeliveryAttempt(410, "status")),
        (answering(503, Retry_After="7"), DeliveryAttempt(503, "status", "7")),
        (answering(429, retry_after="Fri, 31 Dec 1999 23:59:59 GMT"), DeliveryAttempt(429, "status", LONG_AGO)),
        (answering(301, Location="http://127.0.0.1:1/"), DeliveryAttempt(301, "redirect")),
        (answering(307, Location="http://169.254.169.254/latest"), DeliveryAttempt(307, "redirect")),
        (endless, DeliveryAttempt(200, None)),
        (after_interim(answering(204), 103), DeliveryAttempt(204, None)),
        (after_interim(answering(500), 100, 102, 103), DeliveryAttempt(500, "status")),
        (after_interim(answering(204), 101), DeliveryAttempt(101, "status")),
        (after_interim(hanging_up, 103), DeliveryAttempt(None, "connection")),
        (saying(b"HTTP/1.1 200 OK"), DeliveryAttempt(None, "no-http")),
        (saying(b"HTTP/1.1 200 OK\r\nRetry-Aft"), DeliveryAttempt(200, None)),
        (saying(b"HTTP/1.1 204\nServer: x\n\n"), DeliveryAttempt(204, None)),
        (saying(b"HTTP/1.0 503 Busy\r\nretry-after:9\r\n\r\n"), DeliveryAttempt(503, "status", "9")),
        (saying(b"HTTP/2 200\r\n\r\n"), DeliveryAttempt(None, "no-http")),
        (endless_interim, DeliveryAttempt(None, "no-http")),
        (endless_headers, DeliveryAttempt(None, "no-http")),
        (no_http, DeliveryAttempt(None, "no-http")),
    ],
)
def test_how_an_attempt_ends(sender: HttpSender, habit: Habit, expected: DeliveryAttempt) -> None:
    with receiving(habit) as receiver:
        assert sender.send(receiver.url(), headers(), BODY) == expected
    assert len(receiver.came) == 1


@pytest.mark.parametrize(
    ("habit", "expected"),
    [
        (stalling, DeliveryAttempt(None, "timeout")),
        (dripping(b""), DeliveryAttempt(None, "timeout")),
        (dripping(b"HTTP/1.1 103 Early Hints\r\n\r\n"), DeliveryAttempt(None, "timeout")),
        (dripping(b"HTTP/1.1 200 OK\r\nX-Slow: "), DeliveryAttempt(None, "timeout")),
    ],
)
def test_who_takes_its_time_is_cut_off(hasty: HttpSender, habit: Habit, expected: DeliveryAttempt) -> None:
    with receiving(habit) as receiver:
        began = monotonic()
        assert hasty.send(receiver.url(), headers(), BODY) == expected
        assert monotonic() - began < SHORT + 2
    assert len(receiver.came) == 1


@pytest.mark.parametrize("habit", [dripping(b"HTTP/1.1 204 No Content\r\n\r\n"), endless])
def test_a_body_is_not_waited_for(sender: HttpSender, habit: Habit) -> None:
    """The status has told everything: whoever goes on talking is left."""
    with receiving(habit) as receiver:
        began = monotonic()
        assert sender.send(receiver.url(), headers(), BODY).fault is None
        assert monotonic() - began < 10


def test_connections_that_break(sender: HttpSender) -> None:
    assert sender.send(f"http://127.0.0.1:{closed_port()}/", {}, BODY) == DeliveryAttempt(None, "refused")
    with receiving(hanging_up) as receiver:
        assert sender.send(receiver.url(), {}, BODY) == DeliveryAttempt(None, "connection")


def test_redirects_are_not_followed(sender: HttpSender) -> None:
    with receiving(answering(200)) as inner, receiving(answering(307, Location=inner.url())) as receiver:
        assert sender.send(receiver.url(), headers(), BODY) == DeliveryAttempt(307, "redirect")
    assert (len(receiver.came), inner.came) == (1, [])


def test_no_inner_address_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_sender, "create_connection", never)
    strict = HttpSender(time=SHORT)
    for url in ("https://127.0.0.1/", "https://2130706433/", "https://[::ffff:127.0.0.1]/", "https://localhost/"):
        assert strict.send(url, {}, BODY) == DeliveryAttempt(None, "address-not-allowed")
    assert strict.send("http://127.0.0.1/", {}, BODY) == DeliveryAttempt(None, "no-https")


def never(*_asked: Any) -> Any:
    """Nothing may come here."""
    raise AssertionError


def test_what_was_looked_at_is_what_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads outside when it is looked at, and inside a moment later, leads inside for nobody."""
    asked: list[str] = []
    connected: list[tuple[str, int]] = []

    def rebinding(host: str, port: int, **_asked: Any) -> list[Any]:
        asked.append(host)
        return [(AF_INET, 1, 6, "", ("8.8.8.8" if len(asked) == 1 else "127.0.0.1", port))]

    def connect(address: tuple[str, int], _timeout: float) -> Any:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.getaddrinfo", rebinding)
    monkeypatch.setattr(http_sender, "create_connection", connect)
    assert HttpSender(time=SHORT).send("https://hooks.example.com/in", {}, BODY) == DeliveryAttempt(None, "refused")
    assert (asked, connected) == (["hooks.example.com"], [("8.8.8.8", 443)])


def test_a_name_server_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Event()

    def hangs(*_asked: object) -> list[str]:
        answers.wait(20)
        return []

    monkeypatch.setattr(http_sender, "resolve_addresses", hangs)
    began = monotonic()
    assert HttpSender(time=SHORT).send("https://hooks.example.com/in", {}, BODY) == DeliveryAttempt(None, "timeout")
    assert monotonic() - began < 10
    answers.set()


def test_another_address_of_the_name_is_tried(monkeypatch: pytest.MonkeyPatch, sender: HttpSender) -> None:
    with receiving(answering(200)) as receiver:
        places = [("127.0.0.2", closed_port()), ("127.0.0.1", receiver.port)]
        monkeypatch.setattr(http_sender, "resolve_addresses", lambda _to, _anywhere: [place[0] for place in places])
        monkeypatch.setattr(
            http_sender, "create_connection", lambda at, limit: create_connection(dict_of(places)[at[0]], limit)
        )
        assert sender.send("http://hooks.example.com/in", headers(), BODY) == DeliveryAttempt(200, None)
    assert receiver.came[0].headers["host"] == "hooks.example.com"


def dict_of(places: list[tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """The places by their address."""
    return {place[0]: place for place in places}


def test_who_is_stopped_says_so_at_once() -> None:
    sender = HttpSender(anywhere=True, time=30)
    with receiving(stalling) as receiver:
        found: list[DeliveryAttempt] = []
        thread = Thread(target=lambda: found.append(sender.send(receiver.url(), {}, BODY)))
        thread.start()
        receiver.wait(1)
        sender.stop()
        thread.join(5)
        assert found == [DeliveryAttempt(None, "stopped")]
        assert sender.send(receiver.url(), {}, BODY) == DeliveryAttempt(None, "stopped")


def test_who_is_stopped_while_it_agrees_on_keys_says_so_at_once() -> None:
    sender = HttpSender(anywhere=True, time=30)
    with create_server(("127.0.0.1", 0)) as listener:
        found: list[DeliveryAttempt] = []
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        thread = Thread(target=lambda: found.append(sender.send(url, {}, BODY)))
        thread.start()
        with listener.accept()[0] as came:
            came.recv(1)
            sender.stop()
            thread.join(5)
    assert found == [DeliveryAttempt(None, "stopped")]


# TLS


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[ssl.SSLContext, ssl.SSLContext]]:
    """What makes certificates for names: contexts of a receiver, and of whoever trusts just this certificate."""
    folder = tmp_path_factory.mktemp("tls")

    def made(name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
        file = _certificate(folder / f"{name}.pem", name)
        receiver = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        receiver.load_cert_chain(file)
        return receiver, ssl.create_default_context(cafile=str(file))

    return made


def _certificate(file: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    now, subject = datetime.now(UTC), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    known = x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([known]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file


Authority = Callable[[str], tuple[ssl.SSLContext, ssl.SSLContext]]


def test_over_tls_for_the_name_of_the_url(
    sender: HttpSender, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls, trusting = authority("hooks.example.com")
    monkeypatch.setattr(http_sender, "_trust", lambda: trusting)
    monkeypatch.setattr(http_sender, "resolve_addresses", lambda _to, _anywhere: ["127.0.0.1"])
    with receiving(answering(200), tls) as receiver:
        url = f"https://hooks.example.com:{receiver.port}/in"
        assert sender.send(url, headers(), BODY) == DeliveryAttempt(200, None)
        assert sender.send(url.replace("hooks", "other"), headers(), BODY) == DeliveryAttempt(None, "tls")
    assert len(receiver.came) == 1


def test_a_certificate_that_nobody_vouches_for(sender: HttpSender, authority: Authority) -> None:
    tls, _trusting = authority("127.0.0.1")
    with receiving(answering(200), tls) as receiver:
        assert sender.send(receiver.url("https"), headers(), BODY) == DeliveryAttempt(None, "tls")
    assert receiver.came == []


def test_a_handshake_that_never_comes_ends_in_time(hasty: HttpSender) -> None:
    with receiving(stalling) as receiver:  # it reads a line of HTTP for ever
        began = monotonic()
        assert hasty.send(receiver.url("https"), headers(), BODY).fault in ("timeout", "tls")
        assert monotonic() - began < SHORT + 2
