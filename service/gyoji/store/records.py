"""The types that a store takes, returns and raises: requests, heads, matches, groups, and the causes of failures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from gyoji.log.entries import Entry

Status = Literal["seeding", "playing", "paused", "finished", "voided"]


Progress = Callable[[int, int], None]
"""Called with (done, of how many) now and then while something takes long."""


class Conflict(Exception):
    """The match has moved on, or its id is taken; nothing was stored."""


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


class OperationFailed(Exception):
    """A backup, an archival or the like was not done, and nothing is lost; the text says why."""


class Unavailable(Exception):
    """The database cannot be read or written now (full, read-only, locked, gone); nothing was acknowledged."""

    cause: Cause = "unreachable"

    is_unsure: bool = False
    """Whether it may have been stored all the same: no answer came, or what follows a commit failed."""

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


class IdempotencyRecord(NamedTuple):
    """The record of a request that carried an idempotency key; never its body."""

    scope: str
    """Among what a key is unique: ``match:<id>:<seat or role>``, ``tournament:<id>``, ``owner:<account>`` for what is
    new."""
    key: str
    digest: bytes
    """Keyed digest (32 bytes) of the request and who made it, so that another one under the same key is told apart."""
    older: bytes = b""
    """The digest that earlier releases made of the same request: to be compared with, and never stored."""


class Remembered(NamedTuple):
    """The record of an earlier request under an idempotency key: digest, match, and ``seq`` of the event that it
    made."""

    digest: bytes
    match: str
    seq: int


class Seating(NamedTuple):
    """The state of one seat: of its tokens those of an older ``epoch`` are void; all are where ``revoked``."""

    epoch: int
    since: int
    """Unix seconds at which the tokens of this epoch were issued."""
    revoked: bool = False
    bot: str | None = None
    """The player, by its name, by which the service plays the seat; ``None``: it does not."""


class Head(NamedTuple):
    """The head of a match's log and its status: what changes with every append."""

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


class NewMatch(NamedTuple):
    """A match that is to be created, with its first entry, or all its entries."""

    match: Match
    entries: Sequence[Entry]


class AppendOptions(NamedTuple):
    """The options of an append to the log of a match: what it demands or changes beside the log. All is one
    transaction."""

    expected_seats: tuple[Seating, ...] | None = None
    """The seats that the match has to have; ``None``: any."""
    new_seats: tuple[Seating, ...] | None = None
    """The seats that it has from now on, in the place of ``expected_seats``: the tokens of one who was replaced are
    void."""
    group: str | None = None
    """The group that has to take matches still: one of its matches, which was over, runs again. Nobody can close it,
    and tell what its matches share, between this and the end of the transaction."""
    tournament: tuple[str, int] | None = None
    """The tournament, and the ``seq`` at which it has to stand: no round is closed and no match replaced meanwhile."""


NO_OPTIONS = AppendOptions()


class Unreadable(NamedTuple):
    """A match of a list of which no more can be read than its place in the list: what is stored of it is damaged."""

    match: str
    created: str


class Listing(NamedTuple):
    """A listing: which matches are requested. ``None`` means no filter."""

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


class GroupClosed(Exception):
    """The group takes no more matches, or there is none of that id; nothing was stored."""


class GroupFull(GroupClosed):
    """The group has as many matches as it may have; nothing was stored."""


class Group(NamedTuple):
    """A group of matches that share their deals, and what they are set up with. ``secret`` is decrypted."""

    group: str
    owner: str
    """The account whose group it is, and whose matches are in it."""
    created: str
    game: str
    version: int
    seats: int
    options: Mapping[str, Any]
    """All of them, as in the log."""
    first: int
    disclosure: Literal["public_on_close", "auditors_only"]
    until: str | None
    """A time before which nothing is disclosed, whatever has ended."""
    secret: bytes
    """The server's secret S of all its matches, 64 bytes."""
    closed: bool = False
    """Whether it takes no more matches."""
    maker: str | None = None
    """The id of the API key that made it; ``None``: an earlier release did not write that down."""


class GroupMember(NamedTuple):
    """A match of a group, and its status."""

    match: str
    status: Status
    closed: bool
