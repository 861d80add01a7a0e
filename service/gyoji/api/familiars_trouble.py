"""The shapes of Familiar's Trouble."""

from typing import Any

from marshmallow import fields

from gyoji.api.fields import Cards, Flag, Hidden, Listed, OpenCards, Text, Whole, Wholes, Word
from gyoji.api.game_events import events, game_finished, moves, play_shape, round_number
from gyoji.api.shapes import (
    Fields,
    GameShapes,
    all_required,
    envelope,
    many,
    nested,
    outcome_shape,
    seat_of,
    shape,
)
from gyoji.games.familiars_trouble import GAME
from gyoji.games.familiars_trouble.components import CARDS, COLOURS, ERRANDS
from gyoji.games.familiars_trouble.scoring import RATINGS
from gyoji.games.familiars_trouble.state import write_errand

PREFIX = "FamiliarsTrouble"
SEATS = GAME.max_seats
CARDS_LISTED = 2 * len(CARDS)
"""A list may be too long for the game before it is too long for the shape: that is for the referee to find."""
ERRAND = "[A-Za-z0-9-]{1,32}"
MOST_ERRANDS = 99
MOST_POINTS = 9999


def _errand() -> Text:
    return Text(ERRAND, required=True)


def _errands(**options: Any) -> OpenCards:
    return OpenCards(ERRAND, 2 * MOST_ERRANDS, **options)


def _figure() -> Whole:
    return Whole(0, MOST_POINTS, required=True)


REQUIRES = shape("FamiliarsTroubleRequirements", {"red": _figure(), "blue": _figure(), "green": _figure()})
ERRAND_CARD = shape(
    "FamiliarsTroubleErrand",
    {"id": _errand(), "level": Whole(1, 3, required=True), "requires": nested(REQUIRES), "points": _figure()},
)


def _options() -> dict[str, fields.Field[Any]]:
    return {
        "hand_exchange": Flag(load_default=True),
        "errand_exchange": Flag(load_default=True),
        "opening": Wholes(0, 9, exactly=3, load_default=[3, 1, 1]),
        "lead_rule": Word("attribute", "any", load_default="attribute"),
        "errands": many(ERRAND_CARD, MOST_ERRANDS, required=False, allow_none=True, load_default=None),
    }


def _card() -> Word:
    return Word(*COLOURS, required=True)


def _cards(**options: Any) -> Cards:
    return Cards(COLOURS, CARDS_LISTED, **options)


def _level() -> Whole:
    return Whole(1, 3, required=True)


TRICK_CARD = play_shape(PREFIX, SEATS, _card())


def _table(hands: Listed, draw: Any, piles: Any) -> Fields:
    return {
        "lead": seat_of(SEATS),
        "hands": hands,
        "draw": draw,
        "errands": _errands(required=True),
        "piles": piles,
        "completed": _errands(required=True),
        "discard": _cards(required=True),
        "trick": many(TRICK_CARD, SEATS),
        "exchange": seat_of(SEATS, allow_none=True),
        "tricks": Whole(0, 9, required=True),
    }


PILES = shape("FamiliarsTroublePiles", {level: _errands(required=True) for level in "123"})
PILES_VIEW = shape("FamiliarsTroublePilesView", {level: Hidden(_errands(), required=True) for level in "123"})
RATING: Fields = {"rating": Word(*(label for _least, label in reversed(RATINGS)), required=True)}
OUTCOME = outcome_shape("FamiliarsTroubleOutcome", SEATS, "hands_played", RATING)
OPTIONS_GIVEN = shape("FamiliarsTroubleOptionsGiven", _options())
OPTIONS = shape("FamiliarsTroubleOptions", all_required(_options()))
STATE = envelope(
    "FamiliarsTroubleState",
    GAME,
    OPTIONS,
    OUTCOME,
    shape(
        "FamiliarsTroubleTable",
        _table(Listed(_cards(), SEATS, required=True), _cards(required=True), nested(PILES)),
    ),
)
VIEW = envelope(
    "FamiliarsTroubleView",
    GAME,
    OPTIONS,
    OUTCOME,
    shape(
        "FamiliarsTroubleTableView",
        _table(Listed(Hidden(_cards()), SEATS, required=True), Hidden(_cards(), required=True), nested(PILES_VIEW)),
    ),
)
MOVE = moves(
    PREFIX,
    {
        "skip_exchange": {},
        "exchange": {"card": _card()},
        "skip_errand": {},
        "replace_errand": {"errand": _errand(), "level": _level()},
        "play": {"card": _card()},
        "draw_errand": {"level": _level()},
    },
    SEATS,
)
TOTALS = shape("FamiliarsTroubleTotals", {"red": _figure(), "blue": _figure(), "green": _figure()})
EVENT = events(
    PREFIX,
    {
        "hands_dealt": {
            "round": round_number(),
            "hands": Listed(_cards(), SEATS, required=True),
            "draw": _cards(required=True),
            "errands": _errands(required=True),
            "piles": nested(PILES),
        },
        "exchange_skipped": {"seat": seat_of(SEATS)},
        "errand_exchange_skipped": {"seat": seat_of(SEATS)},
        "card_passed": {"from": seat_of(SEATS), "to": seat_of(SEATS), "card": _card()},
        "errand_replaced": {"seat": seat_of(SEATS), "discarded": _errand(), "turned_up": _errand(), "level": _level()},
        "card_played": {"seat": seat_of(SEATS), "card": _card()},
        "trick_won": {
            "seat": seat_of(SEATS),
            "cards": _cards(required=True),
            "rule": Word("FAM-3.7", "FAM-3.8", required=True),
        },
        "errands_completed": {
            "errands": _errands(required=True),
            "totals": nested(TOTALS),
            "points": Whole(required=True),
        },
        "errand_turned_up": {"seat": seat_of(SEATS), "errand": _errand(), "level": _level()},
        "card_drawn": {"seat": seat_of(SEATS), "card": _card()},
        "game_finished": game_finished(SEATS, "hands_played", RATING),
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
    rounds=Wholes(most=0, required=True),
    line_facts={"errand": _errand(), "red": _figure(), "blue": _figure(), "green": _figure()},
    data={"errands": [write_errand(errand) for errand in ERRANDS]},
)
