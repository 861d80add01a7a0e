"""What is encrypted at rest, and every other use of the store key.

A sealed value is one byte of form, a nonce of 12 random bytes and what AES-256-GCM makes of the value; table, match and
``seq`` are bound into it, so that none can be put into another's place. Every match has a key of its own, made from the
store key: random nonces of one key never run short.

What is sealed is filled up with blanks to a multiple of 256 bytes first: how long a hidden card's name is, is not told.
"""

import hmac
from functools import lru_cache
from os import urandom
from typing import Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gyoji.log.entries import Entry, Opening
from gyoji.store.records import Unavailable

FORM = b"\x01"
NONCE = 12
STEP = 256
KEY = 32
CIPHERS = 256
"""Ciphers of matches that are kept: each takes 2.5 KB, and is made in some 10 microseconds."""
SECRETS = 1024
"""Secrets of matches that are kept open: every request about a match reads its row, where they stand sealed."""


class Damaged(Unavailable):
    """A sealed value is not what was stored."""

    cause = "damaged"


class Seals:
    """The uses of one store key, each under a key of its own."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY:
            raise ValueError("a store key is 32 bytes")
        self._sealing = derived(key, "seal/1")
        self._requests = derived(key, "request/1")
        self.tokens = derived(key, "token/1")
        """What seat tokens are signed with."""
        self.check = derived(key, "check/1")
        """What a database remembers of the key, to know it again."""
        self._cipher = lru_cache(CIPHERS)(self._made)
        self.secret = lru_cache(SECRETS)(self._secret)
        """The secret of a match, from its id and what is stored: other bytes are opened anew."""

    def digest(self, content: bytes) -> bytes:
        """HMAC-SHA-256 of a request."""
        return hmac.digest(self._requests, content, "sha256")

    def seal(self, table: str, owner: str, seq: int, value: bytes) -> bytes:
        """The value as it is stored."""
        nonce = urandom(NONCE)
        return FORM + nonce + self._cipher(owner).encrypt(nonce, value, _bound(table, owner, seq))

    def unseal(self, table: str, owner: str, seq: int, sealed: bytes) -> bytes:
        """The value again."""
        if sealed[:1] != FORM:
            raise Damaged("a sealed value has another form")
        nonce, rest = sealed[1 : 1 + NONCE], sealed[1 + NONCE :]
        try:
            return self._cipher(owner).decrypt(nonce, rest, _bound(table, owner, seq))
        except (InvalidTag, ValueError):
            raise Damaged("a sealed value does not open") from None

    def _secret(self, match: str, sealed: bytes) -> bytes:
        return self.unseal("matches", match, 0, sealed)

    def _made(self, owner: str) -> AESGCM:
        return AESGCM(derived(self._sealing, owner))

    def seal_openings(self, match: str, entry: Entry) -> bytes | None:
        """Openings and position salt of an entry; ``None`` where it has neither."""
        if not entry.openings and entry.position is None:
            return None
        value = orjson.dumps(_written(entry))
        return self.seal("events", match, entry.seq, value.ljust(-(-len(value) // STEP) * STEP))

    def entry(self, match: str, seq: int, body: bytes, digest: bytes, sealed: bytes | None) -> Entry:
        """An entry as it was stored."""
        if sealed is None:
            return Entry(seq, body, digest)
        value = orjson.loads(self.unseal("events", match, seq, sealed))
        openings = tuple([Opening(place, bytes.fromhex(salt), payload) for place, salt, payload in value["o"]])
        return Entry(seq, body, digest, openings, bytes.fromhex(value["p"]) if "p" in value else None)


def _written(entry: Entry) -> dict[str, Any]:
    openings = [(place, salt.hex(), dict(payload)) for place, salt, payload in entry.openings]
    return {"o": openings} if entry.position is None else {"o": openings, "p": entry.position.hex()}


def derived(key: bytes, label: str) -> bytes:
    """A key for one purpose: HMAC-SHA-256 of the label."""
    return hmac.digest(key, label.encode(), "sha256")


def _bound(table: str, owner: str, seq: int) -> bytes:
    return f"{table}|{owner}|{seq}".encode()
