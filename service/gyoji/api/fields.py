"""The marshmallow fields that the shapes are made of.

Each field documents itself: ``json_schema`` is its JSON Schema (2020-12) and says what ``deserialize`` accepts. The
messages are codes (see ``messages.toml``) and never repeat what was sent. A list of cards is one field, not one field
a card, which is what makes a whole state affordable to check.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields

from gyoji.games.records import MAX_INTEGER, MOST_SEATS
from gyoji.messages.problems import NotAllowed, words_allowed

WRONG_TYPE = "wrong-type"
NOT_ALLOWED = "not-allowed"
TOO_LONG = "too-long"


class StrictShape(Schema):
    """A shape that refuses members that it does not list."""

    class Meta:
        unknown = RAISE


class Documented(fields.Field[Any]):
    """A field that states its own JSON Schema."""

    kind: type | tuple[type, ...] = object

    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema of the field, without null."""
        return {}

    def read(self, value: Any) -> Any:
        """Return the value if it is of the field's type and allowed. Raises ``ValidationError`` with a code."""
        if not isinstance(value, self.kind):
            raise ValidationError(WRONG_TYPE)
        if not self.allows(value):
            raise ValidationError(self.refusal())
        return value

    def refusal(self) -> str:
        """The code of a value that is not allowed."""
        return NOT_ALLOWED

    def allows(self, _value: Any) -> bool:
        """Tell whether a value of the field's type is allowed here."""
        return True

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        return self.read(value)


def _whole(value: Any) -> int:
    if not _is_whole(value):
        raise ValidationError(WRONG_TYPE)
    return int(value)


def _listed(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list):
        raise ValidationError(WRONG_TYPE)
    if len(value) > most:
        raise ValidationError(TOO_LONG)
    return value


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class Integer(Documented):
    """A whole number within bounds."""

    def __init__(self, low: int = 0, high: int = MAX_INTEGER, **options: Any) -> None:
        super().__init__(**options)
        self.low, self.high = low, high

    def json_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def read(self, value: Any) -> int:
        if not self.low <= _whole(value) <= self.high:
            raise ValidationError(NotAllowed("numbers", minimum=self.low, maximum=self.high))
        return int(value)


class Boolean(Documented):
    """A field that holds true or false, and nothing that looks like it."""

    kind = bool

    def json_schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class TrueOrWord(Documented):
    """A field that holds true, or one of some words."""

    kind = (bool, str)

    def __init__(self, *words: str, **options: Any) -> None:
        super().__init__(**options)
        self.words = words

    def json_schema(self) -> dict[str, Any]:
        return {"enum": [True, *self.words]}

    def allows(self, value: Any) -> bool:
        return value is True or value in self.words


class Word(Documented):
    """A field that holds one of a fixed set of words."""

    kind = str

    def __init__(self, *words: str, **options: Any) -> None:
        super().__init__(**options)
        self.words = words

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def refusal(self) -> str:
        return words_allowed(self.words)

    def allows(self, value: Any) -> bool:
        return value in self.words


class Text(Documented):
    """A field that holds a string: one that matches a pattern as a whole, else refused with the code ``unlike``. Or any
    one up to a length."""

    def __init__(
        self, pattern: str | None = None, longest: int = 4000, *, unlike: str = NOT_ALLOWED, **options: Any
    ) -> None:
        super().__init__(**options)
        self.pattern, self.longest, self.unlike = pattern, longest, unlike

    def json_schema(self) -> dict[str, Any]:
        if self.pattern is None:
            return {"type": "string", "maxLength": self.longest}
        return {"type": "string", "pattern": f"^{self.pattern}$"}

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError(WRONG_TYPE)
        if len(value) > self.longest:
            raise ValidationError(TOO_LONG)
        if self.pattern is not None and not re.fullmatch(self.pattern, value):
            raise ValidationError(self.unlike)
        return value


