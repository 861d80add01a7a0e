"""The shapes of the lines of a replay file: header, events as they are hashed, openings, head; and of receipts."""

from collections.abc import Mapping
from typing import Any

from gyoji.api.fields import DIGEST, AnswerOnly, Integer, Text, Word
from gyoji.api.log_events import (
    ACTOR,
    data_by_type,
    hash_field,
    match_field,
    seq_field,
    time_field,
    type_name,
)
from gyoji.api.parameters import MOST_SEATS
from gyoji.api.shapes import NAMED, Fields, GameShapes, Shape, many, nested, one_of, shape, tagged
from gyoji.log.parser import MOST_SECRETS

SALT = DIGEST
KEY = "[0-9a-f]{16}"
SIGNATURE = "[0-9a-f]{128}"
LONGEST_EVENT = 1_000_000

SEAT_NUMBER: Mapping[str, Any] = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
AUDIENCE: Mapping[str, Any] = {
    "oneOf": [
        {"type": "array", "items": dict(SEAT_NUMBER), "maxItems": MOST_SEATS},
        {"type": "string", "enum": ["all"]},
    ]
}
FILE_AUDIENCE: Mapping[str, Any] = {
    "oneOf": [
        {"type": "string", "enum": ["full", "public"]},
        {
            "type": "object",
            "properties": {"seat": dict(SEAT_NUMBER)},
            "required": ["seat"],
            "additionalProperties": False,
        },
    ]
}
PAYLOAD: Mapping[str, Any] = {"type": "object", "propertyNames": {"pattern": "^/"}}
SECRET = shape("Secret", {"for": AnswerOnly(AUDIENCE, required=True), "commit": Text(DIGEST, required=True)})


def log_event(data: Mapping[str, Shape]) -> Shape:
    """Make the shape of a log event as the bytes that are hashed hold it."""

    def written(kind: str) -> Shape:
        return shape(
            f"Logged{type_name(kind)}",
            {
                "v": Integer(1, 1, required=True),
                "match": match_field(),
                "seq": seq_field(),
                "prev": hash_field(),
                "at": time_field(),
                "type": Word(kind, required=True),
                "actor": nested(ACTOR),
                "data": nested(data[kind]),
                "secret": many(SECRET, MOST_SECRETS),
                "position": Text(DIGEST, required=True, allow_none=True),
            },
        )

    return tagged("LogEvent", "type", {kind: written(kind) for kind in data})


SECRET_OPENING = shape(
    "SecretOpening",
    {
        "seq": seq_field(),
        "index": Integer(0, MOST_SECRETS - 1, required=True),
        "salt": Text(SALT, required=True),
        "payload": AnswerOnly(PAYLOAD, required=True),
    },
)
POSITION_OPENING = shape("PositionOpening", {"seq": seq_field(), "position": Text(SALT, required=True)})
OPENING = one_of("Opening", (SECRET_OPENING, POSITION_OPENING))

SIGNED: Fields = {"key": Text(KEY, required=True), "sig": Text(SIGNATURE, required=True)}

RECEIPT = shape(
    "Receipt",
    {
        "event": Text(longest=LONGEST_EVENT, required=True),
        "hash": hash_field(),
        "openings": many(OPENING, MOST_SECRETS),
        **SIGNED,
    },
)
HEAD = shape("Head", {"match": match_field(), "seq": seq_field(), "hash": hash_field(), **SIGNED})


HEADER = shape(
    "ReplayHeader",
    {
        "format": Word("gyoji-replay/1", required=True),
        "match": match_field(),
        **NAMED,
        "origin": Text(longest=200, required=True),
        "audience": AnswerOnly(FILE_AUDIENCE, required=True),
    },
)
OPENING_LINE = shape("ReplayOpening", {"opening": nested(OPENING)})
HEAD_LINE = shape("ReplayHead", {"head": nested(HEAD), "file": Text(DIGEST, required=True)})


def replay_shapes(games: Mapping[str, GameShapes]) -> dict[str, Shape]:
    """Make the shapes of the lines of a replay file, and of what events hold in ``data``, by the name of their
    schema."""
    data = data_by_type(games)
    return {"header": HEADER, "event": log_event(data), "opening": OPENING_LINE, "head": HEAD_LINE, **data}
