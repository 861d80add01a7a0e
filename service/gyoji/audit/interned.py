"""What recurs from file to file, and so is read or made once: moves, and how the lines of events begin and end."""

from functools import lru_cache
from typing import NamedTuple

import orjson

from gyoji.games.game import Move
from gyoji.log.canonical import canonical
from gyoji.log.redaction import Audience
from gyoji.match.rules import Rules

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
def read_move(rules: Rules, text: bytes) -> Read:
    """The move in canonical bytes, or ``NO_MOVE`` if the bytes are no move of the game. Moves recur from file to
    file."""
    try:
        move = orjson.loads(text)
    except orjson.JSONDecodeError:
        return NO_MOVE
    # a float that is a whole number would pass as an integer
    is_move = b"." not in text and rules.fits("move", move) and canonical(move) == text
    return Read(move, ACTOR % move["seat"]) if is_move else NO_MOVE


@lru_cache(maxsize=8192)
def read_hidden(rules: Rules, text: bytes, payload: bytes) -> Read:
    """The move with its hidden members filled in from the payload of an opening; what they are is for the rules to
    say."""
    try:
        told = {place[6:]: value for place, value in orjson.loads(payload).items() if place.startswith("/move/")}
        return read_move(rules, canonical({**orjson.loads(text), **told}))
    except (TypeError, AttributeError, orjson.JSONDecodeError):
        return NO_MOVE  # neither a move nor a payload; the long way says so


@lru_cache(maxsize=8192)
def closing(seq: int) -> bytes:
    """How event ``seq`` ends if it is a move that hides nothing. The first thousands come in every file."""
    return NO_SECRET + ending(seq, "move_played")


@lru_cache(maxsize=8192)
def ending(seq: int, kind: str) -> bytes:
    """How event ``seq`` ends after what is secret of it."""
    return b',"seq":%d,"type":"%b","v":1}\n' % (seq, kind.encode())


@lru_cache(maxsize=1024)
def sealed_for(audience: Audience) -> bytes:
    """What follows the commitment to something that these may know."""
    return b'","for":%b}' % canonical(audience)
