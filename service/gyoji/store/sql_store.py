"""The store over an SQL database of either kind.

A writer says at which ``seq`` it expects the match to stand. The update of the row of the match, which changes nothing
where the match has moved on, decides every race: whoever is second gets ``Conflict`` and nothing of it is stored. The
primary key of ``events`` stands behind it. A write that returns has been synced to the disk.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from gyoji.log.entries import Entry
from gyoji.store.appends import Appends
from gyoji.store.archive.reader import Archive, History
from gyoji.store.capsules import Capsules
from gyoji.store.database import statements
from gyoji.store.database.port import Append, Database, check_schema, paged, request_steps
from gyoji.store.database.statements import Step
from gyoji.store.database.subscriptions import Wake
from gyoji.store.encryption import StoreEncryption
from gyoji.store.keys import ApiKey, SigningKey
from gyoji.store.lists import list_matches
from gyoji.store.records import (
    NO_OPTIONS,
    AppendOptions,
    Conflict,
    Group,
    GroupMember,
    Head,
    IdempotencyRecord,
    Listing,
    Match,
    NewMatch,
    Remembered,
    Seating,
    Unreadable,
)
from gyoji.store.referee_calls import RefereeCalls
from gyoji.store.restorations import Restorations
from gyoji.store.rows import (
    LAST,
    api_key_of,
    api_key_row,
    append_steps_with,
    creation_steps,
    event_rows,
    group_of,
    group_row,
    head_of_row,
    joining_steps,
    match_of,
    pending_leaves,
    seats_of,
    seats_text,
    signing_key_of,
    signing_key_row,
)
from gyoji.store.tournaments import Tournaments
from gyoji.store.transparency.log import TransparencyLog
from gyoji.store.webhooks.webhooks import Webhooks

if TYPE_CHECKING:
    from gyoji.store.database.postgres.replica import Replica


class Store:
    """Keeps logs, heads, idempotency records and keys in a database. Every method may raise ``Unavailable``."""

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
        """The transparency log over all matches."""
        self.has_new_leaves = False
        """Whether this process has stored something that has to get into the transparency log; whoever lets that grow
        sets it back."""
        self.tournaments = Tournaments(database, self._encryption, self._note_pending)
        self.webhooks = Webhooks(database, self._encryption)
        self.restorations = Restorations(database)
        self.capsules = Capsules(database)
        self.referee_calls = RefereeCalls(database, self._encryption)
        self.appends = Appends(database, self._encryption)
        """The appends to the logs of all matches, as one sequence."""

    def _note_pending(self) -> None:
        self.has_new_leaves = True

    def create(
        self, match: Match, entries: Sequence[Entry], request: IdempotencyRecord | None = None, most: int | None = None
    ) -> None:
        """Create a match with its first (or all its) entries, in one transaction. ``Conflict`` if the id is taken,
        ``GroupClosed`` where its group takes no more matches, ``GroupFull`` where it has ``most`` of them."""
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
        request: IdempotencyRecord | None,
        options: AppendOptions = NO_OPTIONS,
    ) -> None:
        """Append entries ``expected + 1`` and on to the log of a match, and store its new head and the idempotency
        record, in one transaction, with all that the options demand or change.

        ``Conflict`` unless the match stands at ``expected`` with the expected seats, and the tournament where it was;
        ``KeyTaken`` if the key is in use (looked at first); ``GroupClosed`` where the group takes no more matches.
        """
        rows = event_rows(match, entries, self._encryption.require())
        leaves = pending_leaves(entries, head, begins=False)
        is_log_alone = options.new_seats is None and options.group is None and options.tournament is None
        if is_log_alone:
            seats = None if options.expected_seats is None else seats_text(options.expected_seats)
            self._database.append(Append(match, expected, rows, head, request, leaves, seats))
        else:
            self._database.write(append_steps_with(Append(match, expected, rows, head, request, leaves), options))
        self._record(match, head)
        self.has_new_leaves = self.has_new_leaves or bool(leaves)
        if not is_log_alone:
            self._database.notify(match, head.seq)

    def _record(self, match: str, head: Head) -> None:
        self._database.guard.record("match", match, head.seq, head.hash)

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Have ``wake`` called, from any thread, when there may be news of the match: within a second of it, and sooner
        nearly always. Whoever has subscribed looks at the head then. The function that is returned ends it."""
        return self._database.subscribe(match, wake)

    def match(self, match: str) -> Match | None:
        """Read the row of a match, or ``None``."""
        found = self._database.query(statements.ONE_MATCH, (match,))
        return match_of(found[0], self._encryption.get()) if found else None

    def head(self, match: str) -> Head | None:
        """Read the head of a match alone, as whoever waits for news does again and again."""
        found = self._database.query(statements.HEAD, (match,))
        return head_of_row(found[0]) if found else None

    def entries(
        self, match: str, after: int = -1, until: int | None = None, *, lasting: bool = False
    ) -> Iterator[Entry]:
        """Read entries with ``after < seq <= until`` in order, a page at a time; openings are decrypted. ``lasting``:
        the log is known to be closed and to go on until then, so that a copy of the database may be read."""
        encryption = self._encryption.get()
        for row in self._history.rows(match, after, LAST if until is None else until, lasting):
            yield Entry(*row[:3]) if encryption is None else encryption.entry(match, *row)

    def listed(self, listing: Listing) -> list[Match | Unreadable]:
        """List at most ``limit`` matches, newest first; of those that are damaged only where they stand in the list."""
        return list_matches(self._database, self._encryption.get(), listing)

    def every_match(self) -> Iterator[str]:
        """Read the ids of all matches, ordered by id, a page at a time; for audits and backups."""
        return (row[0] for row in paged(self._database, statements.IDS, ""))

    def with_bots(self) -> list[str]:
        """List the ids of the matches that are being played with bots in some seats. It looks at every match, for who
        asks once at a start."""
        return [row[0] for row in self._database.query(statements.WITH_BOTS, ('%"%',))]

    def remembered(self, scope: str, key: str) -> Remembered | None:
        """Read what was stored under an idempotency key."""
        found = self._database.query(statements.REQUEST, (scope, key))
        return Remembered(*found[0]) if found else None

    def reseat(self, match: str, seat: int, seating: Seating, epoch: int) -> None:
        """Renew the tokens of a seat. ``Conflict`` unless they are of ``epoch``."""
        while True:  # the seats are replaced if they are those that were read, and read again if another was first
            found = self._database.query(statements.SEATS, (match,))
            seats = seats_of(found[0][0]) if found else ()
            if seat >= len(seats) or seats[seat].epoch != epoch:
                raise Conflict
            changed = (*seats[:seat], seating, *seats[seat + 1 :])
            if self._database.modify(statements.RESEAT, (seats_text(changed), match, found[0][0])):
                return

    def redirect(self, match: str, seating: Seating, epoch: int) -> None:
        """Renew the tokens of the director. ``Conflict`` unless they are of ``epoch``."""
        found = self._database.query(statements.DIRECTOR, (match,))
        known = found[0][0] if found else None
        changed = seats_text((seating,))
        if known is None or seats_of(known)[0].epoch != epoch:
            raise Conflict
        if not self._database.modify(statements.REDIRECT, (changed, match, known)):
            raise Conflict

    def create_group(self, group: Group, request: IdempotencyRecord | None = None) -> None:
        """Create a group. ``Conflict`` if the id is taken, ``KeyTaken`` if the key is in use."""
        made = Step(statements.NEW_GROUP, (group_row(group, self._encryption.require()),), Conflict)
        self._database.write([*request_steps(request, group.group, 0), made])

    def group(self, group: str) -> Group | None:
        """Read a group, or ``None``."""
        found = self._database.query(statements.ONE_GROUP, (group,))
        return group_of(found[0], self._encryption.get()) if found else None

    def close_group(self, group: str) -> bool:
        """Close a group, which takes no more matches. Whether there was such a group that took them until now."""
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
        """List the ids of the matches that are over and wait for their disclosure, ordered by id."""
        return [row[0] for row in self._database.query(statements.WITHHELD)]

    def digest(self, content: bytes) -> bytes:
        """Digest a request for ``IdempotencyRecord.digest``: HMAC-SHA-256 under a key made from the store key."""
        return self._encryption.require().digest(content)

    def token_key(self) -> bytes:
        """Give the key that seat tokens are signed with: 32 bytes, made from the store key."""
        return self._encryption.require().tokens

    def add_key(self, key: ApiKey) -> None:
        """Store a new API key."""
        self._database.write([Step(statements.ADD_KEY, (api_key_row(key),), Conflict)])

    def key(self, digest: bytes) -> ApiKey | None:
        """Read the API key with that SHA-256, revoked or not."""
        found = self._database.query(statements.KEY_BY_HASH, (digest,))
        return api_key_of(found[0]) if found else None

    def keys(self) -> list[ApiKey]:
        """List all API keys, oldest first."""
        return [api_key_of(row) for row in self._database.query(statements.KEYS)]

    def revoke_key(self, key: str, at: str) -> bool:
        """Revoke an API key; whether there was such a key that was not revoked before."""
        return self._database.modify(statements.REVOKE_KEY, (at, key)) == 1

    def signing_keys(self) -> list[SigningKey]:
        """List all signing keys, oldest first; the last one without ``until`` and ``revoked`` signs."""
        encryption = self._encryption.get()
        return [signing_key_of(row, encryption) for row in self._database.query(statements.SIGNING_KEYS)]

    def add_signing_key(self, key: SigningKey) -> None:
        """Store a new signing key; ``Conflict`` if another process was first to make one for this origin."""
        self._database.write([self._added(key)])

    def retire_signing_key(self, key: str, successor: SigningKey) -> None:
        """Replace ``key``, which was in force until now, by a new signing key, in one transaction. ``Conflict`` unless
        it was."""
        retired = Step(statements.RETIRE_SIGNING_KEY, ((successor.since, key),), Conflict, must_change=True)
        self._database.write([retired, self._added(successor)])

    def revoke_signing_key(self, key: str, at: str, reason: str, successor: SigningKey | None) -> None:
        """Revoke ``key``, whose signatures nobody is to trust any more; the ``successor`` takes its place if it was in
        force, in one transaction. ``Conflict`` if there is none of that id that has not been revoked before."""
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
