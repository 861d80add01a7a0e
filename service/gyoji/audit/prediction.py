"""The predictor makes the bytes of the next event by the rules and compares them with the line of the file.

If they are the same, the canonical form, the place in the chain, the openings, the move and its consequences are proven
at once, and the event is applied. If they differ, nothing has happened: the event is read in full, which explains it.
What recurs from file to file (moves, and how lines begin and end) is read or made once.
"""

import re
from binascii import Error, hexlify, unhexlify
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

import orjson

from gyoji.audit.replayer import Replayer, no_chance
from gyoji.games.game import Accepted, IllegalMove, Move, NotRecorded
from gyoji.log.canonical import canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.log.lines import Digest, EventLines, is_event, read_event_lines
from gyoji.log.parser import AT, Limits
from gyoji.log.redaction import Audience, PrivateParts, redaction_plan
from gyoji.match import clocks
from gyoji.match.events import move
from gyoji.match.events.kind import DecidedEvent
from gyoji.match.setup import GameVersion
from gyoji.match.state import CHECKPOINT, position_after

ACTOR = b'{"actor":{"role":"seat","seat":%d},"at":"'
SECRET = b'","secret":'
NO_SECRET = SECRET + b"[]"


class Read(NamedTuple):
    """A move as it was read, and how the line of its event begins."""

    move: Move
    actor: bytes


NO_MOVE = Read({"type": None}, b"\n")
"""No line begins like that."""


@lru_cache(maxsize=8192)
def read_move(rules: GameVersion, text: bytes) -> Read:
    """Read a move in canonical bytes; ``NO_MOVE`` if the bytes are no move of the game. Moves recur from file to
    file."""
    try:
        move = orjson.loads(text)
    except orjson.JSONDecodeError:
        return NO_MOVE
    # a float that is a whole number would pass as an integer
    is_move = b"." not in text and rules.fits("move", move) and canonical(move) == text
    return Read(move, ACTOR % move["seat"]) if is_move else NO_MOVE


@lru_cache(maxsize=8192)
def read_hidden(rules: GameVersion, text: bytes, payload: bytes) -> Read:
    """Read a move with its hidden members filled in from the payload of an opening; what they are is for the rules to
    say."""
    try:
        told = {place[6:]: value for place, value in orjson.loads(payload).items() if place.startswith("/move/")}
        return read_move(rules, canonical({**orjson.loads(text), **told}))
    except (TypeError, AttributeError, orjson.JSONDecodeError):
        return NO_MOVE  # neither a move nor a payload; the long way says so


@lru_cache(maxsize=8192)
def closing(seq: int) -> bytes:
    """Write how event ``seq`` ends if it is a move that hides nothing. The first thousands come in every file."""
    return NO_SECRET + ending(seq, "move_played")


@lru_cache(maxsize=8192)
def ending(seq: int, kind: str) -> bytes:
    """Write how event ``seq`` ends after what is secret of it."""
    return b',"seq":%d,"type":"%b","v":1}\n' % (seq, kind.encode())


@lru_cache(maxsize=1024)
def commitment_for(audience: Audience) -> bytes:
    """Write what follows the commitment to something that these may know."""
    return b'","for":%b}' % canonical(audience)


SERVED = b'{"actor":{"role":"service"},"at":"'
DATA = b'","data":'
EVENTS = DATA + b'{"events":'
MOVE = b',"move":'
MOVE_FROM = len(MOVE)
PREV = b',"prev":"'
OPENING = b'{"opening":{"index":%d,"payload":'
OPENINGS = [OPENING % index for index in range(64)]
"""How the openings of one event begin; an event with more of them is read in full."""
SALT = b',"salt":"'
SALTED = b'","seq":%d}}\n'
POSITION = b'{"opening":{"position":"'

is_time = re.compile(AT.pattern.encode()).fullmatch
FROM, UNTIL = len(ACTOR % 0), len(ACTOR % 0) + len("2026-01-01T00:00:00.000Z")
TYPE = itemgetter("type")
LONGEST_MOVE = 256
LONGEST_PAYLOAD = 1024


class Progress(NamedTuple):
    """How far a log has been read by prediction: the last event that agreed, and the lines after it."""

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


Predicted = tuple[DecidedEvent, str, int]
"""An event as the rules make it, of whose line the beginning is right; when it was written down; where in the line that
time has ended."""


