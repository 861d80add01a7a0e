"""Makes a backup of a store while it is in use.

A backup is one SQLite file with the tables of ``gyoji.store.schema``, whichever database it was taken from, and its
manifest. Secrets stay encrypted in it, and the store key is not in it: without the key it opens no hidden card.
"""

import os
from contextlib import closing
from pathlib import Path

import apsw

from gyoji.store.backups.manifest import BackupFailed, Manifest, add_manifest
from gyoji.store.database.port import check_schema
from gyoji.store.database.sqlite import FAILURES, connect, find_faults, unavailable
from gyoji.store.files import draft_folder, put_in_place
from gyoji.store.records import Progress
from gyoji.store.schema.migrator import copy_rows, ignore_progress, snapshot, transaction, upgrade
from gyoji.store.urls import SqliteUrl, parse_url

PAGES = 2048
"""Pages of an SQLite file that are copied between two reports of progress."""

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
    """Copy the file as it is at one moment; nobody waits for that."""
    draft.touch(0o600)
    try:
        with closing(connect(path)) as source, closing(apsw.Connection(str(draft))) as target:
            source.execute("BEGIN")
            source.execute("SELECT 1 FROM matches").fetchone()  # from here on it sees the file as it is now
            target.pragma("synchronous", "OFF")  # it is synced when it is whole
            with target.backup("main", source, "main") as copying:
                while not copying.done:
                    copying.step(PAGES)
                    progress(copying.page_count - copying.remaining, copying.page_count)
    except FAILURES as failure:
        raise unavailable(failure) from None


def _close_copy(draft: Path) -> None:
    """Make the copy one file without a journal; ``BackupFailed`` if it is damaged."""
    with closing(apsw.Connection(str(draft))) as connection:
        connection.pragma("journal_mode", "delete")
        found = find_faults(connection)
    if found:
        raise BackupFailed(f"the copy is damaged: {found[0]}")
