"""Runs two services of one process, alike in their keys, in each of which a match is played in a world of its own."""

import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from flask import Flask

from gyoji.access.keys import KeyRole, digest, key_id, new_key
from gyoji.app.services import Services
from gyoji.app.settings import Settings
from gyoji.log.signatures import public_bytes, signer
from gyoji.store import migrate
from gyoji.store.interface import ApiKey, SigningKey
from gyoji.web.app import create_app

JSON = "application/json"
PRIVATE = bytes(range(32))


class Answer(NamedTuple):
    """One question, and all that came of it: status, headers, body, and the line in the log."""

    question: str
    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    line: str

    @property
    def code(self) -> int:
        """Return the status as a number."""
        return int(self.status[:3])

    @property
    def document(self) -> Any:
        """Parse the body."""
        return orjson.loads(self.body)


class Lines:
    """In place of the logger of requests: what would be written, but for the time that it took."""

    def __init__(self) -> None:
        self.last = ""

    def info(self, event: str, **facts: Any) -> None:
        """Note a line."""
        kept = {name: value for name, value in facts.items() if name != "duration_ms"}
        self.last = repr((event, sorted(kept.items())))

    error = warning = info


@dataclass
class House:
    """A service in this process."""

    app: Flask
    lines: Lines = field(default_factory=Lines)
    runs: "count[int]" = field(default_factory=count)

    @property
    def services(self) -> Services:
        """Its desk."""
        kept: Services = self.app.extensions["gyoji.services"]
        return kept

    def ask(
        self,
        question: str,
        method: str,
        address: str,
        by: str | None,
        body: bytes | None = None,
        messages: int | None = None,
        **more: str,
    ) -> Answer:
        """Send one request. Of a stream as many messages are read as are asked for; the client then leaves."""
        path, _, query = address.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_X_REQUEST_ID": "asked",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body or b""),
            "wsgi.errors": sys.stderr,
            **{f"HTTP_{name.upper()}": value for name, value in more.items()},
        }
        if by is not None:
            environ["HTTP_AUTHORIZATION"] = f"Bearer {by}"
        if body is not None:
            environ |= {"CONTENT_TYPE": JSON, "CONTENT_LENGTH": str(len(body))}
        told: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], _info: object = None) -> Callable[[bytes], object]:
            told.extend((status, headers))
            return told.append

        chunks = self.app(environ, start)
        read = b""
        for chunk in chunks:
            read += chunk
            if messages is not None and read.count(b"\nid: ") >= messages:
                break
        if hasattr(chunks, "close"):
            chunks.close()
        headers = tuple(sorted((name, value) for name, value in told[1] if name not in ("Date", "X-Request-ID")))
        return Answer(question, told[0], headers, read, self.lines.last)

    def counted(self) -> dict[str, float]:
        """Return what the metrics count, but for how long anything took, and how often the store was asked: the key
        that signs is looked up anew after two seconds, and the transparency log grows once a second."""
        found: dict[str, float] = {}
        for line in self.ask("metrics", "GET", "/metrics", None).body.decode().splitlines():
            name, _, value = line.rpartition(" ")
            sample = name.partition("{")[0]
            by_the_clock = sample.endswith(("_sum", "_bucket", "_created")) or sample == "gyoji_store_seconds_count"
            if not line.startswith("#") and not by_the_clock:
                found[name] = float(value)
        return found

    def key(self, role: KeyRole, account: str, scopes: Sequence[str] = (), matches: Sequence[str] = ()) -> str:
        """Return a key, the same in both houses."""
        made = new_key(role, sha256(f"{role} {account} {scopes}".encode()).digest())
        kept = digest(made)
        record = ApiKey(key_id(kept), kept, role, account, tuple(scopes), tuple(matches), "2026-01-01T00:00:00.000Z")
        self.services.store.add_key(record)
        return made


def house(folder: Path) -> House:
    """Run a service with a store in that folder and the keys that all these houses have."""
    settings = Settings(store=f"sqlite:///{folder / 'gyoji.db'}", store_key="5a" * 32)
    migrate(settings.store)
    made = House(create_app(settings))
    for private, origin in ((PRIVATE, settings.origin), (PRIVATE[::-1], f"{settings.origin}/log")):
        own = signer(private, origin)
        key = SigningKey(own.key, own.origin, public_bytes(own.private), private, "2026-01-01T00:00:00.000Z")
        made.services.store.add_signing_key(key)
    return made
