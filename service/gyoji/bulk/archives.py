"""The replay files in zip and tar archives, read one after another; nothing is unpacked to the disk."""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from gyoji.bulk.objects import open_object
from gyoji.bulk.places import SUFFIX, Place
from gyoji.store.interface import Unavailable

LARGEST_MEMBER = 1 << 26
"""Bytes of a file within an archive; it is held in memory, as an archive cannot be read twice at little cost."""
MOST_MEMBERS = 1_000_000

UNREADABLE = (
    OSError,
    EOFError,
    NotImplementedError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
    Unavailable,
)
"""What reading raises where there is no file, or an archive that is broken or packed in a way not known here."""


def open_place(place: Place) -> IO[bytes]:
    """Open a file, an archive or an object."""
    return open_object(place.where) if "://" in place.where else Path(place.where or place.name).open("rb")


def members(place: Place) -> Iterator[Place]:
    """List what an archive holds, one after another and read already. Raises one of ``UNREADABLE``."""
    for number, (name, member) in enumerate(_open_members(place)):
        whole = f"{place.name}:{name}"
        found = Place("member", whole, place.where or place.name, 0, place.mark, f"{place.key}:{name}")
        if number >= MOST_MEMBERS:
            yield found._replace(name=place.name, failure=f"more than {MOST_MEMBERS} files")
            return
        body = member.read(LARGEST_MEMBER + 1)
        if len(body) > LARGEST_MEMBER:
            yield found._replace(failure=f"larger than {LARGEST_MEMBER} bytes")
        else:
            yield found._replace(size=len(body), body=body)


def _open_members(place: Place) -> Iterator[tuple[str, IO[bytes]]]:
    with open_place(place) as packed:
        if place.name.endswith(".zip"):
            with zipfile.ZipFile(packed) as zipped:
                yield from _zipped(zipped)
        else:
            with tarfile.open(fileobj=packed) as tarred:
                yield from _tarred(tarred)


def _zipped(archive: zipfile.ZipFile) -> Iterator[tuple[str, IO[bytes]]]:
    for entry in archive.infolist():
        if entry.flag_bits & 1:
            raise zipfile.BadZipFile("encrypted")
        if entry.filename.endswith(SUFFIX) and not entry.is_dir():
            with archive.open(entry) as member:
                yield entry.filename, member


def _tarred(archive: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    for found in archive:
        inner = archive.extractfile(found) if found.isfile() and found.name.endswith(SUFFIX) else None
        if inner is not None:
            with inner:
                yield found.name, inner
        archive.members = []  # type: ignore[attr-defined] # what it has gone past it would keep
