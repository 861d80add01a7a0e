"""The shapes that all games share: state envelope, requests, answers and problem details.

Every shape is a marshmallow schema; ``openapi.yaml`` and ``schemas/`` are generated from them (see ``contract``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, get_args

from marshmallow import Schema, ValidationError, fields, validate, validates_schema
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from gyoji.api.fields import (
    DIGEST,
    NOT_ALLOWED,
    SEED,
    AnyValue,
    Documented,
    Integer,
    IntegerList,
    ListOf,
    ObjectList,
    StrictShape,
    Text,
    Word,
)
from gyoji.games.game import FindingCode, Game
from gyoji.games.records import MAX_INTEGER
from gyoji.match import records
from gyoji.messages.language import messages
from gyoji.messages.problems import words_allowed

RULE_ID = records.RULE_ID
MOST_SEATS = 6
MOST_MOVES = 500

Fields = Mapping[str, fields.Field[Any]]
Shape = type[Schema]


def shape(name: str, members: Fields, **meta: Any) -> Shape:
    """Make a shape of that name; ``meta`` may hold ``extra``, JSON Schema keywords that no field expresses."""
    described = {"made_of": dict(members), "Meta": type("Meta", (StrictShape.Meta,), {"ordered": True, **meta})}
    return type(name, (StrictShape,), {**members, **described})


class _ExactlyOne(StrictShape):
    """A shape that has one of two members."""

    either: tuple[str, str]
    blamed: str

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def has_one(self, _data: Mapping[str, Any], original: Mapping[str, Any], **_kwargs: Any) -> None:
        """Of what was sent, since one that is wrong in itself is there all the same."""
        one, other = self.either
        if (one in original) == (other in original):
            raise ValidationError("one-of", self.blamed)


def exactly_one(name: str, either: tuple[str, str], blamed: str, members: Fields) -> Shape:
    """Make a shape whose values have exactly one of two members; ``blamed`` is the member that an error is reported
    at."""
    meta = type("Meta", (StrictShape.Meta,), {"extra": {"oneOf": [{"required": [member]} for member in either]}})
    return type(name, (_ExactlyOne,), {**members, "either": either, "blamed": blamed, "Meta": meta})


def is_shape(value: object) -> TypeGuard[Shape]:
    """Tell whether a value is a shape (a class), and no instance of one."""
    return isinstance(value, type) and issubclass(value, Schema)


class Tagged(OneOfSchema):
    """A union of shapes that are told apart by a member that each of them has, the tag."""

    type_field_remove = False
    unheard_of = NOT_ALLOWED

    def get_data_type(self, data: Mapping[str, Any]) -> Any:
        """Return the tag of a value. Raises ``ValidationError`` for a tag that is not known."""
        tag = data.get(self.type_field)
        if tag is None or (isinstance(tag, str) and tag in self.type_schemas):
            return tag
        wrong = words_allowed(self.type_schemas) if self.unheard_of == NOT_ALLOWED else self.unheard_of
        raise ValidationError({self.type_field: [wrong]})


def tagged(name: str, tag: str, variants: Mapping[str, Shape], unheard_of: str = NOT_ALLOWED) -> Shape:
    """Make the union of the variants, told apart by the member ``tag``. ``unheard_of`` is the error code for an unknown
    tag."""
    return type(name, (Tagged,), {"type_field": tag, "type_schemas": dict(variants), "unheard_of": unheard_of})


def members_of(declared: Shape) -> Fields:
    """Return the members that a shape was made of, from which another shape can be made."""
    members: Fields = vars(declared)["made_of"]
    return members


def variants_of(union: Shape) -> Mapping[str, Shape]:
    """Return the variants of a tagged union, by tag."""
    variants: Mapping[str, Shape] = vars(union)["type_schemas"]
    return variants


class Untagged(Schema):
    """A union of shapes without a tag; occurs in answers only, whose text says what tells the variants apart."""

    variants: tuple[type[Schema], ...] = ()
    keyword = "oneOf"


def one_of(name: str, variants: Iterable[Shape]) -> Shape:
    """Make the union of shapes of which a value never has two."""
    return type(name, (Untagged,), {"variants": tuple(variants)})


def any_of(name: str, variants: Iterable[Shape]) -> Shape:
    """Make the union of shapes of which a value may have several at once, as moves of different games may look
    alike."""
    return type(name, (Untagged,), {"variants": tuple(variants), "keyword": "anyOf"})


def nested(inner: Shape, **options: Any) -> fields.Nested:
    """Make a member that holds an object of another shape; required unless said otherwise."""
    return fields.Nested(inner, **{"required": True, **options})


def many(inner: Shape, most: int, **options: Any) -> fields.List[Any]:
    """Make a member that holds a list of objects of another shape."""
    return ObjectList(
        fields.Nested(inner), **{"required": True, "validate": validate.Length(max=most, error="too-long"), **options}
    )


def seat_of(seats: int, **options: Any) -> Integer:
    """Make the field of a seat number at a table of that many seats."""
    return Integer(0, seats - 1, **{"required": True, **options})


def scores_field(**options: Any) -> IntegerList:
    """Make the field of the scores by seat, which may be negative."""
    return IntegerList(-MAX_INTEGER, MAX_INTEGER, most=MOST_SEATS, **{"required": True, **options})


def envelope(name: str, game: Game[Any], options: Shape, outcome: Shape, table: Shape) -> Shape:
    """Make the shape of a state: the envelope that all games have, around the game's own table."""
    return shape(
        name,
        {
            "game": Word(game.slug, required=True),
            "version": Integer(game.version, game.version, required=True),
            "seats": Integer(game.min_seats, game.max_seats, required=True),
            "options": nested(options),
            "seed": Text(SEED, required=True, allow_none=True),
            "shuffles": Integer(required=True),
            "round": Integer(1, required=True),
            "ply": Integer(required=True),
            "phase": Word(*game.phases, required=True),
            "to_act": IntegerList(0, game.max_seats - 1, most=game.max_seats, required=True),
            "scores": scores_field(),
            "outcome": nested(outcome, allow_none=True),
            "table": nested(table),
        },
    )


