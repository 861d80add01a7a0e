"""Stores matches: one interface, with SQLite and PostgreSQL behind it.

SQLAlchemy and Alembic are imported by the calls that need them, where it migrates, backs up, restores or partitions:
they take longer to import than all the rest.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from gyoji.store.backups.manifest import BadManifest, Manifest, has_manifest, remove_manifest
from gyoji.store.database.port import ObserveLatency, ObserveWrite, TimedDatabase, check_schema
from gyoji.store.key_file import known_key, store_key
from gyoji.store.records import Progress, Unavailable
from gyoji.store.restorations import note_restored
from gyoji.store.sql_store import Store
from gyoji.store.urls import (
    NO_OPTIONS,
    ConnectionOptions,
    SqliteUrl,
    archive_url,
    marker_place,
    open_databases,
    parse_url,
)

if TYPE_CHECKING:
    from gyoji.store.checks.log import Finding
    from gyoji.store.schema.migrator import Migrated
    from gyoji.store.schema.partitions import Partitioned

__all__ = ["backup", "check_store", "known_key", "migrate", "open_store", "partition", "restore", "store_key"]


def open_store(
    url: str,
    key: bytes | None = None,
    archive: str | None = None,
    options: ConnectionOptions | None = None,
    observe_latency: ObserveLatency | None = None,
    observe_write: ObserveWrite = lambda _cause: None,
    marker: str | None = None,
) -> Store:
    """Open the store at ``url``; ``BadUrl`` for a URL of another kind.

    Nothing is connected before the first use: every process and every thread makes its own connection. A process that
    has used a store closes it before it forks.

    ``key`` is the store key, 32 bytes. Without one only what is public can be read: entries come without openings,
    matches and signing keys with empty secrets, and whatever needs the key raises ``WrongKey``.

    ``archive`` is the URL of the folder or object storage that closed matches were archived to; ``None``: that of the
    variable ``GYOJI_ARCHIVE``, if there is one. ``BadPlace`` if it cannot be opened here.

    ``options`` say how a PostgreSQL database is reached: a limit of connections, a copy to read from.

    ``observe_latency`` is called with how long everything takes that the database is asked; ``observe_write`` then with
    how writes end.

    ``marker`` is the file that names what was stored last, so that a store that has gone back is known; ``None``: that
    of the variable ``GYOJI_MARKER``, else one beside an SQLite database. Without the store key none is looked at.
    """
    options = options or NO_OPTIONS
    place = None if key is None else marker_place(url, key, marker)
    database, replica = open_databases(url, options, place)
    if observe_latency is not None:
        database = TimedDatabase(database, observe_latency, observe_write)
    return Store(database, key, archive_url(archive), replica, options.is_interactive)


def migrate(url: str) -> "Migrated | None":
    """Make the schema, or bring it to that of this release; several processes may do so at once.

    ``None`` if it was. ``Unavailable`` if a later release has been at work there. A backup at the place of a store
    becomes that store, a restored one.
    """
    was_backup = _take_over_backup(url)
    done = None if _is_current(url) else _migrate(url)
    if was_backup:
        note_restored(parse_url(url).database())
    return done


def _migrate(url: str) -> "Migrated":
    from gyoji.store.schema.migrator import migrate

    return migrate(url)


def _take_over_backup(url: str) -> bool:
    """Make a store of a backup at the place of the store; whether there was one."""
    place = parse_url(url)
    if not (isinstance(place, SqliteUrl) and has_manifest(place.path)):
        return False
    try:
        remove_manifest(place.path)
    except BadManifest as wrong:
        raise Unavailable(str(wrong), "damaged") from None
    return True


def _is_current(url: str) -> bool:
    """Whether the schema is that of this release; found out without Alembic, which takes longer to import than all the
    rest."""
    database = parse_url(url).database()
    try:
        check_schema(database)
    except Unavailable:
        return False
    finally:
        database.close()
    return True


def backup(url: str, to: Path, progress: Progress | None = None) -> Manifest:
    """Copy the store, while it is in use, into the new file ``to``; see ``gyoji.store.backups.backup``."""
    from gyoji.store.backups.backup import backup

    return backup(url, to, progress)


def restore(source: Path, url: str, progress: Progress | None = None) -> Manifest | None:
    """Bring a backup into the empty store at ``url``; all of it or nothing."""
    from gyoji.store.backups.restore import restore

    return restore(source, url, progress)


def partition(url: str, parts: int) -> "Partitioned":
    """Divide the table of events of a PostgreSQL store; see ``gyoji.store.schema.partitions``."""
    from gyoji.store.schema.partitions import partition

    return partition(url, parts)


def check_store(url: str, key: bytes | None, progress: Progress | None = None) -> "list[Finding]":
    """Find everything that is wrong with the store at ``url``; see ``gyoji.store.checks``."""
    from gyoji.store.checks.store import check_store

    return check_store(url, key, progress)
