"""The short way: an event whose bytes, and those of its openings, are just what the rules make.

They are made anew and compared. If they are the same, the canonical form, the place in the chain, the openings, the
move and its consequences are proven at once. If anything is otherwise, nothing has happened: the event goes the long
way, which says what.
"""

import re
from binascii import Error, hexlify, unhexlify
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from gyoji.games.game import Accepted, Move, NotRecorded
from gyoji.replay.canonical import canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.replay.hiding import Secrets, parted_by, planned
from gyoji.replay.reading import AT
from gyoji.replay.recording import CHECKPOINT, is_checkpoint
from gyoji.replay.retracing import Retrace
from gyoji.replay.rules import Rules

ACTOR = b'{"actor":{"role":"seat","seat":%d},"at":"'
SERVED = b'{"actor":{"role":"service"},"at":"'
DATA = b'","data":'
EVENTS = DATA + b'{"events":'
MOVE = b',"move":'
NO_SECRET = b'","secret":[],"seq":'
END = b',"type":"move_played","v":1}\n'
OPENING = b'{"opening":{"index":%d,"payload":'
OPENINGS = [OPENING % index for index in range(64)]
"""How the openings of one event begin; of more than these the long way is gone."""
SALT = b',"salt":"'
SALTED = b'","seq":%d}}\n'
POSITION = b'{"opening":{"position":"'

TIME = re.compile(AT.pattern.encode())
FROM, UNTIL = len(ACTOR % 0), len(ACTOR % 0) + len("2026-01-01T00:00:00.000Z")
TYPE = itemgetter("type")
LONGEST_MOVE = 256
LONGEST_PAYLOAD = 1024


@lru_cache(maxsize=8192)
def read_move(rules: Rules, text: bytes) -> Move | None:
    """The move in canonical bytes, or ``None`` if the bytes are no move of the game. Moves recur from file to file."""
    try:
        move = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    # a float that is a whole number would pass as an integer
    return move if b"." not in text and rules.fits("move", move) and canonical(move) == text else None


@lru_cache(maxsize=8192)
def read_hidden(rules: Rules, text: bytes, payload: bytes) -> Move | None:
    """The move with its hidden members filled in from the payload of an opening; what they are is for the rules to
    say."""
    try:
        told = {place[6:]: value for place, value in orjson.loads(payload).items() if place.startswith("/move/")}
        return read_move(rules, canonical({**orjson.loads(text), **told}))
    except (TypeError, AttributeError, orjson.JSONDecodeError):
        return None  # neither a move nor a payload; the long way says so


@lru_cache(maxsize=8192)
def closing(seq: int) -> bytes:
    """How event ``seq`` ends if it is a move that hides nothing. The first thousands come in every file."""
    return NO_SECRET + str(seq).encode() + END


class Run(NamedTuple):
    """How far a log goes on with events that hide nothing."""

    passed: list[bytes]
    """Their lines."""
    hash: bytes
    """Of the last of them."""
    line: bytes | None
    """The line after them; ``None`` at the end."""


