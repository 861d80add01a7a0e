"""Tokens of a tournament, signed and never stored. That of an entrant, one for the whole event, leads to where the
entrant sits, and to the tokens of those seats as they are in force; a referee who revokes these closes that way too.
With the joining token anybody enters, while registration is open.

After its prefix a token is base64url, without padding, of 53 bytes, integers big-endian::

    format 1 | tournament 16 | number 4 | signature 32

The signature is HMAC-SHA-256 over ``LP(label, the 21 bytes before it)``. The number is that of the entrant, or of the
joining link.
"""

import hmac
import re
import struct
from base64 import urlsafe_b64decode
from typing import NamedTuple
from uuid import UUID

from gyoji.access.keys import encode_base64url
from gyoji.games.chance import length_prefixed

FORMAT = 1

_BODY = struct.Struct(">B16sI")


class _Kind(NamedTuple):
    """A kind of token: its prefix, and the label under which it is signed."""

    prefix: str
    label: str


_ENTRANT = _Kind("gyoji_ent_", "entrant-token/1")
_JOINING = _Kind("gyoji_join_", "joining-token/1")


class EntrantClaim(NamedTuple):
    """What a genuine token of an entrant states."""

    tournament: str
    """A UUID."""
    number: int
    """1 for ``e1``."""


class JoiningClaim(NamedTuple):
    """What a genuine joining token states."""

    tournament: str
    """A UUID."""
    link: int
    """1 for the first joining link of the tournament; it is in force until there is another."""


def issue_entrant_token(key: bytes, claim: EntrantClaim) -> str:
    """Make the token of an entrant: the same whenever it is made. ``key`` are 32 bytes."""
    return _issue(_ENTRANT, key, *claim)


def read_entrant_token(key: bytes, text: str) -> EntrantClaim | None:
    """Read what a token states; return ``None`` if it was not issued under this key in exactly these characters."""
    found = _read(_ENTRANT, key, text)
    return None if found is None else EntrantClaim(*found)


def issue_joining_token(key: bytes, claim: JoiningClaim) -> str:
    """Make the joining token of a tournament: the same whenever it is made. ``key`` are 32 bytes."""
    return _issue(_JOINING, key, *claim)


def read_joining_token(key: bytes, text: str) -> JoiningClaim | None:
    """Read what a joining token states; ``None`` if it is not one that was issued under this key."""
    found = _read(_JOINING, key, text)
    return None if found is None else JoiningClaim(*found)


def _issue(kind: _Kind, key: bytes, tournament: str, number: int) -> str:
    body = _BODY.pack(FORMAT, UUID(tournament).bytes, number)
    return kind.prefix + encode_base64url(body + _signature(kind, key, body))


def _read(kind: _Kind, key: bytes, text: str) -> tuple[str, int] | None:
    shape = re.fullmatch(rf"{kind.prefix}([A-Za-z0-9_-]{{71}})", text)
    if shape is None:
        return None
    raw = urlsafe_b64decode(shape[1] + "=")
    body, signature = raw[: _BODY.size], raw[_BODY.size :]
    # The last character has bits to spare: of the ways to write a token only the canonical one is a token.
    if not hmac.compare_digest(signature, _signature(kind, key, body)) or encode_base64url(raw) != shape[1]:
        return None
    form, tournament, number = _BODY.unpack(body)
    return (str(UUID(bytes=tournament)), number) if form == FORMAT else None


def _signature(kind: _Kind, key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, length_prefixed(kind.label, body), "sha256")
