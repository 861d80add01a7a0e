"""Signs receipts and heads (Ed25519, RFC 8032), and makes the documents that carry signatures.

A key can end because the store of its service has gone back (``Restoration``).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, NamedTuple, get_args

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gyoji.games.chance import length_prefixed, u32


class Restoration(NamedTuple):
    """That a store has gone back, as its service says it."""

    origin: str
    """The name that the service signs receipts and heads under."""
    generation: int
    """The time of the recovery as a number, which the name of the next log ends with."""
    at: str
    """When it was recovered."""
    until: str | None
    """The time of the last event that is still known; ``None`` if none is. What was lost came after it."""
    ended: tuple[str, ...]
    """The keys for receipts and heads that sign nothing any more."""
    key: str
    """The one that follows them."""
    log: str
    """The name of the log over all matches until then."""
    size: int
    """Of the last checkpoint that is known of it."""
    root: bytes
    log_ended: tuple[str, ...]
    """The ids of the keys that have signed for that log."""
    next: str
    """The vkey of the log that follows it."""
    open: Mapping[str, int]
    """With which event each match and tournament was known that was not closed."""

    def has_lost(self, log: str, seq: int) -> bool:
        """Whether an event of that match or tournament is one that was lost, if there was one."""
        return log in self.open and seq > self.open[log]


Label = Literal["receipt/1", "head/1", "tournament/1"]


class Signer(NamedTuple):
    """The private key that signs for a service, with the key's id and the service's name."""

    key: str
    origin: str
    private: Ed25519PrivateKey


class Trusted(NamedTuple):
    """A public key that a reader trusts to sign for one origin."""

    key: str
    origin: str
    public: bytes
    revoked: bool
    ended: Restoration | None = None
    """That the store of its service has gone back, and that it signs nothing since."""


class TrustedKeys(tuple[Trusted, ...]):
    """The keys that a reader trusts, found by their id."""

    @cached_property
    def by_id(self) -> Mapping[str, Sequence[Trusted]]:
        """The trusted keys by id; a key may be trusted for several origins."""
        found: dict[str, list[Trusted]] = {}
        for key in self:
            found.setdefault(key.key, []).append(key)
        return found


def indexed(trusted: Iterable[Trusted]) -> TrustedKeys:
    """Return trusted keys such that they are found by their id."""
    return trusted if isinstance(trusted, TrustedKeys) else TrustedKeys(trusted)


def key_id(public: bytes) -> str:
    """Return the id of a key: the first 16 hex digits of SHA-256 over its 32 public bytes."""
    return sha256(public).hexdigest()[:16]


def public_bytes(private: Ed25519PrivateKey) -> bytes:
    """Return the 32 public bytes of a private key."""
    public: bytes = private.public_key().public_bytes_raw()
    return public


def signer(private: bytes, origin: str) -> Signer:
    """Return the signer for 32 private bytes."""
    key = Ed25519PrivateKey.from_private_bytes(private)
    return Signer(key_id(public_bytes(key)), origin, key)


LABELS: Mapping[Label, bytes] = {label: length_prefixed(label) for label in get_args(Label)}
SEQ_LENGTH, HASH_LENGTH = u32(4), u32(32)


def message(label: Label, origin: str, match: str, seq: int, event_hash: bytes) -> bytes:
    """Return the bytes that are signed: that the event of a match at ``seq`` has a hash (32 bytes).

    ``LP(label, origin, match, u32(seq), hash)``, written out, as every move is signed.
    """
    by, of = origin.encode(), match.encode()
    named = b"%b%b%b%b%b" % (LABELS[label], u32(len(by)), by, u32(len(of)), of)
    return b"%b%b%b%b%b" % (named, SEQ_LENGTH, u32(seq), HASH_LENGTH, event_hash)


def signature(signing: Signer, label: Label, match: str, seq: int, event_hash: bytes) -> str:
    """Sign that an event has a hash; return 128 hex digits, the same each time, as Ed25519 takes no randomness."""
    signed: bytes = signing.private.sign(message(label, signing.origin, match, seq, event_hash))
    return signed.hex()


def head(signing: Signer, match: str, seq: int, event_hash: bytes) -> dict[str, Any]:
    """Sign the head of a log; return its document."""
    sig = signature(signing, "head/1", match, seq, event_hash)
    return {"match": match, "seq": seq, "hash": event_hash.hex(), "key": signing.key, "sig": sig}
