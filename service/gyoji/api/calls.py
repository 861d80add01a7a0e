"""The shapes of the stateless calls of a game: their bodies, their answers, and the refusal of a move."""

from typing import Any, get_args

from marshmallow import fields, validate

from gyoji.api.fields import (
    CAPSULE,
    DIGEST,
    LONGEST_CAPSULE,
    SEED,
    Boolean,
    Integer,
    IntegerList,
    ObjectList,
    Text,
    TrueOrWord,
    Word,
)
from gyoji.api.match_requests import TIME
from gyoji.api.media import IN_A_CAPSULE, IN_THE_OPEN, SEALED
from gyoji.api.parameters import MATCH
from gyoji.api.rulings import ruling_request
from gyoji.api.shapes import (
    MOST_MOVES,
    RULE_ID,
    Fields,
    GameShapes,
    Shape,
    begun,
    exactly_one,
    many,
    nested,
    problem_members,
    scores_field,
    seat_of,
    shape,
)
from gyoji.games.game import Game, Reason
from gyoji.games.records import MAX_INTEGER


def adjudication_request(name: str, state: Shape, move: Shape) -> Shape:
    """Return the shape of an adjudication's body: a state and a move, or a state and moves to be applied in order."""
    several = validate.Length(min=1, max=MOST_MOVES, error="not-allowed")
    members = {
        "state": nested(state),
        "move": nested(move, required=False),
        "moves": ObjectList(fields.Nested(move), validate=several, required=False),
    }
    return exactly_one(name, ("move", "moves"), "move", members)


def requests(shapes: GameShapes) -> dict[str, Shape]:
    """Return the shapes of the bodies of one game's calls, by the last part of their URL."""
    game, prefix = shapes.game, shapes.prefix
    seat = seat_of(game.max_seats, required=False)
    viewer = seat_of(game.max_seats, allow_none=True)
    return {
        "states": shape(
            f"{prefix}NewGame",
            {
                **begun(shapes),
                "seed": Text(SEED),
                "version": Integer(game.version, game.version, load_default=game.version),
            },
        ),
        "adjudications": adjudication_request(f"{prefix}AdjudicationRequest", shapes.state, shapes.move),
        "legal-moves": shape(f"{prefix}LegalMovesRequest", {"state": nested(shapes.state), "seat": seat}),
        "scores": shape(f"{prefix}ScoresRequest", {"state": nested(shapes.state)}),
        "views": shape(f"{prefix}ViewRequest", {"state": nested(shapes.state), "seat": viewer}),
        "moves": move_request(shapes.move, prefix),
        "rulings": ruling_request(shapes.move, prefix),
        **_sealed_requests(shapes),
    }


def move_request(move: Shape, prefix: str = "") -> Shape:
    """Return the shape of the body of a move in a stored match: of one game, or of any of them."""
    return shape(f"{prefix}MoveRequest", {"move": nested(move), "dry_run": Boolean(load_default=False)})


def _sealed_requests(shapes: GameShapes) -> dict[str, Shape]:
    """The bodies of the stateless calls that ask for a capsule, or bring one."""
    game, prefix = shapes.game, f"{shapes.prefix}Sealed"
    viewer = seat_of(game.max_seats, allow_none=True)
    shown = seat_of(game.max_seats, allow_none=True, required=False)
    bodies: dict[str, tuple[str, Fields]] = {
        "states": (
            "NewGame",
            {
                "sealed": TrueOrWord("head", required=True),
                **begun(shapes),
                "version": Integer(game.version, game.version, load_default=game.version),
                "match": Text(MATCH),
                "audience": _seats(game),
                "seat": shown,
            },
        ),
        "adjudications": (
            "AdjudicationRequest",
            {"sealed": TrueOrWord(), "capsule": _capsule(required=True), "move": nested(shapes.move), "seat": shown},
        ),
        "legal-moves": ("LegalMovesRequest", {"capsule": _capsule(required=True), "seat": seat_of(game.max_seats)}),
        "scores": ("ScoresRequest", {"capsule": _capsule(required=True)}),
        "views": ("ViewRequest", {"capsule": _capsule(required=True), "seat": viewer, "audience": _seats(game)}),
    }
    return {SEALED[call]: shape(prefix + name, members) for call, (name, members) in bodies.items()}


def _capsule(**options: Any) -> Text:
    return Text(CAPSULE, longest=LONGEST_CAPSULE, **options)


