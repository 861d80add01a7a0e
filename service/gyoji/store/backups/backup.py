"""Makes a backup of a store while it is in use.

A backup is one SQLite file with the tables of ``gyoji.store.schema``, whichever database it was taken from, and its
manifest. Secrets stay encrypted in it, and the store key is not in it: without the key it opens no hidden card.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from gyoji.store.backups.manifest import BackupFailed, Manifest, add_manifest
from gyoji.store.database.port import check_schema
from gyoji.store.database.sqlite import ATTEMPT, FAILURES, connect, find_faults, journal, patiently, unavailable
from gyoji.store.files import draft_folder, put_in_place
from gyoji.store.records import Progress
from gyoji.store.schema.migrator import copy_rows, ignore_progress, snapshot, transaction, upgrade
from gyoji.store.urls import SqliteUrl, parse_url

ROUNDS = 2
"""How often an SQLite file is gone through while others write, before it is held still for the last time."""

PAGES = 2048
"""Pages of an SQLite file that are copied between two reports of progress, under WAL."""

PIECE = 1 << 18
"""Bytes of a file that are compared, and written where they differ, with a rollback journal."""

EVERY = 64
"""Pieces between two reports of progress."""

_OPEN: dict[tuple[int, int], int] = {}
"""Descriptors of files that have been read here. They stay open: whoever closes a file releases all the locks that the
process has on it, those of SQLite too."""

EXISTS = "there is a file of that name already"


def backup(url: str, to: Path, progress: Progress | None = None) -> Manifest:
    """Copy the store, while it is in use, into the new file ``to``. It is whole, checked and synced when it gets that
    name.

    ``progress`` is told bytes, pages or rows. ``BackupFailed`` if there is such a file already.
    """
    place, to = parse_url(url), to.absolute()
    _require_schema(url)
    if os.path.lexists(to):
        raise BackupFailed(EXISTS)
    try:
        with draft_folder(to.parent) as folder:
            draft = folder / "backup.db"
            if isinstance(place, SqliteUrl):
                _copy_file(place.path, draft, progress or ignore_progress)
            else:
                with snapshot(place) as source, transaction(SqliteUrl(draft), make=True) as target:
                    upgrade(target)
                    copy_rows(source, target, progress or ignore_progress)
            _close_copy(draft)
            made = add_manifest(draft)
            put_in_place(draft, to)
    except FileExistsError:
        raise BackupFailed(EXISTS) from None
    except OSError as failure:
        raise BackupFailed(f"the backup cannot be written there: {failure.strerror}") from None
    return made


def _require_schema(url: str) -> None:
    with closing(parse_url(url).database()) as database:
        check_schema(database)


def _copy_file(path: Path, draft: Path, progress: Progress) -> None:
    """Copy the file as it is at one moment.

    Under WAL that makes nobody wait. With a rollback journal whoever writes waits for the last round: as long as it
    takes to read the file, most likely from memory, and to write what has changed since the round before.
    """
    draft.touch(0o600)
    try:
        with closing(connect(path, ATTEMPT)) as source:
            if journal()[0] == "wal":
                _hold_still(source)
                _copy_pages(source, draft, progress)
            else:
                _copy_in_rounds(source, path, draft, progress)
    except FAILURES as failure:
        raise unavailable(failure) from None


def _hold_still(source: sqlite3.Connection) -> None:
    """Begin a transaction that sees the file as it is now."""
    source.execute("BEGIN")
    patiently(source, "SELECT 1 FROM matches").fetchone()


def _copy_pages(source: sqlite3.Connection, draft: Path, progress: Progress) -> None:
    with closing(sqlite3.connect(draft, isolation_level=None)) as target:
        target.execute("PRAGMA synchronous=OFF")  # it is synced when it is whole
        source.backup(target, pages=PAGES, progress=lambda _status, left, total: progress(total - left, total))


def _copy_in_rounds(source: sqlite3.Connection, path: Path, draft: Path, progress: Progress) -> None:
    for number in range(ROUNDS):
        copy_round(path, draft, _in_round(progress, number), sync=True)
    _hold_still(source)
    copy_round(path, draft, _in_round(progress, ROUNDS), sync=False)
    source.execute("COMMIT")


def _in_round(progress: Progress, number: int) -> Progress:
    """Make of progress in one round progress in all of them."""
    return lambda done, total: progress(number * total + done, (ROUNDS + 1) * total)


def _close_copy(draft: Path) -> None:
    """Make the copy one file without a journal; ``BackupFailed`` if it is damaged."""
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        found = find_faults(connection)
    if found:
        raise BackupFailed(f"the copy is damaged: {found[0]}")


def copy_round(source: Path, copy: Path, progress: Progress, sync: bool) -> int:
    """Make the copy, which has to exist, equal to the file; return how many bytes that took to write.

    What was written to the file before, and nothing that is written meanwhile, is sure to be in the copy afterwards:
    where nobody writes during the last round, the copy is the file. A round that syncs leaves the next one only its own
    to write.
    """
    written = at = number = 0
    ours = _reader(source)
    total = os.fstat(ours).st_size
    with copy.open("rb+") as theirs:
        while piece := os.pread(ours, PIECE, at):
            if theirs.read(len(piece)) != piece:
                theirs.seek(at)
                theirs.write(piece)
                written += len(piece)
            at += len(piece)
            number += 1
            if number % EVERY == 0:
                progress(at, max(at, total))
        theirs.truncate(at)
        theirs.flush()
        if sync:
            os.fsync(theirs.fileno())
    progress(at, at)
    return written


def _reader(source: Path) -> int:
    found = source.stat()
    known = (found.st_dev, found.st_ino)
    if known not in _OPEN:
        _OPEN[known] = os.open(source, os.O_RDONLY)
    return _OPEN[known]
