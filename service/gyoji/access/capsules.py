"""Capsules: encrypted positions of games, which whoever keeps one can neither read nor change.

A capsule is base64url, without padding, of these bytes, integers big-endian::

    format 1 | key id 8 | kind 1 | match 16 | ply 4 | audience 1 | expires 4 (Unix seconds) | nonce 12 | sealed

``kind`` is 0 for a capsule that stands for itself and 1 for one whose match the service remembers the head of. Bit *i*
of ``audience`` is set where the capsule shows what seat *i* may know. ``sealed`` is AES-256-GCM-SIV (RFC 8452) of the
content, filled up with blanks to the room that the caller names, never compressed. Every match has a key of its own,
HKDF-Expand of the key that ``key id`` names; everything before the nonce is bound in as associated data, and the rules
with it. So a capsule opens as what it was sealed as, or not at all: for no other game, match, audience or time.
"""

import struct
from base64 import urlsafe_b64decode
from hashlib import sha256
from typing import Literal, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from gyoji.access.keyring import Keyring, expand_key
from gyoji.access.keys import encode_base64url
from gyoji.games.chance import length_prefixed, u32
from gyoji.games.game import Seat

FORMAT = 1
NONCE = 12
STEP = 1024
"""Bytes of content a capsule is filled up to a multiple of."""

LAST_SECOND = 2**32 - 1

_HEAD = struct.Struct(">B8sB16sIBI12s")
_TAG = 16

Fault = Literal["unreadable", "expired"]
"""Why a capsule does not open. Whatever is wrong with it, it is unreadable; only what is genuine can be expired."""


class CapsuleRules(NamedTuple):
    """The rules that a capsule is bound to."""

    game: str
    version: int
    digest: str
    """SHA-256 of the rule data, as 64 hex digits."""


class CapsuleClaims(NamedTuple):
    """The claims of a capsule: facts about it that anybody can read and nobody can change."""

    match: str
    """A UUID."""
    ply: int
    audience: tuple[Seat, ...]
    """Whose views may be had of it, and for whom may be moved: seats, ascending."""
    expires: int
    """Unix seconds; from then on it is void."""
    kept: bool
    """Whether the service remembers which capsule of the match is the newest."""


class OpenedCapsule(NamedTuple):
    """A capsule that has been decrypted and found genuine: its claims and its content."""

    claims: CapsuleClaims
    content: bytes


def seal(keys: Keyring, rules: CapsuleRules, claims: CapsuleClaims, content: bytes, nonce: bytes, room: int = 0) -> str:
    """Encrypt a position into a capsule with the newest key. ``nonce`` are 12 random bytes; ``room`` is how many bytes
    of content the capsule has to look like at least."""
    head = _HEAD.pack(
        FORMAT,
        keys.newest,
        claims.kept,
        UUID(claims.match).bytes,
        claims.ply,
        sum(1 << seat for seat in claims.audience),
        min(claims.expires, LAST_SECOND),
        nonce,
    )
    full = -(-max(room, len(content)) // STEP) * STEP
    return encode_base64url(head + _cipher(keys, head).encrypt(nonce, content.ljust(full), _bound(head, rules)))


def unseal(keys: Keyring, rules: CapsuleRules, text: str, now: int) -> OpenedCapsule | Fault:
    """Decrypt a capsule: return its claims and content, or why it does not open at ``now`` (Unix seconds)."""
    raw = _decoded(text)
    head, sealed = raw[: _HEAD.size], raw[_HEAD.size :]
    if len(sealed) < _TAG or head[0] != FORMAT or head[1:9] not in keys.keys:
        return "unreadable"
    try:
        content = _cipher(keys, head).decrypt(head[-NONCE:], sealed, _bound(head, rules))
    except InvalidTag:
        return "unreadable"
    claims = _claims(head)
    return OpenedCapsule(claims, content.rstrip(b" ")) if now < claims.expires else "expired"


def position_mark(match: str, content: bytes) -> bytes:
    """Return the digest by which a service knows a game's newest position. SHA-256 over ``LP("capsule/1/mark", match,
    content)``.

    It tells nothing of the position, whose seed nobody knows.
    """
    return sha256(length_prefixed("capsule/1/mark", UUID(match).bytes, content)).digest()


def _decoded(text: str) -> bytes:
    """The bytes; none of a text that is not written as a capsule is. The last character may have bits to spare: of the
    ways to write it only one is right."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""
    return raw if encode_base64url(raw) == text else b""


def _cipher(keys: Keyring, head: bytes) -> AESGCMSIV:
    """The cipher of the match, by the key that the capsule names and no other."""
    _format, key, _kind, match, *_rest = _HEAD.unpack(head)
    return AESGCMSIV(expand_key(keys.keys[key], length_prefixed("capsule/1/match", match)))


def _bound(head: bytes, rules: CapsuleRules) -> bytes:
    """The associated data."""
    _format, key, kind, match, ply, audience, expires, _nonce = _HEAD.unpack(head)
    game, version, digest = rules.game, u32(rules.version), bytes.fromhex(rules.digest)
    seats, until = bytes((audience,)), u32(expires)
    return length_prefixed("capsule/1", key, game, version, digest, match, u32(ply), seats, until, bytes((kind,)))


def _claims(head: bytes) -> CapsuleClaims:
    _format, _key, kind, match, ply, audience, expires, _nonce = _HEAD.unpack(head)
    seats = tuple([seat for seat in range(8) if audience >> seat & 1])
    return CapsuleClaims(str(UUID(bytes=match)), ply, seats, expires, kept=kind == 1)
