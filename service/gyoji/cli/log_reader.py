"""Reads a transparency log: that of a service over HTTP, or that in a store."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPDefaultErrorHandler, HTTPErrorProcessor

import click
import orjson

from gyoji.cli.service_client import EXPECTED, build_opener, build_request, failure_reason, is_service_url
from gyoji.cli.stores import open_keyless, store_errors
from gyoji.store.interface import Store
from gyoji.trust.transparency.notes import Verifier, read_vkey
from gyoji.trust.transparency.restored_logs import Succession, read_successions
from gyoji.trust.transparency.tiles import WIDTH, Tile, tile_path, write_bundle
from gyoji.trust.transparency.tree import HASH
from gyoji.trust.transparency.verification import NotInLog

SILENT_SECONDS = 10.0
"""Seconds that the service may be silent."""
LONGEST = 30.0
"""Seconds that one answer may take."""
MOST_NOTE = 1 << 16
MOST_KEYS = 1 << 28
MOST_BUNDLE = WIDTH * ((1 << 16) + 1)
PIECE = 1 << 16


class Unreachable(Exception):
    """The service does not answer as a log does; the text says how, without what it sent."""


class RemoteLog:
    """The log of a service, over HTTP."""

    def __init__(self, url: str) -> None:
        if not is_service_url(url):
            raise Unreachable(EXPECTED)
        self._service = f"{url.rstrip('/')}/v1"
        self._opener = build_opener(HTTPErrorProcessor, HTTPDefaultErrorHandler)

    def checkpoint(self) -> bytes:
        """Return the newest signed note."""
        return self._read("log/checkpoint", MOST_NOTE)

    def tile(self, tile: Tile) -> bytes:
        """Return the hashes of a tile."""
        return self._read(f"log/tile/{tile.level}/{tile_path(tile.number, tile.width)}", WIDTH * HASH)

    def leaves(self, number: int, width: int) -> bytes:
        """Return a bundle of leaves."""
        return self._read(f"log/tile/entries/{tile_path(number, width)}", MOST_BUNDLE)

    def verifiers(self) -> tuple[Verifier, ...]:
        """Return the keys that the log itself names: no reason to believe it."""
        try:
            return tuple([read_vkey(line) for line in self._read("log/key", MOST_NOTE).decode().splitlines()])
        except ValueError:
            raise Unreachable("the keys that the log names do not read") from None

    def restorations(self) -> Sequence[Any]:
        """Return what the service says of times that its store has gone back: not to be believed by itself."""
        try:
            found = orjson.loads(self._read("keys", MOST_KEYS)).get("restorations", [])
        except (AttributeError, NotInLog, orjson.JSONDecodeError):
            return []
        return found if isinstance(found, list) else []

    def _read(self, path: str, most: int) -> bytes:
        url = f"{self._service}/{path}"
        until = monotonic() + LONGEST
        try:
            with self._opener.open(build_request(url, {}), timeout=SILENT_SECONDS) as answer:
                pieces: list[bytes] = []
                left = most + 1
                while left > 0 and (piece := answer.read1(min(PIECE, left))):
                    pieces.append(piece)
                    left -= len(piece)
                    if monotonic() > until:
                        raise Unreachable(f"{url}: the answer takes too long")
        except HTTPError as refused:
            refused.close()
            if refused.code == 404:
                raise NotInLog(path.removeprefix("log/")) from None
            raise Unreachable(f"{url}: HTTP status {refused.code}") from None
        except (URLError, OSError, ValueError) as failure:
            raise Unreachable(f"{url} cannot be read: {_why(failure)}") from None
        if left <= 0:
            raise Unreachable(f"{url}: more than {most} bytes")
        return b"".join(pieces)


def _why(failure: Exception) -> str:
    cause = failure.reason if isinstance(failure, URLError) else failure
    return "no answer in time" if isinstance(cause, TimeoutError) else failure_reason(failure)


class StoredLog:
    """The log in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def checkpoint(self) -> bytes:
        """Return the newest signed note."""
        last = self._store.transparency_log.latest()
        if last is None:
            raise NotInLog("checkpoint")
        return last.note.encode()

    def tile(self, tile: Tile) -> bytes:
        """Return the hashes of a tile."""
        low = tile.number * WIDTH
        return b"".join(self._store.transparency_log.hashes(tile.level, low, low + tile.width))

    def leaves(self, number: int, width: int) -> bytes:
        """Return a bundle of leaves."""
        low = number * WIDTH
        return write_bundle([leaf.body for leaf in self._store.transparency_log.leaves(low, low + width)])

    def verifiers(self) -> tuple[Verifier, ...]:
        """Return the keys of the store that may have signed checkpoints."""
        kept = self._store.signing_keys()
        return tuple([Verifier(key.origin, key.public) for key in kept if key.revoked is None])

    def restorations(self) -> Sequence[Any]:
        """Return what was signed each time that the store had gone back."""
        return self._store.restorations.documents()


LogReader = RemoteLog | StoredLog


@contextmanager
def open_log(url: str | None, store: str | None) -> Iterator[LogReader]:
    """Open the log of the service at ``url``, or the one in a store."""
    if store is not None:
        with open_keyless(store) as kept, store_errors():
            yield StoredLog(kept)
        return
    with log_errors():
        remote = RemoteLog(str(url))
    yield remote


@contextmanager
def log_errors() -> Iterator[None]:
    """Show a service that cannot be read as an error with exit status 1."""
    try:
        yield
    except Unreachable as failure:
        raise click.ClickException(str(failure)) from None
    except NotInLog as missing:
        raise click.ClickException(f"there is no log of matches there: no {missing}") from None


def with_successors(
    log: LogReader, note: bytes, keys: Sequence[Verifier]
) -> tuple[tuple[Verifier, ...], list[Succession]]:
    """Return the keys, and where the note is of another log than theirs, those of the logs that went on, with the
    successions that lead there."""
    is_known = log_of(note) in [key.name for key in keys]
    found = [] if is_known else read_successions(log.restorations(), keys)
    return tuple(dict.fromkeys([*keys, *[one.successor for one in found]])), found


def log_of(note: bytes) -> str:
    """Return the name of the log that a note claims to be of; whether that log has signed it is not checked."""
    return note.partition(b"\n")[0].decode("utf-8", "replace")