class Predictor:
    """Reads on in a log whose setup has been read, as long as its events are, byte for byte, what the rules predict."""

    def __init__(self, replayer: Replayer, match: str, stops: frozenset[int], limits: Limits, digest: Digest) -> None:
        """Stop after every event that is ``noted``; lines that have passed are added to the ``digest``."""
        self._replayer, self._stops, self._limits, self._digest = replayer, stops, limits, digest
        self._rules = replayer.rules
        self._after = b',"match":"%b","position":' % match.encode()
        self._rest = b"}" + self._after + b'null,"prev":"'
        by = redaction_plan(replayer.match.game.known(replayer.match.options))
        self._open_moves = frozenset([name for name, kind in by.moves.items() if kind.is_open])
        self._open_events = frozenset([name for name, kind in by.events.items() if kind.is_open])

    def along(self, line: bytes, lines: Iterator[bytes], number: int, seq: int, prev: bytes) -> Progress:
        """Read on from the ``line`` as long as it and the ``lines`` after it are what the rules predict. ``number`` is
        the line's, ``seq`` and ``prev`` are number and hash of the event before it. Raises ``OverLimits``."""
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
                hashed = self._predict(coming, event.openings, seq + 1, prev)
                if hashed is None:
                    return Progress(seq, prev, event, None, number)
                _line, openings, after, number = event
                passed = [coming, *openings]
                seq, prev, coming = seq + 1, hashed, after
            self._digest.add(passed)
            if seq in self._stops:
                break
        return Progress(seq, prev, None, coming, number)

    def _open(
        self, line: bytes, lines: Iterator[bytes], seq: int, prev: bytes, most: int
    ) -> tuple[list[bytes], bytes, bytes | None]:
        """Read the events of a run that hide nothing, at most so many; return them, the last hash, and the line after.

        Most events are of this kind, so it is written for speed. A choice that all make at the same time is hidden, so
        it is none of these.
        """
        replayer, longest = self._replayer, self._limits.line
        stop = _stop(seq, self._stops, most)
        if stop == seq + 1:
            return [], prev, line
        begin, rules, open_moves, open_events = self._rest, self._rules, self._open_moves, self._open_events
        match, chance = replayer.match, replayer.chance or no_chance
        adjudicate, state, clock, time = match.game.adjudicate, match.state, match.clock, replayer.timeline.at.encode()
        passed: list[bytes] = []
        after: bytes | None
        for place, after in zip(range(seq + 1, stop), chain((line,), lines), strict=False):
            rest = begin + hexlify(prev) + closing(place)
            size = len(after)
            until = size - len(rest)
            at = after.rfind(MOVE, UNTIL, until)
            if at < 0 or until - at > LONGEST_MOVE or size > longest or not after.endswith(rest):
                break
            played, actor = read_move(rules, after[at + MOVE_FROM : until])
            written = after[FROM:UNTIL]
            is_due = written >= time and is_time(written) is not None
            if played["type"] not in open_moves or not after.startswith(actor) or not is_due:
                break
            try:
                ruling = adjudicate(state, played, chance)
            except NotRecorded:
                break
            if not isinstance(ruling, Accepted):
                break
            following, events = ruling
            if after[UNTIL:at] != EVENTS + canonical(events) or not open_events.issuperset(map(TYPE, events)):
                break
            if clock is not None:
                clock = clocks.charge_move(
                    clock, played["seat"], following.to_act, written.decode(), same_decision=False
                )
            state, time = following, written
            prev = sha256(b"\x00" + after[:-1]).digest()
            passed.append(after)
        else:
            after = next(lines, None)
        if passed:
            replayer.go_on_in(state, clock)
        return passed, prev, after

    def _predict(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bytes | None:
        """Return the hash of an event, whatever it hides, if it and its ``openings``, which must be all that belong to
        it, are what the rules make of event ``seq`` after the one with hash ``prev``; the match then goes on."""
        replayer = self._replayer
        found = self._move(line, openings) if replayer.stage == "playing" else self._due(line)
        if found is None:
            return None
        decided, at, place = found
        if not self._is(decided, line, place, openings, seq, prev):
            return None
        replayer.timeline.go_on(at, decided.kind)
        if decided.kind == "seed_disclosed":
            replayer.commitments.keep()
        replayer.go_on(decided, seq)
        return leaf_hash(line[:-1])

    def _move(self, line: bytes, openings: Sequence[bytes]) -> Predicted | None:
        """Predict a move of a seat that hides something, or after which the position is committed to."""
        replayer = self._replayer
        until = line.rfind(self._after) - 1
        at = line.rfind(MOVE, UNTIL, until + 1)
        # compiled, a slice that ends before it begins raises SystemError
        begins = at >= 0 and at + MOVE_FROM <= until
        played, actor = self._read(line[at + MOVE_FROM : until], openings) if begins else NO_MOVE
        if not line.startswith(actor) or is_time(line, FROM, UNTIL) is None:
            return None
        time = line[FROM:UNTIL].decode()
        if time < replayer.timeline.at:
            return None
        seat = {"role": "seat", "seat": played["seat"]}
        try:
            decided = move.decide(replayer.match, played, seat, time, replayer.chance or no_chance)
        except NotRecorded:
            return None
        return None if isinstance(decided, IllegalMove) else (decided, time, UNTIL)

    def _read(self, text: bytes, openings: Sequence[bytes]) -> Read:
        """Read the move, with what the first opening shows of it where it is hidden."""
        if len(text) > LONGEST_MOVE:
            return NO_MOVE
        if b":null" not in text or not openings:
            return read_move(self._rules, text)
        opening, begin = openings[0], len(OPENINGS[0])
        until = opening.rfind(SALT)
        if not 0 <= until - begin <= LONGEST_PAYLOAD:
            return NO_MOVE
        return read_hidden(self._rules, text, opening[begin:until])

    def _due(self, line: bytes) -> Predicted | None:
        """Predict the event of the service that has to follow the last one at once, if what it has to be is certain."""
        replayer, time = self._replayer, self._replayer.timeline.at
        begin = SERVED + time.encode()
        due = replayer.certain_due()
        if due is None or not line.startswith(begin):
            return None
        try:
            return due.decide(replayer.match, time, replayer.chance or no_chance), time, len(begin)
        except NotRecorded:
            return None

    def _is(
        self, decided: DecidedEvent, line: bytes, at: int, openings: Sequence[bytes], seq: int, prev: bytes
    ) -> bool:
        """Tell whether that is what the line holds from its time on, and the openings what is hidden of it."""
        kind, private = decided.kind, decided.private
        commitments = _commitments(private, openings, seq) if private else b"[]"
        position = _position(decided, openings[len(private) :], seq)
        if commitments is None or position is None:
            return False
        tail = (PREV, hexlify(prev), SECRET, commitments, ending(seq, kind))
        return line[at:] == b"".join((DATA, canonical(decided.data), self._after, position, *tail))


def _position(decided: DecidedEvent, openings: Sequence[bytes], seq: int) -> bytes | None:
    """Write what stands in ``position``, in JSON; ``None`` if the last opening does not hold its salt."""
    position = position_after(decided.after, seq, decided.kind)
    if position is None:
        return None if openings else b"null"
    salt = _salt(openings[0], POSITION, SALTED % seq) if len(openings) == 1 else None
    return None if salt is None else b'"%b"' % position_commitment(salt, position).encode()


def _stop(seq: int, stops: frozenset[int], most: int) -> int:
    """Return the event before which a run has to stop that begins after event ``seq``."""
    stop = min((seq // CHECKPOINT + 1) * CHECKPOINT, seq + 1 + most)
    return next((place + 1 for place in range(seq + 1, stop) if place in stops), stop) if stops else stop


def _commitments(secrets: PrivateParts, openings: Sequence[bytes], seq: int) -> bytes | None:
    """Write what stands in ``secret``, in JSON; ``None`` unless the openings hold just that, in that order."""
    if not len(secrets) <= len(openings) <= len(OPENINGS):
        return None
    tail = SALTED % seq
    found: list[bytes] = []
    for begin, line, (audience, payload) in zip(OPENINGS, openings, secrets.items(), strict=False):
        body = canonical(payload)
        salt = _salt(line, begin + body + SALT, tail)
        if salt is None:
            return None
        found.append(b'{"commit":"' + secret_commitment(salt, body).encode() + commitment_for(audience))
    return b"[%b]" % b",".join(found)


def _salt(line: bytes, begin: bytes, end: bytes) -> bytes | None:
    """Return the salt that stands in 64 lower-case hex digits between the two; ``None`` if that is not the line."""
    try:
        salt = unhexlify(line[len(begin) : len(begin) + 64])
    except Error:
        return None
    return salt if line == begin + hexlify(salt) + end else None
