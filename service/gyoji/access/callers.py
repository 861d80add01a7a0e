"""Identifies the caller of a request from the ``Authorization`` header."""

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from gyoji.access import keys, tokens
from gyoji.access.keys import KeyRecord, KeyRole
from gyoji.access.tokens import Holder, SeatingRecord
from gyoji.api.rights import Scope

_BEARER = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +([\x21-\x7e]{1,256})")


@dataclass(frozen=True)
class Anonymous:
    """A caller without a credential."""


@dataclass(frozen=True)
class SeatHolder:
    """The holder of a token of one seat of one match."""

    match: str
    seat: int


@dataclass(frozen=True)
class Spectator:
    """The holder of a spectator's token of one match."""

    match: str


@dataclass(frozen=True)
class Director:
    """The holder of the director's token of one match, who contributes to its deals and plays no seat."""

    match: str


@dataclass(frozen=True)
class KeyHolder:
    """The holder of an API key."""

    id: str
    role: KeyRole
    account: str
    """An operator reaches the matches of this account."""
    scopes: frozenset[Scope]
    matches: frozenset[str]
    """A referee or an auditor reaches these."""
    tournaments: frozenset[str] = frozenset()
    """And all the matches of these."""


Caller = Anonymous | SeatHolder | Spectator | Director | KeyHolder

CONFIGURED_OPERATOR = KeyHolder(keys.OPERATOR, "operator", keys.OPERATOR, frozenset(Scope), frozenset())
"""The operator whose key is a setting of the service."""


class HeaderFault(Enum):
    """What an ``Authorization`` header may be instead of a credential: malformed."""

    MALFORMED = "malformed"


class InvalidCredential(Enum):
    """Why a credential identifies nobody, as the code of the problem that the service answers with."""

    UNKNOWN = "unauthenticated"
    """It was never made, or it was revoked."""
    EXPIRED = "token-expired"
    """It is a token that was in force until its time was over."""


@dataclass(frozen=True)
class Lookups:
    """How a credential is looked up, and at which time. It never shows the secrets that it holds."""

    key: Callable[[bytes], KeyRecord | None]
    """By the digest of an API key."""
    seating: Callable[[str, Holder], SeatingRecord | None]
    """By match and holder; ``None`` for a match or a holder that there is not."""
    token_key: bytes = field(repr=False)
    now: int
    """Unix seconds."""
    operator: bytes | None = field(default=None, repr=False)
    """The digest of ``GYOJI_OPERATOR_KEY``, where it is set."""


def read_bearer(header: str | None) -> str | HeaderFault | None:
    """The credential of an ``Authorization`` header (RFC 6750): ``None`` without a header.

    Malformed is all but ``Bearer`` and 1 to 256 visible ASCII characters: other schemes too, of which none is known.
    """
    if header is None:
        return None
    found = _BEARER.fullmatch(header)
    return found[1] if found else HeaderFault.MALFORMED


def identify_caller(credential: str | None, lookups: Lookups) -> Caller | InvalidCredential:
    """Return the caller who holds a credential: ``Anonymous`` without one, ``InvalidCredential`` (401) for one that is
    not valid."""
    if credential is None:
        return Anonymous()
    digest = keys.digest(credential)
    if lookups.operator is not None and hmac.compare_digest(digest, lookups.operator):
        return CONFIGURED_OPERATOR
    if tokens.is_token(credential):
        return _token_holder(credential, lookups)
    if credential.startswith(tuple(keys.PREFIXES.values())):
        return _key_holder(lookups.key(digest))
    return InvalidCredential.UNKNOWN


def _token_holder(token: str, lookups: Lookups) -> Caller | InvalidCredential:
    claim = tokens.read(lookups.token_key, token)
    if claim is None:
        return InvalidCredential.UNKNOWN
    seating = lookups.seating(claim.match, claim.seat)
    if seating is None or not tokens.is_current(claim, seating):
        return InvalidCredential.UNKNOWN
    if lookups.now >= claim.expires:
        return InvalidCredential.EXPIRED
    if claim.seat == "director":
        return Director(claim.match)
    return Spectator(claim.match) if claim.seat is None else SeatHolder(claim.match, claim.seat)


def _key_holder(record: KeyRecord | None) -> Caller | InvalidCredential:
    if record is None or record.revoked is not None:
        return InvalidCredential.UNKNOWN
    scopes = keys.grantable_scopes(record.role, record.scopes)
    return KeyHolder(
        record.id, record.role, record.account, scopes, frozenset(record.matches), frozenset(record.tournaments)
    )
