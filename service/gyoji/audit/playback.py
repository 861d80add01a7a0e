"""The playback steps through a replay file, whoever made it, as far as the rules can replay it.

It replays the file as the audit does and leaves out openings that do not fit; nothing in it leads to an exception.
Whether the file is true is for the audit to say.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.audit.recorded import RecordedEvent, read_recorded
from gyoji.audit.replayer import Replayer
from gyoji.audit.verdicts import Explanation, Findings
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry, Opening
from gyoji.log.lines import HEAD, OPENING, read_event_lines
from gyoji.log.parser import LIMITS, Limits, OverLimits, Unreadable, check_event, parse_header, parse_object
from gyoji.log.redaction import Reader, project_event
from gyoji.match.prescan import Branches, branches, prescan_lines, taken_back_by
from gyoji.match.setup import Rulebook
from gyoji.match.state import STATUS_AFTER, Status
from gyoji.match.viewer_frames import Step

BROKEN = Explanation("broken")

MOST_UNREADABLE = 64
"""Lines that cannot be read; after so many nothing more of a file is."""


class Playback(NamedTuple):
    """Some steps of a replay file, and facts about the whole file."""

    header: Mapping[str, Any]
    created: Mapping[str, Any]
    """The first event of the file, as ``project_event`` gives it with all that the file opens; empty without any."""
    steps: list[Step]
    broken: int | None
    """The ``seq`` from which on the file cannot be played again, if that is among the steps or before."""
    seq: int
    """Of the last event; -1 without any."""
    kinds: frozenset[str]
    """The types of all events."""
    status: Status
    """Where the match is in its course after the last of them."""

    @property
    def audience(self) -> Reader:
        """The reader that the file says it was redacted for."""
        audience = self.header["audience"]
        reader: Reader = audience["seat"] if isinstance(audience, dict) else audience
        return reader


class _Lines(NamedTuple):
    """The lines of one event: its document, its bytes, and the openings that follow it."""

    document: dict[str, Any]
    body: bytes
    openings: list[bytes]


def play_back(
    source: Callable[[], Iterable[bytes]], rules: Rulebook, after: int, limit: int, limits: Limits = LIMITS
) -> Playback | None:
    """Return the steps of a file after event ``after``, at most ``limit``; ``None`` if the lines are no replay file.
    ``source`` gives the file's lines from the start each time it is called, after it has been read to the end.

    Only a file that hides nothing has positions. Events that do not go on from those before are left out.
    """
    back = branches(prescan_lines(source(), limits).back)
    lines = iter(source())
    first = parse_header(next(lines, b""), limits)
    if first is None:
        return None
    return _Stepping(rules, limits, back, is_full=first["audience"] == "full").of(first, lines, after, after + limit)


class _Stepping:
    """One file under way."""

    def __init__(self, rules: Rulebook, limits: Limits, back: Branches, *, is_full: bool) -> None:
        self._limits = limits
        self._back = back
        self._marks = frozenset([ruling.to for ruling in back])
        self._rulings = frozenset([ruling.seq for ruling in back])
        self._status: Status = "seeding"
        self._findings = Findings()
        self._replayer = Replayer(self._findings, rules) if is_full else None
        self._broken: int | None = None
        self._seq = -1
        self._created: Mapping[str, Any] = {}

    def of(self, first: Mapping[str, Any], lines: Iterator[bytes], after: int, last: int) -> Playback:
        """Return the steps ``after`` one event and up to the ``last``."""
        steps: list[Step] = []
        kinds: set[str] = set()
        for found in self._events(lines):
            if found is None:
                self._break(self._seq + 1, last)
                continue
            seq = found.document["seq"]
            if seq != self._seq + 1:
                self._break(self._seq + 1, last)
            if seq > self._seq:
                self._seq = seq
                kinds.add(found.document["type"])
                self._status = self._status_after(found.document)
                if seq <= last:
                    step = self._step(found)
                    steps += [step] if seq > after else []
        return Playback(first, self._created, steps, self._broken, self._seq, frozenset(kinds), self._status)

    def _status_after(self, document: Mapping[str, Any]) -> Status:
        is_over = self._status in ("finished", "voided")
        if is_over and document["seq"] in self._rulings:
            return "playing"
        return STATUS_AFTER.get(document["type"], self._status)

    def _break(self, seq: int, last: int) -> None:
        """Something is missing before that event, or cannot be read."""
        if self._broken is None and seq <= last:
            self._broken = seq
            if self._replayer is not None:
                self._replayer.lose(BROKEN)

    def _events(self, lines: Iterator[bytes]) -> Iterator[_Lines | None]:
        """Event by event; ``None`` for a line that is none, and at the end where the limits are reached."""
        left = MOST_UNREADABLE
        try:
            for found in self._read(lines):
                yield found
                left -= found is None
                if not left:
                    return
        except OverLimits:
            yield None

    def _read(self, lines: Iterator[bytes]) -> Iterator[_Lines | None]:
        line, number = next(lines, None), 2
        while line is not None and not line.startswith(HEAD):
            if len(line) > self._limits.line or number > self._limits.lines:
                raise OverLimits
            is_opening = line.startswith(OPENING)  # of no event
            found = None if is_opening else self._event(line)
            if found is None:
                if not is_opening:
                    yield None
                line, number = next(lines, None), number + 1
                continue
            try:
                _line, _openings, line, number = read_event_lines(line, lines, number, self._limits, found.openings)
            except OverLimits:
                yield found
                raise
            yield found

    def _event(self, line: bytes) -> _Lines | None:
        if not line.endswith(b"\n"):
            return None
        try:
            found = parse_object(line, self._limits.depth)
            check_event(found)
        except Unreadable:
            return None
        return _Lines(found, line[:-1], [])

    def _step(self, found: _Lines) -> Step:
        try:
            event_read = read_recorded(found.document, found.body, found.openings, 0, self._findings, self._limits)
        except OverLimits:
            event_read = read_recorded(found.document, found.body, (), 0, self._findings, self._limits)
        entry = _entry(event_read)
        if not self._created:
            self._created = project_event("full", entry)
        replayer = self._replayer
        by = taken_back_by(self._back, event_read.seq)
        if replayer is None:
            return Step(entry, None, over=False, taken_back_by=by)
        if replayer.is_replayed:
            replayer.apply(event_read)
        if not replayer.is_replayed:
            self._broken = event_read.seq if self._broken is None else self._broken
            return Step(entry, None, over=False, taken_back_by=by)
        if event_read.seq in self._marks:
            replayer.keep_position(event_read.seq)
        return Step(entry, replayer.state, over=replayer.stage not in ("playing", "paused"), taken_back_by=by)


def _entry(event_read: RecordedEvent) -> Entry:
    """Return the event with the openings that fit."""
    openings = [Opening(at, b"", opened.payload) for at, opened in event_read.openings.items()]
    return Entry(event_read.seq, event_read.body, leaf_hash(event_read.body), tuple(openings))
