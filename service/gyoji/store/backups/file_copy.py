"""Copies a file that others go on writing to, in rounds."""

import os
from pathlib import Path

from gyoji.store.records import Progress

PIECE = 1 << 18
"""Bytes that are compared, and written where they differ."""

EVERY = 64
"""Pieces between two reports of progress."""

_OPEN: dict[tuple[int, int], int] = {}
"""Descriptors of files that have been read here. They stay open: whoever closes a file releases all the locks that the
process has on it, those of SQLite too."""


def copy_round(source: Path, copy: Path, progress: Progress, sync: bool) -> int:
    """Make the copy, which has to be there, what the file is; tell how many bytes that took to write.

    What was written to the file before, and nothing that is written meanwhile, is sure to be in the copy afterwards:
    where nobody writes during the last round, the copy is the file. A round that syncs leaves the next one only its own
    to write.
    """
    written = at = number = 0
    ours = _reader(source)
    total = os.fstat(ours).st_size
    with copy.open("rb+") as theirs:
        while piece := os.pread(ours, PIECE, at):
            if theirs.read(len(piece)) != piece:
                theirs.seek(at)
                theirs.write(piece)
                written += len(piece)
            at += len(piece)
            number += 1
            if number % EVERY == 0:
                progress(at, max(at, total))
        theirs.truncate(at)
        theirs.flush()
        if sync:
            os.fsync(theirs.fileno())
    progress(at, at)
    return written


def _reader(source: Path) -> int:
    found = source.stat()
    known = (found.st_dev, found.st_ino)
    if known not in _OPEN:
        _OPEN[known] = os.open(source, os.O_RDONLY)
    return _OPEN[known]
