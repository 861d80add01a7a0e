"""The store over an SQL database of either kind: ``gyoji.store.interface.Store``."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from gyoji.log.entries import Entry
from gyoji.names import kept
from gyoji.store.archive.reader import Archive
from gyoji.store.database import statements
from gyoji.store.database.port import Append, Database, Wake, check_schema
from gyoji.store.database.sql import PAGE, Row, Step
from gyoji.store.encryption import Damaged, Encryption, StoreEncryption
from gyoji.store.groups import Group, GroupMember
from gyoji.store.history import History
from gyoji.store.records import (
    NO_OPTIONS,
    ApiKey,
    AppendOptions,
    CapsuleHead,
    Conflict,
    Head,
    Listing,
    Match,
    NewMatch,
    Remembered,
    Request,
    Seating,
    SigningKey,
    Unavailable,
    Unreadable,
)
from gyoji.store.restorations import Restorations
from gyoji.store.rows import (
    LAST,
    api_key_of,
    api_key_row,
    group_of,
    group_row,
    head_of,
    match_of,
    seats_of,
    seats_text,
    signing_key_of,
    signing_key_row,
)
from gyoji.store.tournaments import Tournaments
from gyoji.store.transactions import (
    append_steps,
    creation_steps,
    event_rows,
    joining_steps,
    pending_leaves,
    request_steps,
)
from gyoji.store.transparency.log import TransparencyLog
from gyoji.store.webhooks.webhooks import Webhooks

if TYPE_CHECKING:
    from gyoji.store.database.postgres.replica import Replica


class SqlStore:
    """Keeps logs, heads, idempotency records and keys in a database."""

    def __init__(
        self,
        database: Database,
        key: bytes | None,
        archive: str | None = None,
        replica: "Replica | None" = None,
        is_interactive: bool = False,
    ) -> None:
        """``is_interactive``: callers wait, who are told within seconds where the archive does not answer."""
        self._database = database
        self._replica = replica
        self._history = History(database, Archive(database, archive, is_interactive), replica)
        self._encryption = StoreEncryption(database, key)
        self.transparency_log = TransparencyLog(database, replica)
        self.has_new_leaves = False
        self.tournaments = Tournaments(database, self._encryption, self._note_pending)
        self.webhooks = Webhooks(database, self._encryption)
        self.restorations = Restorations(database)

    def _note_pending(self) -> None:
        self.has_new_leaves = True

    def create(
        self, match: Match, entries: Sequence[Entry], request: Request | None = None, most: int | None = None
    ) -> None:
        """Create a match with its first (or all its) entries."""
        steps = request_steps(request, match.match, 0)
        if match.group is not None:
            steps += joining_steps(match.group, most)
        self._database.write([*steps, *creation_steps((NewMatch(match, entries),), self._encryption.require())])
        self._record(match.match, match.head)
        self.has_new_leaves = True

    def append(
        self,
        match: str,
        expected: int,
        entries: Sequence[Entry],
        head: Head,
        request: Request | None,
        options: AppendOptions = NO_OPTIONS,
    ) -> None:
        """Append to the log of a match in one transaction: by the database's one way where nothing else changes."""
        rows = event_rows(match, entries, self._encryption.require())
        leaves = pending_leaves(entries, head, begins=False)
        if options.is_about_log:
            seats = None if options.expected_seats is None else seats_text(options.expected_seats)
            self._database.append(Append(match, expected, rows, head, request, leaves, seats))
        else:
            self._database.write(append_steps(Append(match, expected, rows, head, request, leaves), options))
        self._record(match, head)
        self.has_new_leaves = self.has_new_leaves or bool(leaves)
        if not options.is_about_log:
            self._database.notify(match)

    def _record(self, match: str, head: Head) -> None:
        self._database.guard.record("match", match, head.seq, head.hash)

    def subscribe(self, match: str) -> AbstractContextManager[Wake]:
        """Wait for news of the match."""
        return self._database.subscribe(match)

    def match(self, match: str) -> Match | None:
        """Read the row of a match, or ``None``."""
        found = self._database.query(statements.ONE_MATCH, (match,))
        return match_of(found[0], self._encryption.get()) if found else None

    def head(self, match: str) -> Head | None:
        """Read the head of a match alone."""
        found = self._database.query(statements.HEAD, (match,))
        return head_of(found[0]) if found else None

    def entries(
        self, match: str, after: int = -1, until: int | None = None, *, lasting: bool = False
    ) -> Iterator[Entry]:
        """Read entries in order; each page is a query of its own, so that no transaction stays open between them."""
        encryption = self._encryption.get()
        for row in self._history.rows(match, after, LAST if until is None else until, lasting):
            yield Entry(*row[:3]) if encryption is None else encryption.entry(match, *row)

    def listed(self, listing: Listing) -> list[Match | Unreadable]:
        """List at most ``limit`` matches, newest first. What the database does not read together is read singly."""
        if listing.among == () == listing.within:
            return []
        encryption = self._encryption.get()
        by_tag = not self._has_many(listing)
        try:
            rows = self._database.query(*statements.listed(listing, by_tag=by_tag))
        except Unavailable as failure:
            if failure.cause != "damaged":
                raise
            places = self._database.query(*statements.listed(listing, statements.PLACE, by_tag=by_tag))
            return [self._read(*place) for place in places]
        return [_listed(row, encryption) for row in rows]

    def _has_many(self, listing: Listing) -> bool:
        """Whether a tag that is asked for together with another filter is that of many matches."""
        if listing.tag is None or listing.owner is None or kept(listing.tag) != listing.tag:
            return False
        if listing.game is None and listing.status is None:
            return False
        return bool(self._database.query(statements.HAS_MANY, (listing.owner, listing.tag)))

    def _read(self, match: str, created: str) -> Match | Unreadable:
        try:
            return self.match(match) or Unreadable(match, created)
        except Unavailable as failure:
            if failure.cause != "damaged":
                raise
            return Unreadable(match, created)

    def every_match(self) -> Iterator[str]:
        """Read the ids of all matches, ordered by id."""
        after = ""
        while page := self._database.query(statements.IDS, (after, PAGE)):
            yield from (row[0] for row in page)
            after = page[-1][0]

    def remembered(self, scope: str, key: str) -> Remembered | None:
        """Read what was stored under an idempotency key."""
        found = self._database.query(statements.REQUEST, (scope, key))
        return Remembered(*found[0]) if found else None

    def reseat(self, match: str, seat: int, seating: Seating, epoch: int) -> None:
        """A seat's new tokens. The seats are replaced as long as they are those that were read; if another seat got
        there first, they are read again."""
        while True:
            found = self._database.query(statements.SEATS, (match,))
            seats = seats_of(found[0][0]) if found else ()
            if seat >= len(seats) or seats[seat].epoch != epoch:
                raise Conflict
            changed = (*seats[:seat], seating, *seats[seat + 1 :])
            if self._database.modify(statements.RESEAT, (seats_text(changed), match, found[0][0])):
                return

    def redirect(self, match: str, seating: Seating, epoch: int) -> None:
        """Renew the tokens of the director."""
        found = self._database.query(statements.DIRECTOR, (match,))
        known = found[0][0] if found else None
        changed = seats_text((seating,))
        if known is None or seats_of(known)[0].epoch != epoch:
            raise Conflict
        if not self._database.modify(statements.REDIRECT, (changed, match, known)):
            raise Conflict

    def create_group(self, group: Group, request: Request | None = None) -> None:
        """Create a group."""
        made = Step(statements.NEW_GROUP, (group_row(group, self._encryption.require()),), Conflict)
        self._database.write([*request_steps(request, group.group, 0), made])

    def group(self, group: str) -> Group | None:
        """Read a group, or ``None``."""
        found = self._database.query(statements.ONE_GROUP, (group,))
        return group_of(found[0], self._encryption.get()) if found else None

    def close_group(self, group: str) -> bool:
        """Close a group; whether it took matches until now."""
        return self._database.modify(statements.CLOSE_GROUP, (True, group)) == 1

    def group_members(self, group: str) -> list[GroupMember]:
        """Tell how the matches of a group stand, oldest first."""
        rows = self._database.query(statements.GROUP_MEMBERS, (group,))
        return [GroupMember(match, status, bool(closed)) for match, status, closed in rows]

    def is_in_play(self, group: str) -> bool:
        """Whether a match of the group is not over."""
        return bool(self._database.query(statements.IN_PLAY, (group,)))

    def has_several_matches(self, group: str) -> bool:
        """Whether more than one match is of the group."""
        return bool(self._database.query(statements.HAS_SEVERAL_MATCHES, (group,)))

    def withheld(self) -> list[str]:
        """List the ids of the matches that are over and wait for their disclosure."""
        return [row[0] for row in self._database.query(statements.WITHHELD)]

    def keep_capsule(self, head: CapsuleHead, now: int) -> None:
        """Store where a sealed game stands, and delete some that have expired."""
        forget = Step(statements.FORGET_CAPSULES, ((now,),), Conflict)
        self._database.write([forget, Step(statements.KEEP_CAPSULE, (head,), Conflict)])

    def advance_capsule(self, head: CapsuleHead, mark: bytes) -> bool:
        """Advance a sealed game; whether it stood at ``mark`` until now."""
        put = (head.ply, head.mark, head.expires, head.match, mark)
        return self._database.modify(statements.ADVANCE_CAPSULE, put) == 1

    def capsule_head(self, match: str) -> CapsuleHead | None:
        """Read where a sealed game stands."""
        found = self._database.query(statements.ONE_CAPSULE, (match,))
        return CapsuleHead(*found[0]) if found else None

    def digest(self, content: bytes) -> bytes:
        """Digest a request under a key made from the store key."""
        return self._encryption.require().digest(content)

    def token_key(self) -> bytes:
        """Give the key that seat tokens are signed with."""
        return self._encryption.require().tokens

    def add_key(self, key: ApiKey) -> None:
        """Store a new API key."""
        self._database.write([Step(statements.ADD_KEY, (api_key_row(key),), Conflict)])

    def key(self, digest: bytes) -> ApiKey | None:
        """Read the API key with that SHA-256."""
        found = self._database.query(statements.KEY_BY_HASH, (digest,))
        return api_key_of(found[0]) if found else None

    def keys(self) -> list[ApiKey]:
        """List all API keys, oldest first."""
        return [api_key_of(row) for row in self._database.query(statements.KEYS)]

    def revoke_key(self, key: str, at: str) -> bool:
        """Revoke an API key; whether there was such a key that was not revoked before."""
        return self._database.modify(statements.REVOKE_KEY, (at, key)) == 1

    def signing_keys(self) -> list[SigningKey]:
        """List all signing keys, oldest first."""
        encryption = self._encryption.get()
        return [signing_key_of(row, encryption) for row in self._database.query(statements.SIGNING_KEYS)]

    def add_signing_key(self, key: SigningKey) -> None:
        """Store a new signing key: one alone of an origin is in force."""
        self._database.write([self._added(key)])

    def retire_signing_key(self, key: str, successor: SigningKey) -> None:
        """Replace a signing key by a new one."""
        retired = Step(statements.RETIRE_SIGNING_KEY, ((successor.since, key),), Conflict, must_change=True)
        self._database.write([retired, self._added(successor)])

    def revoke_signing_key(self, key: str, at: str, reason: str, successor: SigningKey | None) -> None:
        """Revoke a signing key."""
        revoked = Step(statements.REVOKE_SIGNING_KEY, ((at, reason, key),), Conflict, must_change=True)
        self._database.write([revoked] if successor is None else [revoked, self._added(successor)])

    def _added(self, key: SigningKey) -> Step:
        return Step(statements.ADD_SIGNING_KEY, (signing_key_row(key, self._encryption.require()),), Conflict)

    def check(self) -> None:
        """Check the database: ``Unavailable`` unless it answers, is of the schema of this release, and knows the store
        key."""
        check_schema(self._database)
        self._encryption.get()

    def refuse_restored(self) -> None:
        """Refuse a store that is read and not written to: ``Restored``."""
        self._database.guard.require_writable(self._database.query, self._database.query(statements.GENERATION)[0][0])

    def close(self) -> None:
        """Close the connections of this process."""
        self._database.close()
        if self._replica is not None:
            self._replica.close()


def _listed(row: Row, encryption: Encryption | None) -> Match | Unreadable:
    try:
        return match_of(row, encryption)
    except Damaged:
        return Unreadable(row[0], row[4])
