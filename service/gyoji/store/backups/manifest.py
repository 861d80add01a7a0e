"""The manifest of a backup: its digest and facts about it, behind the last page of the SQLite database.

The manifest is a line of JSON and, in the last line, the SHA-256 of everything before that; together less than
``UNIT``, of which pages are multiples, so that the length of a file tells whether it has one. Whoever opens the file as
a store removes it.
"""

import os
import re
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from gyoji import __version__
from gyoji.store.database.sqlite import connect
from gyoji.store.database.statements import REVISION
from gyoji.store.records import OperationFailed

FORMAT = "gyoji-backup/1"

UNIT = 512
"""Bytes of the smallest page that SQLite has; a manifest takes fewer."""

PIECE = 1 << 20

DIGEST_LINE = 65
LAST = re.compile(rb"[0-9a-f]{64}\n")


class BackupFailed(OperationFailed):
    """No backup was made, or none was restored; the text says why."""


class BadManifest(Exception):
    """The file of a backup differs from what was backed up; the text says how that is known."""


class Manifest(NamedTuple):
    """The facts that a backup states about itself."""

    made: str
    """When, in UTC."""
    release: str
    """Of gyoji."""
    revision: str
    """Of the schema."""
    bytes: int
    """Of the database before it."""
    sha256: str
    """Of the whole file, as ``sha256sum`` finds it."""


def has_manifest(path: Path) -> bool:
    """Tell whether a file exists and ends with a manifest, be it a damaged one. A store that was killed may end in the
    middle of a page too; SQLite knows what to do."""
    if not path.exists() or path.stat().st_size % UNIT == 0:
        return False
    end = _end(path)
    return FORMAT.encode() in end or LAST.fullmatch(end[-DIGEST_LINE:]) is not None


def _end(path: Path) -> bytes:
    """Read what comes behind the last whole unit."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(size - size % UNIT)
        return file.read()


def add_manifest(path: Path) -> Manifest:
    """Append a manifest to a database that nobody has open."""
    made, size = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", path.stat().st_size
    document = {"format": FORMAT, "made": made, "release": __version__, "schema": REVISION, "bytes": size}
    said = orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
    last, digest = _digests(path, said)
    with path.open("ab") as file:
        file.write(said + last)
    return Manifest(made, __version__, REVISION, size, digest)


def verified_manifest(path: Path) -> Manifest | None:
    """Read the manifest of a backup and compare it with every byte of the file; ``None`` if the file has none.
    ``BadManifest`` where they differ."""
    if path.stat().st_size % UNIT == 0:
        return None
    if not has_manifest(path):
        raise BadManifest("the file is no backup of this service, or was cut off")
    end = _end(path)
    last, digest = _digests(path, end[:-DIGEST_LINE])
    if end[-DIGEST_LINE:] != last:
        raise BadManifest("the backup is damaged: its SHA-256 is not the one that it was made with")
    return _parsed(end[:-DIGEST_LINE], digest)


def _digests(path: Path, said: bytes) -> tuple[bytes, str]:
    """Compute the last line of a file with these units and this manifest, and the SHA-256 of the whole file."""
    digest, left = sha256(), path.stat().st_size // UNIT * UNIT
    with path.open("rb") as file:
        while left and (piece := file.read(min(PIECE, left))):
            digest.update(piece)
            left -= len(piece)
    digest.update(said)
    last = digest.hexdigest().encode() + b"\n"
    digest.update(last)
    return last, digest.hexdigest()


def _parsed(said: bytes, digest: str) -> Manifest:
    try:
        document: dict[str, Any] = orjson.loads(said)
        is_known = document["format"] == FORMAT
        found = Manifest(document["made"], document["release"], document["schema"], document["bytes"], digest)
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise BadManifest("the backup is damaged: what it says of itself does not read") from None
    if not is_known:
        raise BadManifest("the backup is of a form that this release does not know")
    return found


def remove_manifest(path: Path) -> None:
    """Remove the manifest of a backup that is opened as a store. ``BadManifest`` if it is not what was backed up."""
    verified_manifest(path)
    with closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        size = path.stat().st_size
        if size % UNIT:  # nobody else was first: then it may be growing by whole pages
            os.truncate(path, size - size % UNIT)
        connection.execute("COMMIT")
