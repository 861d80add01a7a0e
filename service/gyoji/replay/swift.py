"""The short way: an event whose bytes, and those of its openings, are just what the rules make.

They are made anew and compared. If they are the same, the canonical form, the place in the chain, the openings, the
move and its consequences are proven at once. If anything is otherwise, nothing has happened: the event goes the long
way, which says what.
"""

import re
from binascii import Error, hexlify, unhexlify
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from gyoji.games.game import Accepted, Event, Fields, Move, NotRecorded
from gyoji.replay.canonical import canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.replay.hiding import Secrets
from gyoji.replay.making import Made, moved
from gyoji.replay.reading import AT
from gyoji.replay.recording import CHECKPOINT, is_checkpoint
from gyoji.replay.retracing import Retrace
from gyoji.replay.rules import Rules

ACTOR = b'{"actor":{"role":"seat","seat":%d},"at":"'
SERVED = b'{"actor":{"role":"service"},"at":"'
DATA = b'","data":'
EVENTS = DATA + b'{"events":'
MOVE = b',"move":'
BETWEEN = b'","secret":[],"seq":'
END = b',"type":"move_played","v":1}\n'
OPENING = b'{"opening":{"index":%d,"payload":'
SALT = b',"salt":"'
SALTED = b'","seq":%d}}\n'
POSITION = b'{"opening":{"position":"'

TIME = re.compile(AT.pattern.encode())
FROM, UNTIL = len(ACTOR % 0), len(ACTOR % 0) + len("2026-01-01T00:00:00.000Z")
LONGEST_MOVE = 256
LONGEST_PAYLOAD = 1024
ALL = {"all"}


@lru_cache(maxsize=8192)
def read_move(rules: Rules, text: bytes) -> Move | None:
    """The move in canonical bytes, or ``None`` if the bytes are no move of the game. Moves recur from file to file."""
    if len(text) > LONGEST_MOVE:
        return None
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
    if len(text) > LONGEST_MOVE or len(payload) > LONGEST_PAYLOAD:
        return None
    try:
        told = {place[6:]: value for place, value in orjson.loads(payload).items() if place.startswith("/move/")}
        return read_move(rules, canonical({**orjson.loads(text), **told}))
    except (TypeError, AttributeError, orjson.JSONDecodeError):
        return None  # neither a move nor a payload; the long way says so


@lru_cache(maxsize=8192)
def closing(seq: int) -> bytes:
    """How event ``seq`` ends if it is a move that hides nothing. The first thousands come in every file."""
    return BETWEEN + str(seq).encode() + END


