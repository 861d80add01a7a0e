"""Makes signing keys, and finds the one that is in force."""

from collections.abc import Sequence
from secrets import token_bytes

from gyoji.log.signatures import public_bytes, signer
from gyoji.store.records import SigningKey


def in_force(keys: Sequence[SigningKey], origin: str) -> SigningKey | None:
    """Find the key of these that signs for the origin."""
    return next((key for key in keys if key.origin == origin and key.is_in_force), None)


def new_key(origin: str, at: str) -> SigningKey:
    """Make a key for an origin, in force from ``at`` on."""
    private = token_bytes(32)
    made = signer(private, origin)
    return SigningKey(made.key, origin, public_bytes(made.private), private, at)
