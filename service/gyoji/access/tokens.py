"""Tokens of a seat, of the director, or of the spectators, of one match: signed, expiring, revocable, never stored.

A token is derived: the same match, seat, epoch and expiry under the same key give the same token, so that a repeated
request can name it again. After its prefix it is base64url, without padding, of 59 bytes, integers big-endian::

    format 1 | purpose 1 | match 16 | seat 1 (255: no seat) | epoch 4 | expires 4 (Unix seconds) | signature 32

The signature is HMAC-SHA-256 over ``LP("token/1", the 27 bytes before it)``. Whoever raises a seat's epoch revokes its
tokens.
"""

import hmac
import re
import struct
from base64 import urlsafe_b64decode
from enum import IntEnum
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol
from uuid import UUID

from gyoji.access.keys import encode_base64url
from gyoji.games.chance import length_prefixed

LIFETIME = 30 * 24 * 60 * 60
"""Seconds that a token is valid unless the service is told otherwise: 30 days."""

FORMAT = 1
NO_SEAT = 255

READ = 4096
"""Tokens whose reading is kept: what a token says depends on the token and the key alone. Whether it still holds is
asked of the store every time."""

_LAST_SECOND = 2**32 - 1
_BODY = struct.Struct(">BB16sBII")
_TOKEN = re.compile(r"(gyoji_seat_|gyoji_spec_|gyoji_dir_)([A-Za-z0-9_-]{79})")

Holder = int | Literal["director"] | None
"""Whose token it is: a seat's, the director's, or (``None``) the spectators'."""


class Purpose(IntEnum):
    """The purposes of tokens: to play a seat, to watch as a spectator, to contribute as the director."""

    SEAT = 1
    SPECTATOR = 2
    DIRECTOR = 3


PREFIXES = {Purpose.SEAT: "gyoji_seat_", Purpose.SPECTATOR: "gyoji_spec_", Purpose.DIRECTOR: "gyoji_dir_"}
_BEGINNINGS = tuple(PREFIXES.values())


class Claim(NamedTuple):
    """What a genuine token states: match, holder, epoch and expiry. Whether the epoch is still in force, ``is_current``
    tells."""

    match: str
    seat: Holder
    epoch: int
    expires: int
    """Unix seconds; from then on it is void."""


class SeatingRecord(Protocol):
    """The state of the tokens of one seat as the store knows it, as far as a decision about rights needs it."""

    @property
    def epoch(self) -> int:
        """The epoch of the tokens in force; tokens of any other epoch are void."""

    @property
    def since(self) -> int:
        """Unix seconds at which the tokens of this epoch were issued."""

    @property
    def revoked(self) -> bool:
        """Whether all tokens of the seat are void."""


def expiry(seating: SeatingRecord, lifetime: int = LIFETIME) -> int:
    """Return when the tokens of a seat's present epoch expire, in Unix seconds: the same whenever it is called."""
    return min(seating.since + lifetime, _LAST_SECOND)


def issue(key: bytes, match: str, seat: Holder, epoch: int, expires: int) -> str:
    """Make the token of a seat, of the director or of the spectators of a match. ``key`` are 32 bytes, ``match`` is a
    UUID."""
    purpose = Purpose.SEAT if isinstance(seat, int) else Purpose.DIRECTOR if seat == "director" else Purpose.SPECTATOR
    number = seat if isinstance(seat, int) else NO_SEAT
    body = _BODY.pack(FORMAT, purpose, UUID(match).bytes, number, epoch, expires)
    return PREFIXES[purpose] + encode_base64url(body + _signature(key, body))


@lru_cache(READ)
def read(key: bytes, text: str) -> Claim | None:
    """Read what a token states; return ``None`` if it was not issued under this key in exactly these characters."""
    shape = _TOKEN.fullmatch(text)
    if shape is None:
        return None
    prefix, written = shape.groups()
    raw = urlsafe_b64decode(written + "=")
    body, signature = raw[: _BODY.size], raw[_BODY.size :]
    genuine = hmac.compare_digest(signature, _signature(key, body))
    # The last character has two bits to spare: of the four ways to write a token only the canonical one is a token.
    if not genuine or encode_base64url(raw) != written:
        return None
    return _claim(prefix, body)


def is_current(claim: Claim, seating: SeatingRecord) -> bool:
    """Tell whether a token's epoch is the one in force for its seat and has not been revoked. Expiry is not checked."""
    return claim.epoch == seating.epoch and not seating.revoked


def is_token(text: str) -> bool:
    """Tell whether a credential begins as tokens do, genuine or not."""
    return text.startswith(_BEGINNINGS)


def _signature(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, length_prefixed("token/1", body), "sha256")


def _claim(prefix: str, body: bytes) -> Claim | None:
    """What signed bytes say, if they are of this format and for what the prefix promises."""
    form, purpose, match, seat, epoch, expires = _BODY.unpack(body)
    if form != FORMAT or PREFIXES.get(purpose) != prefix or (seat == NO_SEAT) == (purpose == Purpose.SEAT):
        return None
    others: dict[int, Holder] = {Purpose.DIRECTOR: "director", Purpose.SPECTATOR: None}
    return Claim(str(UUID(bytes=match)), others.get(purpose, seat), epoch, expires)
