"""What has to be known of a log before it is read event by event: a first pass over its lines, which judges nothing.

The secret at its end makes every shuffle checkable as it comes; a ruling that takes a match back tells which of the
positions before it will be wanted again, so that no others need be kept.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import orjson

from gyoji.replay.reading import MOST_EVENTS, Limits
from gyoji.replay.setup import Promise, promised

DISCLOSED = b'"type":"seed_disclosed","v":1}\n'
OPENED = b'{"opening":{"index":0,"payload":{"/server_secret":"'
SECRET = re.compile(rb'server_secret":"([0-9a-f]{128})"')

KEYED = b'{"actor":{"key":"'
"""How the event of a ruling begins: nobody else acts under the name of a key."""
TELLING = (KEYED, OPENED)
TAKE_BACK = b'"ruling":{"kind":"take_back","to":'
RULED = re.compile(rb'(\d{1,10})\}\},.*,"seq":(\d{1,10}),"type":"ruling_made","v":1\}\n', re.DOTALL)

MOST_TAKEN_BACK = 1_000
"""So many rulings that take a match back are followed in one file."""


class TakenBack(NamedTuple):
    """Ruling ``seq`` makes the position after event ``to`` the position again."""

    seq: int
    to: int


class Foreseen(NamedTuple):
    """What is coming."""

    secret: bytes | None = None
    """The server's, if the file tells it."""
    back: tuple[TakenBack, ...] = ()
    """The rulings that say that they take the match back, in the order of the file; true or not."""

    @property
    def marks(self) -> frozenset[int]:
        """The events whose positions are wanted again."""
        return frozenset([ruling.to for ruling in self.back])


def foreseen(lines: Iterable[bytes], limits: Limits) -> Foreseen:
    """What the lines of a file say of what is to come."""
    lines = islice(lines, limits.lines)
    next(lines, None)  # the header
    created = next(lines, b"")
    promise = _promise(created) if len(created) <= limits.line else None
    back: list[TakenBack] = []
    for line in lines:
        if not line.startswith(TELLING) and not line.endswith(DISCLOSED):
            continue  # most of them
        if line.startswith(KEYED):
            if len(back) < MOST_TAKEN_BACK:
                back += _taken_back(line)
        elif promise is not None and (line.endswith(DISCLOSED) or line.startswith(OPENED)):
            found = SECRET.search(line)
            if found is not None and promise.is_kept_by(bytes.fromhex(found[1].decode())):
                return Foreseen(bytes.fromhex(found[1].decode()), tuple(back))  # that closes a log
    return Foreseen(None, tuple(back))


def _promise(line: bytes) -> Promise | None:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    data = found.get("data") if isinstance(found, dict) else None
    return promised(data) if isinstance(data, dict) else None


def _taken_back(line: bytes) -> Iterator[TakenBack]:
    at = line.rfind(TAKE_BACK)
    found = None if at < 0 else RULED.fullmatch(line, at + len(TAKE_BACK))
    if found is not None and max(int(found[1]), int(found[2])) <= MOST_EVENTS:
        yield TakenBack(int(found[2]), int(found[1]))


def branches(back: Iterable[TakenBack]) -> tuple[TakenBack, ...]:
    """Of the rulings that say that they take the match back those that can: what they go back to has not been taken
    back itself, nor is it still to come."""
    found: list[TakenBack] = []
    for ruling in back:
        if ruling.to < ruling.seq and taken_back_by(found, ruling.to) is None:
            found.append(ruling)
    return tuple(found)


def taken_back_by(branches: Iterable[tuple[int, int]], seq: int) -> int | None:
    """The first ruling that has taken that event back; ``None`` where it is in force. ``branches``: of each ruling its
    ``seq`` and that of the event whose position it went back to."""
    return next((ruling for ruling, to in branches if to < seq < ruling), None)
