"""The port of the store: what it promises, whichever database is behind it.

``UNIQUE (match, seq)`` decides every race: a writer says at which ``seq`` it expects the match to stand, and whoever is
second gets ``Conflict`` and nothing of it is stored. A write that returns has been synced to the disk.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from gyoji.log.entries import Entry
from gyoji.store.groups import Group, GroupMember
from gyoji.store.records import (
    CAUSES,
    NO_OPTIONS,
    ApiKey,
    AppendOptions,
    CapsuleHead,
    Cause,
    Conflict,
    Head,
    KeyTaken,
    Listing,
    Match,
    NewMatch,
    Remembered,
    Request,
    Restored,
    Seating,
    SigningKey,
    Status,
    Unavailable,
    Unreadable,
    WrongKey,
)

if TYPE_CHECKING:
    from gyoji.store.database.port import Wake
    from gyoji.store.restorations import Restorations
    from gyoji.store.tournaments import Tournaments
    from gyoji.store.transparency.log import TransparencyLog
    from gyoji.store.webhooks.webhooks import Webhooks

__all__ = (
    "CAUSES",
    "NO_OPTIONS",
    "ApiKey",
    "AppendOptions",
    "CapsuleHead",
    "Cause",
    "Conflict",
    "Head",
    "KeyTaken",
    "Listing",
    "Match",
    "NewMatch",
    "Remembered",
    "Request",
    "Restored",
    "Seating",
    "SigningKey",
    "Status",
    "Store",
    "Unavailable",
    "Unreadable",
    "WrongKey",
)
"""What others import: a store, and what it is handed, gives back and raises."""


class Store(Protocol):
    """Keeps logs, heads, idempotency records and keys. Every method may raise ``Unavailable``."""

    transparency_log: "TransparencyLog"
    """The transparency log over all matches."""
    tournaments: "Tournaments"
    """The tournaments, and their logs."""
    webhooks: "Webhooks"
    """The webhooks, and their deliveries."""
    restorations: "Restorations"
    """How often the store has gone back, and what was signed then."""
    has_new_leaves: bool
    """Whether this process has stored something that has to get into the transparency log; whoever lets that grow sets
    it back."""

    def create(
        self, match: Match, entries: Sequence[Entry], request: Request | None = None, most: int | None = None
    ) -> None:
        """Create a match with its first (or all its) entries, in one transaction. ``Conflict`` if the id is taken,
        ``GroupClosed`` where its group takes no more matches, ``GroupFull`` where it has ``most`` of them."""

    def append(
        self,
        match: str,
        expected: int,
        entries: Sequence[Entry],
        head: Head,
        request: Request | None,
        options: AppendOptions = NO_OPTIONS,
    ) -> None:
        """Append entries ``expected + 1`` and on to the log of a match, and store its new head and the idempotency
        record, in one transaction, with all that the options demand or change.

        ``Conflict`` unless the match stands at ``expected`` with the expected seats, and the tournament where it was;
        ``KeyTaken`` if the key is in use (looked at first); ``GroupClosed`` where the group takes no more matches.
        """

    def match(self, match: str) -> Match | None:
        """Read the row of a match, or ``None``."""

    def head(self, match: str) -> Head | None:
        """Read the head of a match alone; what whoever waits for news asks again and again."""

    def subscribe(self, match: str) -> "AbstractContextManager[Wake]":
        """Wait for news of the match, from before the first look at its head on. Whoever is woken looks again."""

    def entries(
        self, match: str, after: int = -1, until: int | None = None, *, lasting: bool = False
    ) -> Iterator[Entry]:
        """Read entries with ``after < seq <= until`` in order, a page at a time; openings are decrypted. ``lasting``:
        the log is known to be closed and to go on until then, so that a copy of the database may be read."""

    def listed(self, listing: Listing) -> list[Match | Unreadable]:
        """List at most ``limit`` matches, newest first; of those that are damaged only where they stand in the list."""

    def every_match(self) -> Iterator[str]:
        """Read the ids of all matches, ordered by id, a page at a time; for audits and backups."""

    def remembered(self, scope: str, key: str) -> Remembered | None:
        """Read what was stored under an idempotency key."""

    def reseat(self, match: str, seat: int, seating: Seating, epoch: int) -> None:
        """Renew the tokens of a seat. ``Conflict`` unless they are of ``epoch``."""

    def redirect(self, match: str, seating: Seating, epoch: int) -> None:
        """Renew the tokens of the director. ``Conflict`` unless they are of ``epoch``."""

    def create_group(self, group: Group, request: Request | None = None) -> None:
        """Create a group. ``Conflict`` if the id is taken, ``KeyTaken`` if the key is in use."""

    def group(self, group: str) -> Group | None:
        """Read a group, or ``None``."""

    def close_group(self, group: str) -> bool:
        """Close a group, which takes no more matches. Whether there was such a group that took them until now."""

    def group_members(self, group: str) -> list[GroupMember]:
        """Tell how the matches of a group stand, oldest first."""

    def is_in_play(self, group: str) -> bool:
        """Whether a match of the group is not over."""

    def has_several_matches(self, group: str) -> bool:
        """Whether more than one match is of the group."""

    def withheld(self) -> list[str]:
        """List the ids of the matches that are over and wait for their disclosure, ordered by id."""

    def keep_capsule(self, head: CapsuleHead, now: int) -> None:
        """Store where a sealed game stands; ``Conflict`` if the id is taken. Some of those that have expired by ``now``
        (Unix seconds) are deleted."""

    def advance_capsule(self, head: CapsuleHead, mark: bytes) -> bool:
        """Advance a sealed game to ``head``; whether it stood at ``mark`` until now."""

    def capsule_head(self, match: str) -> CapsuleHead | None:
        """Read where a sealed game stands, or ``None``."""

    def digest(self, content: bytes) -> bytes:
        """Digest a request for ``Request.digest``: HMAC-SHA-256 under a key made from the store key."""

    def token_key(self) -> bytes:
        """Give the key that seat tokens are signed with: 32 bytes, made from the store key."""

    def add_key(self, key: ApiKey) -> None:
        """Store a new API key."""

    def key(self, digest: bytes) -> ApiKey | None:
        """Read the API key with that SHA-256, revoked or not."""

    def keys(self) -> list[ApiKey]:
        """List all API keys, oldest first."""

    def revoke_key(self, key: str, at: str) -> bool:
        """Revoke an API key; whether there was such a key that was not revoked before."""

    def signing_keys(self) -> list[SigningKey]:
        """List all signing keys, oldest first; the last one without ``until`` and ``revoked`` signs."""

    def add_signing_key(self, key: SigningKey) -> None:
        """Store a new signing key; ``Conflict`` if another process was first to make one for this origin."""

    def retire_signing_key(self, key: str, successor: SigningKey) -> None:
        """Replace ``key``, which was in force until now, by a new signing key, in one transaction. ``Conflict`` unless
        it was."""

    def revoke_signing_key(self, key: str, at: str, reason: str, successor: SigningKey | None) -> None:
        """Revoke ``key``, whose signatures nobody is to trust any more; the ``successor`` takes its place if it was in
        force, in one transaction. ``Conflict`` if there is none of that id that has not been revoked before."""

    def check(self) -> None:
        """Check the database: ``Unavailable`` unless it answers and is of the schema that this release expects."""

    def refuse_restored(self) -> None:
        """Refuse a store that is read and not written to: ``Restored``."""

    def close(self) -> None:
        """Close the connections of this process."""
