"""Encrypts what is stored, and derives a key for every other use of the store key.

An encrypted value is one byte of form, a nonce of 12 random bytes and what AES-256-GCM makes of the value; table, match
and ``seq`` are bound into it, so that none can be put into another's place. Every match has a key of its own, made from
the store key: random nonces of one key never run short.

Openings are filled up with blanks to a multiple of 256 bytes before they are encrypted: how long a hidden card's name
is, is not told.
"""

import hmac
from functools import lru_cache
from os import urandom
from typing import Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV

from gyoji.log.entries import Entry, Opening
from gyoji.store.database.port import Database
from gyoji.store.database.statements import KEEP_KEY_CHECK, KEY_CHECK
from gyoji.store.records import Unavailable, WrongKey

FORM = b"\x01"
NONCE = 12
STEP = 256
KEY = 32
CIPHERS = 256
"""Ciphers of matches that are kept: each takes 2.5 KB, and a list of 50 matches takes 1.25 times as long without
them."""


class Damaged(Unavailable):
    """An encrypted value is not what was stored."""

    cause = "damaged"


class Encryption:
    """The keys derived from one store key, one for each use, with the operations on them."""

    def __init__(self, key: bytes) -> None:
        """``key``: the store key, 32 bytes."""
        if len(key) != KEY:
            raise ValueError("a store key is 32 bytes")
        self._encryption = derived(key, "seal/1")
        self._requests = derived(key, "request/1")
        self.tokens = derived(key, "token/1")
        """The key that seat tokens are signed with."""
        self.positions = AESSIV(derived(key, "position/1"))
        """What positions among all appends are shown by."""
        self.check = derived(key, "check/1")
        """What a database keeps of the store key, to know it again."""
        self._cipher = lru_cache(CIPHERS)(self._made_cipher)

    def digest(self, content: bytes) -> bytes:
        """Digest a request: HMAC-SHA-256."""
        return hmac.digest(self._requests, content, "sha256")

    def encrypt(self, table: str, owner: str, seq: int, value: bytes) -> bytes:
        """Encrypt a value for its place: the table, the id of the match or other thing that owns it, and ``seq``."""
        nonce = urandom(NONCE)
        return FORM + nonce + self._cipher(owner).encrypt(nonce, value, _place(table, owner, seq))

    def decrypt(self, table: str, owner: str, seq: int, encrypted: bytes) -> bytes:
        """Decrypt a value from its place; ``Damaged`` if it is not what was stored there."""
        if encrypted[:1] != FORM:
            raise Damaged("a sealed value has another form")
        nonce, rest = encrypted[1 : 1 + NONCE], encrypted[1 + NONCE :]
        try:
            return self._cipher(owner).decrypt(nonce, rest, _place(table, owner, seq))
        except (InvalidTag, ValueError):
            raise Damaged("a sealed value does not open") from None

    def _made_cipher(self, owner: str) -> AESGCM:
        return AESGCM(derived(self._encryption, owner))

    def encrypt_openings(self, match: str, entry: Entry) -> bytes | None:
        """Encrypt the openings and the position salt of an entry; ``None`` where it has neither."""
        if not entry.openings and entry.position is None:
            return None
        value = orjson.dumps(_openings(entry))
        return self.encrypt("events", match, entry.seq, value.ljust(-(-len(value) // STEP) * STEP))

    def entry(self, match: str, seq: int, body: bytes, digest: bytes, encrypted: bytes | None) -> Entry:
        """Read an entry as it was stored, and decrypt its openings."""
        if encrypted is None:
            return Entry(seq, body, digest)
        value = orjson.loads(self.decrypt("events", match, seq, encrypted))
        openings = tuple([Opening(place, bytes.fromhex(salt), payload) for place, salt, payload in value["o"]])
        return Entry(seq, body, digest, openings, bytes.fromhex(value["p"]) if "p" in value else None)


class StoreEncryption:
    """The encryption of one store, handed out once the database has been seen to know its key."""

    def __init__(self, database: Database, key: bytes | None) -> None:
        """``key``: the store key; ``None``: only what is public can be read."""
        self._database = database
        self._encryption = None if key is None else Encryption(key)
        self._is_known = False
        """Whether the database has been seen to know the key."""

    def get(self) -> Encryption | None:
        """Give the encryption, or ``None`` without a key; ``WrongKey`` if the store was made with another one."""
        if self._encryption is not None and not self._is_known:
            self._compare(self._encryption.check)
        return self._encryption

    def require(self) -> Encryption:
        """Give the encryption; ``WrongKey`` also without a key."""
        encryption = self.get()
        if encryption is None:
            raise WrongKey("this needs the store key")
        return encryption

    def _compare(self, check: bytes) -> None:
        """Compare the key with the one that the database knows; a database that knows none learns of this one."""
        found = self._database.query(KEY_CHECK)
        if not found:
            self._database.modify(KEEP_KEY_CHECK, (check,))
            found = self._database.query(KEY_CHECK)
        if found != [(check,)]:
            raise WrongKey("the store key is not the one that this store was made with")
        self._is_known = True


def _openings(entry: Entry) -> dict[str, Any]:
    openings = [(place, salt.hex(), dict(payload)) for place, salt, payload in entry.openings]
    return {"o": openings} if entry.position is None else {"o": openings, "p": entry.position.hex()}


def derived(key: bytes, label: str) -> bytes:
    """Derive a key for one purpose: HMAC-SHA-256 of the label."""
    return hmac.digest(key, label.encode(), "sha256")


def _place(table: str, owner: str, seq: int) -> bytes:
    return f"{table}|{owner}|{seq}".encode()
