"""Recognises the lines of a report: a line that no audit can have written is not taken for one."""

from collections.abc import Callable
from typing import Any

from gyoji.audit.verdicts import EXITS
from gyoji.bulk.locations import read_shard

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


def _optional(shape: Shape) -> Shape:
    return lambda value: value is None or shape(value)


def _list_of(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _object_with(**members: Shape) -> Shape:
    """Return the shape of an object that has these members, and perhaps others."""

    def fits(value: Any) -> bool:
        return isinstance(value, dict) and all(name in value and shape(value[name]) for name, shape in members.items())

    return fits


_KEY = _object_with(key=_text, origin=_text, public=_hash, revoked=_one_of(True, False))
_RULING = _object_with(seq=_number, kind=_text, rule=_optional(_text), overrides=_one_of(True, False))
_HEAD = _object_with(seq=_number, hash=_hash, key=_text, sig=_text)
_WHY = _object_with(why=_text)
is_heading = _object_with(
    report=_text,
    version=_optional(_number),
    trusted=_optional(_list_of(_KEY)),
    store=_list_of(_KEY),
    shard=_optional(lambda text: _text(text) and read_shard(text) is not None),
)
_PLACE = _object_with(
    replay=_text,
    kind=_one_of(*KINDS),
    archive=_optional(_text),
    mark=_optional(_text),
    origin=_optional(_text),
    head=_optional(_HEAD),
)
_UNREADABLE = _object_with(verdict=_one_of(None), failure=_text)
_COMPARED = _object_with(changes=_one_of(True, False), illegal=_list_of(_WHY), not_compared=_optional(_WHY))
_AUDITED = _object_with(
    verdict=lambda word: _text(word) and word in EXITS,
    first_divergence=_optional(_object_with(seq=_optional(_number), check=_text, rule=_optional(_text))),
    checks=_list_of(_object_with(check=_text, result=_text, why=_optional(_text))),
    rulings=_list_of(_RULING),
)


def is_replay(line: dict[str, Any]) -> bool:
    """Tell whether a line of a report is about a replay."""
    return _PLACE(line) and any(shape(line) for shape in (_AUDITED, _UNREADABLE, _COMPARED))


def is_line(line: Any) -> bool:
    """Tell whether a parsed line is one of a report: its heading, a replay or the summary."""
    return isinstance(line, dict) and ("summary" in line or is_replay(line) or is_heading(line))
