"""Opens places: gives the lines of each replay there, as often as they are needed.

The replays in zip and tar archives are read one after another; nothing is unpacked to the disk.
"""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple

from gyoji.bulk.locations import SUFFIX, Location
from gyoji.bulk.objects import open_object
from gyoji.bulk.stored_matches import mark_of_match, match_lines
from gyoji.log.lines import cut
from gyoji.store import open_store
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


def open_place(place: Location) -> IO[bytes]:
    """Open a file, an archive or an object."""
    return open_object(place.where) if "://" in place.where else Path(place.where or place.name).open("rb")


def members(place: Location) -> Iterator[Location]:
    """List the contents of an archive, one after another, each read. Raises one of ``UNREADABLE``."""
    for number, (name, member) in enumerate(_open_members(place)):
        whole = f"{place.name}:{name}"
        found = Location("member", whole, place.where or place.name, 0, place.mark, f"{place.key}:{name}")
        if number >= MOST_MEMBERS:
            yield found._replace(name=place.name, failure=f"more than {MOST_MEMBERS} files")
            return
        body = member.read(LARGEST_MEMBER + 1)
        if len(body) > LARGEST_MEMBER:
            yield found._replace(failure=f"larger than {LARGEST_MEMBER} bytes")
        else:
            yield found._replace(size=len(body), body=body)


def _open_members(place: Location) -> Iterator[tuple[str, IO[bytes]]]:
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


PIECE = 1 << 16
WHOLE = 1 << 22
"""Bytes of a file that is read at once; a larger one is read in pieces, as often as its lines are needed."""

Lines = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called."""


class Source(NamedTuple):
    """One replay at a place, readable as long as the place is open; or why it could not be read."""

    name: str
    lines: Lines | None
    failure: str | None = None
    mark: str | None = None


def open_sources(place: Location, store_key: bytes | None = None) -> Iterator[Source]:
    """Open the replays at a place, one after another. Raises one of ``archives.UNREADABLE``."""
    if place.failure is not None:
        return iter([Source(place.name, None, place.failure)])
    if place.body is not None:
        return iter([Source(place.name, lines_in_memory(place.body))])
    if place.kind == "match":
        return _match(place, store_key)
    return _archive(place) if place.kind == "archive" else _file(place)


def lines_in_memory(body: bytes) -> Lines:
    """Return the lines of a content in memory. Those of a large one are cut anew each time, as short lines take far
    more."""
    if len(body) > WHOLE:
        return lambda: lines_of_file(BytesIO(body))
    lines = list(cut((body,)))
    return lambda: lines


def lines_of_file(file: IO[bytes]) -> Iterator[bytes]:
    """Read the lines of a file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))


def _file(place: Location) -> Iterator[Source]:
    with open_place(place) as file:
        body = file.read(WHOLE + 1)
        yield Source(place.name, lines_in_memory(body) if len(body) <= WHOLE else lambda: lines_of_file(file))


def _archive(place: Location) -> Iterator[Source]:
    for member in members(place):
        yield Source(member.name, None if member.body is None else lines_in_memory(member.body), member.failure)


def _match(place: Location, store_key: bytes | None) -> Iterator[Source]:
    with closing(open_store(place.where, store_key)) as store:
        found = match_lines(store, place.name)
        if found is None:
            yield Source(place.name, None, "the store has no such match, or no signing key")
        else:
            head, lines = found
            yield Source(place.name, lines, mark=mark_of_match(head))
