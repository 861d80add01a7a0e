"""The short way: an event whose bytes, and those of its openings, are just what the rules make.

They are made anew and compared. If they are the same, the canonical form, the place in the chain, the openings, the
move and its consequences are proven at once. If anything is otherwise, nothing has happened: the event goes the long
way, which says what.
"""

import re
from binascii import Error, hexlify, unhexlify
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from gyoji.audit.buffered_lines import BufferedDigest, Digest
from gyoji.audit.event_lines import EventLines, is_event, read_event_lines
from gyoji.audit.interned import ACTOR, NO_MOVE, SECRET, Read, closing, ending, read_hidden, read_move, sealed_for
from gyoji.audit.replayer import Replayer
from gyoji.games.game import Accepted, NotRecorded
from gyoji.log.canonical import canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.log.parser import AT, Limits
from gyoji.log.redaction import PrivateParts, plan, redact_by
from gyoji.match.recorder import CHECKPOINT, is_checkpoint

SERVED = b'{"actor":{"role":"service"},"at":"'
DATA = b'","data":'
EVENTS = DATA + b'{"events":'
MOVE = b',"move":'
MOVE_FROM = len(MOVE)
PREV = b',"prev":"'
OPENING = b'{"opening":{"index":%d,"payload":'
OPENINGS = [OPENING % index for index in range(64)]
"""How the openings of one event begin; of more than these the long way is gone."""
SALT = b',"salt":"'
SALTED = b'","seq":%d}}\n'
POSITION = b'{"opening":{"position":"'

is_time = re.compile(AT.pattern.encode()).fullmatch
FROM, UNTIL = len(ACTOR % 0), len(ACTOR % 0) + len("2026-01-01T00:00:00.000Z")
TYPE = itemgetter("type")
LONGEST_MOVE = 256
LONGEST_PAYLOAD = 1024


class Progress(NamedTuple):
    """How far a log goes the short way."""

    seq: int
    """Of the last event."""
    hash: bytes
    """Of the last event."""
    stuck: EventLines | None
    """The event after it, if that has to be read in full."""
    line: bytes | None
    """The line after the last event, if it is no such event; ``None`` at the end."""
    number: int
    """Of that line."""