def _open(kinds: Mapping[str, Fields]) -> frozenset[str]:
    """The types of which everybody may know every field."""
    return frozenset([kind for kind, fields in kinds.items() if {*fields.values()} == ALL])


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
        self._open_moves = _open(ground.known.moves)
        self._open_events = _open(ground.known.events)

    @property
    def is_done(self) -> bool:
        """Whether a ruling has changed what later shuffles come from."""
        return self._ground is not self._retrace.ground

    def opens(self, line: bytes, seq: int, prev: bytes) -> bytes | None:
        """The hash of an event that hides nothing, if it is event ``seq``, follows the one with hash ``prev`` and is
        what the rules make; the match then goes on. Most events are of this kind, so it is written for speed.

        A choice that all make at the same time is hidden, so it is none of these.
        """
        retrace = self._retrace
        rest = self._rest + hexlify(prev) + closing(seq)
        seat = self._actors.get(line[:FROM])
        if seat is None or not line.endswith(rest) or retrace.stage != "playing" or not seq % CHECKPOINT:
            return None
        until = len(line) - len(rest)
        at = line.rfind(MOVE, UNTIL, until)
        move = read_move(self._rules, line[at + len(MOVE) : until])
        if move is None or at < 0 or move["seat"] != seat or TIME.fullmatch(line, FROM, UNTIL) is None:
            return None
        try:
            ruling = self._adjudicate(retrace.state, move, self._chance)
        except NotRecorded:
            return None
        if not isinstance(ruling, Accepted) or line[UNTIL:at] != EVENTS + canonical(ruling.events):
            return None
        if not self._hide_nothing(move, ruling.events):
            return None
        if self._is_timed:
            retrace.tick(seat, line[FROM:UNTIL].decode(), retrace.state, ruling.state)
        retrace.go_on(ruling.state)
        return leaf_hash(line[:-1])

    def _hide_nothing(self, move: Move, events: Sequence[Event]) -> bool:
        """Whether everybody may know all of it."""
        for event in events:
            if event["type"] not in self._open_events:
                return False
        return move["type"] in self._open_moves

    def hears(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bytes | None:
        """The same for any event; the ``openings`` have to be all that belong to it."""
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
        state = self._retrace.state
        try:
            ruling = self._adjudicate(state, move, self._chance)
        except NotRecorded:
            return False
        if not isinstance(ruling, Accepted):
            return False
        if self._hide_nothing(move, ruling.events):
            data = {"move": move, "events": ruling.events}
            made = Made("move_played", {}, data, {}, ruling.state, ruling.events)
        else:
            made = moved(self._ground, state, move, ruling, {})
        is_it = self._is(made, line, UNTIL, openings, seq, prev)
        if is_it and self._is_timed:
            self._retrace.tick(seat, line[FROM:UNTIL].decode(), state, made.state)
        return is_it

    def _move(self, text: bytes, openings: Sequence[bytes]) -> Move | None:
        """The move, with what the first opening tells of it where it is hidden."""
        if b":null" not in text or not openings:
            return read_move(self._rules, text)
        opening = openings[0]
        return read_hidden(self._rules, text, opening[len(OPENING % 0) : opening.rfind(SALT)])

    def _served(self, line: bytes, openings: Sequence[bytes], seq: int, prev: bytes) -> bool:
        """The deal, the result or the seed."""
        at = len(SERVED) + UNTIL - FROM
        if not line.startswith(SERVED) or TIME.fullmatch(line, len(SERVED), at) is None:
            return False
        made = self._retrace.due()
        if made is None or not self._is(made, line, at, openings, seq, prev):
            return False
        if made.kind == "seed_disclosed":
            self._retrace.keep()
        elif made.kind == "dealt":
            self._retrace.dealt = seq
        return True

    def _is(self, made: Made, line: bytes, at: int, openings: Sequence[bytes], seq: int, prev: bytes) -> bool:
        """Whether that is what the line holds from its time on, and the openings what is hidden of it."""
        count = len(made.secrets)
        sealed = _seals(made.secrets, openings, seq)
        position = self._position(made, openings[count:], seq)
        if sealed is None or position is None:
            return False
        rest = (position, b',"prev":"', hexlify(prev), b'","secret":', canonical(sealed), b',"seq":', str(seq).encode())
        end = b"".join((*rest, b',"type":"', made.kind.encode(), b'","v":1}\n'))
        if line[at:] != DATA + canonical(made.data) + self._after + end:
            return False
        self._retrace.go_on(made.state)
        return True

    def _position(self, made: Made, openings: Sequence[bytes], seq: int) -> bytes | None:
        """What stands in ``position``, in JSON; ``None`` if the last opening does not tell its salt."""
        if not is_checkpoint(seq, made.kind):
            return None if openings else b"null"
        if len(openings) != 1:
            return None
        salt = _salt(openings[0], POSITION, SALTED % seq)
        if salt is None:
            return None
        state = self._ground.setup.game.write_state(made.state)
        return b'"%b"' % position_commitment(salt, state).encode()


def _seals(secrets: Secrets, openings: Sequence[bytes], seq: int) -> list[dict[str, Any]] | None:
    """What stands in ``secret``; ``None`` unless the openings tell just that, in that order."""
    if len(openings) < len(secrets):
        return None
    tail = SALTED % seq
    sealed = []
    for at, (audience, payload) in enumerate(secrets.items()):
        body = canonical(payload)
        salt = _salt(openings[at], OPENING % at + body + SALT, tail)
        if salt is None:
            return None
        sealed.append({"for": audience, "commit": secret_commitment(salt, body)})
    return sealed


def _salt(line: bytes, begin: bytes, end: bytes) -> bytes | None:
    """The salt that stands in 64 lower-case hex digits between the two; ``None`` if that is not the line."""
    text = line[len(begin) : len(begin) + 64]
    if line != begin + text + end:
        return None
    try:
        salt = unhexlify(text)
    except Error:
        return None
    return salt if hexlify(salt) == text else None  # digits in upper case are not canonical


def _long_way(_label: str, _k: int, _pile: Sequence[str]) -> tuple[str, ...]:
    raise NotRecorded
