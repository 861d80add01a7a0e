"""Tokens of an entrant of a tournament: one for the whole event, signed, never stored. It leads to where the entrant
sits, and to the tokens of those seats as they are in force; a referee who revokes these closes that way too.

After its prefix a token is base64url, without padding, of 53 bytes, integers big-endian::

    format 1 | tournament 16 | entrant 4 | signature 32

The signature is HMAC-SHA-256 over ``LP("entrant-token/1", the 21 bytes before it)``.
"""

import hmac
import re
import struct
from base64 import urlsafe_b64decode
from typing import NamedTuple
from uuid import UUID

from gyoji.access.keys import encode_base64url
from gyoji.games.chance import length_prefixed

PREFIX = "gyoji_ent_"
FORMAT = 1

_BODY = struct.Struct(">B16sI")
_TOKEN = re.compile(rf"{PREFIX}([A-Za-z0-9_-]{{71}})")


class EntrantClaim(NamedTuple):
    """What a genuine token states."""

    tournament: str
    """A UUID."""
    number: int
    """1 for ``e1``."""


def issue_entrant_token(key: bytes, claim: EntrantClaim) -> str:
    """Make the token of an entrant: the same whenever it is made. ``key`` are 32 bytes."""
    body = _BODY.pack(FORMAT, UUID(claim.tournament).bytes, claim.number)
    return PREFIX + encode_base64url(body + _signature(key, body))


def read_entrant_token(key: bytes, text: str) -> EntrantClaim | None:
    """Read what a token states; return ``None`` if it was not issued under this key in exactly these characters."""
    shape = _TOKEN.fullmatch(text)
    if shape is None:
        return None
    raw = urlsafe_b64decode(shape[1] + "=")
    body, signature = raw[: _BODY.size], raw[_BODY.size :]
    # The last character has bits to spare: of the ways to write a token only the canonical one is a token.
    if not hmac.compare_digest(signature, _signature(key, body)) or encode_base64url(raw) != shape[1]:
        return None
    form, tournament, number = _BODY.unpack(body)
    return EntrantClaim(str(UUID(bytes=tournament)), number) if form == FORMAT else None


def _signature(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, length_prefixed("entrant-token/1", body), "sha256")
