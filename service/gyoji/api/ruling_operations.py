"""What is answered about rulings and claims, and the operations that take them."""

from collections.abc import Mapping
from typing import get_args

from gyoji.api import parameters as given
from gyoji.api.calls import requests
from gyoji.api.fields import Answered, Flag, Seats, Text, Word
from gyoji.api.log_events import seq_field, time_field
from gyoji.api.log_lines import AUDIENCE, RECEIPT
from gyoji.api.operations import Operation
from gyoji.api.parameters import MOST_CROSSED, MOST_SEATS, STATUSES
from gyoji.api.rulings import DESK_REFUSALS, LOGGED_RULING, RESULT
from gyoji.api.seeding_operations import ONCE, READING
from gyoji.api.shapes import RULE_ID, GameShapes, any_of, many, nested, problem_members, shape
from gyoji.games.game import Reason
from gyoji.match.clocks import Expiry
from gyoji.match.refusal import RefusalCode

CROSSING = shape(
    "Crossing",
    {
        "seq": seq_field(1),
        "type": Word("move_played", "choice_made", "ruling_made", "clock_expired", required=True),
        "known_to": Answered(AUDIENCE, required=True),
        "shuffle": Flag(required=True),
    },
)
RULED = shape(
    "RulingAnswer",
    {
        "seq": seq_field(1, required=False),
        "status": Word(*STATUSES, required=True),
        "ruling": nested(LOGGED_RULING),
        "crossed": many(CROSSING, MOST_CROSSED),
        "fresh_entropy": Flag(required=True),
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
        "deadlines": Answered(
            {
                "type": "array",
                "items": {"oneOf": [dict(time_field().json_schema()), {"type": "null"}]},
                "maxItems": MOST_SEATS,
            },
            required=True,
        ),
    },
)


def ruling_operations(games: Mapping[str, GameShapes]) -> tuple[Operation, ...]:
    """What a referee rules, and what anybody concerned may claim of the clock."""
    return (
        Operation(
            "makeRuling",
            "post",
            "/v1/matches/{match}/rulings",
            "Rule in a match, or ask what a ruling would lead to",
            "matches",
            RULED,
            request=any_of("RulingRequest", [requests(shapes)["rulings"] for shapes in games.values()]),
            problems=(*READING, *ONCE, "ruling-refused", "stale-position", "precondition-required"),
            shaped={"ruling-refused": (RULING_REFUSED,)},
            parameters=(given.IN_MATCH, given.RULED_ON, given.KEYED_ONCE),
            headers=("ETag",),
            callers="known",
        ),
        Operation(
            "claimExpiry",
            "post",
            "/v1/matches/{match}/claims",
            "Claim that the time of a seat is up: the service judges by its own clock",
            "matches",
            CLAIMED,
            problems=(*READING, *ONCE, "claim-refused"),
            shaped={"claim-refused": (CLAIM_REFUSED,)},
            parameters=(given.IN_MATCH, given.KEYED_ONCE),
            headers=("ETag",),
            callers="known",
        ),
    )
