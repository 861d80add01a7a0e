"""Writes files that get their name only when they are whole, and that outlast a power cut.

What is being written, a draft, lies in a folder of its own beside its place. A run holds a lock on its draft for as
long as it lives, so that the next one can tell what a killed run has left from what another is still writing.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

PREFIX = ".gyoji-draft-"
LOCK = "lock"


@contextmanager
def draft_folder(beside: Path) -> Iterator[Path]:
    """Make a folder for drafts in a folder, for as long as the block takes, and remove those that killed runs have left
    there."""
    for left in sorted(beside.glob(f"{PREFIX}*")):
        _remove_abandoned(left)
    folder, lock = _made(beside)
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)  # what cannot be removed now, the next run removes
        os.close(lock)


def _made(beside: Path) -> tuple[Path, int]:
    """Make a folder and lock it. Another run may take a folder that is not locked yet for one that was left."""
    while True:
        folder = Path(mkdtemp(prefix=PREFIX, dir=beside))
        with suppress(FileNotFoundError):
            lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
            with suppress(OSError):  # a file system without locks: nobody can tell, so nobody removes it
                flock(lock, LOCK_EX)
            if (folder / LOCK).exists():
                return folder, lock
            os.close(lock)


def _remove_abandoned(folder: Path) -> None:
    """Remove a draft that nobody is writing; it stays where anything speaks against that (a lock, other rights)."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR)
    except FileNotFoundError:
        with suppress(OSError):
            folder.rmdir()  # killed before it made its lock; one that is about to make it starts anew
        return
    except OSError:
        return
    try:
        flock(lock, LOCK_EX | LOCK_NB)
        rmtree(folder)
    except OSError:
        return
    finally:
        os.close(lock)


def put_in_place(draft: Path, to: Path) -> None:
    """Rename a draft to its final name. File and name are on the disk when this returns. ``FileExistsError`` if there
    is a file of that name, which stays as it is."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    try:
        to.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        if os.path.lexists(to):
            raise FileExistsError from None
        draft.rename(to)
    sync_folder(to.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder: the names in it are on the disk when this returns."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
