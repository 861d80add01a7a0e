"""The audit reads the lines of a replay file, whoever made them, and gives a verdict on them.

It reads one event at a time and keeps nothing of those before but the positions that rulings go back to. Keys and rules
come from whoever audits. Whatever the bytes are, it answers with a verdict.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from gyoji.audit.commitments import Beacons, CommitmentChecks
from gyoji.audit.prediction import Predictor
from gyoji.audit.recorded import read_recorded
from gyoji.audit.replayer import Replayer
from gyoji.audit.signature_checks import LogEnd, ReceiptChecks, check_head
from gyoji.audit.verdicts import Check, Explanation, Findings, Verdict
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.files import FORMAT
from gyoji.log.lines import (
    HEAD,
    OPENING,
    Digest,
    EventLines,
    buffer,
    is_event,
    read_event_lines,
    watch,
)
from gyoji.log.parser import (
    LIMITS,
    Limits,
    OverLimits,
    Unreadable,
    check_event,
    parse_head_line,
    parse_header,
    parse_object,
)
from gyoji.log.signatures import Trusted, indexed
from gyoji.log.statements import Statement
from gyoji.match.prescan import Prescan, prescan_buffered, prescan_lines
from gyoji.match.setup import Rulebook

Source = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called. Every line but the last ends with LF; none needs to
be longer than the limit and one byte (see ``cut`` in ``log/lines.py``)."""

SHORTEST = 96
"""Bytes that no event is shorter than, nor whatever nests too deeply to be read."""

HIDES_NOTHING: Mapping[str, Any] = {"secret": [], "position": None}
"""What an event has that no opening belongs to."""


def audit(
    source: Source,
    rules: Rulebook,
    trusted: Sequence[Trusted] | None = None,
    receipts: Iterable[Any] | None = None,
    limits: Limits = LIMITS,
    beacons: Beacons | None = None,
    *,
    in_full: bool = False,
    look: Callable[[], None] | None = None,
) -> Verdict:
    """Audit a replay file and return the verdict on it.

    ``trusted``: the keys that may have signed it; ``None`` if none are given. ``receipts``: what movers were given and
    heads that others have, of any matches, as documents. ``beacons``: values of public beacons that the auditor knows.
    ``in_full``: every line is read in full, which takes longer and says the same. ``look``: called now and then; what
    it raises ends the audit.
    """
    trusted = None if trusted is None else indexed(trusted)
    read: Callable[[Iterable[bytes]], Iterator[bytes]] = iter if look is None else partial(watch, look=look)
    lines = read(source())
    first, is_all = buffer(lines, limits.lines)
    if is_all:
        coming = prescan_buffered(first, limits)
        return _Audit(rules, coming, trusted, receipts, limits, beacons, in_full).of(read(first))
    coming = prescan_lines(chain(first, lines), limits)
    return _Audit(rules, coming, trusted, receipts, limits, beacons, in_full).of(read(source()))


