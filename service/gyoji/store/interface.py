"""What a store of logs promises, whichever database is behind it.

``UNIQUE (match, seq)`` decides every race: a writer says at which ``seq`` it believes the match to be, and whoever is
second gets ``Conflict`` and nothing of it is stored. A write that returns has been synced to the disk.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, get_args

from gyoji.replay.entries import Entry
from gyoji.store.groups import Group, Grouped

if TYPE_CHECKING:
    from gyoji.store.beside import Beside
    from gyoji.store.database import Wake
    from gyoji.store.restorations import Restorations
    from gyoji.store.tournaments import Tournaments
    from gyoji.store.trees import Tree
    from gyoji.store.webhooks import Webhooks

Status = Literal["seeding", "playing", "paused", "finished", "voided"]


class Conflict(Exception):
    """The match has moved on, or there is one of that id already; nothing was stored."""


class KeyTaken(Exception):
    """The idempotency key has been used in that scope; nothing was stored. ``Store.remembered`` tells for what."""


Cause = Literal[
    "disk-full",
    "disk-error",
    "unreachable",
    "timeout",
    "busy",
    "read-only",
    "newer-schema",
    "older-schema",
    "damaged",
    "storage-away",
    "wrong-key",
    "restored",
]
"""Why a store does not do what it is asked. Logs, metrics and problem details have this name and nothing of the
database's own words.

``unreachable``: no connection, or it broke. ``timeout``: no answer in time. ``busy``: others hold a lock, or all
connections. ``disk-error``: the disk refuses to read or write and is not full. ``damaged``: what was read is not what
was stored. ``storage-away``: the archive does not answer, or nobody says where it is. ``restored``: the
database has lost what was signed, and waits for ``gyoji store recover``.
"""

CAUSES: tuple[Cause, ...] = get_args(Cause)


class Unavailable(Exception):
    """The database cannot be read or written now (full, read-only, locked, gone); nothing was acknowledged."""

    cause: Cause = "unreachable"

    is_unsure: bool = False
    """Whether it may have been stored all the same: it was sent, and no answer came."""

    def __init__(self, told: str = "", cause: Cause | None = None, *, is_unsure: bool = False) -> None:
        super().__init__(told)
        self.is_unsure = is_unsure
        if cause is not None:
            self.cause = cause


class WrongKey(Unavailable):
    """The store key is missing, or is not the one that the store was made with."""

    cause = "wrong-key"


class Restored(Unavailable):
    """The store has gone back to an earlier state, or may have: it is read, and not written to before it is
    recovered."""

    cause = "restored"


class Request(NamedTuple):
    """What is remembered of a request that carried an idempotency key; never its body."""

    scope: str
    """Among what a key is unique: ``match:<id>:<seat or role>``, ``tournament:<id>``, ``owner:<account>`` for what is
    new."""
    key: str
    digest: bytes
    """Keyed digest (32 bytes) of the request and who made it, so that another one under the same key is told apart."""
    older: bytes = b""
    """The digest that earlier releases made of the same request: to be compared with, and never stored."""


class Remembered(NamedTuple):
    """An earlier request under a key: its digest, the match, and the ``seq`` of the event that it made."""

    digest: bytes
    match: str
    seq: int


class Seating(NamedTuple):
    """The state of one seat's tokens: those of an older ``epoch`` are void; all are where ``revoked``."""

    epoch: int
    since: int
    """Unix seconds at which the tokens of this epoch were issued."""
    revoked: bool = False


class Head(NamedTuple):
    """Where a match stands: what changes with every append."""

    seq: int
    hash: bytes
    status: Status
    decision: int
    """The ``seq`` of the event that opened the decision which is now to be made."""
    closed: bool = False
    """Whether the log holds its last event, which discloses the secret. A match that is over need not be closed."""


class Match(NamedTuple):
    """A match as listed: everything but its log. ``secret`` is decrypted."""

    match: str
    game: str
    version: int
    owner: str | None
    """The account whose match it is; ``None`` for an imported replay that nobody owns."""
    created: str
    """RFC 3339 in UTC with milliseconds, as in the log."""
    visibility: Literal["private", "public"]
    disclosure: Literal["public_on_close", "auditors_only"]
    demands_precondition: bool
    """Whether a move without ``If-Match`` is refused."""
    imported: bool
    tags: tuple[str, ...]
    secret: bytes
    """The server's secret S, 64 bytes."""
    seats: tuple[Seating, ...]
    """By seat; the last one is the spectator's."""
    head: Head
    group: str | None = None
    """The group of matches that share their deals, if it is of one."""
    withheld_until: str | None = None
    """What its secret waits for after its end: ``group``, or a time of the log's form."""
    director: Seating | None = None
    """The tokens of whoever contributes to the deals for the tournament, where the match has such a one."""
    tournament: str | None = None
    """The tournament that it is played in, if it is of one."""


class Unreadable(NamedTuple):
    """A match of which no more can be read than where it stands in a list: what is stored of it is damaged."""

    match: str
    created: str


class Listing(NamedTuple):
    """Which matches are asked for. ``None`` means no filter."""

    owner: str | None
    """Only this account's."""
    among: tuple[str, ...] | None = None
    """Only these ids (a referee's, an auditor's), and those of the tournaments that it is for."""
    within: tuple[str, ...] = ()
    """The tournaments that ``among`` goes with."""
    game: str | None = None
    status: Status | None = None
    tournament: str | None = None
    """Only this tournament's."""
    tag: str | None = None
    public: bool = False
    """Only those that anybody may watch."""
    before: tuple[str, str] | None = None
    """(created, match) of the last one seen: newest first, ids break ties."""
    limit: int = 50


class ApiKey(NamedTuple):
    """A key as stored: never the key itself."""

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
        """Whether it is the one that signs for its origin."""
        return self.until is None and self.revoked is None


class CapsuleHead(NamedTuple):
    """What is remembered of a sealed game of which only the newest capsule is accepted: nothing of its position."""

    match: str
    ply: int
    mark: bytes
    """The digest (32 bytes) of the newest position."""
    expires: int
    """Unix seconds; from then on it may be forgotten."""


class Store(Protocol):
    """Logs, heads, idempotency records and keys. Every method may raise ``Unavailable``."""

    tree: "Tree"
    """The tree over all matches."""
    tournaments: "Tournaments"
    """Tournaments, and their logs."""
    webhooks: "Webhooks"
    """Who is told what happens, and what they were told."""
    restorations: "Restorations"
    """That it has gone back, and what was said of it."""
    news: bool
    """Whether this process has stored something that has to get into the tree; whoever lets it grow takes that back."""

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
        seats: tuple[Seating, ...] | None = None,
    ) -> None:
        """Entries ``expected + 1`` and on, the new head and the idempotency record, in one transaction.

        ``Conflict`` unless the match stands at ``expected`` and, where they are given, ``seats`` are its seats;
        ``KeyTaken`` if the key is in use (looked at first).
        """

    def append_with(
        self, match: str, expected: int, entries: Sequence[Entry], head: Head, request: Request | None, beside: "Beside"
    ) -> None:
        """``append``, and in the same transaction what changes beside the log. ``Conflict`` also where the seats are
        not those that were read, or the tournament has moved on; ``GroupClosed`` where the group takes no more
        matches."""

    def match(self, match: str) -> Match | None:
        """The match, or ``None``."""

    def head(self, match: str) -> Head | None:
        """Its head alone; what whoever waits for news asks again and again."""

    def awaiting(self, match: str) -> "AbstractContextManager[Wake]":
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
