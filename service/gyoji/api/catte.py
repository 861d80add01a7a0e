"""The shapes of Catte."""

from typing import Any

from marshmallow import fields

from gyoji.api.fields import Cards, Hidden, Listed, OpenCards, Text, Whole, Wholes, Word
from gyoji.api.game_events import cited, events, game_finished, lines_field, moves, play_shape, round_number
from gyoji.api.json_gate import MAX_INTEGER
from gyoji.api.shapes import (
    Fields,
    GameShapes,
    all_required,
    envelope,
    many,
    nested,
    outcome_shape,
    scores_field,
    seat_of,
    shape,
)
from gyoji.games.catte import GAME
from gyoji.games.catte.components import COFFEE, DECK

PREFIX = "Catte"
SEATS = GAME.max_seats
CAT = "[BWK][1-9][0-9]?"
MOST_CATS = 297
"""Three colours, numbers 1 to 99."""
CATS_LISTED = 2 * MOST_CATS
"""A list may be too long for the game before it is too long for the shape: that is for the referee to find."""


def _options() -> dict[str, fields.Field[Any]]:
    return {
        "bust_bonus": Word("keep", "forfeit", load_default="keep"),
        "deck": OpenCards(CAT, MOST_CATS, distinct=True, allow_none=True, load_default=None),
    }


def _cat() -> Text:
    return Text(CAT, required=True)


def _cats(**options: Any) -> OpenCards:
    return OpenCards(CAT, CATS_LISTED, **options)


def _coffee(**options: Any) -> Word:
    return Word(*COFFEE, required=True, **options)


def _row() -> Cards:
    return Cards(COFFEE, 2 * len(COFFEE))


def _rows() -> Listed:
    return Listed(_row(), SEATS, required=True)


COFFEES = shape("CatteCoffee", {"unused": _rows(), "acquired": _rows(), "centre": _coffee(allow_none=True)})
ROUND_FACTS: Fields = {
    "reason": Word("limit_exceeded", "hands_empty", "no_coffee", required=True),
    "points": scores_field(),
    "acquired": _rows(),
    "unused": Wholes(0, len(COFFEE), most=SEATS, required=True),
}
ROUND = shape("CatteRound", ROUND_FACTS)


TRICK_CARD = play_shape(PREFIX, SEATS, _cat())


def _table(hands: Listed, aside: Any, discard: Any) -> Fields:
    return {
        "starting": seat_of(SEATS),
        "lead": seat_of(SEATS),
        "hands": hands,
        "aside": aside,
        "coffee": nested(COFFEES),
        "trick": many(TRICK_CARD, SEATS),
        "discard": discard,
        "rounds": many(ROUND, SEATS),
    }


OUTCOME = outcome_shape("CatteOutcome", SEATS, "rounds_played")
OPTIONS_GIVEN = shape("CatteOptionsGiven", _options())
OPTIONS = shape("CatteOptions", all_required(_options()))
STATE = envelope(
    "CatteState",
    GAME,
    OPTIONS,
    OUTCOME,
    shape(
        "CatteTable",
        _table(Listed(_cats(), SEATS, required=True), _cats(required=True), _cats(required=True)),
    ),
)
VIEW = envelope(
    "CatteView",
    GAME,
    OPTIONS,
    OUTCOME,
    shape(
        "CatteTableView",
        _table(
            Listed(Hidden(_cats()), SEATS, required=True),
            Hidden(_cats(), required=True),
            Hidden(_cats(), required=True),
        ),
    ),
)
MOVE = moves(PREFIX, {"coffee": {"card": _coffee()}, "play": {"card": _cat()}}, SEATS)
LINE_FACTS: Fields = {
    "round": round_number(),
    "times": Whole(0, 2),
    "total": Whole(0, MAX_INTEGER),
    "limit": Whole(0, MAX_INTEGER),
    "unused": Whole(0, len(COFFEE)),
}
EVENT = events(
    PREFIX,
    {
        "hands_dealt": {
            "round": round_number(),
            "hands": Listed(_cats(), SEATS, required=True),
            "aside": _cats(required=True),
            "coffee": nested(COFFEES),
        },
        "coffee_served": {"seat": seat_of(SEATS), "card": _coffee()},
        "card_played": {"seat": seat_of(SEATS), "card": _cat()},
        "trick_won": {"seat": seat_of(SEATS), "cards": _cats(required=True), "rule": cited()},
        "coffee_acquired": {"seat": seat_of(SEATS), "card": _coffee(), "total": Whole(1, required=True)},
        "round_scored": {"round": round_number(), **ROUND_FACTS, "lines": lines_field(PREFIX, SEATS, LINE_FACTS)},
        "game_finished": game_finished(SEATS, "rounds_played"),
    },
)

SHAPES = GameShapes(
    prefix=PREFIX,
    game=GAME,
    options_given=OPTIONS_GIVEN,
    options=OPTIONS,
    outcome=OUTCOME,
    state=STATE,
    view=VIEW,
    move=MOVE,
    event=EVENT,
    rounds=many(ROUND, SEATS),
    line_facts=LINE_FACTS,
    data={"deck": DECK},
)
