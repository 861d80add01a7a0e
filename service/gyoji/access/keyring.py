"""The keys that capsules are sealed with: several at a time, so that one can follow another.

All of them open what they have sealed; only the newest seals. A key is known by its id, which a capsule names.
"""

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from gyoji.games.chance import length_prefixed

KEY = 32
KEY_ID = 8

_HEX = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)


class InvalidCapsuleKeys(Exception):
    """Capsule keys are not written as they should be; the text says what is wrong, and never quotes a key."""


@dataclass(frozen=True)
class Keyring:
    """Keys by their id. It never shows the keys themselves."""

    newest: bytes
    """The id of the key that seals."""
    keys: Mapping[bytes, bytes] = field(repr=False)
    """Id (8 bytes) -> key (32 bytes)."""


def key_id(key: bytes) -> bytes:
    """Return the id of a capsule key: the first 8 bytes of SHA-256 over ``LP("capsule/1/id", key)``. It tells nothing
    of the key."""
    return sha256(length_prefixed("capsule/1/id", key)).digest()[:KEY_ID]


def keyring(*keys: bytes) -> Keyring:
    """Make a keyring of capsule keys, which are given in the order of their age, the newest last."""
    return Keyring(key_id(keys[-1]), {key_id(key): key for key in keys})


def keys_of_text(text: str) -> Keyring:
    """Read capsule keys from a text: 64 hex digits a line, the newest last. Empty lines and those that begin with ``#``
    are skipped.

    Raises ``InvalidCapsuleKeys``.
    """
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    if not lines or not all(map(_HEX.fullmatch, lines)):
        raise InvalidCapsuleKeys("expected one key a line, each 64 hex digits, such as `openssl rand -hex 32` makes")
    keys = [bytes.fromhex(line) for line in lines]
    if len(set(keys)) != len(keys):
        raise InvalidCapsuleKeys("the same key stands there twice")
    return keyring(*keys)


def keys_of_store(store_key: bytes) -> Keyring:
    """Make the keyring whose only key is derived from the store key (32 bytes)."""
    return keyring(expand_key(store_key, length_prefixed("capsule/1/key")))


def expand_key(key: bytes, info: bytes) -> bytes:
    """HKDF-Expand (RFC 5869) with SHA-256: 32 bytes for the use that ``info`` names."""
    return hmac.digest(key, info + b"\x01", "sha256")
