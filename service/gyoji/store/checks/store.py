"""Whether a store still holds what was put into it.

The database's own check, the schema, and for every match: no gap, hashes and chain computed anew, every opening opens
what the event commits to, and the columns that matches are found by agree with the log; of those that are archived the
same, pack by pack. Then the logs of tournaments. Last the tree over all matches: it is what was signed, and tells of
every match. What the moves mean is the audit's.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gyoji.games.chance import commitment
from gyoji.store.archive.reader import Archive
from gyoji.store.backups.manifest import BadManifest, has_manifest, verified_manifest
from gyoji.store.checks.archive import archive_findings
from gyoji.store.checks.log import ReadLog, read_document
from gyoji.store.checks.tournaments import tournament_findings
from gyoji.store.checks.transparency import transparency_findings
from gyoji.store.database import statements
from gyoji.store.database.port import Database
from gyoji.store.database.sql import PAGE, Row
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.groups import Group
from gyoji.store.records import Match, Progress, Unavailable
from gyoji.store.rows import LAST, group_of, match_of
from gyoji.store.sql_store import SqlStore
from gyoji.store.urls import SqliteUrl, StoreUrl, archive_url, parse_url

SHARED = ("game", "version", "seats", "options", "first", "disclosure")
"""What all matches of a group have in common, as the first event of each says it."""

FIRSTS = """SELECT events.match, body FROM events JOIN matches ON matches.match = events.match
WHERE group_id = ? AND events.seq = 0 ORDER BY events.match"""

TOLD = """SELECT events.match, body FROM events JOIN matches ON matches.match = events.match
WHERE group_id = ? AND matches.closed AND events.seq = matches.seq ORDER BY events.match"""
"""The events that disclose matches of a group."""

IS_ARCHIVED = "SELECT 1 FROM archived WHERE match = ?"
STRAYS = "SELECT DISTINCT match FROM events WHERE match NOT IN (SELECT match FROM matches)"
UNGROUPED = "SELECT match FROM matches WHERE group_id IS NOT NULL AND group_id NOT IN (SELECT id FROM groups)"
EARLY = """SELECT match FROM matches, groups WHERE group_id = groups.id AND matches.closed AND (NOT groups.closed OR
EXISTS (SELECT 1 FROM matches AS m WHERE m.group_id = groups.id AND m.status NOT IN ('finished', 'voided')))"""
"""Matches that are disclosed while others still play with the same deals."""


class Finding(NamedTuple):
    """Something that is wrong, and where: never with anything that was stored."""

    match: str | None
    seq: int | None
    what: str


def check_store(
    url: str, key: bytes | None, progress: Progress | None = None, archive: str | None = None
) -> list[Finding]:
    """Everything that is wrong with the store at ``url``; empty if it is sound.

    Without the store key what is sealed cannot be looked into. A backup is compared with its manifest, and stays as it
    is. ``progress`` is told matches. ``archive`` is where the archive is, if not as ``GYOJI_ARCHIVE`` says.
    """
    place = parse_url(url)
    found = list[Finding]()
    if isinstance(place, SqliteUrl) and has_manifest(place.path):
        found += _of_manifest(place.path)
        place = place._replace(is_still=True)
    database = place.database(administrative=True)
    try:
        _refuse_missing(place, database)
        return found + list(_findings(database, key, progress, archive_url(archive)))
    finally:
        database.close()


def _refuse_missing(place: StoreUrl, database: Database) -> None:
    """``Unavailable`` where there is nothing to look into."""
    if not isinstance(place, SqliteUrl):
        database.query("SELECT 1")
    elif not place.path.exists():
        raise Unavailable("the database cannot be opened")


def _of_manifest(backup: Path) -> list[Finding]:
    try:
        verified_manifest(backup)
    except BadManifest as wrong:
        return [Finding(None, None, str(wrong))]
    return []


def _findings(
    database: Database, key: bytes | None, progress: Progress | None, archive: str | None
) -> Iterator[Finding]:
    try:
        yield from [Finding(None, None, fault) for fault in database.find_faults()]
        store = _known(database, key)
        encryption = None if key is None else Encryption(key)
        yield from [Finding(str(row[0]), None, "events of no match") for row in database.query(STRAYS)]
        yield from [Finding(str(row[0]), None, "its group is not there") for row in database.query(UNGROUPED)]
        yield from [Finding(str(row[0]), None, "disclosed before its group") for row in database.query(EARLY)]
        yield from _groups(database, encryption)
        yield from _matches(database, store, encryption, progress)
        yield from _archived(database, encryption, archive)
        yield from [Finding(None, None, what) for what in tournament_findings(database, store.tournaments)]
        yield from [
            Finding(match, None, what)
            for match, what in transparency_findings(database, store.transparency_log, store.signing_keys())
        ]
    except Unavailable as failure:
        yield Finding(None, None, str(failure))


def _known(database: Database, key: bytes | None) -> SqlStore:
    """The store, of this release's schema and of this key. One that knows no key yet learns of none by a check."""
    store = SqlStore(database, None)
    store.check()
    if key is not None and database.query(statements.KEY_CHECK):
        store = SqlStore(database, key)
        store.check()
    return store


