"""Moves the events of closed matches out of the database, into packs, and back.

A pack is written, read back and compared before anything leaves the database. Then, for some matches at a time and in
one transaction, the database notes where they are and deletes their events, if they are still closed and still stand
where they stood. Whatever breaks off in between has lost nothing: at worst there is an object that nobody needs, and
the next run goes on. No object is ever changed or deleted: an older backup may need it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from typing import NamedTuple

import orjson

from gyoji.store.archive.packs import Part, is_whole, make_pack, pack_name, pack_rows, unpack_rows
from gyoji.store.archive.reader import Archive
from gyoji.store.database import statements
from gyoji.store.database.port import Database, check_schema, paged
from gyoji.store.database.statements import PAGE, Row, Step
from gyoji.store.object_storage import Gone, Objects, objects
from gyoji.store.records import Conflict, OperationFailed, Progress, Unavailable
from gyoji.store.rows import LAST
from gyoji.store.urls import parse_url

MOST_MATCHES = 1000
MOST_BYTES = 64 << 20
"""A pack is full with so many matches, or so many bytes of parts."""
TOGETHER = 50
"""Matches that leave the database in one transaction: whoever writes meanwhile waits for no more than these."""

OLD = """m.closed AND NOT m.archived AND m.created < ? AND (m.tournament IS NULL
OR EXISTS (SELECT 1 FROM tournaments AS t WHERE t.id = m.tournament AND t.closed))"""
"""Nobody needs the match as quickly as before: it is closed, and so is the tournament that it was played in."""
COUNTED = f"SELECT count(*) FROM matches AS m WHERE {OLD}"
CHOSEN = f"""SELECT m.match, m.created, m.seq, m.hash, e.body
FROM matches AS m JOIN events AS e ON e.match = m.match AND e.seq = m.seq
WHERE {OLD} AND (m.created, m.match) > (?, ?) ORDER BY m.created, m.match LIMIT ?"""
ONE_PACK = "SELECT name FROM archive_packs LIMIT 1"
NEW_PACK = """INSERT INTO archive_packs (name, digest, size, matches, events) VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING"""
MARK_ARCHIVED = """UPDATE matches SET archived = ?
WHERE match = ? AND seq = ? AND hash = ? AND closed AND NOT archived"""
ADD_PLACE = """INSERT INTO archived (match, pack, start, length, digest, body, hash, openings)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
DELETE_EVENTS = "DELETE FROM events WHERE match = ?"
DELETE_REQUESTS = "DELETE FROM idempotency WHERE scope >= ? AND scope < ?"
"""By the scopes of a match, which begin with its id: those of its seats, its operators, its referees. A move that is
sent once more cannot be played once more: its log is closed."""
UNMARK_ARCHIVED = "UPDATE matches SET archived = ? WHERE match = ? AND archived"
DELETE_PLACE = "DELETE FROM archived WHERE match = ?"


class ArchiveFailed(OperationFailed):
    """Nothing was archived, or brought back, and nothing is lost; the text says why."""


class ArchiveRun(NamedTuple):
    """What a run of the archiver has moved (or, dry, would move)."""

    matches: int = 0
    events: int = 0
    packs: int = 0
    size: int = 0
    """Bytes of the packs."""
    damaged: tuple[str, ...] = ()
    """Matches that stay where they are: their logs are not whole."""


class _PackedMatch(NamedTuple):
    """A match on its way into a pack."""

    match: str
    rows: list[Row]
    part: bytes


def archive(
    url: str,
    to: str,
    before: str,
    limit: int | None = None,
    *,
    dry: bool = False,
    progress: Progress | None = None,
) -> ArchiveRun:
    """Move what was closed before a time (in the form of the log) from the store at ``url`` to the place ``to``.

    At most ``limit`` matches. The store key is not needed: what is sealed stays sealed. ``ArchiveFailed`` where the
    store has packs already and they are not in that place.
    """
    place = objects(to)
    database = parse_url(url).database(administrative=True)
    with closing(database):
        check_schema(database)
        _refuse_elsewhere(database, place)
        return _archive(database, None if dry else place, before, limit, progress)


def _archive(
    database: Database, place: Objects | None, before: str, limit: int | None, progress: Progress | None
) -> ArchiveRun:
    total = min(database.query(COUNTED, (before,))[0][0], limit or 1 << 62)
    done, damaged = ArchiveRun(), list[str]()
    for packed in _batches(_pack_whole_logs(database, before, limit, damaged)):
        content, parts = make_pack(packed)
        firsts = {each.match: each.rows[0] for each in packed}
        moved = parts if place is None else _store_pack(database, place, content, parts, firsts)
        events = sum([part.seq + 1 for part in moved])
        done = ArchiveRun(done.matches + len(moved), done.events + events, done.packs + 1, done.size + len(content))
        if progress is not None:
            progress(done.matches, total)
    return done._replace(damaged=tuple(damaged))