class Seats(Documented):
    """A field that holds seats of a table, each once: at least ``least`` and at most ``most`` of them."""

    def __init__(self, least: int = 0, most: int = MOST_SEATS, *, all_too: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.least, self.most, self.all_too = least, most, all_too

    def json_schema(self) -> dict[str, Any]:
        seat = {"type": "integer", "minimum": 0, "maximum": self.most - 1}
        seats = {"type": "array", "items": seat, "maxItems": self.most, "uniqueItems": True}
        if self.least:
            seats["minItems"] = self.least
        return {"oneOf": [{"type": "string", "enum": ["all"]}, seats]} if self.all_too else seats

    def read(self, value: Any) -> Any:
        if self.all_too and value == "all":
            return value
        if self.all_too and isinstance(value, str):
            raise ValidationError(NOT_ALLOWED)
        if not isinstance(value, list):
            raise ValidationError(WRONG_TYPE)
        if len(value) > self.most:
            raise ValidationError(TOO_LONG)
        if any(isinstance(seat, bool) or not isinstance(seat, int) for seat in value):
            raise ValidationError(WRONG_TYPE)
        if len(value) < self.least or len({*value}) < len(value) or not all(0 <= seat < self.most for seat in value):
            raise ValidationError(NOT_ALLOWED)
        return value


class Hidden(Documented):
    """A field of views: the value of another field, or ``{"count": n}`` where the viewer may not know it."""

    def __init__(self, known: Documented, **options: Any) -> None:
        super().__init__(**options)
        self.known = known

    def json_schema(self) -> dict[str, Any]:
        count = {
            "type": "object",
            "properties": {"count": {"type": "integer", "minimum": 0}},
            "required": ["count"],
            "additionalProperties": False,
        }
        return {"oneOf": [self.known.json_schema(), count]}

    def read(self, value: Any) -> Any:
        if isinstance(value, dict):
            if set(value) != {"count"} or _whole(value["count"]) < 0:
                raise ValidationError(NOT_ALLOWED)
            return value
        return self.known.deserialize(value)


class ListOf(Documented):
    """A field that holds a list of what another field holds, ``least`` to ``most`` items. Each once where they are
    ``distinct``."""

    def __init__(self, each: Documented, most: int, *, least: int = 0, distinct: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.each, self.most, self.least, self.distinct = each, most, least, distinct

    def json_schema(self) -> dict[str, Any]:
        item = self.each.json_schema()
        items = {"oneOf": [item, {"type": "null"}]} if self.each.allow_none else item
        bounds: dict[str, Any] = {"minItems": self.least} if self.least else {}
        once: dict[str, Any] = {"uniqueItems": True} if self.distinct else {}
        return {"type": "array", "items": items, "maxItems": self.most, **bounds, **once}

    def read(self, value: Any) -> list[Any]:
        loaded, wrong = [], {}
        if len(_listed(value, self.most)) < self.least:
            raise ValidationError(NOT_ALLOWED)
        for at, item in enumerate(value):
            try:
                loaded.append(self.each.deserialize(item))
            except ValidationError as error:
                wrong[at] = error.messages
        if wrong:
            raise ValidationError(wrong)
        if self.distinct and len(set(loaded)) != len(loaded):
            raise ValidationError(NOT_ALLOWED)
        return loaded


class Cards(ListOf):
    """A field that holds a list of codes out of a fixed set, or ``None`` among them where ``gaps`` are allowed."""

    def __init__(self, codes: Iterable[str], most: int, *, gaps: bool = False, **options: Any) -> None:
        super().__init__(Word(*dict.fromkeys(codes), allow_none=gaps), most, **options)


class OpenCards(ListOf):
    """A field that holds a list of codes of an open set: each matches a pattern as a whole."""

    def __init__(self, pattern: str, most: int, **options: Any) -> None:
        super().__init__(Text(pattern, MAX_INTEGER), most, **options)


class IntegerList(ListOf):
    """A field that holds a list of whole numbers within bounds; ``exactly`` that many where it is given."""

    def __init__(
        self, low: int = 0, high: int = MAX_INTEGER, *, most: int = 6, exactly: int | None = None, **options: Any
    ) -> None:
        super().__init__(Integer(low, high), most if exactly is None else exactly, least=exactly or 0, **options)


class BooleanList(ListOf):
    """A field that holds a list of true and false."""

    def __init__(self, most: int, **options: Any) -> None:
        super().__init__(Boolean(), most, **options)


class ObjectList(fields.List[Any]):
    """A field that holds a list of objects of another shape. A list that is too long is refused before its items are
    read."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        if isinstance(value, list):
            self._validate(value)
        return super()._deserialize(value, attr, data, **kwargs)


class AnyValue(Documented):
    """A field that holds any JSON value, for parts of answers whose shape is stated elsewhere."""


class AnswerOnly(Documented):
    """A field that occurs in answers only and is never parsed; its JSON Schema is given."""

    def __init__(self, schema: Mapping[str, Any], **options: Any) -> None:
        super().__init__(**options)
        self.schema = schema

    def json_schema(self) -> dict[str, Any]:
        return dict(self.schema)


SEED = "[0-9a-f]{128}"
DIGEST = "[0-9a-f]{64}"
CAPSULE = "[A-Za-z0-9_-]+"
LONGEST_CAPSULE = 64 * 1024
"""More than any body has room for."""
