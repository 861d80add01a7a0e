"""How the lines of a report look: what ``gyoji audit`` cannot have written is not taken for one."""

from collections.abc import Callable
from typing import Any

from gyoji.audit.verdicts import EXITS
from gyoji.cli.audit_places import shard_in

Shape = Callable[[Any], bool]
KINDS = ("file", "object", "archive", "member", "match", "input")


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return type(value) is int


def _hash(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def _one_of(*values: object) -> Shape:
    return lambda value: value in values


def _perhaps(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def _many(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _with(**members: Shape) -> Shape:
    """An object that has these members, and perhaps others."""

    def is_such(value: Any) -> bool:
        return isinstance(value, dict) and all(name in value and fits(value[name]) for name, fits in members.items())

    return is_such


_KEY = _with(key=_text, origin=_text, public=_hash, revoked=_one_of(True, False))
_RULING = _with(seq=_number, kind=_text, rule=_perhaps(_text), overrides=_one_of(True, False))
_HEAD = _with(seq=_number, hash=_hash, key=_text, sig=_text)
_WHY = _with(why=_text)
is_heading = _with(
    report=_text,
    version=_perhaps(_number),
    trusted=_perhaps(_many(_KEY)),
    store=_many(_KEY),
    shard=_perhaps(lambda text: _text(text) and shard_in(text) is not None),
)
_PLACE = _with(
    replay=_text,
    kind=_one_of(*KINDS),
    archive=_perhaps(_text),
    mark=_perhaps(_text),
    origin=_perhaps(_text),
    head=_perhaps(_HEAD),
)
_UNREAD = _with(verdict=_one_of(None), failure=_text)
_COMPARED = _with(changes=_one_of(True, False), illegal=_many(_WHY), not_compared=_perhaps(_WHY))
_JUDGED = _with(
    verdict=lambda word: _text(word) and word in EXITS,
    first_divergence=_perhaps(_with(seq=_perhaps(_number), check=_text, rule=_perhaps(_text))),
    checks=_many(_with(check=_text, result=_text, why=_perhaps(_text))),
    rulings=_many(_RULING),
)


def is_replay(line: dict[str, Any]) -> bool:
    """Whether a line tells of a replay, as ``gyoji audit`` does."""
    return _PLACE(line) and any(shape(line) for shape in (_JUDGED, _UNREAD, _COMPARED))


def is_line(line: Any) -> bool:
    """Whether this is a line of a report: its heading, a replay or the summary."""
    return isinstance(line, dict) and ("summary" in line or is_replay(line) or is_heading(line))