def _seats(game: Game[Any], **options: Any) -> IntegerList:
    return IntegerList(0, game.max_seats - 1, most=game.max_seats, **options)


def rules_fields(game: Game[Any]) -> Fields:
    """Return the fields that every answer has: the game, its version and the digest of its rules."""
    return {
        "game": Word(game.slug, required=True),
        "version": Integer(game.version, game.version, required=True),
        "rules_digest": Text(DIGEST, required=True),
    }


def legal_moves_field(shapes: GameShapes) -> fields.List[Any]:
    """Return the field that lists complete legal moves, in the order of the rules page."""
    return many(shapes.move, MOST_MOVES * 10)


def answers(shapes: GameShapes) -> dict[str, Shape]:
    """Return the shapes of the answers of one game's stateless calls, by the last part of their URL."""
    members: dict[str, tuple[str, Fields]] = {
        "states": ("Position", {"kind": _kind(IN_THE_OPEN), "state": nested(shapes.state), **_after(shapes)}),
        "adjudications": ("Adjudication", _adjudication(shapes)),
        "legal-moves": ("LegalMoves", {"to_act": _to_act(shapes), "legal_moves": legal_moves_field(shapes)}),
        "scores": ("Scores", _scores(shapes)),
        "views": (
            "SeatView",
            {"view": nested(shapes.view), "legal_moves": legal_moves_field(shapes), "capsule": _capsule()},
        ),
    }
    return {
        call: shape(shapes.prefix + name, {**rules_fields(shapes.game), **answered})
        for call, (name, answered) in members.items()
    }


def sealed_position(shapes: GameShapes, event: Shape) -> Shape:
    """Return the shape of what ``states`` and ``adjudications`` answer with a capsule. ``event`` is the shape of an
    event as a seat may know it."""
    return shape(
        f"{shapes.prefix}SealedPosition",
        {
            **rules_fields(shapes.game),
            "kind": _kind(IN_A_CAPSULE),
            "match": Text(MATCH, required=True),
            "capsule": _capsule(required=True),
            "audience": _seats(shapes.game, required=True),
            "expires": Text(TIME, required=True),
            "events": many(event, MOST_MOVES * 100),
            "view": nested(shapes.view),
            **_after(shapes),
        },
    )


def _kind(kind: str) -> Word:
    return Word(kind, required=True)


def _after(shapes: GameShapes) -> Fields:
    """What may be played in a position, and how it stands."""
    return {"legal_moves": legal_moves_field(shapes), "scores": scores_field(), "outcome": _outcome(shapes)}


def _outcome(shapes: GameShapes) -> fields.Nested:
    return nested(shapes.outcome, allow_none=True)


def _to_act(shapes: GameShapes) -> IntegerList:
    seats = shapes.game.max_seats
    return IntegerList(0, seats - 1, most=seats, required=True)


def _adjudication(shapes: GameShapes) -> Fields:
    events = many(shapes.event, MOST_MOVES * 100)
    return {"kind": _kind(IN_THE_OPEN), "state": nested(shapes.state), "events": events, **_after(shapes)}


def _scores(shapes: GameShapes) -> Fields:
    line = shape(
        f"{shapes.prefix}ScoreLine",
        {
            "seat": seat_of(shapes.game.max_seats, allow_none=True),
            "rule": Text(RULE_ID, required=True),
            "points": Integer(-MAX_INTEGER, MAX_INTEGER, required=True),
            **shapes.line_facts,
            "why": Text(required=True),
        },
    )
    lines = many(line, 10_000)
    return {"scores": scores_field(), "rounds": shapes.rounds, "outcome": _outcome(shapes), "lines": lines}


def illegal_move(shapes: GameShapes) -> Shape:
    """Return the shape of the problem that refuses a move, with the rule that forbids it."""
    return shape(
        f"{shapes.prefix}IllegalMove",
        {
            **problem_members(("illegal-move",)),
            "game": Word(shapes.game.slug, required=True),
            "reason": Word(*get_args(Reason), required=True),
            "rule": Text(RULE_ID, required=True, allow_none=True),
            "rule_text": Text(required=True, allow_none=True),
            "seat": seat_of(shapes.game.max_seats),
            "move": nested(shapes.move),
            "because": Text(required=True),
            "legal_moves": legal_moves_field(shapes),
            "move_index": Integer(0, MOST_MOVES - 1),
            "state": nested(shapes.state, required=False),
        },
    )
