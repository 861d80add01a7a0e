"""Backup and restore.

A backup is one SQLite file with the tables of ``gyoji.store.schema``, whichever database it was taken from, and its
manifest. Secrets stay sealed in it, and the store key is not in it: without the key it opens no hidden card.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import gettempdir

from sqlalchemy import Connection, Table, func, select, text

from gyoji.store.backups.file_copy import copy_round
from gyoji.store.backups.manifest import BadManifest, Manifest, add_manifest, verified_manifest
from gyoji.store.database.guard import mark_restored
from gyoji.store.database.port import check_schema
from gyoji.store.database.sql import Row
from gyoji.store.database.sqlite import (
    ATTEMPT,
    FAILURES,
    connect,
    connect_still,
    find_faults,
    journal,
    patiently,
    unavailable,
)
from gyoji.store.database.statements import REVISION, REVISIONS
from gyoji.store.files import draft_folder, put_in_place
from gyoji.store.schema import metadata
from gyoji.store.schema.migrator import migrate, snapshot, transaction, upgrade
from gyoji.store.urls import SqliteUrl, parse_url

Progress = Callable[[int, int], None]

ROUNDS = 2
"""How often an SQLite file is gone through while others write, before it is held still for the last time."""

PAGES = 2048
"""Pages of an SQLite file that are copied between two words of progress, under WAL."""

ROWS = 500

THERE_ALREADY = "there is a file of that name already"


class BackupFailed(Exception):
    """No backup was made, or none was restored; the text says why."""


def backup(url: str, to: Path, progress: Progress | None = None) -> Manifest:
    """Copy the store, while it is in use, into the new file ``to``. It is whole, checked and synced when it gets that
    name.

    ``progress`` is told bytes, pages or rows. ``BackupFailed`` if there is such a file already.
    """
    place, to = parse_url(url), to.absolute()
    _answers(url)
    if os.path.lexists(to):
        raise BackupFailed(THERE_ALREADY)
    try:
        with draft_folder(to.parent) as folder:
            draft = folder / "backup.db"
            if isinstance(place, SqliteUrl):
                _copy_file(place.path, draft, progress or _silent)
            else:
                with snapshot(place) as source, transaction(SqliteUrl(draft), make=True) as target:
                    upgrade(target)
                    _copy_rows(source, target, progress or _silent)
            _settle(draft)
            made = add_manifest(draft)
            put_in_place(draft, to)
    except FileExistsError:
        raise BackupFailed(THERE_ALREADY) from None
    except OSError as failure:
        raise BackupFailed(f"the backup cannot be written there: {failure.strerror}") from None
    return made


def _silent(_done: int, _total: int) -> None:
    """Whoever asks for no progress hears of none."""


def _answers(url: str) -> None:
    with closing(parse_url(url).database()) as database:
        check_schema(database)


def _copy_file(path: Path, draft: Path, progress: Progress) -> None:
    """The file as it was at one moment. Under WAL that makes nobody wait. With a rollback journal whoever writes waits
    for the last round: as long as it takes to read the file, most likely from memory, and to write what has changed
    since the round before."""
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
    """From here on the connection sees the file as it is now."""
    source.execute("BEGIN")
    patiently(source, "SELECT 1 FROM matches").fetchone()


def _copy_pages(source: sqlite3.Connection, draft: Path, progress: Progress) -> None:
    with closing(sqlite3.connect(draft, isolation_level=None)) as target:
        target.execute("PRAGMA synchronous=OFF")  # it is synced when it is whole
        source.backup(target, pages=PAGES, progress=lambda _status, left, total: progress(total - left, total))


def _copy_in_rounds(source: sqlite3.Connection, path: Path, draft: Path, progress: Progress) -> None:
    for number in range(ROUNDS):
        copy_round(path, draft, _part(progress, number), sync=True)
    _hold_still(source)
    copy_round(path, draft, _part(progress, ROUNDS), sync=False)
    source.execute("COMMIT")


def _part(progress: Progress, number: int) -> Progress:
    """``progress`` in one of the rounds."""
    return lambda done, total: progress(number * total + done, (ROUNDS + 1) * total)


def _settle(draft: Path) -> None:
    """The copy as one file without a journal, and found whole."""
    with closing(sqlite3.connect(draft, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        found = find_faults(connection)
    if found:
        raise BackupFailed(f"the copy is damaged: {found[0]}")


def restore(source: Path, url: str, progress: Progress | None = None) -> Manifest | None:
    """Bring a backup into the empty store at ``url``, of either kind, in one transaction: all of it or nothing. What it
    says of itself, or ``None``: a backup of release 0.1.0 carries no digest that it could be compared with. The store
    then knows that it is a restored one: nobody writes to it before it is recovered.

    A backup of an older schema is brought up to date on a copy, in the folder for temporary files. ``BackupFailed`` if
    the file is no backup, or is damaged, or if there is anything in the store.
    """
    try:
        manifest = verified_manifest(source)
        with _understood(source) as place:
            migrate(url)
            with snapshot(place) as rows, transaction(parse_url(url)) as target:
                _refuse_filled(target)
                _copy_rows(rows, target, progress or _silent)
                _note(target)
    except BadManifest as wrong:
        raise BackupFailed(str(wrong)) from None
    except OSError as failure:
        raise BackupFailed(f"the backup cannot be restored: {failure.strerror} ({failure.filename})") from None
    return manifest


@contextmanager
def _understood(source: Path) -> Iterator[SqliteUrl]:
    """The backup, or a copy of it that is of this release's schema."""
    try:
        with closing(connect_still(source)) as connection:
            revision = connection.execute(REVISIONS).fetchone()
            found = find_faults(connection)
    except FAILURES:
        raise BackupFailed("the file is no backup of this service, or is damaged") from None
    if found:
        raise BackupFailed(f"the backup is damaged: {found[0]}")
    if revision == (REVISION,):
        yield SqliteUrl(source.absolute(), is_still=True)
        return
    with draft_folder(Path(gettempdir())) as folder:
        yield _brought_up_to_date(source, folder / "backup.db")


def _brought_up_to_date(source: Path, copy: Path) -> SqliteUrl:
    try:
        shutil.copyfile(source, copy)
    except OSError as failure:
        raise BackupFailed(
            f"a backup of an older release is brought up to date on a copy, which cannot be written in "
            f"{copy.parent.parent}: {failure.strerror}. TMPDIR names another folder"
        ) from None
    place = SqliteUrl(copy)
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


def _note(target: Connection) -> None:
    """From here on it is known that the store is a restored one."""

    def execute(sql: str, put: Row) -> list[Row]:
        target.exec_driver_sql(sql if target.dialect.name == "sqlite" else sql.replace("?", "%s"), put)
        return []

    mark_restored(execute, "restore")


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
