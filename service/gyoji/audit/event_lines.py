"""The lines of a file sorted into events with their openings."""

from collections.abc import Iterator
from typing import NamedTuple

from gyoji.log.parser import MOST_OPENINGS, Limits, OverLimits

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


def read_event_lines(line: bytes, lines: Iterator[bytes], number: int, limits: Limits) -> EventLines:
    """The event on the ``line``, which has that ``number``, with the openings that follow it. Raises ``OverLimits``."""
    openings: list[bytes] = []
    longest, most, room = limits.line, limits.lines, limits.openings
    for after in lines:
        number += 1
        size = len(after)
        if size > longest or number > most:
            raise OverLimits
        if not after.startswith(OPENING) or not after.endswith(b"\n"):
            return EventLines(line, openings, after, number)
        openings.append(after)
        room -= size
        if room < 0 or len(openings) > MOST_OPENINGS:
            raise OverLimits
    return EventLines(line, openings, None, number + 1)


def is_event(line: bytes) -> bool:
    """Whether a whole line begins as those of events do."""
    return line.startswith(EVENT) and line.endswith(b"\n")
