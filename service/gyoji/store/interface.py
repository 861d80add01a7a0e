"""What a store of logs promises, whichever database is behind it.

``UNIQUE (match, seq)`` decides every race: a writer says at which ``seq`` it believes the match to be, and whoever is
second gets ``Conflict`` and nothing of it is stored. A write that returns has been synced to the disk.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from gyoji.log.entries import Entry
from gyoji.store.groups import Group, Grouped
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
"""What others import of it: a store, and what it is handed, gives back and raises."""


class Store(Protocol):
    """Logs, heads, idempotency records and keys. Every method may raise ``Unavailable``."""

    transparency_log: "TransparencyLog"
    """The transparency log over all matches."""
    tournaments: "Tournaments"
    """Tournaments, and their logs."""
    webhooks: "Webhooks"
    """Who is told what happens, and what they were told."""
    restorations: "Restorations"
    """That it has gone back, and what was said of it."""
    has_new_leaves: bool
    """Whether this process has stored something that has to get into the transparency log; whoever lets that grow sets
    it back."""

    def create(
        self, match: Match, entries: Sequence[Entry], request: Request | None = None, most: int | None = None
    ) -> None:
        """A new match with its first (or all its) entries, in one transaction. ``Conflict`` if the id is taken,
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
        """The match, or ``None``."""

    def head(self, match: str) -> Head | None:
        """Its head alone; what whoever waits for news asks again and again."""

    def subscribe(self, match: str) -> "AbstractContextManager[Wake]":
        """Waiting for news of the match, from before the first look at its head on. Whoever is woken looks again."""

    def entries(
        self, match: str, after: int = -1, until: int | None = None, *, lasting: bool = False
    ) -> Iterator[Entry]:
        """Entries with ``after < seq <= until`` in order, read a page at a time; openings decrypted. ``lasting``: the
        log is known to be closed and to go on until then, so that it may be read wherever it is."""

    def listed(self, listing: Listing) -> list[Match | Unreadable]:
        """At most ``limit`` matches, newest first; of those that are damaged where they stand."""

    def every_match(self) -> Iterator[str]:
        """The ids of all matches, read a page at a time, ordered by id; for audits and backups."""

    def remembered(self, scope: str, key: str) -> Remembered | None:
        """What was stored under an idempotency key."""

    def reseat(self, match: str, seat: int, seating: Seating, epoch: int) -> None:
        """A seat's new tokens. ``Conflict`` unless it stands at ``epoch``."""

    def redirect(self, match: str, seating: Seating, epoch: int) -> None:
        """The director's new tokens. ``Conflict`` unless they stand at ``epoch``."""

    def create_group(self, group: Group, request: Request | None = None) -> None:
        """A new group. ``Conflict`` if the id is taken, ``KeyTaken`` if the key is in use."""

    def group(self, group: str) -> Group | None:
        """The group, or ``None``."""

    def close_group(self, group: str) -> bool:
        """Whether there was such a group that took matches until now; from here on it takes none."""

    def grouped(self, group: str) -> list[Grouped]:
        """How the matches of the group stand, oldest first."""

    def in_play(self, group: str) -> bool:
        """Whether a match of the group is not over."""

    def shared(self, group: str) -> bool:
        """Whether more than one match is of the group."""

    def withheld(self) -> list[str]:
        """The ids of the matches that are over and wait for their disclosure, ordered by id."""

    def keep_capsule(self, head: CapsuleHead, now: int) -> None:
        """Remember a sealed game; ``Conflict`` if the id is taken. Some of those that have expired by ``now`` (Unix
        seconds) are forgotten in turn."""

    def advance_capsule(self, head: CapsuleHead, mark: bytes) -> bool:
        """Whether the game stood at ``mark`` until now; from here on it stands as ``head`` says."""

    def capsule_head(self, match: str) -> CapsuleHead | None:
        """Where a sealed game stands, or ``None``."""

    def digest(self, content: bytes) -> bytes:
        """A keyed digest (HMAC-SHA-256 under a key made from the store key) for ``Request.digest``."""

    def token_key(self) -> bytes:
        """32 bytes, made from the store key, that seat tokens are signed with."""

    def add_key(self, key: ApiKey) -> None:
        """A new API key."""

    def key(self, digest: bytes) -> ApiKey | None:
        """The API key with that SHA-256, revoked or not."""

    def keys(self) -> list[ApiKey]:
        """All API keys, oldest first."""

    def revoke_key(self, key: str, at: str) -> bool:
        """Whether there was such a key that was not revoked before."""

    def signing_keys(self) -> list[SigningKey]:
        """All signing keys, oldest first; the last one without ``until`` and ``revoked`` signs."""

    def add_signing_key(self, key: SigningKey) -> None:
        """A new signing key; ``Conflict`` if another process was first to make one for this origin."""

    def retire_signing_key(self, key: str, successor: SigningKey) -> None:
        """A new signing key in the place of ``key``, which was in force until now, in one transaction. ``Conflict``
        unless it was."""

    def revoke_signing_key(self, key: str, at: str, reason: str, successor: SigningKey | None) -> None:
        """Nobody is to believe ``key`` any more; the ``successor`` takes its place if it was in force, in one
        transaction. ``Conflict`` if there is none of that id that has not been revoked before."""

    def check(self) -> None:
        """``Unavailable`` unless the database answers and is of the schema that this release expects."""

    def refuse_restored(self) -> None:
        """``Restored`` where the store is read and not written to."""

    def close(self) -> None:
        """Close this process's connections."""
