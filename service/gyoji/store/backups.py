"""Backup and restore.

A backup is one SQLite file with the tables of ``gyoji.store.schema``, whichever database it was taken from. Secrets
stay sealed in it, and the store key is not in it: without the key it opens no hidden card.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, Table, func, select, text

from gyoji.store.addresses import SqliteAddress, address
from gyoji.store.keyfile import sync_folder
from gyoji.store.logs import Logs
from gyoji.store.migrating import migrate, snapshot, transaction, upgrade
from gyoji.store.schema import metadata
from gyoji.store.sqlite import ATTEMPT, FAILURES, connect, faults, journal, patiently, unavailable

Progress = Callable[[int, int], None]

PAGES = 2048
"""Pages of an SQLite file that are copied at a time; between them others may write."""

ROWS = 500

PATIENCE = 20
"""How often a copy may come no further because somebody writes, before it makes writers wait."""


class BackupFailed(Exception):
    """No backup was made, or none was restored; the text says why."""


class _Overtaken(Exception):
    """Others have written too often while the file was being copied."""


def backup(url: str, to: Path, progress: Progress | None = None) -> None:
    """Copy the store, while it is in use, into the new file ``to``. It is whole, checked and synced when this returns.

    ``progress`` is told pages (SQLite) or rows (PostgreSQL). ``BackupFailed`` if there is such a file already.
    """
    place, to = address(url), to.absolute()
    _answers(url)
    _reserve(to)
    draft = to.with_name(f"{to.name}.part")
    try:
        if isinstance(place, SqliteAddress):
            _copy_file(place.path, draft, progress or _silent)
        else:
            with snapshot(place) as source, transaction(SqliteAddress(draft), make=True) as target:
                upgrade(target)
                _copy_rows(source, target, progress or _silent)
        _settle(draft)
        draft.replace(to)
        sync_folder(to.parent)
    except BaseException:
        draft.unlink(missing_ok=True)
        to.unlink()
        raise


def _silent(_done: int, _total: int) -> None:
    """Whoever asks for no progress hears of none."""


def _answers(url: str) -> None:
    store = Logs(address(url).database(), None)
    try:
        store.check()
    finally:
        store.close()


def _reserve(to: Path) -> None:
    try:
        os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupFailed("there is a file of that name already") from None
    except OSError as failure:
        raise BackupFailed(f"the backup cannot be written there: {failure.strerror}") from None


def _copy_file(path: Path, draft: Path, progress: Progress) -> None:
    """SQLite's online backup. It begins anew when somebody writes between two steps; where that happens too often, it
    holds the file still. Under WAL that makes nobody wait."""
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with closing(connect(path, ATTEMPT)) as source, closing(sqlite3.connect(draft, isolation_level=None)) as target:
            if journal()[0] != "wal":
                try:
                    source.backup(target, pages=PAGES, progress=_counted(progress), sleep=ATTEMPT)
                except _Overtaken:
                    pass
                else:
                    return
            source.execute("BEGIN")
            patiently(source, "SELECT 1 FROM matches").fetchone()
            source.backup(target, pages=PAGES, progress=lambda _status, left, total: progress(total - left, total))
    except FAILURES as failure:
        raise unavailable(failure) from None


def _counted(progress: Progress) -> Callable[[int, int, int], None]:
    """``progress``, and an eye on how often the copy comes no further: it began anew, or found the file locked."""
    least, anew = 2**63, 0

    def told(_status: int, left: int, total: int) -> None:
        nonlocal least, anew
        anew += left >= least
        least = left
        if anew >= PATIENCE:
            raise _Overtaken
        progress(total - left, total)

    return told


def _settle(draft: Path) -> None:
    """The copy as one file without a journal, found whole, and on the disk."""
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        found = faults(connection)
    if found:
        raise BackupFailed(f"the copy is damaged: {found[0]}")
    with draft.open("rb") as file:
        os.fsync(file.fileno())


def restore(source: Path, url: str, progress: Progress | None = None) -> None:
    """Bring a backup into the empty store at ``url``, of either kind, in one transaction: all of it or nothing.

    A backup of an older release is brought up to date on a copy. ``BackupFailed`` if the file is no backup, or is
    damaged, or if there is anything in the store.
    """
    with TemporaryDirectory(prefix="gyoji-restore-") as folder:
        copy = _understood(source, Path(folder) / "backup.db")
        migrate(url)
        with snapshot(copy) as rows, transaction(address(url)) as target:
            _refuse_filled(target)
            _copy_rows(rows, target, progress or _silent)


def _understood(source: Path, copy: Path) -> SqliteAddress:
    """A copy of the backup, of this release's schema."""
    place = SqliteAddress(copy)
    try:
        shutil.copyfile(source, copy)
        with closing(connect(copy)) as connection:
            connection.execute("SELECT version_num FROM gyoji_revision").fetchone()
            found = faults(connection)
    except (OSError, *FAILURES):
        raise BackupFailed("the file is no backup of this service, or cannot be read") from None
    if found:
        raise BackupFailed(f"the backup is damaged: {found[0]}")
    with transaction(place) as connection:
        upgrade(connection)
    return place


def _refuse_filled(target: Connection) -> None:
    if target.dialect.name == "postgresql":
        target.execute(text(f"LOCK TABLE {', '.join(metadata.tables)} IN SHARE ROW EXCLUSIVE MODE"))
    if any(_count(target, table) for table in metadata.sorted_tables):
        raise BackupFailed("the store to restore into is not empty")


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _copy_rows(source: Connection, target: Connection, progress: Progress) -> None:
    """Every row of every table, as it is."""
    total = sum([_count(source, table) for table in metadata.sorted_tables])
    done = 0
    for table in metadata.sorted_tables:
        with source.execute(select(table), execution_options={"yield_per": ROWS}) as found:
            for part in found.mappings().partitions():
                target.execute(table.insert(), [dict(row) for row in part])
                done += len(part)
                progress(done, total)
