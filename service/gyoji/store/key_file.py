"""Finds the store key: as configured, or in a file beside the SQLite database."""

import os
import re
from contextlib import closing
from pathlib import Path
from secrets import token_bytes, token_hex

import apsw

from gyoji.store.database.sqlite import FAILURES
from gyoji.store.files import sync_folder
from gyoji.store.records import WrongKey
from gyoji.store.urls import SqliteUrl, parse_url

HEX = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)


def store_key(url: str, configured: str | None) -> bytes:
    """Find the key of the store at ``url``, 32 bytes: as configured (64 hex digits), else in the file ``<db>.key``.

    The first start makes that file. ``WrongKey`` where there is none and none may be made: on PostgreSQL, or if the
    database was made with one.
    """
    if configured is not None:
        return _parsed(configured, "GYOJI_STORE_KEY")
    place = parse_url(url)
    if not isinstance(place, SqliteUrl):
        raise WrongKey(
            "a store on PostgreSQL needs GYOJI_STORE_KEY: 64 hex digits, such as `openssl rand -hex 32` makes"
        )
    return _from_file(place.path)


def known_key(url: str, configured: str | None) -> bytes | None:
    """Find the key of the store at ``url``, if it is configured or lies beside an SQLite database; none is made."""
    place = parse_url(url)
    if configured is None and not (isinstance(place, SqliteUrl) and key_file(place.path).exists()):
        return None
    return store_key(url, configured)


def _parsed(text: str, where: str) -> bytes:
    if not HEX.fullmatch(text.strip()):
        raise WrongKey(f"{where}: expected 64 hex digits")
    return bytes.fromhex(text.strip())


def key_file(database: Path) -> Path:
    """Tell where the key of an SQLite database lies; a backup never holds it."""
    return database.with_name(f"{database.name}.key")


def _from_file(database: Path) -> bytes:
    path = key_file(database)
    try:
        if not path.exists():
            _refuse_second(database)
            _make(path)
        if path.stat().st_mode & 0o077:
            raise WrongKey("the key file may be read by others: chmod 600 it")
        return _parsed(path.read_text("ascii"), "the key file")
    except (OSError, UnicodeDecodeError):
        raise WrongKey("the key file beside the database can be neither read nor made") from None


def _refuse_second(database: Path) -> None:
    if _knows_key(database):
        raise WrongKey("the key file of this database is missing: put it back beside it, or set GYOJI_STORE_KEY")


def _knows_key(database: Path) -> bool:
    """Whether the database was made with a key."""
    if not database.exists():
        return False
    with closing(apsw.Connection(str(database), apsw.SQLITE_OPEN_READONLY)) as connection:
        try:
            return connection.execute("SELECT 1 FROM key_check").fetchone() is not None
        except FAILURES:
            return False  # no table yet; that a file is no database is said where it is opened


def _make(path: Path) -> None:
    """Make a key file, whole or not at all; if another process is first, its key is the one."""
    draft = path.with_name(f"{path.name}.{token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, f"{token_bytes(32).hex()}\n".encode())
        os.fsync(handle)
        _put(draft, path)
    finally:
        os.close(handle)
        draft.unlink()
    sync_folder(path.parent)


def _put(draft: Path, path: Path) -> None:
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return
