"""The keys that a store keeps: API keys of callers, and signing keys of this service."""

from collections.abc import Sequence
from secrets import token_bytes
from typing import Literal, NamedTuple

from gyoji.log.signatures import public_bytes, signer


class ApiKey(NamedTuple):
    """An API key as stored: never the key itself."""

    id: str
    """16 hex digits."""
    hash: bytes
    """SHA-256 of the key."""
    role: Literal["operator", "referee", "auditor"]
    account: str
    scopes: tuple[str, ...]
    matches: tuple[str, ...]
    """The matches that a referee's or an auditor's key is bound to."""
    created: str
    revoked: str | None = None
    tournaments: tuple[str, ...] = ()
    """The tournaments that it is bound to, with all their matches."""


class SigningKey(NamedTuple):
    """An Ed25519 key of this service; ``private`` is decrypted, 32 bytes."""

    key: str
    """First 16 hex digits of SHA-256 over the public bytes."""
    origin: str
    public: bytes
    private: bytes
    since: str
    until: str | None = None
    """When another key has taken its place; what it has signed stays good."""
    revoked: str | None = None
    """From when on nobody is to believe what it has signed."""
    reason: str | None = None
    """Why it was revoked."""

    @property
    def is_in_force(self) -> bool:
        """Whether the key is in force: the one that signs for its origin."""
        return self.until is None and self.revoked is None


def in_force(keys: Sequence[SigningKey], origin: str) -> SigningKey | None:
    """Return the key in force for an origin."""
    return next((key for key in keys if key.origin == origin and key.is_in_force), None)


def new_key(origin: str, at: str) -> SigningKey:
    """Make a signing key for an origin, in force from ``at`` on."""
    private = token_bytes(32)
    made = signer(private, origin)
    return SigningKey(made.key, origin, public_bytes(made.private), private, at)