@dataclass(frozen=True, eq=False)
class GameShapes:
    """The shapes of one game: its states, moves, events and options."""

    prefix: str
    """What the component names of the game begin with, such as ``OldMaid``."""
    game: Game[Any]
    options_given: Shape
    options: Shape
    outcome: Shape
    state: Shape
    view: Shape
    move: Shape
    event: Shape
    rounds: fields.Field[Any]
    """What is kept of each finished round, as the scores call gives it."""
    line_facts: Fields
    """The members of a score line beside seat, rule, points and round."""
    data: Mapping[str, Any]
    """The tables of the rules page that an option may replace, as the option would give them."""
    values: Mapping[str, Documented]
    """The fields of values that recur in the game's shapes, by the name of their component."""
    known: Shape | None
    """What may be known of a position that a question is asked about; ``None`` for a game that cannot be asked."""
    asked: Shape | None
    """The move that is asked about."""


def begun(shapes: GameShapes, seats: fields.Field[Any] | None = None) -> Fields:
    """Return the fields that a match of a game begins with: seats, options and the first seat."""
    game = shapes.game
    return {
        "seats": seats or Integer(game.min_seats, game.max_seats, required=True),
        "options": nested(shapes.options_given, required=False),
        "first": seat_of(game.max_seats, required=False, load_default=0),
    }


BOTH_LANGUAGES = shape("BothLanguages", {"en": Text(required=True), "ja": Text(required=True)})

RULE_MEMBERS: dict[str, fields.Field[Any]] = {
    "rule": Text(RULE_ID, required=True),
    "kind": Word("rule", "ruling", required=True),
    "heading": nested(BOTH_LANGUAGES),
    "text": nested(BOTH_LANGUAGES),
    "print": Text(required=True),
    "options": ListOf(Text(), 16, required=True),
    "provenance": Text(required=True),
}
RULE = shape("Rule", RULE_MEMBERS)


