"""The shape of the answer about a group of matches that share their deals."""

from gyoji.api.calls import rules_fields
from gyoji.api.fields import Boolean, Integer, ListOf, Text, Word
from gyoji.api.log_events import hash_field, match_field, time_field
from gyoji.api.match_requests import disclosure
from gyoji.api.parameters import MATCH, MOST_GROUPED, STATUSES
from gyoji.api.shapes import GameShapes, Shape, many, nested, seat_of, shape

GROUP_STATUSES = ("open", "closed", "disclosed")

GROUPED = shape(
    "GroupMatch", {"match": match_field(), "status": Word(*STATUSES, required=True), "closed": Boolean(required=True)}
)
WAITING = shape(
    "GroupWaiting",
    {
        "close": Boolean(required=True),
        "matches": ListOf(Text(MATCH), MOST_GROUPED, required=True),
        "until": time_field(allow_none=True),
    },
)
GROUP_LINKS = shape("GroupLinks", {"self": Text(required=True), "close": Text(required=True)})


def group_answer(shapes: GameShapes) -> Shape:
    """Return the shape of the answer about a group of matches of one game."""
    game = shapes.game
    return shape(
        f"{shapes.prefix}Group",
        {
            "group": Text(MATCH, required=True),
            **rules_fields(game),
            "status": Word(*GROUP_STATUSES, required=True),
            "created": time_field(),
            "seats": Integer(game.min_seats, game.max_seats, required=True),
            "options": nested(shapes.options),
            "first": seat_of(game.max_seats),
            "disclosure": disclosure(required=True),
            "until": time_field(allow_none=True),
            "seed_commitment": hash_field(),
            "matches": many(GROUPED, MOST_GROUPED),
            "waiting_for": nested(WAITING),
            "links": nested(GROUP_LINKS),
        },
    )
