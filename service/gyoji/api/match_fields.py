"""The fields that a client fills in for a match: its seats, its tags, and its own metadata."""

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError

from gyoji.api.fields import NOT_ALLOWED, TOO_LONG, WRONG_TYPE, Documented
from gyoji.api.parameters import NAME
from gyoji.games.records import MAX_INTEGER
from gyoji.messages.problems import words_allowed
from gyoji.players.players import PLAYERS

NOTE_NAME = r"[\x20-\x7e]{1,64}"
"""The log's names are ASCII."""

NOTE = r"[^\x00]{0,500}"
MOST_NOTES = 32
DEEPEST_NOTE = 3


class SeatsGiven(Documented):
    """A field that holds the number of seats, or a list of the seats: the name of each, or which bot plays it."""

    def __init__(self, least: int, most: int, **options: Any) -> None:
        super().__init__(**options)
        self.least, self.most = least, most

    def json_schema(self) -> dict[str, Any]:
        seat = {
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": f"^{NAME}$"},
                "bot": {"type": "string", "enum": [*PLAYERS]},
            },
            "minProperties": 1,
            "additionalProperties": False,
        }
        return {
            "oneOf": [
                {"type": "integer", "minimum": self.least, "maximum": self.most},
                {"type": "array", "items": seat, "minItems": self.least, "maxItems": self.most},
            ]
        }

    def read(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | list):
            raise ValidationError(WRONG_TYPE)
        if not self.least <= (value if isinstance(value, int) else len(value)) <= self.most:
            raise ValidationError(NOT_ALLOWED)
        if isinstance(value, list):
            wrong = {at: found for at, seat in enumerate(value) if (found := _wrong_seat(seat))}
            if wrong:
                raise ValidationError(wrong)
        return value


def _wrong_seat(seat: Any) -> Any:
    """What is wrong with a seat that is named, if anything."""
    if not isinstance(seat, dict):
        return [WRONG_TYPE]
    wrong: dict[str, list[str]] = {name: ["unknown-member"] for name in seat if name not in ("name", "bot")}
    if "bot" in seat and seat["bot"] not in PLAYERS:
        wrong["bot"] = [words_allowed(PLAYERS) if isinstance(seat["bot"], str) else WRONG_TYPE]
    if "name" not in seat:
        return wrong if "bot" in seat else {**wrong, "name": ["missing"]}
    if not isinstance(seat["name"], str):
        return {**wrong, "name": [WRONG_TYPE]}
    return wrong if re.fullmatch(NAME, seat["name"]) else {**wrong, "name": [NOT_ALLOWED]}


class Notes(Documented):
    """A field that holds a client's own metadata. Texts, whole numbers, true, false and null, in lists and objects a
    few deep."""

    def json_schema(self) -> dict[str, Any]:
        return _notes_schema(DEEPEST_NOTE)

    def read(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError(WRONG_TYPE)
        wrong = _wrong_note(value, DEEPEST_NOTE)
        if wrong:
            raise ValidationError(wrong)
        return value


def _notes_schema(deep: int) -> dict[str, Any]:
    """An object of notes of which the deepest holds ``deep`` levels, itself among them."""
    return {
        "type": "object",
        "propertyNames": {"pattern": f"^{NOTE_NAME}$"},
        "additionalProperties": _note_schema(deep - 1),
        "maxProperties": MOST_NOTES,
    }


def _note_schema(deep: int) -> dict[str, Any]:
    plain: list[dict[str, Any]] = [
        {"type": "string", "pattern": f"^{NOTE}$"},
        {"type": "integer", "minimum": -MAX_INTEGER, "maximum": MAX_INTEGER},
        {"type": ["boolean", "null"]},
    ]
    if not deep:
        return {"oneOf": plain}
    listed = {"type": "array", "items": _note_schema(deep - 1), "maxItems": MOST_NOTES}
    return {"oneOf": [*plain, listed, _notes_schema(deep)]}


def _wrong_note(value: Any, deep: int) -> Any:
    """What is wrong with a note that may hold ``deep`` levels, if anything: a code, or more of the same by place."""
    if isinstance(value, list | dict):
        if not deep:
            return [NOT_ALLOWED]
        return [TOO_LONG] if len(value) > MOST_NOTES else _wrong_inside(value, deep)
    if isinstance(value, str):
        return [] if re.fullmatch(NOTE, value) else [NOT_ALLOWED]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_INTEGER:
        return [NOT_ALLOWED]
    return []


def _wrong_inside(value: list[Any] | dict[str, Any], deep: int) -> Mapping[Any, Any]:
    wrong: dict[Any, Any] = {}
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(name, str) and not re.fullmatch(NOTE_NAME, name):
            wrong[name] = [NOT_ALLOWED]
        elif found := _wrong_note(inner, deep - 1):
            wrong[name] = found
    return wrong
