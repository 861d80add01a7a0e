"""Restores a backup into an empty store, of either kind of database."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import gettempdir

from sqlalchemy import Connection, text

from gyoji.store.backups.manifest import BackupFailed, BadManifest, Manifest, verified_manifest
from gyoji.store.database.guard import mark_restored
from gyoji.store.database.sqlite import FAILURES, connect_still, find_faults
from gyoji.store.database.statements import REVISION, REVISIONS, Row
from gyoji.store.files import draft_folder
from gyoji.store.records import Progress
from gyoji.store.schema import metadata
from gyoji.store.schema.migrator import copy_rows, count_rows, ignore_progress, migrate, snapshot, transaction, upgrade
from gyoji.store.urls import SqliteUrl, parse_url

NUMBER_FROM = """SELECT setval(pg_get_serial_sequence('appends', 'number'), coalesce(max(number), 0) + 1, false)
FROM appends"""


def restore(source: Path, url: str, progress: Progress | None = None) -> Manifest | None:
    """Bring a backup into the empty store at ``url``, of either kind, in one transaction: all of it or nothing. What it
    says of itself, or ``None``: a backup of release 0.1.0 carries no digest that it could be compared with. The store
    then knows that it is a restored one: nobody writes to it before it is recovered.

    A backup of an older schema is brought up to date on a copy, in the folder for temporary files. ``BackupFailed`` if
    the file is no backup, or is damaged, or if there is anything in the store.
    """
    try:
        manifest = verified_manifest(source)
        with _readable(source) as place:
            migrate(url)
            with snapshot(place) as rows, transaction(parse_url(url)) as target:
                _refuse_filled(target)
                copy_rows(rows, target, progress or ignore_progress)
                _go_on_numbering(target)
                _mark_restored(target)
    except BadManifest as wrong:
        raise BackupFailed(str(wrong)) from None
    except OSError as failure:
        raise BackupFailed(f"the backup cannot be restored: {failure.strerror} ({failure.filename})") from None
    return manifest


@contextmanager
def _readable(source: Path) -> Iterator[SqliteUrl]:
    """Give the backup, or a copy of it that is of this release's schema."""
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
    if any(count_rows(target, table) for table in metadata.sorted_tables):
        raise BackupFailed("the store to restore into is not empty")


def _go_on_numbering(target: Connection) -> None:
    """Have appends numbered from behind those that were brought: PostgreSQL does not look at them."""
    if target.dialect.name == "postgresql":
        target.execute(text(NUMBER_FROM))


def _mark_restored(target: Connection) -> None:
    """Mark the store as a restored one: nobody writes to it before it is recovered."""

    def execute(sql: str, put: Row) -> list[Row]:
        target.exec_driver_sql(sql if target.dialect.name == "sqlite" else sql.replace("?", "%s"), put)
        return []

    mark_restored(execute, "restore")
