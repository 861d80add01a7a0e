"""The shapes of the answers about stored matches."""

from collections.abc import Mapping
from typing import NamedTuple, get_args

from gyoji.api.calls import legal_moves_field, rules_fields
from gyoji.api.fields import DIGEST, AnswerOnly, Boolean, Integer, Seats, Text, Word
from gyoji.api.groups import group_answer
from gyoji.api.log_events import (
    LogShapes,
    events_field,
    feed_data,
    feed_event,
    joint_stream_data,
    log_shapes,
    match_field,
    seats_field,
    seq_field,
    stream_data,
    time_field,
)
from gyoji.api.log_lines import AUDIENCE, RECEIPT
from gyoji.api.match_requests import REFERENCE, disclosure, tags, visibility
from gyoji.api.media import TRIED
from gyoji.api.parameters import (
    CURSOR,
    MATCH,
    MOST_EVENTS,
    MOST_LISTED,
    MOST_SEATS,
    MOST_SEQ,
    MOST_UNDONE,
    NAME,
    STATUSES,
)
from gyoji.api.rulings import CLOCK, DESK_REFUSALS, LOGGED_RULING, RESULT
from gyoji.api.shapes import (
    RULE_ID,
    Fields,
    GameShapes,
    Shape,
    many,
    nested,
    problem_members,
    scores_field,
    shape,
    tagged,
)
from gyoji.games.game import Reason
from gyoji.match.clocks import Expiry
from gyoji.match.events.kind import RefusalCode
from gyoji.match.records import WITHHELD
from gyoji.match.seeding import PolicyName
from gyoji.match.seeding import Reason as SeedingReason
from gyoji.players.players import PLAYERS

ROLES = ("operator", "referee", "auditor", "director", "seat", "spectator")


class MatchAnswers(NamedTuple):
    """The shapes of the answers of the operations on stored matches."""

    created: Shape
    match: Shape
    listed: Shape
    moved: Shape
    position: Shape
    feed: Shape
    streamed: Shape
    joined: Shape
    group: Shape


def match_answers(games: Mapping[str, GameShapes]) -> MatchAnswers:
    """Make the shapes of the answers about matches of any of these games."""
    logs = {slug: log_shapes(shapes) for slug, shapes in games.items()}
    each = games.items()
    moved = {slug: _moved(shapes, logs[slug]) for slug, shapes in each}
    event = feed_event(feed_data(games))
    return MatchAnswers(
        created=_created(games),
        match=tagged("Match", "game", {slug: _match(shapes) for slug, shapes in each}),
        listed=shape(
            "Matches",
            {
                "matches": many(_summary(games), MOST_LISTED),
                "unreadable": many(UNREADABLE, MOST_LISTED, required=False),
                "next": _cursor(),
            },
        ),
        moved=tagged("MoveAnswer", "kind", {**moved, TRIED: LEGAL}),
        position=tagged("StoredPosition", "game", {slug: _position(shapes) for slug, shapes in each}),
        group=tagged("Group", "game", {slug: group_answer(shapes) for slug, shapes in each}),
        feed=shape("Feed", {"events": many(event, MOST_EVENTS), "next": _next()}),
        streamed=stream_data(event),
        joined=joint_stream_data(event),
    )


def _cursor() -> Text:
    return Text(CURSOR, required=True, allow_none=True)


def _next() -> Integer:
    return Integer(0, MOST_SEQ, required=True, allow_none=True)


def _seat() -> Integer:
    return Integer(0, MOST_SEATS - 1, required=True)


def _seat_or_none() -> Integer:
    return Integer(0, MOST_SEATS - 1, required=True, allow_none=True)


def _name() -> Text:
    return Text(NAME, required=True, allow_none=True)


LINKS = shape("MatchLinks", {name: Text(required=True) for name in ("self", "moves", "events", "replay")})
SEAT = shape("MatchSeat", {"seat": _seat(), "name": _name(), "bot": Word(*PLAYERS)})
SEAT_WITH_TOKEN = shape("NewMatchSeat", {"seat": _seat(), "name": _name(), "token": Text(longest=256, required=True)})
VIEWER = shape("Viewer", {"role": Word(*ROLES, required=True), "seat": _seat_or_none()})
DIRECTOR = shape("MatchDirector", {"token": Text(longest=256, required=True)})
UNREADABLE = shape("UnreadableMatch", {"match": match_field(), "created": time_field()})
LEGAL = shape(
    "LegalMove",
    {"kind": Word(TRIED, required=True), "legal": AnswerOnly({"type": "boolean", "enum": [True]}, required=True)},
)


def _status() -> Word:
    return Word(*STATUSES, required=True)


def _named(games: Mapping[str, GameShapes]) -> Fields:
    """What every answer names, of whichever game."""
    return {
        "game": Word(*games, required=True),
        "version": Integer(1, required=True),
        "rules_digest": Text(DIGEST, required=True),
    }


def _created(games: Mapping[str, GameShapes]) -> Shape:
    return shape(
        "CreatedMatch",
        {
            "match": match_field(),
            **_named(games),
            "status": _status(),
            "seq": seq_field(),
            "seats": many(SEAT_WITH_TOKEN, MOST_SEATS),
            "director": nested(DIRECTOR, required=False),
            "links": nested(LINKS),
        },
    )