def problem_members(codes: tuple[str, ...]) -> Fields:
    """Return the members of problem details (RFC 9457), with the codes that the problem may have."""
    statuses = [messages()["problem"][code]["status"] for code in codes]
    return {
        "type": Word(*(f"/problems/{code}" for code in codes), required=True),
        "title": Text(required=True),
        "status": Integer(min(statuses), max(statuses), required=True),
        "detail": Text(required=True),
        "instance": Text(required=True),
        "code": Word(*codes, required=True),
    }


SPECIAL_PROBLEMS = (
    "illegal-move",
    "impossible-state",
    "invalid-request",
    "replay-refused",
    "entropy-refused",
    "capsule-refused",
)
"""Problems with members of their own."""

PLAIN_PROBLEMS = tuple(code for code in messages()["problem"] if code not in SPECIAL_PROBLEMS)
PROBLEM = shape(
    "Problem",
    {
        **problem_members(PLAIN_PROBLEMS),
        "request_id": Text(longest=128),
        "header": Text(longest=64),
        "line": Integer(1),
        "column": Integer(1),
    },
)

FINDING = shape(
    "Finding",
    {
        "pointer": Text(required=True),
        "code": Word(*get_args(FindingCode), required=True),
        "message": Text(required=True),
    },
)
CAPSULE_REFUSED = shape(
    "CapsuleRefused",
    {**problem_members(("capsule-refused",)), "reason": Word(*messages()["capsule"], required=True)},
)
IMPOSSIBLE_STATE = shape(
    "ImpossibleState", {**problem_members(("impossible-state",)), "findings": many(FINDING, 10_000)}
)
SHAPE_ERROR = shape(
    "ShapeError",
    {
        "pointer": Text(required=True),
        "code": Word(*messages()["error"], required=True),
        "message": Text(required=True),
        "allowed": ListOf(Text(), 999),
        "minimum": Integer(-MAX_INTEGER),
        "maximum": Integer(-MAX_INTEGER),
    },
)
INVALID_REQUEST = shape("InvalidRequest", {**problem_members(("invalid-request",)), "errors": many(SHAPE_ERROR, 100)})


HEALTH = shape(
    "Health",
    {"status": Word("ok", "degraded", required=True), "cause": Word("disk-full", "disk-error", "read-only")},
)
GAME_SUMMARY: dict[str, fields.Field[Any]] = {
    "game": Text(required=True),
    "version": Integer(1, required=True),
    "title": nested(BOTH_LANGUAGES),
    "seats": nested(shape("SeatRange", {"min": Integer(1, required=True), "max": Integer(1, required=True)})),
    "cooperative": fields.Boolean(required=True),
    "rulebook": Text(required=True),
}
COMPONENT = shape(
    "Component",
    {
        "codes": ListOf(Text(), 99, required=True),
        "count": Integer(),
        "counts": AnyValue(),
        "name": nested(BOTH_LANGUAGES),
        "provenance": Word("printed", "published", "derived", "reconstructed", required=True),
        "note": nested(BOTH_LANGUAGES, required=False),
    },
)
GAMES = shape("Games", {"games": many(shape("GameSummary", GAME_SUMMARY), 99)})
GAME = shape(
    "GameDescription",
    {
        **GAME_SUMMARY,
        "options": AnyValue(required=True),
        "phases": ListOf(Text(), 16, required=True),
        "moves": AnyValue(required=True),
        "cards": many(COMPONENT, 99),
        "data": AnyValue(required=True),
        "rulings": many(RULE, 99),
        "versions": ListOf(Integer(1), 99, required=True),
        "rules_digest": Text(DIGEST, required=True),
    },
)
NAMED: dict[str, fields.Field[Any]] = {
    "game": Text(required=True),
    "version": Integer(1, required=True),
    "rules_digest": Text(DIGEST, required=True),
}
RULES = shape("Rules", {**NAMED, "rules": many(RULE, 999)})
RULE_ANSWER = shape("RuleAnswer", {**NAMED, **RULE_MEMBERS})
