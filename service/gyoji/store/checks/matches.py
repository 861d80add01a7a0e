"""Checks every match against its log, in the database or in the archive, pack by pack, and against its group."""

from collections.abc import Iterable, Iterator

from gyoji.games.chance import commitment
from gyoji.store.archive.reader import Archive
from gyoji.store.checks.archive import archive_findings
from gyoji.store.checks.log import Finding, ReadLog, read_document
from gyoji.store.database import statements
from gyoji.store.database.port import Database, paged
from gyoji.store.database.statements import Row
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.records import Group, Match, Progress, Unavailable
from gyoji.store.rows import LAST, group_of, match_of
from gyoji.store.sql_store import Store

SHARED = ("game", "version", "seats", "options", "first", "disclosure")
"""What all matches of a group have in common, as the first event of each says it."""

FIRSTS = """SELECT events.match, body FROM events JOIN matches ON matches.match = events.match
WHERE group_id = ? AND events.seq = 0 ORDER BY events.match"""
DISCLOSURES = """SELECT events.match, body FROM events JOIN matches ON matches.match = events.match
WHERE group_id = ? AND matches.closed AND events.seq = matches.seq ORDER BY events.match"""
"""The events that disclose matches of a group."""
UNGROUPED = "SELECT match FROM matches WHERE group_id IS NOT NULL AND group_id NOT IN (SELECT id FROM groups)"
EARLY = """SELECT match FROM matches, groups WHERE group_id = groups.id AND matches.closed AND (NOT groups.closed OR
EXISTS (SELECT 1 FROM matches AS m WHERE m.group_id = groups.id AND m.status NOT IN ('finished', 'voided')))"""
"""Matches that are disclosed while others still play with the same deals."""


def group_findings(database: Database, encryption: Encryption | None) -> Iterator[Finding]:
    """Find what is wrong with groups, and with their matches as these are set up and disclosed."""
    yield from [Finding(str(row[0]), None, "its group is not there") for row in database.query(UNGROUPED)]
    yield from [Finding(str(row[0]), None, "disclosed before its group") for row in database.query(EARLY)]
    for row in paged(database, statements.GROUPS, ""):
        try:
            group = group_of(row, encryption)
        except (Damaged, TypeError, ValueError):
            yield Finding(None, None, "a group does not read")
            continue
        yield from _matches_of(database, group)


def _matches_of(database: Database, group: Group) -> Iterator[Finding]:
    for match, body in database.query(FIRSTS, (group.group,)):
        yield from setup_findings(group, match, body)
    if group.until is not None:
        for match, body in database.query(DISCLOSURES, (group.group,)):
            yield from disclosure_findings(group.until, match, body)


def setup_findings(group: Group, match: str, first: bytes) -> Iterator[Finding]:
    """Find what the first event of a match says otherwise than its group; with the store key also that the match has
    another secret."""
    said = (read_document(first) or {}).get("data", {})
    agreed = {name: getattr(group, name) for name in SHARED}
    if {name: said.get(name) for name in SHARED} != agreed or said.get("deal_id") != group.group:
        yield Finding(match, 0, "it was set up otherwise than its group")
    if group.secret and said.get("seed_commitment") != commitment(group.secret, group.game, group.version, group.group):
        yield Finding(match, 0, "its deals are not those of its group")


def disclosure_findings(until: str, match: str, last: bytes) -> Iterator[Finding]:
    """Find that the last event of a match, which discloses it, is before the time that its group has to wait for."""
    at = (read_document(last) or {}).get("at")
    if isinstance(at, str) and at < until:
        yield Finding(match, None, "disclosed before the time of its group")


STRAYS = "SELECT DISTINCT match FROM events WHERE match NOT IN (SELECT match FROM matches)"
NUMBERED_STRAYS = "SELECT DISTINCT match FROM appends WHERE match NOT IN (SELECT match FROM matches)"
IS_ARCHIVED = "SELECT 1 FROM archived WHERE match = ?"


def stray_findings(database: Database) -> Iterator[Finding]:
    """Find events, and numbers of appends, of matches that are not there."""
    yield from [Finding(str(row[0]), None, "events of no match") for row in database.query(STRAYS)]
    yield from [Finding(str(row[0]), None, "an append to no match") for row in database.query(NUMBERED_STRAYS)]


def match_findings(
    database: Database, store: Store, encryption: Encryption | None, progress: Progress | None
) -> Iterator[Finding]:
    """Find what is wrong with each match whose events are in the database; ``progress`` is called with matches."""
    total = database.query("SELECT count(*) FROM matches")[0][0]
    for done, match in enumerate(store.every_match(), start=1):
        try:
            yield from _match(database, match, encryption)
        except Unavailable as failure:
            yield Finding(match, None, str(failure))
        if progress is not None:
            progress(done, total)


def archived_findings(database: Database, encryption: Encryption | None, archive: str | None) -> Iterator[Finding]:
    """Find what is wrong with the archive at the URL, and with the matches in it."""
    place = Archive(database, archive).place
    for name, said in archive_findings(database, place):
        if isinstance(said, str):
            yield Finding(name, None, said)
        elif name is not None:
            yield from _archived_match(database, name, encryption, said)


def _match(database: Database, name: str, encryption: Encryption | None) -> Iterator[Finding]:
    """Check one match. It may be played on meanwhile: what was appended after its row was read is left alone. What is,
    or is just being, archived is checked in its pack."""
    match = _parsed(database.query(statements.ONE_MATCH, (name,)), encryption)
    if match is None:
        yield Finding(name, None, "its row does not read")
        return
    log = ReadLog(match, encryption)
    rows = paged(database, statements.ENTRIES, -1, (name,), (min(match.head.seq, LAST),))
    yield from _events(log, rows)
    if log.seq == match.head.seq or not database.query(IS_ARCHIVED, (name,)):
        yield from [Finding(name, None, what) for what in log.wrong_at_end()]


def _archived_match(database: Database, name: str, encryption: Encryption | None, rows: list[Row]) -> Iterator[Finding]:
    match = _parsed(database.query(statements.ONE_MATCH, (name,)), encryption)
    if match is None:
        return  # has been said
    log = ReadLog(match, encryption)
    yield from _events(log, rows)
    yield from [Finding(name, None, what) for what in log.wrong_at_end()]
    for row in database.query(statements.ONE_GROUP, (match.group,)) if match.group is not None else ():
        group = group_of(row, None)
        yield from setup_findings(group, name, rows[0][1])
        yield from () if group.until is None else disclosure_findings(group.until, name, rows[-1][1])


def _events(log: ReadLog, rows: Iterable[Row]) -> Iterator[Finding]:
    for row in rows:
        try:
            yield from [Finding(log.match.match, row[0], what) for what in log.wrong(row)]
        except (AttributeError, KeyError, TypeError, ValueError):
            yield Finding(log.match.match, row[0], "the event does not read")


def _parsed(found: list[Row], encryption: Encryption | None) -> Match | None:
    try:
        return match_of(found[0], encryption) if found else None
    except Damaged:
        return None