def _about() -> Fields:
    """What a match was created with, as far as it is shown."""
    return {
        "created": time_field(),
        "seats": many(SEAT, MOST_SEATS),
        "tags": tags(required=True),
        "disclosure": disclosure(required=True),
        "visibility": visibility(required=True),
        "group": Text(MATCH, required=True, allow_none=True),
        "tournament": Text(MATCH, required=True, allow_none=True),
        "withheld_until": Text(WITHHELD, required=True, allow_none=True),
        "closed": Boolean(required=True),
        "links": nested(LINKS),
    }


def _summary(games: Mapping[str, GameShapes]) -> Shape:
    return shape(
        "MatchSummary",
        {"match": match_field(), **_named(games), "status": _status(), "seq": seq_field(), **_about()},
    )


def _standing(shapes: GameShapes) -> Fields:
    """A position as the viewer may know it."""
    return {
        "view": nested(shapes.view),
        "scores": scores_field(),
        "outcome": nested(shapes.outcome, allow_none=True),
    }


SEEDING = shape(
    "Seeding",
    {
        "policy": Word(*[name for name in get_args(PolicyName) if name != "server"], required=True),
        "beacon": Text(REFERENCE),
        "reference": Text(REFERENCE),
        "committed": seats_field(),
        "revealed": seats_field(),
        "missing": seats_field(),
        "until": time_field(allow_none=True),
    },
)


def _match(shapes: GameShapes) -> Shape:
    return shape(
        f"{shapes.prefix}Match",
        {
            "match": match_field(),
            **rules_fields(shapes.game),
            "status": _status(),
            "seq": seq_field(),
            "decision": seq_field(),
            **_about(),
            "viewer": nested(VIEWER),
            "legal_moves": legal_moves_field(shapes),
            "view": nested(shapes.view, allow_none=True),
            "scores": scores_field(allow_none=True),
            "outcome": nested(shapes.outcome, allow_none=True),
            "result": nested(RESULT, allow_none=True),
            "adjustments": scores_field(),
            "paused": Boolean(required=True),
            "rulings": Integer(required=True),
            "clock": nested(CLOCK, allow_none=True),
            "seeding": nested(SEEDING, required=False),
        },
    )


def _moved(shapes: GameShapes, log: LogShapes) -> Shape:
    return shape(
        f"{shapes.prefix}MoveAnswer",
        {
            "kind": Word(shapes.game.slug, required=True),
            "seq": seq_field(2),
            "events": events_field(log.event),
            **_standing(shapes),
            "legal_moves": legal_moves_field(shapes),
            "receipt": nested(RECEIPT),
        },
    )


def _position(shapes: GameShapes) -> Shape:
    return shape(
        f"{shapes.prefix}StoredPosition",
        {
            "game": Word(shapes.game.slug, required=True),
            "match": match_field(),
            "seq": seq_field(1),
            "viewer": nested(VIEWER),
            **_standing(shapes),
        },
    )


APPENDED = shape("Appended", {"seq": seq_field(), "status": _status(), "receipt": nested(RECEIPT)})

TOKEN = shape(
    "SeatToken",
    {"seat": _seat_or_none(), "token": Text(longest=256, required=True), "expires": time_field()},
)
ENTROPY_REFUSED = shape(
    "EntropyRefused",
    {
        **problem_members(("entropy-refused",)),
        "reason": Word(*get_args(SeedingReason), "too-early", required=True),
    },
)
UNDONE_EVENT = shape(
    "Crossing",
    {
        "seq": seq_field(1),
        "type": Word("move_played", "choice_made", "ruling_made", "clock_expired", required=True),
        "known_to": AnswerOnly(AUDIENCE, required=True),
        "shuffle": Boolean(required=True),
    },
)
RULED = shape(
    "RulingAnswer",
    {
        "seq": seq_field(1, required=False),
        "status": Word(*STATUSES, required=True),
        "ruling": nested(LOGGED_RULING),
        "crossed": many(UNDONE_EVENT, MOST_UNDONE),
        "fresh_entropy": Boolean(required=True),
        "result": nested(RESULT, allow_none=True),
        "receipt": nested(RECEIPT, required=False),
        "token": Text(longest=256),
        "expires": time_field(required=False),
    },
)
BREACH = shape(
    "RulingBreach",
    {
        "reason": Word(*get_args(Reason), required=True),
        "rule": Text(RULE_ID, required=True, allow_none=True),
        "because": Text(required=True),
    },
)
RULING_REFUSED = shape(
    "RulingRefused",
    {
        **problem_members(("ruling-refused",)),
        "reason": Word(*get_args(RefusalCode), *DESK_REFUSALS, required=True),
        "because": Text(required=True),
        "breach": nested(BREACH, allow_none=True),
    },
)
CLAIMED = shape(
    "ClaimAnswer",
    {
        "seq": seq_field(2),
        "status": Word(*STATUSES, required=True),
        "expired": Seats(1, required=True),
        "then": Word(*get_args(Expiry), required=True),
        "receipt": nested(RECEIPT),
    },
)
CLAIM_REFUSED = shape(
    "ClaimRefused",
    {
        **problem_members(("claim-refused",)),
        "reason": Word("no-clock", "not-expired", "not-running", required=True),
        "because": Text(required=True),
        "now": time_field(),
        "deadlines": AnswerOnly(
            {
                "type": "array",
                "items": {"oneOf": [dict(time_field().json_schema()), {"type": "null"}]},
                "maxItems": MOST_SEATS,
            },
            required=True,
        ),
    },
)
