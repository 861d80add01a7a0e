"""The shapes of rulings, made from the records of their kinds: as requests state them, and as the log holds them."""

from functools import partial

from gyoji.api.clocks import CONTROL
from gyoji.api.fields import Boolean, Integer, Seats, Text
from gyoji.api.match_fields import Notes
from gyoji.api.match_requests import RANDOMNESS, TIME
from gyoji.api.parameters import MOST_SEATS
from gyoji.api.records import Builder
from gyoji.api.shapes import RULE_ID, Shape, many, nested, seat_of, shape, tagged
from gyoji.games.records import MAX_INTEGER, record
from gyoji.match.clocks import Control
from gyoji.match.rulings.ruling_made import REASON, RULING_KINDS
from gyoji.match.state import MatchResult

DESK_REFUSALS = ("group-closed", "round-closed", "tournament-closed", "match-replaced")
"""What else than the log can stand against a ruling."""

PLAIN = Builder(
    "",
    MOST_SEATS,
    {
        "notes": Notes,
        "randomness": partial(nested, RANDOMNESS),
    },
)
"""Makes the shapes of what rulings of all games hold."""

LOGGED_CLOCK = PLAIN.shape("Clock", record(Control).members)
"""``clock`` of ``match_created``."""

RESULT = PLAIN.shape(MatchResult.__name__, record(MatchResult).members)
"""How a match came out, with all that referees have given and taken."""

LOGGED_RULING = tagged(
    "Ruling",
    "kind",
    {name: PLAIN.shape(kind.record.__name__, record(kind.record).members) for name, kind in RULING_KINDS.items()},
)
"""``data.ruling`` of ``ruling_made``: the move of ``play`` and ``accept`` stands beside it."""

SHARED = PLAIN.with_foreign({"clock": partial(nested, LOGGED_CLOCK), "ruling": partial(nested, LOGGED_RULING)})
"""Makes the shapes of what events of all games hold."""


def _asked(prefix: str, builder: Builder, *, with_move: bool) -> dict[str, Shape]:
    """The rulings that a referee may ask for, those that hold a move or the others."""
    asked = {name: record(kind.request or kind.record).members for name, kind in RULING_KINDS.items()}
    return {
        name: shape(f"{prefix}New{RULING_KINDS[name].record.__name__}", builder.asked(members))
        for name, members in asked.items()
        if any(member.name == "move" for member in members) == with_move
    }


OF_ANY_GAME = _asked("", PLAIN, with_move=False)
"""The rulings that a referee may ask for, but those that hold a move."""


def ruling_request(move: Shape, prefix: str = "") -> Shape:
    """Return the shape of the body of a ruling, given that of the moves of a game, or of any of them."""
    moves = _asked(prefix, PLAIN.with_foreign({"move": partial(nested, move)}), with_move=True)
    return shape(
        f"{prefix}RulingRequest",
        {
            "ruling": nested(tagged(f"{prefix}NewRuling", "kind", {**OF_ANY_GAME, **moves})),
            "reason": Text(REASON, required=True),
            "rule": Text(RULE_ID, allow_none=True, load_default=None),
            "audience": Seats(all_too=True, load_default="all"),
            "dry_run": Boolean(load_default=False),
        },
    )


CLOCK = shape(
    "MatchClock",
    {
        "control": nested(CONTROL),
        "now": Text(TIME, required=True),
        "seats": many(
            shape(
                "ClockSeat",
                {
                    "seat": seat_of(MOST_SEATS),
                    "bank_ms": Integer(0, MAX_INTEGER, required=True, allow_none=True),
                    "spent_ms": Integer(-MAX_INTEGER, MAX_INTEGER, required=True),
                    "running": Boolean(required=True),
                    "deadline": Text(TIME, required=True, allow_none=True),
                },
            ),
            MOST_SEATS,
        ),
    },
)
"""The time of the seats at the moment ``now``."""