def _matches(
    database: Database, store: SqlStore, encryption: Encryption | None, progress: Progress | None
) -> Iterator[Finding]:
    total = database.query("SELECT count(*) FROM matches")[0][0]
    for done, match in enumerate(store.every_match(), start=1):
        try:
            yield from _match(database, match, encryption)
        except Unavailable as failure:
            yield Finding(match, None, str(failure))
        if progress is not None:
            progress(done, total)


def _groups(database: Database, encryption: Encryption | None) -> Iterator[Finding]:
    """Groups that do not read, and matches that were set up otherwise than their group."""
    after = ""
    while page := database.query(statements.GROUPS, (after, PAGE)):
        for row in page:
            try:
                group = group_of(row, encryption)
            except (Damaged, TypeError, ValueError):
                yield Finding(None, None, "a group does not read")
                continue
            yield from _differing(database, group)
            yield from _hasty(database, group)
        after = page[-1][0]


def _differing(database: Database, group: Group) -> Iterator[Finding]:
    """What the group says and its matches say otherwise."""
    for match, body in database.query(FIRSTS, (group.group,)):
        yield from _otherwise(group, match, body)


def _otherwise(group: Group, match: str, first: bytes) -> Iterator[Finding]:
    """What one match says otherwise; with the store key also that it has the secret of the group."""
    said = (read_document(first) or {}).get("data", {})
    agreed = {name: getattr(group, name) for name in SHARED}
    if {name: said.get(name) for name in SHARED} != agreed or said.get("deal_id") != group.group:
        yield Finding(match, 0, "it was set up otherwise than its group")
    if group.secret and said.get("seed_commitment") != commitment(group.secret, group.game, group.version, group.group):
        yield Finding(match, 0, "its deals are not those of its group")


def _hasty(database: Database, group: Group) -> Iterator[Finding]:
    """Matches that were disclosed before the time that the group is to wait for."""
    if group.until is not None:
        for match, body in database.query(TOLD, (group.group,)):
            yield from _too_early(group.until, match, body)


def _too_early(until: str, match: str, last: bytes) -> Iterator[Finding]:
    at = (read_document(last) or {}).get("at")
    if isinstance(at, str) and at < until:
        yield Finding(match, None, "disclosed before the time of its group")


def _match(database: Database, name: str, encryption: Encryption | None) -> Iterator[Finding]:
    """One match. It may be played on meanwhile: what was appended after its row was read is left alone. What is, or
    is just being, archived is looked at in its pack."""
    match = _columns(database.query(statements.ONE_MATCH, (name,)), encryption)
    if match is None:
        yield Finding(name, None, "its row does not read")
        return
    log = ReadLog(match, encryption)
    yield from _events(log, _rows(database, name, match.head.seq))
    if log.seq == match.head.seq or not database.query(IS_ARCHIVED, (name,)):
        yield from [Finding(name, None, what) for what in log.wrong_at_end()]


def _events(log: ReadLog, rows: Iterable[Row]) -> Iterator[Finding]:
    for row in rows:
        try:
            yield from [Finding(log.match.match, row[0], what) for what in log.wrong(row)]
        except (AttributeError, KeyError, TypeError, ValueError):
            yield Finding(log.match.match, row[0], "the event does not read")


def _archived(database: Database, encryption: Encryption | None, archive: str | None) -> Iterator[Finding]:
    """What is wrong with the archive, and with the matches in it."""
    place = Archive(database, archive).place
    for name, said in archive_findings(database, place):
        if isinstance(said, str):
            yield Finding(name, None, said)
        elif name is not None:
            yield from _in_pack(database, name, encryption, said)


def _in_pack(database: Database, name: str, encryption: Encryption | None, rows: list[Row]) -> Iterator[Finding]:
    match = _columns(database.query(statements.ONE_MATCH, (name,)), encryption)
    if match is None:
        return  # has been said
    log = ReadLog(match, encryption)
    yield from _events(log, rows)
    yield from [Finding(name, None, what) for what in log.wrong_at_end()]
    for row in database.query(statements.ONE_GROUP, (match.group,)) if match.group is not None else ():
        group = group_of(row, None)
        yield from _otherwise(group, name, rows[0][1])
        yield from () if group.until is None else _too_early(group.until, name, rows[-1][1])


def _columns(found: list[Row], encryption: Encryption | None) -> Match | None:
    try:
        return match_of(found[0], encryption) if found else None
    except Damaged:
        return None


def _rows(database: Database, match: str, until: int) -> Iterator[Row]:
    after = -1
    while page := database.query(statements.ENTRIES, (match, after, min(until, LAST), PAGE)):
        yield from page
        after = page[-1][0]