class Predictor:
    """The short way through one log whose setup has been heard, as long as its chance comes from the same seed."""

    def __init__(
        self, replayer: Replayer, match: str, noted: frozenset[int], limits: Limits, digest: Digest | BufferedDigest
    ) -> None:
        """It stops after every event that is ``noted``; lines that have passed are added to the ``digest``."""
        ground = replayer.ground
        self._replayer, self._noted, self._limits, self._digest = replayer, noted, limits, digest
        self._ground = ground
        self._rules = ground.setup.rules
        self._adjudicate = ground.setup.game.adjudicate
        self._chance = ground.live or _long_way
        self._is_timed = ground.setup.clock is not None
        self._after = b',"match":"%b","position":' % match.encode()
        self._rest = b"}" + self._after + b'null,"prev":"'
        self._plan = plan(ground.known)

    @property
    def is_done(self) -> bool:
        """Whether a ruling has changed what later shuffles come from."""
        return self._ground is not self._replayer.ground

    def along(self, line: bytes, lines: Iterator[bytes], number: int, seq: int, prev: bytes) -> Progress:
        """The match goes on with the ``line``, which has that ``number``, and the ``lines`` after it, as long as they
        are the next events with their openings and what the rules make; ``seq`` and ``prev`` are number and hash of the
        event before them. Raises ``OverLimits``."""
        longest, most = self._limits.line, self._limits.lines
        coming: bytes | None = line
        while coming is not None and len(coming) <= longest and number <= most and is_event(coming):
            passed: list[bytes] = []
            if coming.endswith(closing(seq + 1)) and self._replayer.stage == "playing":
                passed, prev, after = self._open(coming, lines, seq, prev, most + 1 - number)
            if passed:
                self._replayer.timeline.go_on(passed[-1][FROM:UNTIL].decode(), "move_played")
                seq, number, coming = seq + len(passed), number + len(passed), after
            else:
                event = read_event_lines(coming, lines, number, self._limits)
                hashed = self._hears(coming, event.openings, seq + 1, prev)
                if hashed is None:
                    return Progress(seq, prev, event, None, number)
                _line, openings, after, number = event
                passed = [coming, *openings]
                seq, prev, coming = seq + 1, hashed, after
            self._digest.add(passed)
            if seq in self._noted:
                break
        return Progress(seq, prev, None, coming, number)

    def _open(
        self, line: bytes, lines: Iterator[bytes], seq: int, prev: bytes, most: int
    ) -> tuple[list[bytes], bytes, bytes | None]:
        """The events of a run that hide nothing, at most so many; the hash of the last, and the line after them.

        Most events are of this kind, so it is written for speed. A choice that all make at the same time is hidden, so
        it is none of these.
        """
        replayer, longest = self._replayer, self._limits.line
        stop = _stop(seq, self._noted, most)
        if stop == seq + 1:
            return [], prev, line
        begin, rules, open_moves, open_events = self._rest, self._rules, self._plan.open_moves, self._plan.open_events
        adjudicate, chance, is_timed = self._adjudicate, self._chance, self._is_timed
        passed: list[bytes] = []
        state, time = replayer.state, replayer.timeline.at.encode()
        after: bytes | None
        for place, after in zip(range(seq + 1, stop), chain((line,), lines), strict=False):
            rest = begin + hexlify(prev) + closing(place)
            size = len(after)
            until = size - len(rest)
            at = after.rfind(MOVE, UNTIL, until)
            if until - at > LONGEST_MOVE or size > longest or not after.endswith(rest):
                break
            move, actor = read_move(rules, after[at + MOVE_FROM : until])
            written = after[FROM:UNTIL]
            is_due = written >= time and is_time(written) is not None
            if move["type"] not in open_moves or not after.startswith(actor) or not is_due:
                break
            try:
                ruling = adjudicate(state, move, chance)
            except NotRecorded:
                break
            if not isinstance(ruling, Accepted):
                break
            following, events = ruling
            if after[UNTIL:at] != EVENTS + canonical(events) or not open_events.issuperset(map(TYPE, events)):
                break
            if is_timed:
                replayer.tick(move["seat"], written.decode(), state, following)
            state, time = following, written
            prev = sha256(b"\x00" + after[:-1]).digest()
            passed.append(after)
        else:
            after = next(lines, None)
        replayer.state = state
        if state.outcome is not None:
            replayer.stage = "finished"
        return passed, prev, after

    def _hears(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bytes | None:
        """The hash of an event, whatever it hides, if it and its ``openings``, which have to be all that belong to it,
        are what the rules make of event ``seq`` after the one with hash ``prev``; the match then goes on."""
        hear = self._sealed if self._replayer.stage == "playing" else self._served
        return leaf_hash(line[:-1]) if hear(line, openings, seq, prev) else None

    def _sealed(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bool:
        """A move that hides something, or after which the position is committed to."""
        until = line.rfind(self._after)
        at = line.rfind(MOVE, UNTIL, until)
        move, actor = NO_MOVE if at < 0 else self._read(line[at + MOVE_FROM : until - 1], openings)
        if not line.startswith(actor) or is_time(line, FROM, UNTIL) is None:
            return False
        replayer, time = self._replayer, line[FROM:UNTIL].decode()
        before = replayer.state
        if time < replayer.timeline.at:
            return False
        try:
            ruling = self._adjudicate(before, move, self._chance)
        except NotRecorded:
            return False
        if not isinstance(ruling, Accepted):
            return False
        data, secrets = redact_by(self._plan, move, ruling.events)
        kind = "choice_made" if self._ground.setup.game.simultaneous(before) else "move_played"
        is_it = self._is(kind, data, secrets, ruling.state, line, UNTIL, openings, seq, prev)
        if is_it:
            replayer.timeline.go_on(time, kind)
        if is_it and self._is_timed:
            replayer.tick(move["seat"], time, before, ruling.state)
        return is_it

    def _read(self, text: bytes, openings: Sequence[bytes]) -> Read:
        """The move, with what the first opening tells of it where it is hidden."""
        if len(text) > LONGEST_MOVE:
            return NO_MOVE
        if b":null" not in text or not openings:
            return read_move(self._rules, text)
        opening = openings[0]
        payload = opening[len(OPENINGS[0]) : opening.rfind(SALT)]
        return NO_MOVE if len(payload) > LONGEST_PAYLOAD else read_hidden(self._rules, text, payload)

    def _served(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bool:
        """The deal, the result or the seed, each written together with the event before it."""
        at, timeline = len(SERVED) + UNTIL - FROM, self._replayer.timeline
        if not line.startswith(SERVED) or line[len(SERVED) : at] != timeline.at.encode():
            return False
        made = self._replayer.due()
        if made is None:
            return False
        if not self._is(made.kind, made.data, made.secrets, made.state, line, at, openings, seq, prev):
            return False
        timeline.go_on(timeline.at, made.kind)
        if made.kind == "seed_disclosed":
            self._replayer.keep()
        elif made.kind == "dealt":
            self._replayer.dealt = seq
        return True

    def _is(
        self,
        kind: str,
        data: Mapping[str, Any],
        secrets: PrivateParts,
        state: Any,
        line: bytes,
        at: int,
        openings: Sequence[bytes],
        seq: int,
        prev: bytes,
    ) -> bool:
        """Whether that is what the line holds from its time on, and the openings what is hidden of it; the match then
        goes on in that ``state``."""
        sealed = _seals(secrets, openings, seq) if secrets else b"[]"
        position = self._position(kind, state, openings[len(secrets) :], seq)
        if sealed is None or position is None:
            return False
        tail = (PREV, hexlify(prev), SECRET, sealed, ending(seq, kind))
        if line[at:] != b"".join((DATA, canonical(data), self._after, position, *tail)):
            return False
        self._replayer.go_on(state)
        return True

    def _position(self, kind: str, state: Any, openings: Sequence[bytes], seq: int) -> bytes | None:
        """What stands in ``position``, in JSON; ``None`` if the last opening does not tell its salt."""
        if not is_checkpoint(seq, kind):
            return None if openings else b"null"
        if len(openings) != 1:
            return None
        salt = _salt(openings[0], POSITION, SALTED % seq)
        if salt is None:
            return None
        return b'"%b"' % position_commitment(salt, self._ground.setup.game.write_state(state)).encode()


def _stop(seq: int, noted: frozenset[int], most: int) -> int:
    """The event before which a run has to stop that begins after event ``seq``."""
    stop = min((seq // CHECKPOINT + 1) * CHECKPOINT, seq + 1 + most)
    return next((place + 1 for place in range(seq + 1, stop) if place in noted), stop) if noted else stop


def _seals(secrets: PrivateParts, openings: Sequence[bytes], seq: int) -> bytes | None:
    """What stands in ``secret``, in JSON; ``None`` unless the openings tell just that, in that order."""
    if not len(secrets) <= len(openings) <= len(OPENINGS):
        return None
    tail = SALTED % seq
    seals: list[bytes] = []
    for begin, line, (audience, payload) in zip(OPENINGS, openings, secrets.items(), strict=False):
        body = canonical(payload)
        salt = _salt(line, begin + body + SALT, tail)
        if salt is None:
            return None
        seals.append(b'{"commit":"' + secret_commitment(salt, body).encode() + sealed_for(audience))
    return b"[%b]" % b",".join(seals)


def _salt(line: bytes, begin: bytes, end: bytes) -> bytes | None:
    """The salt that stands in 64 lower-case hex digits between the two; ``None`` if that is not the line."""
    try:
        salt = unhexlify(line[len(begin) : len(begin) + 64])
    except Error:
        return None
    return salt if line == begin + hexlify(salt) + end else None


def _long_way(_label: str, _k: int, _pile: Sequence[str]) -> tuple[str, ...]:
    raise NotRecorded
