"""Checks whether a store still holds what was put into it.

The database's own check, the schema, and for every match: no gap, hashes and chain computed anew, every opening opens
what the event commits to, and the columns that matches are found by agree with the log; of those that are archived the
same, pack by pack. Then the logs of tournaments. Last the transparency log: it is what was signed, and tells of every
match. What the moves mean is the audit's.
"""

from collections.abc import Iterator
from pathlib import Path

from gyoji.store.backups.manifest import BadManifest, has_manifest, verified_manifest
from gyoji.store.checks.log import Finding
from gyoji.store.checks.matches import archived_findings, group_findings, match_findings, stray_findings
from gyoji.store.checks.tournaments import tournament_findings
from gyoji.store.checks.transparency import transparency_findings
from gyoji.store.database import statements
from gyoji.store.database.port import Database
from gyoji.store.encryption import Encryption
from gyoji.store.records import Progress, Unavailable
from gyoji.store.sql_store import Store
from gyoji.store.urls import SqliteUrl, StoreUrl, archive_url, parse_url


def check_store(
    url: str, key: bytes | None, progress: Progress | None = None, archive: str | None = None
) -> list[Finding]:
    """Find everything that is wrong with the store at ``url``; empty if it is sound.

    Without the store key what is encrypted cannot be looked into. A backup is compared with its manifest, and stays as
    it is. ``progress`` is told matches. ``archive`` is where the archive is, if not as ``GYOJI_ARCHIVE`` says.
    """
    place = parse_url(url)
    found = list[Finding]()
    if isinstance(place, SqliteUrl) and has_manifest(place.path):
        found += _manifest_findings(place.path)
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


def _manifest_findings(backup: Path) -> list[Finding]:
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
        store = _opened(database, key)
        encryption = None if key is None else Encryption(key)
        yield from stray_findings(database)
        yield from group_findings(database, encryption)
        yield from match_findings(database, store, encryption, progress)
        yield from archived_findings(database, encryption, archive)
        yield from [Finding(None, None, what) for what in tournament_findings(database, store.tournaments)]
        yield from [
            Finding(match, None, what)
            for match, what in transparency_findings(database, store.transparency_log, store.signing_keys())
        ]
    except Unavailable as failure:
        yield Finding(None, None, str(failure))


def _opened(database: Database, key: bytes | None) -> Store:
    """Open the store, of this release's schema and of this key. One that knows no key yet learns of none by a check."""
    store = Store(database, None)
    store.check()
    if key is not None and database.query(statements.KEY_CHECK):
        store = Store(database, key)
        store.check()
    return store
