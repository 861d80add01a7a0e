"""Keeps the files of measures in one folder, and sees that nothing stays behind when somebody stops them."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from benchmarks.installation import home

MEMORY = Path("/dev/shm")  # noqa: S108 - a temporary folder of our own is made in it
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PASSABLE = 0o711


def memory_folder() -> "TemporaryDirectory[str]":
    """Return a folder on a memory file system where there is one, so that the disk's share stays out of a figure."""
    return TemporaryDirectory(prefix="gyoji-bench-", dir=MEMORY if MEMORY.is_dir() else None)


@contextmanager
def make_workplace() -> Iterator[Path]:
    """Make a folder that all temporary files of this process and of those it starts lie in; it is gone in the end."""
    before = os.environ.get("TMPDIR")
    os.environ["BENCH_HOME"] = str(home())  # the peers lie outside, wherever temporary files go meanwhile
    with TemporaryDirectory(prefix="gyoji-bench-") as folder:
        Path(folder).chmod(PASSABLE)  # a database that must not run as root has its own folder in here
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = None
            os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before)


@contextmanager
def leave_nothing() -> Iterator[None]:
    """End by way of every ``finally`` when somebody stops this process, so that servers and files go as well."""
    before = {number: signal.signal(number, _leave) for number in STOPS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: object) -> NoReturn:
    for stop in STOPS:
        signal.signal(stop, signal.SIG_IGN)  # once is enough
    sys.exit(128 + number)
