"""The shapes of rulings and of claims: as they are asked for, as the log holds them, and what is answered.

In requests durations are whole seconds, in the log whole milliseconds.
"""

from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import ValidationError

from gyoji.api.clocks import CONTROL, LONGEST
from gyoji.api.fields import NOT_ALLOWED, TOO_LONG, WRONG_TYPE, Documented, Flag, Text, Whole, Wholes, Word
from gyoji.api.json_gate import MAX_INTEGER
from gyoji.api.match_requests import TIME
from gyoji.api.parameters import MOST_SEATS, MOST_SEQ, NAME
from gyoji.api.shapes import (
    RULE_ID,
    Fields,
    GameShapes,
    Shape,
    many,
    nested,
    scores_field,
    seat_of,
    shape,
    tagged,
)
from gyoji.match.clocks import LONGEST_MS
from gyoji.match.result import ResultBy
from gyoji.match.rulings.points import MOST_POINTS

REASON = r"[^\x00-\x1f\x7f-\x9f]{1,1000}"
DESK_REFUSALS = ("group-closed", "round-closed", "tournament-closed", "match-replaced")
"""What else than the log can stand against a ruling."""


class Seats(Documented):
    """Some seats, each once; at least ``least`` of them."""

    def __init__(self, least: int = 0, *, all_too: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.least, self.all_too = least, all_too

    def json_schema(self) -> dict[str, Any]:
        seat = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
        seats = {"type": "array", "items": seat, "maxItems": MOST_SEATS, "uniqueItems": True}
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
        if len(value) > MOST_SEATS:
            raise ValidationError(TOO_LONG)
        if any(isinstance(seat, bool) or not isinstance(seat, int) for seat in value):
            raise ValidationError(WRONG_TYPE)
        if len(value) < self.least or len({*value}) < len(value) or not all(0 <= seat < MOST_SEATS for seat in value):
            raise ValidationError(NOT_ALLOWED)
        return value


def _seat() -> Whole:
    return seat_of(MOST_SEATS)


def _points() -> Whole:
    return Whole(-MOST_POINTS, MOST_POINTS, required=True)


def _to() -> Whole:
    return Whole(1, MOST_SEQ, required=True)


def _plain() -> dict[str, Fields]:
    """The kinds of rulings whose members are the same in a request and in the log."""
    return {
        "take_back": {"to": _to()},
        "points": {"seat": _seat(), "points": _points()},
        "forfeit": {"seats": Seats(1, required=True)},
        "void": {},
        "result": {"winners": Seats(required=True), "scores": scores_field(required=True, allow_none=True)},
        "pause": {},
        "resume": {},
        "note": {},
    }


def _of_kinds(prefix: str, kinds: Mapping[str, Fields]) -> dict[str, Shape]:
    def named(kind: str) -> str:
        return f"{prefix}{''.join(part.capitalize() for part in kind.split('_'))}Ruling"

    return {kind: shape(named(kind), {"kind": Word(kind, required=True), **more}) for kind, more in kinds.items()}


OF_ANY_GAME = _of_kinds(
    "New",
    {
        **_plain(),
        "time": {"seat": _seat(), "add": Whole(-LONGEST, LONGEST, required=True)},
        "substitute": {"seat": _seat(), "name": Text(NAME, allow_none=True, load_default=None)},
    },
)
"""The rulings that a referee may ask for, but those that hold a move."""


def ruling_request(shapes: GameShapes) -> Shape:
    """The body of a ruling in a match of that game."""
    moves = _of_kinds(f"{shapes.prefix}New", {kind: {"move": nested(shapes.move)} for kind in ("play", "accept")})
    return shape(
        f"{shapes.prefix}RulingRequest",
        {
            "ruling": nested(tagged(f"{shapes.prefix}NewRuling", "kind", {**OF_ANY_GAME, **moves})),
            "reason": Text(REASON, required=True),
            "rule": Text(RULE_ID, allow_none=True, load_default=None),
            "audience": Seats(all_too=True, load_default="all"),
            "dry_run": Flag(load_default=False),
        },
    )


LOGGED_RULING = tagged(
    "Ruling",
    "kind",
    _of_kinds(
        "",
        {
            **_plain(),
            "play": {},
            "accept": {},
            "time": {"seat": _seat(), "add_ms": Whole(-LONGEST_MS, LONGEST_MS, required=True)},
            "substitute": {"seat": _seat(), "name": Text(NAME, required=True, allow_none=True)},
        },
    ),
)
"""``data.ruling`` of ``ruling_made``: the move of ``play`` and ``accept`` stands beside it."""


def logged_ruling_members() -> Fields:
    """What every ``ruling_made`` has in ``data``."""
    return {
        "ruling": nested(LOGGED_RULING),
        "rule": Text(RULE_ID, required=True, allow_none=True),
        "reason": Text(REASON, required=True, allow_none=True),
        "banks_ms": _durations(),
        "credited_ms": _durations(),
    }


def _durations() -> Wholes:
    """By seat, in milliseconds."""
    return Wholes(0, MAX_INTEGER, most=MOST_SEATS)


RESULT = shape(
    "MatchResult",
    {
        "by": Word(*get_args(ResultBy), required=True),
        "winners": Seats(required=True),
        "scores": scores_field(),
        "forfeited": Seats(required=True),
    },
)
"""How a match came out, with all that referees have given and taken."""

CLOCK = shape(
    "MatchClock",
    {
        "control": nested(CONTROL),
        "now": Text(TIME, required=True),
        "seats": many(
            shape(
                "ClockSeat",
                {
                    "seat": _seat(),
                    "bank_ms": Whole(0, MAX_INTEGER, required=True, allow_none=True),
                    "spent_ms": Whole(-MAX_INTEGER, MAX_INTEGER, required=True),
                    "running": Flag(required=True),
                    "deadline": Text(TIME, required=True, allow_none=True),
                },
            ),
            MOST_SEATS,
        ),
    },
)
"""The time of the seats at the moment ``now``."""
