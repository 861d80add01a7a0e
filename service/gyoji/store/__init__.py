"""Where logs are kept: one interface; SQLite and PostgreSQL behind it.

What is called here imports its driver when it is called, and SQLAlchemy only where it needs that (``migrate``,
``backup``, ``restore``), so that starting up stays quick.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gyoji.store.interface import Store
from gyoji.store.records import Unavailable

if TYPE_CHECKING:
    from gyoji.store.backups.manifest import Manifest
    from gyoji.store.checks.store import Finding
    from gyoji.store.database.latency import ObserveLatency, ObserveWrite
    from gyoji.store.schema.migrator import Migrated
    from gyoji.store.urls import Ways

Progress = Callable[[int, int], None]
"""Told (done, of how many) now and then while something takes long."""


def open_store(
    url: str,
    key: bytes | None = None,
    archive: str | None = None,
    ways: "Ways | None" = None,
    observe_latency: "ObserveLatency | None" = None,
    observe_write: "ObserveWrite" = lambda _cause: None,
    marker: str | None = None,
) -> Store:
    """The store at ``url``; ``BadAddress`` for a URL of another kind.

    ``archive`` is the URL of the folder or object storage that closed matches were archived to; ``None``: that of the
    variable ``GYOJI_ARCHIVE``, if there is one. ``BadPlace`` if it cannot be opened here.

    ``ways`` are other ways to a PostgreSQL database: a limit of connections, a copy to read from.

    Nothing is connected before the first use: every process and every thread makes its own connection. A process that
    has used a store closes it before it forks.

    ``observe_latency`` is called with how long everything takes that the database is asked; ``observe_write`` then with
    how writes end.

    ``marker`` is the file that names what was stored last, so that a store that has gone back is known; ``None``: that
    of the variable ``GYOJI_MARKER``, else one beside an SQLite database. Without the store key none is looked at.

    ``key`` is the store key, 32 bytes. Without one only what is public can be read: entries come without openings,
    matches and signing keys with empty secrets, and whatever needs the key raises ``WrongKey``.
    """
    from gyoji.store.sql_store import Logs  # noqa: PLC0415
    from gyoji.store.urls import Ways, archive_url, mark, reached  # noqa: PLC0415

    ways, place = ways or Ways(), None if key is None else mark(url, key, marker)
    database, replica = reached(url, ways, place)
    if observe_latency is not None:
        from gyoji.store.database.latency import TimedDatabase  # noqa: PLC0415

        database = TimedDatabase(database, observe_latency, observe_write)
    return Logs(database, key, archive_url(archive), replica, ways.hurried)


def migrate(url: str) -> "Migrated | None":
    """Make the schema, or bring it to that of this release; several processes may do so at once.

    ``None`` if it was. ``Unavailable`` if a later release has been at work there. A backup at the place of a store
    becomes that store, a restored one.
    """
    was_backup = _take_over_backup(url)
    done = None if _is_current(url) else _migrated(url)
    if was_backup:
        from gyoji.store.restorations import note_restored  # noqa: PLC0415
        from gyoji.store.urls import address  # noqa: PLC0415

        note_restored(address(url).database())
    return done


def _migrated(url: str) -> "Migrated":
    from gyoji.store.schema.migrator import migrate  # noqa: PLC0415

    return migrate(url)


def _take_over_backup(url: str) -> bool:
    """Whether there was a backup at the place of the store."""
    from gyoji.store.backups.manifest import BadManifest, has_manifest, remove_manifest  # noqa: PLC0415
    from gyoji.store.urls import SqliteAddress, address  # noqa: PLC0415

    place = address(url)
    if isinstance(place, SqliteAddress) and has_manifest(place.path):
        try:
            remove_manifest(place.path)
        except BadManifest as wrong:
            raise Unavailable(str(wrong), "damaged") from None
        return True
    return False


def _is_current(url: str) -> bool:
    """Told without Alembic, which takes longer to import than all the rest."""
    store = open_store(url)
    try:
        store.check()
    except Unavailable:
        return False
    finally:
        store.close()
    return True


def known_key(url: str, configured: str | None) -> bytes | None:
    """The key of the store at ``url``, if it is configured or lies beside an SQLite database; none is made."""
    from gyoji.store.key_file import known_key  # noqa: PLC0415

    return known_key(url, configured)


def store_key(url: str, configured: str | None) -> bytes:
    """The key of the store at ``url``: as configured (64 hex digits), else from the file beside an SQLite database."""
    from gyoji.store.key_file import store_key  # noqa: PLC0415

    return store_key(url, configured)


def backup(url: str, to: Path, progress: Progress | None = None) -> "Manifest":
    """Copy the store, while it is in use, into the new file ``to``; see ``gyoji.store.backups.backup``."""
    from gyoji.store.backups.backup import backup  # noqa: PLC0415

    return backup(url, to, progress)


def restore(source: Path, url: str, progress: Progress | None = None) -> "Manifest | None":
    """Bring a backup into the empty store at ``url``; all of it or nothing."""
    from gyoji.store.backups.backup import restore  # noqa: PLC0415

    return restore(source, url, progress)


def check_store(url: str, key: bytes | None, progress: Progress | None = None) -> "list[Finding]":
    """Everything that is wrong with the store at ``url``; see ``gyoji.store.checks.store``."""
    from gyoji.store.checks.store import check_store  # noqa: PLC0415

    return check_store(url, key, progress)
