"""Takes the lines of a replay file: buffers them, digests them, and sorts them into events with their openings."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from io import BytesIO
from itertools import islice
from typing import NamedTuple

from gyoji.log.parser import LIMITS, MOST_OPENINGS, Limits, OverLimits

MOST_HELD = 2**20
"""A file of no more bytes is taken from its source once, and held for the two times that it is read; a longer one is
taken twice."""
FEW = 8
"""Lines that are taken at once."""
MOST_WAITING = 2**16
"""So many bytes wait for being digested together: a call for each line would cost as much as the digest."""

LOOK_EVERY = 2**16
"""After so many bytes whoever reads a file is asked whether to go on; each line counts for as much as the shortest."""
SHORTEST = 256


def cut(pieces: Iterable[bytes], limit: int = LIMITS.line) -> Iterator[bytes]:
    """Cut a stream, which comes in pieces of any size, into lines. A line over the limit is cut short and is the
    last."""
    begun: list[bytes] = []
    """The pieces of a line that has not ended yet."""
    size = 0
    for piece in pieces:
        begun.append(piece)
        size += len(piece)
        if b"\n" in piece:
            lines = BytesIO(b"".join(begun)).readlines()
            begun = [] if lines[-1].endswith(b"\n") else [lines.pop()]
            size = sum(map(len, begun))
            yield from lines
        if size > limit:
            break
    if size:
        yield b"".join(begun)[: limit + 1]


def watch(lines: Iterable[bytes], look: Callable[[], None]) -> Iterator[bytes]:
    """The lines; between some of them ``look`` is called, which may raise whatever is to end the reading."""
    left = 0
    for line in lines:
        if left <= 0:
            look()
            left = LOOK_EVERY
        left -= max(len(line), SHORTEST)
        yield line


def buffer(lines: Iterator[bytes], most: int) -> tuple[list[bytes], bool]:
    """The first of the lines, one more than ``most`` at most, and whether these are all."""
    found: list[bytes] = []
    left = MOST_HELD
    while left >= 0 and len(found) <= most:
        some = [*islice(lines, min(FEW, most + 1 - len(found)))]
        if not some:
            return found, True
        found += some
        left -= sum(map(len, some))
    return found, False


class Digest:
    """The digest of all lines before the head."""

    def __init__(self) -> None:
        self._digest = sha256()
        self._waiting: list[bytes] = []
        self._weight = 0

    def add(self, lines: list[bytes]) -> None:
        """The next lines."""
        self._waiting += lines
        self._weight += sum(map(len, lines))
        if self._weight > MOST_WAITING:
            self._take()

    def _take(self) -> None:
        self._digest.update(b"".join(self._waiting))
        self._waiting, self._weight = [], 0

    def hexdigest(self) -> str:
        """In 64 lower-case hex digits."""
        self._take()
        return self._digest.hexdigest()


EVENT = b'{"actor":'
OPENING = b'{"opening":'
HEAD = b'{"file":'


class EventLines(NamedTuple):
    """The line of one event, and those of the openings that follow it."""

    line: bytes
    openings: list[bytes]
    after: bytes | None
    """The line after these; ``None`` at the end."""
    number: int
    """Of the line after these."""


def read_event_lines(
    line: bytes, lines: Iterator[bytes], number: int, limits: Limits, openings: list[bytes] | None = None
) -> EventLines:
    """Return the event on the ``line``, which has that ``number``, with the openings that follow it. Raises
    ``OverLimits``. Whoever wants the openings before that gives a list, to which they are added as they are read."""
    openings = [] if openings is None else openings
    longest, most, room = limits.line, limits.lines, limits.openings
    for after in lines:
        number += 1
        size = len(after)
        if size > longest or number > most:
            raise OverLimits
        if not after.startswith(OPENING) or not after.endswith(b"\n"):
            return EventLines(line, openings, after, number)
        room -= size
        if room < 0 or len(openings) == MOST_OPENINGS:
            raise OverLimits
        openings.append(after)
    return EventLines(line, openings, None, number + 1)


def is_event(line: bytes) -> bool:
    """Whether a whole line begins as those of events do."""
    return line.startswith(EVENT) and line.endswith(b"\n")
