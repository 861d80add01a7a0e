"""The prescan looks through a log before it is read event by event, and judges nothing.

The secret at the end of a log makes every shuffle checkable as it comes; a take-back tells which of the positions
before it will be wanted again, so that no others need be kept.
"""

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice, starmap
from operator import itemgetter
from typing import NamedTuple

import orjson

from gyoji.log.parser import MOST_EVENTS, Limits
from gyoji.match.setup import SeedCommitment, read_seed_commitment

DISCLOSED = b'"type":"seed_disclosed","v":1}\n'
OPENED = b'{"opening":{"index":0,"payload":{"/server_secret":"'
NAMED = b'server_secret":"'
SECRET = re.compile(NAMED + rb'([0-9a-f]{128})"')

KEYED = b'{"actor":{"key":"'
"""How the event of a ruling begins: nobody else acts under the name of a key."""
TELLING = (KEYED, OPENED)
TAKE_BACK = b'"ruling":{"kind":"take_back","to":'
RULED = re.compile(rb'(\d{1,10})\}\},.*,"seq":(\d{1,10}),"type":"ruling_made","v":1\}\n', re.DOTALL)

MOST_TAKEN_BACK = 1_000
"""So many rulings that take a match back are followed in one file."""


class TakenBack(NamedTuple):
    """A ruling that takes the match back: after ruling ``seq`` the position is that after event ``to``."""

    seq: int
    to: int


class Prescan(NamedTuple):
    """What a prescan has found: the server's secret, and the rulings that take the match back."""

    secret: bytes | None = None
    """The server's, if the file discloses it."""
    back: tuple[TakenBack, ...] = ()
    """The rulings that say that they take the match back, in the order of the file; true or not."""

    @property
    def marks(self) -> frozenset[int]:
        """The events that some ruling goes back to, whose positions have to be kept."""
        return frozenset([ruling.to for ruling in self.back])


def prescan_lines(lines: Iterable[bytes], limits: Limits) -> Prescan:
    """Prescan the lines of a file, one by one."""
    lines = islice(lines, limits.lines)
    next(lines, None)  # the header
    commitment = _commitment(next(lines, b""), limits)
    back: list[TakenBack] = []
    for line in lines:
        if not line.startswith(TELLING) and not line.endswith(DISCLOSED):
            continue  # most of them
        if line.startswith(KEYED):
            if len(back) < MOST_TAKEN_BACK:
                back += _taken_back(line)
        else:
            secret = _secret(line, commitment)
            if secret is not None:
                return Prescan(secret, tuple(back))  # that closes a log
    return Prescan(None, tuple(back))


def prescan_buffered(lines: Sequence[bytes], limits: Limits) -> Prescan:
    """Prescan all buffered lines of a file at once. Where nothing is taken back, and the last line with a secret
    discloses the committed one, no other line is looked at: no second secret fits the commitment."""
    body = b"".join(lines)
    at = body.rfind(NAMED)
    if body.rfind(TAKE_BACK) < 0 and at >= sum(map(len, lines[:2])):
        line = body[body.rfind(b"\n", 0, at) + 1 : body.find(b"\n", at) + 1]
        secret = None if line.startswith(KEYED) else _secret(line, _commitment(lines[1], limits))
        if secret is not None:
            return Prescan(secret)
    return prescan_lines(lines, limits)


def _secret(line: bytes, commitment: SeedCommitment | None) -> bytes | None:
    """The committed secret, if that line discloses it."""
    if commitment is None or not (line.endswith(DISCLOSED) or line.startswith(OPENED)):
        return None
    found = SECRET.search(line)
    secret = None if found is None else bytes.fromhex(found[1].decode())
    return secret if secret is not None and commitment.is_kept_by(secret) else None


def _commitment(line: bytes, limits: Limits) -> SeedCommitment | None:
    try:
        found = orjson.loads(line) if len(line) <= limits.line else None
    except orjson.JSONDecodeError:
        return None
    data = found.get("data") if isinstance(found, dict) else None
    return read_seed_commitment(data) if isinstance(data, dict) else None


def _taken_back(line: bytes) -> Iterator[TakenBack]:
    at = line.rfind(TAKE_BACK)
    found = None if at < 0 else RULED.fullmatch(line, at + len(TAKE_BACK))
    if found is not None and max(int(found[1]), int(found[2])) <= MOST_EVENTS:
        yield TakenBack(int(found[2]), int(found[1]))


class Spans:
    """The events that rulings have taken back, as ranges. Neither adding a ruling nor looking up an event takes longer
    the more rulings there are."""

    def __init__(self) -> None:
        self._covered: list[tuple[int, int]] = []
        """First and last of what has been taken back, in rising order, apart from each other."""
        self._pieces: list[tuple[int, int, int]] = []
        """The same, in parts: first, last, and the ruling that was the first to take them back."""

    def add(self, ruling: int, to: int) -> None:
        """Add a ruling: all events after ``to`` and before it are taken back."""
        first, last = to + 1, ruling - 1
        if first > last:
            return
        low = high = bisect_left(self._covered, first, key=_last)
        at = first
        while high < len(self._covered) and self._covered[high][0] <= last:
            begin, end = self._covered[high]
            self._add(at, begin - 1, ruling)
            at = end + 1
            high += 1
        self._add(at, last, ruling)
        among = [(first, last), *self._covered[low:high]]
        self._covered[low:high] = [(min(among)[0], max(map(_last, among)))]

    def _add(self, first: int, last: int, ruling: int) -> None:
        if first <= last:
            insort(self._pieces, (first, last, ruling))

    def by(self, seq: int) -> int | None:
        """Return the first ruling that took an event back; ``None`` where the event is in force."""
        at = bisect_left(self._pieces, seq, key=_last)
        is_in = at < len(self._pieces) and self._pieces[at][0] <= seq
        return self._pieces[at][2] if is_in else None


_last = itemgetter(1)


class Branches(tuple[TakenBack, ...]):
    """The rulings that take a match back, in order, with the events that they have taken back."""

    @cached_property
    def spans(self) -> Spans:
        """The ranges of all events that these rulings have taken back."""
        found = Spans()
        for ruling, to in self:
            found.add(ruling, to)
        return found


def branches(back: Iterable[TakenBack]) -> Branches:
    """Return those rulings that can take the match back as they claim. The event that they go back to has not been
    taken back itself, nor is it still to come."""
    found: list[TakenBack] = []
    spans = Spans()
    for ruling in back:
        if ruling.to < ruling.seq and spans.by(ruling.to) is None:
            found.append(ruling)
            spans.add(*ruling)
    return Branches(found)


def taken_back_by(branches: Iterable[tuple[int, int]], seq: int) -> int | None:
    """Return the first ruling that took an event back; ``None`` where the event is in force. ``branches``: of each
    ruling its ``seq`` and that of the event it went back to; for many look-ups ``Branches``."""
    found = branches if isinstance(branches, Branches) else Branches(starmap(TakenBack, branches))
    return found.spans.by(seq)
