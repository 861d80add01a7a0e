"""Keeps the marker: a small file outside the database that names what was stored last, so that its loss is noticed.

The file consists of lines of one length. Every thread that writes has a line to itself, claimed by a lock that ends
with its process, and overwrites it after every commit: that is one system call, and nothing is synced. What a thread
has stored last stands for all that was stored before: a database that goes back goes back to a moment, and has all that
was committed until then.
"""

import os
from collections.abc import Iterator
from errno import ENOSPC
from fcntl import LOCK_EX, LOCK_NB, lockf
from pathlib import Path
from threading import Lock, Thread, current_thread, local
from typing import Literal, NamedTuple, get_args
from zlib import crc32

from gyoji.store.files import sync_folder
from gyoji.store.records import Unavailable

Kind = Literal["match", "tournament", "tree"]

LINE = 256
MOST = 1 << 14
"""Bytes of a line, which lies in one sector of the disk, and lines."""
DAMAGED = "the marker is damaged: if nothing was restored, remove it; else gyoji store recover --anyway"
BLANK = b" " * (LINE - 1) + b"\n"
EMPTY = b" \n\x00"


class MarkerPlace(NamedTuple):
    """The place of a store's marker: its file, and the digits that the store's lines begin with."""

    path: Path
    store: str
    """What its lines begin with, other than those of another store: 16 hex digits."""


class Record(NamedTuple):
    """A record of the marker, one line: something that was stored, and that somebody may have been told of."""

    store: str
    """The store that has it; stores of one key are one."""
    generation: int
    """That of the store."""
    kind: Kind
    name: str
    """The id of a match or a tournament; ``-`` for the tree over all matches."""
    number: int
    """Of the event, or of the checkpoint."""
    hash: bytes
    """Of the event; of a checkpoint its root."""


class Marker:
    """The marker file, as one process uses it. A process has one object for a path: see ``open_marker``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users = 0
        self._file = -1
        self._process = 0
        self._slots: dict[tuple[Thread, str], int] = {}
        self._own = local()
        self._lock = Lock()

    def records(self) -> list[Record]:
        """Read all records. Raises ``Unavailable`` if the file cannot be read, or a line is none that a store
        writes."""
        try:
            return list(_read(self._content()))
        except OSError as failure:
            raise Unavailable(f"the marker cannot be read: {failure.strerror}", "disk-error") from None

    def claim(self, store: str) -> int:
        """Reserve a line for this thread and return its number, before anything is stored: then there is room for
        it."""
        slot: int | None = getattr(self._own, store, None)
        if slot is None or self._process != os.getpid():
            try:
                slot = self._claim(store)
            except OSError as failure:
                raise _unwritten(failure) from None
        return slot

    def put(self, store: str, line: bytes) -> None:
        """Overwrite the line of this thread. What it names is in the database by now: of a failure here it is not said
        that nothing was stored."""
        slot = self.claim(store)
        try:
            os.pwrite(self._file, line, slot * LINE)
        except OSError as failure:
            raise _unwritten(failure, is_unsure=True) from None

    def sync(self) -> None:
        """Sync what is written to the disk."""
        if self._process == os.getpid():
            os.fdatasync(self._file)

    def clear(self, store: str) -> None:
        """Blank all lines of a store that no longer exists, and all damaged lines."""
        with self._lock:
            self._open()
            for slot in range(os.fstat(self._file).st_size // LINE):
                if self._is_for(store, slot) or _parsed(self._line(slot)) is None:
                    os.pwrite(self._file, BLANK, slot * LINE)

    def close(self) -> None:
        """Release the lines of this process. They stay as they are until another process claims them."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
            self._file, self._process, self._slots, self._own = -1, 0, {}, local()

    def _content(self) -> bytes:
        """Read the file; not by another descriptor while there is one, since closing that would release the locks."""
        with self._lock:
            if self._file >= 0:
                return os.pread(self._file, LINE * MOST, 0)
            try:
                return self.path.read_bytes()
            except FileNotFoundError:
                return b""

    def _claim(self, store: str) -> int:
        with self._lock:
            self._open()
            dead = next((user for user in self._slots if user[1] == store and not user[0].is_alive()), None)
            slot = self._next(store) if dead is None else self._slots.pop(dead)
            if os.fstat(self._file).st_size < (slot + 1) * LINE:
                os.pwrite(self._file, BLANK, slot * LINE)
            self._slots[current_thread(), store] = slot
            setattr(self._own, store, slot)
            return slot

    def _open(self) -> None:
        if self._file >= 0 and self._process == os.getpid():
            return
        if self._file >= 0:  # of the process that this one was forked from
            os.close(self._file)
            self._slots, self._own = {}, local()
        is_new = not self.path.exists()
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._process = os.getpid()
        if is_new:
            sync_folder(self.path.parent)

    def _next(self, store: str) -> int:
        """Find the first line that nobody has, and that names nothing of another store."""
        mine = set(self._slots.values())
        for slot in range(MOST):
            if slot not in mine and self._is_for(store, slot) and _locked(self._file, slot):
                return slot
        raise OSError(ENOSPC, "too many write to it at once")

    def _is_for(self, store: str, slot: int) -> bool:
        line = self._line(slot)
        return not line or line.startswith(f"{store} ".encode())

    def _line(self, slot: int) -> bytes:
        return os.pread(self._file, LINE, slot * LINE).strip(EMPTY)


_MARKERS: dict[Path, Marker] = {}
_LOCK = Lock()


def open_marker(path: Path) -> Marker:
    """Give the marker at the path to one more user of this process. Locks belong to a process: two objects of one path
    would take each other's lines."""
    with _LOCK:
        marker = _MARKERS.setdefault(path, Marker(path))
        marker.users += 1
        return marker


def close_marker(marker: Marker) -> None:
    """Take the marker back from one of its users; with the last one the file is closed."""
    with _LOCK:
        marker.users -= 1
        if marker.users == 0:
            _MARKERS.pop(marker.path, None)
            marker.close()


def _locked(file: int, slot: int) -> bool:
    """Try to lock a line; whether that succeeded."""
    try:
        lockf(file, LOCK_EX | LOCK_NB, LINE, slot * LINE)
    except (BlockingIOError, PermissionError):
        return False
    return True


def encoded(store: str, generation: int, kind: Kind, name: str, number: int, hashed: bytes) -> bytes:
    """Write the line of a record."""
    said = f"{store} {generation} {kind} {name} {number} {hashed.hex()}".encode()
    return (b"%b %08x" % (said, crc32(said))).ljust(LINE - 1) + b"\n"


def _read(content: bytes) -> Iterator[Record]:
    for start in range(0, len(content), LINE):
        line = content[start : start + LINE].strip(EMPTY)
        found = _parsed(line)
        if found is not None:
            yield found
        elif line:
            raise Unavailable(DAMAGED, "damaged")


def _parsed(line: bytes) -> Record | None:
    """Parse a line; ``None`` if nobody can have written it."""
    said, _, check = line.rpartition(b" ")
    try:
        store, generation, kind, name, number, hashed = said.decode().split(" ")
        if check != b"%08x" % crc32(said) or kind not in get_args(Kind):
            return None
        return Record(store, int(generation), kind, name, int(number), bytes.fromhex(hashed))  # type: ignore[arg-type]
    except ValueError:
        return None


def _unwritten(failure: OSError, *, is_unsure: bool = False) -> Unavailable:
    cause: Literal["disk-full", "disk-error"] = "disk-full" if failure.errno == ENOSPC else "disk-error"
    return Unavailable(f"the marker cannot be written: {failure.strerror}", cause, is_unsure=is_unsure)
