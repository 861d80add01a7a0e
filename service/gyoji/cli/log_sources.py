"""Where a log over all matches is read from: a service over HTTP, or a store."""

from collections.abc import Sequence
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

import orjson

from gyoji import __version__
from gyoji.store.interface import Store
from gyoji.trust.transparency.notes import Verifier, read_vkey
from gyoji.trust.transparency.tree import HASH, WIDTH, Tile, bundle, tile_place
from gyoji.trust.transparency.verification import Missing

PATIENCE = 10.0
"""Seconds that the service may be silent."""
LONGEST = 30.0
"""Seconds that one answer may take."""
MOST_NOTE = 1 << 16
MOST_KEYS = 1 << 28
MOST_BUNDLE = WIDTH * ((1 << 16) + 1)
PIECE = 1 << 16


class Unreachable(Exception):
    """The service does not answer as a log does; the text says how, without what it sent."""


class Remote:
    """The log of a service, over HTTP. Redirects are not followed, and nothing but HTTP is spoken."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
            raise Unreachable("expected http://HOST or https://HOST, the address of a service")
        self._service = f"{url.rstrip('/')}/v1"
        self._opener = OpenerDirector()
        for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler):
            self._opener.add_handler(handler())

    def checkpoint(self) -> bytes:
        """The newest signed note."""
        return self._read("log/checkpoint", MOST_NOTE)

    def tile(self, tile: Tile) -> bytes:
        """The hashes of a tile."""
        return self._read(f"log/tile/{tile.level}/{tile_place(tile.number, tile.width)}", WIDTH * HASH)

    def entries(self, number: int, width: int) -> bytes:
        """A bundle of entries."""
        return self._read(f"log/tile/entries/{tile_place(number, width)}", MOST_BUNDLE)

    def verifiers(self) -> tuple[Verifier, ...]:
        """The keys that the log itself names: no reason to believe it."""
        try:
            return tuple([read_vkey(line) for line in self._read("log/key", MOST_NOTE).decode().splitlines()])
        except ValueError:
            raise Unreachable("the keys that the log names do not read") from None

    def restorations(self) -> Sequence[Any]:
        """What the service says of times that its store has gone back: nothing that is to be believed by itself."""
        try:
            found = orjson.loads(self._read("keys", MOST_KEYS)).get("restorations", [])
        except (AttributeError, Missing, orjson.JSONDecodeError):
            return []
        return found if isinstance(found, list) else []

    def _read(self, path: str, most: int) -> bytes:
        address = f"{self._service}/{path}"
        request = Request(address, headers={"User-Agent": f"gyoji/{__version__}"})  # noqa: S310
        until = monotonic() + LONGEST
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                pieces: list[bytes] = []
                left = most + 1
                while left > 0 and (piece := answer.read1(min(PIECE, left))):
                    pieces.append(piece)
                    left -= len(piece)
                    if monotonic() > until:
                        raise Unreachable(f"{address}: the answer takes too long")
        except HTTPError as refused:
            refused.close()
            if refused.code == 404:
                raise Missing(path.removeprefix("log/")) from None
            raise Unreachable(f"{address}: HTTP status {refused.code}") from None
        except (URLError, OSError, ValueError) as failure:
            raise Unreachable(f"{address} cannot be read: {_why(failure)}") from None
        if left <= 0:
            raise Unreachable(f"{address}: more than {most} bytes")
        return b"".join(pieces)


def _why(failure: Exception) -> str:
    """What the operating system says of it, never what came over the line."""
    cause = failure.reason if isinstance(failure, URLError) else failure
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    said = cause.strerror if isinstance(cause, OSError) else None
    return said or type(cause).__name__


class Stored:
    """The log in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def checkpoint(self) -> bytes:
        """The newest signed note."""
        last = self._store.tree.latest()
        if last is None:
            raise Missing("checkpoint")
        return last.note.encode()

    def tile(self, tile: Tile) -> bytes:
        """The hashes of a tile."""
        low = tile.number * WIDTH
        return b"".join(self._store.tree.hashes(tile.level, low, low + tile.width))

    def entries(self, number: int, width: int) -> bytes:
        """A bundle of entries."""
        low = number * WIDTH
        return bundle([leaf.body for leaf in self._store.tree.leaves(low, low + width)])

    def verifiers(self) -> Sequence[Verifier]:
        """The keys of the store that may have signed checkpoints."""
        kept = self._store.signing_keys()
        return tuple([Verifier(key.origin, key.public) for key in kept if key.revoked is None])

    def restorations(self) -> Sequence[Any]:
        """What was signed each time that the store had gone back."""
        return self._store.restorations.documents()
