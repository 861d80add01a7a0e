"""The tournaments of a store: a row each, and a log of its own, chained by hash like that of a match.

What a round needs is stored together with the event that pairs it, in one transaction: its groups, its matches and
their first entries. So a round is there as a whole, or not at all.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from gyoji.log.entries import Entry
from gyoji.store.database.port import Append, Database, append_steps, paged, request_steps
from gyoji.store.database.statements import (
    ADD_TOURNAMENT_NEWS,
    CLOSE_GROUP,
    HOLD_TOURNAMENT,
    NEW_GROUP,
    TRACE,
    Row,
    Step,
)
from gyoji.store.encryption import Encryption, StoreEncryption
from gyoji.store.records import Conflict, Group, Head, IdempotencyRecord, NewMatch, Seating, Status
from gyoji.store.rows import (
    LAST,
    creation_steps,
    event_rows,
    group_row,
    joining_steps,
    pending_leaves,
    seating_steps,
)

MATCHES = 50
"""Matches whose logs are read at a time."""

TOURNAMENT = "id, owner, created, visibility, closed, seq, hash, secret"
NEW = f"INSERT INTO tournaments ({TOURNAMENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
ONE = f"SELECT {TOURNAMENT} FROM tournaments WHERE id = ?"
EVERY = "SELECT id FROM tournaments WHERE id > ? ORDER BY id LIMIT ?"
ADD_EVENT = "INSERT INTO tournament_events (tournament, seq, body, hash) VALUES (?, ?, ?, ?)"
ADVANCE = "UPDATE tournaments SET closed = ?, seq = ?, hash = ? WHERE id = ? AND seq = ?"
EVENTS = """SELECT seq, body, hash FROM tournament_events WHERE tournament = ? AND seq > ? AND seq <= ?
ORDER BY seq LIMIT ?"""
BODIES = "SELECT match, body FROM events WHERE match IN ({}) ORDER BY match, seq"
NOBODY_PLAYS = """UPDATE groups SET closed = closed WHERE id = ? AND NOT EXISTS
(SELECT 1 FROM matches WHERE group_id = ? AND status NOT IN ('finished', 'voided'))"""
"""After ``CLOSE_GROUP``, which holds the group's row: a statement of its own, so that it sees whatever was stored by
whoever held that row before, such as a referee who took back the end of a match."""
STAYS_VOID = "UPDATE matches SET status = status WHERE match = ? AND status = 'voided'"
"""Changes nothing. Whoever made the match run again held the row of the tournament, which is waited for before."""
PLAYED = "SELECT match, seq, status, closed FROM matches WHERE tournament = ? ORDER BY match"


class StoredTournament(NamedTuple):
    """A tournament as listed: everything but its log. Without the store key its ``secret`` is empty."""

    tournament: str
    owner: str
    """The account whose tournament it is, and whose matches are played in it."""
    created: str
    visibility: Literal["private", "public"]
    closed: bool
    """Whether its log holds its last event."""
    seq: int
    hash: bytes
    """Of the event at ``seq``."""
    secret: bytes
    """What its lots come from, 32 bytes; decrypted."""


class TournamentMatch(NamedTuple):
    """A match of a tournament: its id, its ``seq`` and its status."""

    match: str
    seq: int
    status: Status
    closed: bool


class MatchAppend(NamedTuple):
    """What the log of a match grows by in a transaction of its tournament."""

    match: str
    after: int
    """The last event of its log until now."""
    entries: Sequence[Entry]
    head: Head
    seats: tuple[tuple[Seating, ...], tuple[Seating, ...]] | None = None
    """The seats that the match has to have, and those that it has from then on; ``None``: they stay."""


class TournamentList(NamedTuple):
    """A listing of tournaments: those of an account, some by id, and those that anybody may read."""

    owner: str | None
    among: tuple[str, ...] = ()
    before: tuple[str, str] | None = None
    """(created, id) of the last one seen: newest first, ids break ties."""
    limit: int = 50


class Tournaments:
    """Stores tournaments and their logs in a database. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, encryption: StoreEncryption, note_pending: Callable[[], None]) -> None:
        """``note_pending`` is called when something has been stored that has to get into the transparency log."""
        self._database = database
        self._encryption = encryption
        self._note_pending = note_pending

    def create(self, held: StoredTournament, first: Entry, request: IdempotencyRecord | None = None) -> None:
        """Create a tournament with its first event. ``Conflict`` if the id is taken, ``KeyTaken`` if the key is in
        use."""
        made = Step(NEW, (_row(held, self._encryption.require()),), Conflict)
        entered, news = _events(held.tournament, (first,)), _news(held.tournament, (first,))
        self._database.write([*request_steps(request, held.tournament, first.seq), made, entered, news])
        self._record(held)

    def append(
        self,
        held: StoredTournament,
        entries: Sequence[Entry],
        request: IdempotencyRecord | None = None,
        *,
        last: bool = False,
        groups: Sequence[Group] = (),
        matches: Sequence[NewMatch] = (),
        ruled: Sequence[MatchAppend] = (),
        closing: Sequence[str] = (),
        void: Sequence[str] = (),
    ) -> StoredTournament:
        """Append events after ``held.seq``, with new groups and matches, matches that are ``ruled`` in, and groups that
        close, in one transaction; after the ``last`` event nothing follows. Give back where the tournament stands then;
        without an event it stands where it stood.

        ``Conflict`` unless the tournament stands at ``held.seq``, the ``ruled`` matches stand where they were, nobody
        plays any more in the groups that close, and the ``void`` matches are so still (or an id is taken); ``KeyTaken``
        if the key is in use (looked at first); ``GroupClosed`` where a match is for a group that takes no more.
        """
        after = held._replace(closed=last, seq=entries[-1].seq, hash=entries[-1].hash) if entries else held
        fresh = {group.group for group in groups}
        joined = dict.fromkeys(new.match.group for new in matches if new.match.group not in fresh)
        self._database.write(
            [
                *request_steps(request, held.tournament, after.seq),
                *_advancing_steps(held, after, entries),
                *(
                    [Step(NEW_GROUP, [group_row(group, self._encryption.require()) for group in groups], Conflict)]
                    if groups
                    else []
                ),
                *[step for group in joined if group is not None for step in joining_steps(group, None)],
                *(creation_steps(matches, self._encryption.require()) if matches else []),
                *[step for each in ruled for step in self._ruled_steps(each)],
                *_closing_steps(closing),
                *[Step(STAYS_VOID, ((match,),), Conflict, must_change=True) for match in void],
            ]
        )
        self._record(after)
        if matches or ruled:
            self._note_pending()
        for each in ruled:
            self._database.notify(each.match, each.head.seq)
        return after

    def _record(self, held: StoredTournament) -> None:
        self._database.guard.record("tournament", held.tournament, held.seq, held.hash)

    def _ruled_steps(self, ruled: MatchAppend) -> list[Step]:
        rows = event_rows(ruled.match, ruled.entries, self._encryption.require())
        leaves = pending_leaves(ruled.entries, ruled.head, begins=False)
        return append_steps(
            Append(ruled.match, ruled.after, rows, ruled.head, None, leaves), seating_steps(ruled.match, ruled.seats)
        )

    def tournament(self, tournament: str) -> StoredTournament | None:
        """Read a tournament, or ``None``."""
        found = self._database.query(ONE, (tournament,))
        return _held(found[0], self._encryption.get()) if found else None

    def entries(self, tournament: str, after: int = -1, until: int | None = None) -> Iterator[Entry]:
        """Read the events of a tournament with ``after < seq <= until`` in order, a page at a time."""
        last = LAST if until is None else until
        return (Entry(*row) for row in paged(self._database, EVENTS, after, (tournament,), (last,)))

    def played(self, tournament: str) -> list[TournamentMatch]:
        """Tell where the matches of a tournament stand, ordered by id."""
        rows = self._database.query(PLAYED, (tournament,))
        return [TournamentMatch(match, seq, status, bool(closed)) for match, seq, status, closed in rows]

    def match_events(self, matches: Sequence[str], kinds: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Read the events of these types in the logs of these matches, in order: match and canonical bytes. Nothing
        that they hide is decrypted, so that many logs can be looked through."""
        marks = [f'"type":"{kind}"'.encode() for kind in kinds]
        for start in range(0, len(matches), MATCHES):
            some = tuple(matches[start : start + MATCHES])
            for match, body in self._database.query(BODIES.format(", ".join("?" * len(some))), some):
                if any(mark in body for mark in marks):
                    yield match, body

    def listed(self, catalogue: TournamentList) -> list[StoredTournament]:
        """List at most ``limit`` tournaments, newest first."""
        encryption = self._encryption.get()
        return [_held(row, encryption) for row in self._database.query(*_listed(catalogue))]

    def every(self) -> Iterator[str]:
        """Read the ids of all tournaments, ordered by id."""
        return (row[0] for row in paged(self._database, EVERY, ""))


def _row(held: StoredTournament, encryption: Encryption) -> Row:
    return tuple(held._replace(secret=encryption.encrypt("tournaments", held.tournament, 0, held.secret)))


def _held(row: Row, encryption: Encryption | None) -> StoredTournament:
    stored = StoredTournament(*row)
    secret = b"" if encryption is None else encryption.decrypt("tournaments", stored.tournament, 0, stored.secret)
    return stored._replace(closed=bool(stored.closed), secret=secret)


def _closing_steps(groups: Sequence[str]) -> list[Step]:
    closed = [Step(CLOSE_GROUP, [(True, group) for group in groups], Conflict)] if groups else []
    return [*closed, *[Step(NOBODY_PLAYS, ((group, group),), Conflict, must_change=True) for group in groups]]


def _advancing_steps(held: StoredTournament, after: StoredTournament, entries: Sequence[Entry]) -> list[Step]:
    """Write the steps that append events; where there is none, the one that demands that nobody else has."""
    if not entries:
        return [Step(HOLD_TOURNAMENT, ((held.tournament, held.seq),), Conflict, must_change=True)]
    advanced = (after.closed, after.seq, after.hash, held.tournament, held.seq)
    return [
        Step(ADVANCE, (advanced,), Conflict, must_change=True),
        _events(held.tournament, entries),
        _news(held.tournament, entries),
    ]


def _events(tournament: str, entries: Sequence[Entry]) -> Step:
    return Step(ADD_EVENT, [(tournament, entry.seq, entry.body, entry.hash) for entry in entries], Conflict)


def _news(tournament: str, entries: Sequence[Entry]) -> Step:
    """Write the step that stores news, where a webhook wants to hear of it."""
    return Step(ADD_TOURNAMENT_NEWS, ((entries[0].seq, entries[-1].seq, TRACE.get(), tournament),), Conflict)


def _listed(catalogue: TournamentList) -> tuple[str, Row]:
    """Write the query for a list, and the values put in."""
    either, put = ["visibility = 'public'"], list[object]()
    if catalogue.owner is not None:
        either.append("owner = ?")
        put.append(catalogue.owner)
    if catalogue.among:
        either.append(f"id IN ({', '.join('?' * len(catalogue.among))})")
        put += catalogue.among
    where = f"({' OR '.join(either)})"
    if catalogue.before is not None:
        where += " AND (created, id) < (?, ?)"
        put += catalogue.before
    query = f"SELECT {TOURNAMENT} FROM tournaments WHERE {where} ORDER BY created DESC, id DESC LIMIT ?"
    return query, (*put, catalogue.limit)
