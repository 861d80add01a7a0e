"""Where ``gyoji audit`` finds replays: files, archives, objects of a storage, matches of a store; and their lines."""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import IO, Literal, NamedTuple

from gyoji.cli.audit_objects import stream
from gyoji.cli.trust import signing_key
from gyoji.log.files import write_replay
from gyoji.log.parser import cut
from gyoji.log.signatures import Signer
from gyoji.names import printable
from gyoji.store import open_store
from gyoji.store.interface import Head, Store, Unavailable

PIECE = 1 << 16
WHOLE = 1 << 22
"""Bytes of a file that is read at once; a larger one is read in pieces, as often as its lines are needed."""
LARGEST_MEMBER = 1 << 26
"""Bytes of a file within an archive; it is held in memory, as an archive cannot be read twice at little cost."""
MOST_MEMBERS = 1_000_000
FEW = 10_000
"""Events of a stored match whose lines are made once and kept while it is audited."""
SUFFIX = ".jsonl"
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")

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


class Place(NamedTuple):
    """Where replays are: a file, an object, an archive of files, one of its members, or a match of a store.

    ``input`` is standard input. ``where`` is the URL of an object, of the store, or of the archive of a member (or its
    path); of a file that is read on other machines the whole path.
    """

    kind: Literal["file", "object", "archive", "member", "match", "input"]
    name: str
    where: str = ""
    size: int = 0
    """Bytes, as far as they are known."""
    mark: str | None = None
    """Changes with the content."""
    key: str = ""
    """The name below what was asked for, the same on every machine."""
    body: bytes | None = None
    """The content, where it has been read already."""
    failure: str | None = None
    """Why it could not be read."""


Lines = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called."""


class Source(NamedTuple):
    """One replay at a place, as long as the place is open; or why it could not be read."""

    name: str
    lines: Lines | None
    failure: str | None = None
    mark: str | None = None


def sources(place: Place, store_key: bytes | None = None) -> Iterator[Source]:
    """The replays at a place, one after another. Raises one of ``UNREADABLE``."""
    if place.failure is not None:
        return iter([Source(place.name, None, place.failure)])
    if place.body is not None:
        return iter([Source(place.name, held(place.body))])
    if place.kind == "match":
        return _match(place, store_key)
    return archived(place) if place.kind == "archive" else _file(place)


def said(failure: BaseException) -> str:
    """In one line, without the path, which the line begins with anyway."""
    if isinstance(failure, Unavailable):
        return str(failure)
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    return "an archive that is damaged, encrypted or none"


def spoken(name: str) -> str:
    """A name that can be printed: archives and folders may hold any bytes as names."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return printable(text)


def held(body: bytes) -> Lines:
    """The lines of a content that is in memory; of a large one cut anew each time, as short lines take far more."""
    if len(body) > WHOLE:
        return lambda: pieces_of(BytesIO(body))
    lines = list(cut((body,)))
    return lambda: lines


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))


def opened(place: Place) -> IO[bytes]:
    """The bytes of a file, an archive or an object."""
    return stream(place.where) if "://" in place.where else Path(place.where or place.name).open("rb")


def _file(place: Place) -> Iterator[Source]:
    with opened(place) as file:
        body = file.read(WHOLE + 1)
        yield Source(place.name, held(body) if len(body) <= WHOLE else lambda: pieces_of(file))


def archived(place: Place) -> Iterator[Source]:
    """The replays in an archive."""
    for member in members(place):
        yield Source(member.name, None if member.body is None else held(member.body), member.failure)


def members(place: Place) -> Iterator[Place]:
    """What an archive holds, one after another and read already. Raises one of ``UNREADABLE``."""
    for number, (name, member) in enumerate(_members(place)):
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


def _members(place: Place) -> Iterator[tuple[str, IO[bytes]]]:
    """The replay files in an archive, one after another; nothing is unpacked to the disk."""
    with opened(place) as packed:
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


def _match(place: Place, store_key: bytes | None) -> Iterator[Source]:
    with closing(open_store(place.where, store_key)) as store:
        head, signing = store.head(place.name), signing_key(store)
        if head is None or signing is None:
            yield Source(place.name, None, "the store has no such match, or no signing key")
            return
        made = _lines(store, place.name, head, signing)
        kept = list(made) if head.seq < FEW else None
        lines: Lines = (lambda: _lines(store, place.name, head, signing)) if kept is None else (lambda: kept)
        yield Source(place.name, lines, mark=mark_of_match(head))


def mark_of_match(head: Head) -> str:
    """What changes with every event of a match."""
    return f"{head.seq}-{head.hash.hex()}"


UNTOLD = (ValueError, KeyError, TypeError, StopIteration)
"""What a line makes the words stumble over that no service wrote."""


def match_lines(store: Store, match: str) -> Callable[[], Iterator[bytes]] | None:
    """Gives the full file of a stored match as it stands now; ``None`` if the store has no such match, or no key."""
    head, signing = store.head(match), signing_key(store)
    return None if head is None or signing is None else lambda: _lines(store, match, head, signing)


def _lines(store: Store, match: str, head: Head, signing: Signer) -> Iterator[bytes]:
    entries = store.entries(match, -1, head.seq)
    return write_replay(next(entries), entries, signing, "full", head[:2])
