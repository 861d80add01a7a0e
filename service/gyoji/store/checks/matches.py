"""Checks every match against its log: in the database, or in the archive, pack by pack."""

from collections.abc import Iterable, Iterator

from gyoji.store.archive.reader import Archive
from gyoji.store.checks.archive import archive_findings
from gyoji.store.checks.findings import Finding
from gyoji.store.checks.groups import disclosure_findings, setup_findings
from gyoji.store.checks.log import ReadLog
from gyoji.store.database import statements
from gyoji.store.database.port import Database
from gyoji.store.database.sql import PAGE, Row
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.records import Match, Progress, Unavailable
from gyoji.store.rows import LAST, group_of, match_of
from gyoji.store.sql_store import SqlStore

STRAYS = "SELECT DISTINCT match FROM events WHERE match NOT IN (SELECT match FROM matches)"
IS_ARCHIVED = "SELECT 1 FROM archived WHERE match = ?"


def stray_findings(database: Database) -> Iterator[Finding]:
    """Find events of matches that are not there."""
    yield from [Finding(str(row[0]), None, "events of no match") for row in database.query(STRAYS)]


def match_findings(
    database: Database, store: SqlStore, encryption: Encryption | None, progress: Progress | None
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
    yield from _events(log, _rows(database, name, match.head.seq))
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


def _rows(database: Database, match: str, until: int) -> Iterator[Row]:
    after = -1
    while page := database.query(statements.ENTRIES, (match, after, min(until, LAST), PAGE)):
        yield from page
        after = page[-1][0]
