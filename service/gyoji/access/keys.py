"""API keys of operators, referees and auditors: how they look, how they are kept, what they may carry.

A key is 32 random bytes as text and is shown once. What is kept is its SHA-256: nothing slower is needed for a secret
that cannot be guessed.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Literal, Protocol

from gyoji.api.rights import Scope

KeyRole = Literal["operator", "referee", "auditor"]

PREFIXES: Mapping[KeyRole, str] = {"operator": "gyoji_op_", "referee": "gyoji_ref_", "auditor": "gyoji_aud_"}
"""What a key of that role begins with, so that people and secret scanners see what they hold."""

RANDOM_BYTES = 32

OPERATOR = "operator"
"""Id and account of the operator whose key is a setting of the service."""

_OPERATOR_KEY = re.compile(r"[\x21-\x7e]{32,256}")


MEANINGS: Mapping[Scope, str] = {
    Scope.CREATE: "Create matches, and get the tokens of their seats.",
    Scope.READ: "List and read the matches of the key's account.",
    Scope.PLAY: "Move for any seat of a match of the key's account.",
    Scope.TOKENS: "Renew and revoke the tokens of seats and spectators; every new one is logged.",
    Scope.FORK: "Begin a new match from a disclosed one.",
    Scope.ENTROPY: "Send the value of a public beacon that deals wait for, and close a seeding whose time is over.",
    Scope.VOID: "Cancel a match; its log says so.",
    Scope.RULE: "Rule in a match of the key's account as a referee does.",
    Scope.UNSEAL: "See what is hidden in a running match; every use is logged.",
    Scope.GROUPS: "Make groups of matches that share their deals, add to them, close them; disclose what was withheld.",
    Scope.STORE: "Store replay files that the audit has verified.",
    Scope.TOURNAMENTS: "Set up tournaments and run them: entrants, rounds with the tokens of their seats, corrections.",
    Scope.WEBHOOKS: "Say which addresses are told what happens, and see what was delivered.",
}
"""One sentence a scope, for help texts and documentation."""

GRANTABLE_SCOPES: Mapping[KeyRole, frozenset[Scope]] = {
    "operator": frozenset(Scope),
    "referee": frozenset({Scope.UNSEAL}),
    "auditor": frozenset(),
}
"""The scopes that a key of that role may carry. Referees and auditors read what they are bound to without one."""


class KeyRecord(Protocol):
    """An API key as the store knows it, as far as a decision about rights needs it."""

    @property
    def id(self) -> str:
        """The id of the key: 16 hex digits, which are no secret."""

    @property
    def role(self) -> KeyRole:
        """The role of whoever holds the key: operator, referee or auditor."""

    @property
    def account(self) -> str:
        """The account whose matches an operator's key reaches."""

    @property
    def scopes(self) -> Collection[str]:
        """The scopes of the key as stored; a name that the role may not carry, or that is no scope, grants nothing."""

    @property
    def matches(self) -> Collection[str]:
        """The matches that a referee's or an auditor's key is bound to."""

    @property
    def tournaments(self) -> Collection[str]:
        """The tournaments that a referee's or an auditor's key is bound to, with all their matches."""

    @property
    def revoked(self) -> str | None:
        """When the key was revoked; ``None`` if it is in force."""


def new_key(role: KeyRole, random: bytes) -> str:
    """Make an API key for a role. ``random`` are 32 bytes from the system's secure source. The key is shown once and
    never stored."""
    if len(random) != RANDOM_BYTES:
        raise ValueError(f"a key is made from {RANDOM_BYTES} random bytes")
    return PREFIXES[role] + encode_base64url(random)


def digest(key: str) -> bytes:
    """Return the SHA-256 of an API key, 32 bytes: the store keeps it in place of the key, and finds the key by it."""
    return sha256(key.encode()).digest()


def key_id(kept: bytes) -> str:
    """Return the public id of a key made by ``new_key``: the first 16 hex digits of its digest."""
    return kept.hex()[:16]


def grantable_scopes(role: KeyRole, scopes: Collection[str]) -> frozenset[Scope]:
    """Return those of the named scopes that a key of a role may carry."""
    return frozenset(scope for scope in GRANTABLE_SCOPES[role] if scope in scopes)


def is_operator_key(text: str) -> bool:
    """Tell whether a text may be the value of ``GYOJI_OPERATOR_KEY``: 32 to 256 visible ASCII characters."""
    return _OPERATOR_KEY.fullmatch(text) is not None


def encode_base64url(raw: bytes) -> str:
    """Encode bytes as base64url (RFC 4648, section 5) without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