class Swift:
    """The short way through one log whose setup has been heard, as long as its chance comes from the same seed."""

    def __init__(self, retrace: Retrace, match: str) -> None:
        ground = retrace.ground
        self._retrace = retrace
        self._ground = ground
        self._rules = ground.setup.rules
        self._adjudicate = ground.setup.game.adjudicate
        self._chance = ground.live or _long_way
        self._is_timed = ground.setup.clock is not None
        self._actors = {ACTOR % seat: seat for seat in range(ground.setup.seats)}
        self._after = b',"match":"%b","position":' % match.encode()
        self._rest = b"}" + self._after + b'null,"prev":"'
        self._plan = planned(ground.known)
        self._open_moves = self._plan.open_moves
        self._open_events = self._plan.open_events

    @property
    def is_done(self) -> bool:
        """Whether a ruling has changed what later shuffles come from."""
        return self._ground is not self._retrace.ground

    def along(
        self, line: bytes, lines: Iterator[bytes], seq: int, prev: bytes, noted: frozenset[int], longest: int, most: int
    ) -> Run:
        """The match goes on with the ``line`` and the ``lines`` after it, as long as they are the next events, hide
        nothing and are what the rules make; ``seq`` and ``prev`` are number and hash of the event before them.

        It stops after an event that is ``noted``, before a line that is longer than ``longest``, and after the ``most``
        lines. Most events are of this kind, so it is written for speed.
        """
        passed: list[bytes] = []
        coming = line
        stop = min((seq // CHECKPOINT + 1) * CHECKPOINT, seq + 1 + most)
        if noted:
            stop = next((place + 1 for place in range(seq + 1, stop) if place in noted), stop)
        begin = self._rest
        for place in range(seq + 1, stop if self._retrace.stage == "playing" else 0):
            rest = begin + hexlify(prev) + closing(place)
            size = len(coming)
            if size > longest or not coming.endswith(rest) or not self._opens(coming, size - len(rest)):
                break
            prev = leaf_hash(coming[:-1])
            passed.append(coming)
            after = next(lines, None)
            if after is None:
                return Run(passed, prev, None)
            coming = after
        return Run(passed, prev, coming)

    def _opens(self, line: bytes, until: int) -> bool:
        """Whether the line, which from ``until`` on is as it should be, is a move that hides nothing with what the
        rules make of it; the match then goes on.

        A choice that all make at the same time is hidden, so it is none of these.
        """
        at = line.rfind(MOVE, UNTIL, until)
        if until - at > LONGEST_MOVE:
            return False
        move = read_move(self._rules, line[at + len(MOVE) : until])
        if move is None or move["type"] not in self._open_moves:
            return False
        retrace, seat = self._retrace, move["seat"]
        if self._actors.get(line[:FROM]) != seat or TIME.fullmatch(line, FROM, UNTIL) is None:
            return False
        try:
            ruling = self._adjudicate(retrace.state, move, self._chance)
        except NotRecorded:
            return False
        if not isinstance(ruling, Accepted) or line[UNTIL:at] != EVENTS + canonical(ruling.events):
            return False
        if not self._open_events.issuperset(map(TYPE, ruling.events)):
            return False
        state = ruling.state
        if self._is_timed:
            retrace.tick(seat, line[FROM:UNTIL].decode(), retrace.state, state)
        retrace.state = state
        if state.outcome is not None:
            retrace.stage = "finished"
        return True

    def hears(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bytes | None:
        """The hash of an event, whatever it hides, if it and its ``openings``, which have to be all that belong to it,
        are what the rules make of event ``seq`` after the one with hash ``prev``; the match then goes on."""
        if self._retrace.stage != "playing":
            is_heard = self._served(line, openings, seq, prev)
        else:
            seat = self._actors.get(line[:FROM])
            is_timed = TIME.fullmatch(line, FROM, UNTIL) is not None
            is_heard = seat is not None and is_timed and self._sealed(line, openings, seq, prev, seat)
        return leaf_hash(line[:-1]) if is_heard else None

    def _sealed(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes, seat: int) -> bool:
        """A move that hides something, or after which the position is committed to."""
        until = line.rfind(self._after)
        at = line.rfind(MOVE, UNTIL, until)
        move = None if at < 0 else self._move(line[at + len(MOVE) : until - 1], openings)
        if move is None or move["seat"] != seat:
            return False
        before = self._retrace.state
        try:
            ruling = self._adjudicate(before, move, self._chance)
        except NotRecorded:
            return False
        if not isinstance(ruling, Accepted):
            return False
        data, secrets = parted_by(self._plan, move, ruling.events)
        kind = "choice_made" if self._ground.setup.game.simultaneous(before) else "move_played"
        is_it = self._is(kind, data, secrets, ruling.state, line, UNTIL, openings, seq, prev)
        if is_it and self._is_timed:
            self._retrace.tick(seat, line[FROM:UNTIL].decode(), before, ruling.state)
        return is_it

    def _move(self, text: bytes, openings: Sequence[bytes]) -> Move | None:
        """The move, with what the first opening tells of it where it is hidden."""
        if len(text) > LONGEST_MOVE:
            return None
        if b":null" not in text or not openings:
            return read_move(self._rules, text)
        opening = openings[0]
        payload = opening[len(OPENINGS[0]) : opening.rfind(SALT)]
        return None if len(payload) > LONGEST_PAYLOAD else read_hidden(self._rules, text, payload)

    def _served(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bool:
        """The deal, the result or the seed."""
        at = len(SERVED) + UNTIL - FROM
        if not line.startswith(SERVED) or TIME.fullmatch(line, len(SERVED), at) is None:
            return False
        made = self._retrace.due()
        if made is None:
            return False
        if not self._is(made.kind, made.data, made.secrets, made.state, line, at, openings, seq, prev):
            return False
        if made.kind == "seed_disclosed":
            self._retrace.keep()
        elif made.kind == "dealt":
            self._retrace.dealt = seq
        return True

    def _is(
        self,
        kind: str,
        data: Mapping[str, Any],
        secrets: Secrets,
        state: Any,
        line: bytes,
        at: int,
        openings: Sequence[bytes],
        seq: int,
        prev: bytes,
    ) -> bool:
        """Whether that is what the line holds from its time on, and the openings what is hidden of it; the match then
        goes on in that ``state``."""
        sealed = _seals(secrets, openings, seq)
        position = self._position(kind, state, openings[len(secrets) :], seq)
        if sealed is None or position is None:
            return False
        told = b"".join(
            (
                DATA,
                canonical(data),
                self._after,
                position,
                b',"prev":"',
                hexlify(prev),
                b'","secret":',
                sealed,
                b',"seq":%d,"type":"%b","v":1}\n' % (seq, kind.encode()),
            )
        )
        if line[at:] != told:
            return False
        self._retrace.go_on(state)
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


def _seals(secrets: Secrets, openings: Sequence[bytes], seq: int) -> bytes | None:
    """What stands in ``secret``, in JSON; ``None`` unless the openings tell just that, in that order."""
    if not secrets:
        return b"[]"
    if not len(secrets) <= len(openings) <= len(OPENINGS):
        return None
    tail = SALTED % seq
    seals: list[bytes] = []
    for begin, line, (audience, payload) in zip(OPENINGS, openings, secrets.items(), strict=False):
        body = canonical(payload)
        salt = _salt(line, begin + body + SALT, tail)
        if salt is None:
            return None
        seals.append(b'{"commit":"%b","for":%b}' % (secret_commitment(salt, body).encode(), canonical(audience)))
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
