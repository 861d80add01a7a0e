"""Excerpts of a log: the hashes of the events that somebody asks for, and what signed head they lead to."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.log.canonical import leaf_hash
from gyoji.log.parser import LIMITS, OverLimits, Unreadable, check_event, parse_header, parse_object
from gyoji.log.statements import Statement, statement_of_head


class LogExcerpt(NamedTuple):
    """What a log holds at the places that receipts are of."""

    origin: str
    match: str
    hashes: Mapping[int, bytes]
    """Of the events that were asked for, by ``seq``; each hash is that of the bytes."""
    last: int
    """The ``seq`` of its last event; -1 where there is none."""
    chained_from: int
    """From this ``seq`` on every event names the hash of the one before."""
    head: Statement | None
    tip: bytes | None
    """The hash of the last event."""

    def is_chained_at(self, seq: int) -> bool:
        """Tell whether the chain of hashes leads from the event at ``seq`` to the head, whoever has signed the head."""
        head = self.head
        return head is not None and self.chained_from <= seq <= head.seq == self.last and head.hash == self.tip


def empty_excerpt(origin: str, match: str) -> LogExcerpt:
    """Return the excerpt of a match that a store has not got."""
    return LogExcerpt(origin, match, {}, -1, 0, None, None)


def read_excerpt(lines: Iterable[bytes], wanted: frozenset[int]) -> LogExcerpt | None:
    """Read what a replay file holds at the ``wanted`` places; ``None`` if the lines are no replay file.

    One line is held at a time, whatever the length of the log.
    """
    lines = iter(lines)
    first = parse_header(next(lines, b""), LIMITS)
    if first is None:
        return None
    hashes: dict[int, bytes] = {}
    last, chained_from, tip, head = -1, 0, None, None
    for found, line in _documents(lines):
        if "head" in found:
            head = statement_of_head(first["origin"], found["head"])
            break
        hashed, seq = leaf_hash(line), found["seq"]
        if seq != last + 1 or found["prev"] != (tip or bytes(32)).hex() or found["match"] != first["match"]:
            chained_from = seq
        if seq in wanted:
            hashes[seq] = hashed
        last, tip = seq, hashed
    return LogExcerpt(first["origin"], first["match"], hashes, last, chained_from, head, tip)


def _documents(lines: Iterator[bytes]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Read the events, and whatever has a head. What cannot be read breaks the chain, as the next event shows."""
    for line in lines:
        if line.startswith(b'{"opening":'):
            continue
        try:
            found = parse_object(line)
            if "head" not in found:
                check_event(found)
        except (Unreadable, OverLimits, UnicodeEncodeError):
            continue
        yield found, line[:-1]
