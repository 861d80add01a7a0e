"""The short way for the many events that hide nothing: a move that all may know, with what follows from it.

The event's bytes are made anew from the rules and compared with the line. If they are the same, its canonical form, its
place in the chain, its openings (none), the move and its consequences are proven at once. If anything is otherwise,
nothing has happened and the event goes the long way, which says what.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256

import orjson

from gyoji.games.game import Accepted, Fields, Move, NotRecorded
from gyoji.replay.canonical import canonical
from gyoji.replay.reading import AT
from gyoji.replay.recording import CHECKPOINT
from gyoji.replay.retracing import Retrace
from gyoji.replay.rules import Rules

ACTOR = b'{"actor":{"role":"seat","seat":%d},"at":"'
DATA = b'","data":{"events":'
MOVE = b',"move":'
REST = b'},"match":"%b","position":null,"prev":"%b","secret":[],"seq":%d,"type":"move_played","v":1}\n'
TIME = re.compile(AT.pattern.encode())
FROM, UNTIL = len(ACTOR % 0), len(ACTOR % 0) + len("2026-01-01T00:00:00.000Z")
LONGEST_MOVE = 256


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


class Swift:
    """The short way through one log whose deal has been heard."""

    def __init__(self, retrace: Retrace, match: str) -> None:
        setup, known = retrace.setup, retrace.known
        self._retrace = retrace
        self._rules = setup.rules
        self._adjudicate = setup.game.adjudicate
        self._chance = retrace.live or _long_way
        self._actors = {ACTOR % seat: seat for seat in range(min(setup.seats, 10))}
        self._match = match.encode()
        self._moves = {kind for kind, fields in known.moves.items() if _is_open(fields)}
        self._events = {kind for kind, fields in known.events.items() if _is_open(fields)}

    def hears(self, line: bytes, seq: int, prev: bytes) -> bytes | None:
        """The hash of the event on the line, if it is event ``seq``, follows ``prev`` (hex) and is what the rules make.

        A choice that all make at the same time is hidden, so it never comes this way.
        """
        rest = REST % (self._match, prev, seq)
        seat = self._actors.get(line[:FROM])
        if seat is None or seq % CHECKPOINT == 0 or not line.endswith(rest) or not TIME.fullmatch(line, FROM, UNTIL):
            return None
        until = len(line) - len(rest)
        at = line.rfind(MOVE, UNTIL, until)
        move = read_move(self._rules, line[at + len(MOVE) : until])
        if at < 0 or move is None or move["seat"] != seat or move["type"] not in self._moves:
            return None
        return self._accepted(line, move, at)

    def _accepted(self, line: bytes, move: Move, at: int) -> bytes | None:
        try:
            ruling = self._adjudicate(self._retrace.state, move, self._chance)
        except NotRecorded:
            return None
        if not isinstance(ruling, Accepted):
            return None
        for event in ruling.events:
            if event["type"] not in self._events:
                return None
        if line[UNTIL:at] != DATA + canonical(ruling.events):
            return None
        self._retrace.state = ruling.state
        if ruling.state.outcome is not None:
            self._retrace.stage = "finished"
        return sha256(b"\x00" + line[:-1]).digest()


def _is_open(fields: Fields) -> bool:
    return all(knower == "all" for knower in fields.values())


def _long_way(_label: str, _k: int, _pile: Sequence[str]) -> tuple[str, ...]:
    raise NotRecorded