def _refuse_elsewhere(database: Database, place: Objects) -> None:
    for (name,) in database.query(ONE_PACK):
        try:
            place.read(name, 0, 1)
        except Gone:
            raise ArchiveFailed("the packs that this store has already are not in that place") from None


def _candidates(database: Database, before: str) -> Iterator[Row]:
    """Read rows of (match, seq, hash) that were closed before the time. A replay that was imported counts from then
    on."""
    after = ("", "")
    while page := database.query(CHOSEN, (before, *after, PAGE)):
        for match, _created, seq, digest, body in page:
            if _at(body) < before:
                yield match, seq, digest
        after = (page[-1][1], page[-1][0])


def _at(body: bytes) -> str:
    """Tell when the event happened; one that does not read is found where the whole log is checked."""
    try:
        return str(orjson.loads(body)["at"])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return ""


def _pack_whole_logs(database: Database, before: str, limit: int | None, damaged: list[str]) -> Iterator[_PackedMatch]:
    """Pack the matches whose logs are as they have to be, ``limit`` of them at most; the others are only named."""
    found = 0
    for match, seq, digest in _candidates(database, before):
        rows = _events(database, match)
        if not is_whole(rows, seq, digest):
            damaged.append(match)
            continue
        part = pack_rows(rows)
        if unpack_rows(part) != rows:
            damaged.append(match)
            continue
        yield _PackedMatch(match, rows, part)
        found += 1
        if found == limit:
            return


def _events(database: Database, match: str) -> list[Row]:
    return [tuple(row) for row in paged(database, statements.ENTRIES, -1, (match,), (LAST,))]


def _batches(leaving: Iterator[_PackedMatch]) -> Iterator[list[_PackedMatch]]:
    """Divide matches into those of one pack each."""
    some: list[_PackedMatch] = []
    size = 0
    for each in leaving:
        some.append(each)
        size += len(each.part)
        if len(some) == MOST_MATCHES or size >= MOST_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


def _store_pack(
    database: Database, place: Objects, content: bytes, parts: Sequence[Part], firsts: Mapping[str, Row]
) -> list[Part]:
    """Write a pack, and release its matches from the database; those that were."""
    digest = sha256(content).digest()
    name = pack_name(digest)
    place.write(name, content)
    if place.read(name) != content:
        raise Unavailable(f"{place.shown} does not give back what was written there", "damaged")
    events = sum([part.seq + 1 for part in parts])
    database.write([Step(NEW_PACK, ((name, digest, len(content), len(parts), events),), Conflict)])
    return [
        part
        for at in range(0, len(parts), TOGETHER)
        for part in _release(database, name, parts[at : at + TOGETHER], firsts)
    ]


def _release(database: Database, pack: str, parts: Sequence[Part], firsts: Mapping[str, Row]) -> list[Part]:
    """Release matches from the database, all in one transaction or, where another run was quicker with one, each in its
    own; those that were released."""
    try:
        database.write([step for part in parts for step in _release_steps(pack, part, firsts[part.match])])
    except Conflict:
        if len(parts) == 1:
            return []
        return [each for part in parts for each in _release(database, pack, (part,), firsts)]
    return list(parts)


def _release_steps(pack: str, part: Part, first: Row) -> list[Step]:
    return [
        Step(MARK_ARCHIVED, ((True, part.match, part.seq, part.hash),), Conflict, must_change=True),
        Step(ADD_PLACE, ((part.match, pack, part.start, part.length, part.digest, *first[1:]),), Conflict),
        Step(DELETE_EVENTS, ((part.match,),), Conflict),
        Step(DELETE_REQUESTS, ((f"match:{part.match}", f"match:{part.match};"),), Conflict),
    ]


def unarchive(url: str, place: str, matches: Sequence[str]) -> ArchiveRun:
    """Bring the events of some matches back into the store; each in a transaction of its own. The packs stay.

    ``ArchiveFailed`` where one of them is not in the archive: those named before it have come back.
    """
    database = parse_url(url).database(administrative=True)
    with closing(database):
        check_schema(database)
        archived = Archive(database, place)
        events = [_bring_back(database, archived, match) for match in matches]
    return ArchiveRun(len(events), sum(events))


def _bring_back(database: Database, archived: Archive, match: str) -> int:
    rows = archived.rows(match)
    if rows is None:
        raise ArchiveFailed(f"{match} is not in the archive of this store")
    database.write(
        [
            Step(UNMARK_ARCHIVED, ((False, match),), Conflict, must_change=True),
            Step(DELETE_PLACE, ((match,),), Conflict, must_change=True),
            Step(statements.ADD_EVENT, [(match, *row) for row in rows], Conflict),
        ]
    )
    return len(rows)