class _Audit:
    """One audit under way."""

    def __init__(
        self,
        rules: Rulebook,
        coming: Prescan,
        trusted: Sequence[Trusted] | None,
        receipts: Iterable[Any] | None,
        limits: Limits,
        beacons: Beacons | None,
        in_full: bool,
    ) -> None:
        self._findings = Findings()
        self._replayer = Replayer(self._findings, rules, coming.secret, CommitmentChecks(self._findings, beacons))
        self._marks = coming.marks
        self._predictor: Predictor | None = None
        """Predicts the next lines, once the cards are dealt and while nothing differs."""
        self._in_full = in_full
        self._trusted = trusted
        self._receipts = receipts
        self._limits = limits
        self._digest = Digest()
        self._header: dict[str, Any] = {}
        self._seq = -1
        self._hash: bytes | None = bytes(32)
        """Of the last event; ``None`` where it is not known because the line before could not be read."""
        self._tied = 0
        self._statement: Statement | None = None
        self._has_head = False

    def of(self, lines: Iterable[bytes]) -> Verdict:
        """Audit the lines of a whole file and return the verdict on it."""
        lines = iter(lines)
        first = next(lines, b"")[: self._limits.line + 1]
        found = parse_header(first, self._limits)
        if found is None:
            return self._malformed(
                None, Explanation("no-header"), FORMAT, first[:80].decode("utf-8", "replace") or None
            )
        self._header = found
        self._receipt_checks = ReceiptChecks(self._receipts, self._trusted, found["origin"], found["match"])
        self._stops = frozenset([*self._marks, *self._receipt_checks.statements])
        self._digest.add([first])
        try:
            self._read(lines)
        except OverLimits:
            return self._malformed(found["match"], Explanation("over-limits"), None, None)
        return self._findings.verdict(found["match"], True)

    def _malformed(self, match: str | None, why: Explanation, expected: Any, found: Any) -> Verdict:
        self._findings.diverge("malformed", "bytes", None, why, expected, found)
        return self._findings.verdict(match, False)

    def _read(self, lines: Iterator[bytes]) -> None:
        limit, most = self._limits.line, self._limits.lines
        line, number = next(lines, None), 2
        while line is not None:
            if len(line) > limit or number > most:
                raise OverLimits
            if self._has_head:
                self._tampered("file", None, Explanation("after-the-head", {"line": number}))
                break
            line, number = self._take(line, lines, number)
        self._end()

    def _end(self) -> None:
        """Finish all checks, as there are no more lines."""
        self._replayer.end()
        self._receipt_checks.end(self._findings, LogEnd(self._seq, self._hash, self._tied, self._statement))
        if not self._has_head:
            why = Explanation("no-head")
            self._findings.diverge("incomplete", "head", self._seq + 1, why, "head", None, result="not_checkable")
            self._findings.skip("file", why)

    def _take(self, line: bytes, lines: Iterator[bytes], number: int) -> tuple[bytes | None, int]:
        """Read a line, with those after it that belong to it or are predicted with it. Return the next line and its
        number."""
        if not line.endswith(b"\n"):
            self._last_words(line, number)
        elif line.startswith(OPENING):
            if self._seq >= 0:
                return self._misplaced(line, lines, number)
            self._digest.add([line])
            if self._hash is not None:
                self._tampered("openings", None, Explanation("misplaced"))
        elif line.startswith(HEAD):
            self._head(line, number)
        else:
            return self._events(line, lines, number)
        return next(lines, None), number + 1

    def _tampered(
        self, check: Check, seq: int | None, why: Explanation, expected: Any = None, found: Any = None
    ) -> None:
        self._findings.diverge("tampered", check, seq, why, expected, found)

    def _unreadable(self, code: str, number: int) -> None:
        """Report a line that is no event: what it was is not known, nor what follows from it."""
        self._tampered("bytes", self._seq + 1, Explanation(code, {"line": number}))
        self._hash = None
        self._lose(Explanation("broken"))

    def _lose(self, why: Explanation) -> None:
        self._predictor = None
        self._replayer.lose(why)

    def _last_words(self, line: bytes, number: int) -> None:
        """Check a last line without its LF: the file ends within it, unless it is a whole document."""
        self._digest.add([line])
        try:
            parse_object(line, self._limits.depth)
        except Unreadable:
            return
        self._unreadable("no-line-feed", number)

    # events and their openings

    def _events(self, line: bytes, lines: Iterator[bytes], number: int) -> tuple[bytes | None, int]:
        """Read an event, and those after it that are predicted. Return the line after these and its number."""
        if self._predictor is None or self._hash is None or not is_event(line):
            return self._take_in_full(read_event_lines(line, lines, number, self._limits), number)
        progress = self._predictor.along(line, lines, number, self._seq, self._hash)
        if progress.seq != self._seq:
            self._follow(progress.seq, progress.hash)
        return (
            (progress.line, progress.number)
            if progress.stuck is None
            else self._take_in_full(progress.stuck, progress.number)
        )

    def _take_in_full(self, found: EventLines, number: int) -> tuple[bytes | None, int]:
        """Read in full an event whose line has that ``number``. Return the line after it and that one's number."""
        self._digest.add([found.line, *found.openings])
        self._read_in_full(found.line, found.openings, number)
        return found.after, found.number

    def _misplaced(self, line: bytes, lines: Iterator[bytes], number: int) -> tuple[bytes | None, int]:
        """Report an opening, and those after it, that belong to no event: the one before was predicted with its own."""
        found = read_event_lines(b"", chain([line], lines), number - 1, self._limits)
        self._digest.add(found.openings)
        read_recorded({**HIDES_NOTHING, "seq": self._seq}, b"", found.openings, number, self._findings, self._limits)
        return found.after, found.number

    def _read_in_full(self, line: bytes, openings: Sequence[bytes], number: int) -> None:
        if self._hash is None and len(line) < SHORTEST:
            return  # one more line that is none, of which nothing is said that has not been said of the one before
        try:
            found = parse_object(line, self._limits.depth)
            check_event(found)
        except Unreadable as fault:
            self._unreadable(fault.code, number)
            return
        body = line[:-1]
        self._chained(found)
        recorded = read_recorded(found, body, openings, number + 1, self._findings, self._limits)
        self._replayer.apply(recorded)
        self._follow(found["seq"], leaf_hash(body))
        has_diverged = self._replayer.has_diverged  # then there is more to be said than that all is as it should be
        is_plain = self._replayer.is_replayed and not has_diverged
        if not is_plain:
            self._predictor = None
        may_be_short = is_plain and not self._in_full and self._replayer.stage in ("dealt", "playing")
        if self._predictor is None and may_be_short:
            self._predictor = Predictor(self._replayer, self._header["match"], self._stops, self._limits, self._digest)

    def _follow(self, seq: int, hashed: bytes) -> None:
        self._seq, self._hash = seq, hashed
        if seq in self._marks:
            self._replayer.keep_position(seq)
        if self._receipt_checks.statements:
            self._receipt_checks.see(seq, hashed)

    def _chained(self, found: Mapping[str, Any]) -> None:
        """Check that the event follows the one before it."""
        seq, expected = found["seq"], self._seq + 1
        if found["match"] != self._header["match"]:
            self._tampered("chain", seq, Explanation("other-match"), self._header["match"], found["match"])
        if seq == 0:
            self._as_announced(found["data"])
        if seq == expected and self._hash is not None and found["prev"] == self._hash.hex():
            return
        self._tied = seq
        if seq < expected:
            self._tampered("chain", seq, Explanation("out-of-order"), expected, seq)
            self._lose(Explanation("broken"))
        elif self._hash is None:
            self._findings.skip("chain", Explanation("broken"))
        elif seq > expected:
            why = Explanation("gap", {"from": expected, "to": seq})
            self._findings.diverge("incomplete", "chain", expected, why, expected, seq, result="not_checkable")
            self._lose(why)
        else:
            self._tampered("chain", seq, Explanation("prev"), self._hash.hex(), found["prev"])

    def _as_announced(self, data: Mapping[str, Any]) -> None:
        """Check that the header names the game, version and rules of the first event."""
        for name in ("game", "version", "rules_digest"):
            if canonical(data.get(name)) != canonical(self._header[name]):  # true is no 1
                self._tampered("file", 0, Explanation("header", {"at": f"/{name}"}), data.get(name), self._header[name])

    # the head

    def _head(self, line: bytes, number: int) -> None:
        self._has_head = True
        try:
            found = parse_head_line(line, self._limits.depth)
        except Unreadable as fault:
            self._tampered("bytes", self._seq + 1, Explanation(fault.code, {"line": number}))
            self._findings.skip("head", Explanation("broken"))
            self._findings.skip("file", Explanation("broken"))
            return
        self._statement = check_head(self._findings, found, self._header, self._seq, self._hash, self._trusted)
        digest = self._digest.hexdigest()
        if found.file != digest:
            self._tampered("file", None, Explanation("digest"), digest, found.file)
