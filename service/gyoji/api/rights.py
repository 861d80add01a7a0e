"""Declares rights: who may do an operation, as data. ``gyoji.access.rights`` decides by them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

Role = Literal["spectator", "seat", "director", "operator", "referee", "auditor"]
"""What a caller is to a match."""

Asker = Role | Literal["anonymous"]


class Scope(StrEnum):
    """A scope: something that a key is allowed beyond what its role is allowed."""

    CREATE = "matches:create"
    READ = "matches:read"
    PLAY = "matches:play"
    TOKENS = "matches:tokens"
    FORK = "matches:fork"
    ENTROPY = "matches:entropy"
    VOID = "matches:void"
    RULE = "matches:rule"
    UNSEAL = "matches:unseal"
    GROUPS = "groups:manage"
    STORE = "replays:store"
    TOURNAMENTS = "tournaments:manage"
    WEBHOOKS = "webhooks:manage"


Allowed = Mapping[Asker, Scope | None]
"""Who may, and the scope that the key must carry for it."""


class Rights(NamedTuple):
    """The rights to one operation: who may do it without a match, and in which roles with one. ``None`` where that
    cannot be."""

    alone: Allowed | None = None
    """Without a match."""
    match: Allowed | None = None
    """With, or to, a match in which the caller has a role."""
    once_disclosed: bool = False
    """Only with a match whose secrets are disclosed to the caller; unsealing them is not enough."""
    owned: Literal["readable", "managed"] | None = None
    """The operation is about a group, a tournament or a webhook, which the caller has to be able to read or manage."""

    @property
    def takes_anonymous(self) -> bool:
        """Whether the operation needs no credential in some case: public matches have spectators without one."""
        return "anonymous" in (self.alone or {}) or "spectator" in (self.match or {})


EVERYBODY: Allowed = dict.fromkeys(("anonymous", "spectator", "seat", "director", "operator", "referee", "auditor"))
READERS: Allowed = {
    "spectator": None,
    "seat": None,
    "director": None,
    "operator": Scope.READ,
    "referee": None,
    "auditor": None,
}

OPEN = Rights(alone=EVERYBODY)
"""Anybody may; nobody is asked who they are."""

READING = Rights(match=READERS)
"""Whoever may watch the match."""


def for_operators(scope: Scope, owned: Literal["readable", "managed"] | None = None) -> Rights:
    """Return the rights of operators whose key carries the scope."""
    return Rights(alone={"operator": scope}, owned=owned)


def in_match(**allowed: Scope | None) -> Rights:
    """Return the rights to an operation of these roles in a match."""
    return Rights(match={role: allowed[role] for role in READERS if role in allowed})
