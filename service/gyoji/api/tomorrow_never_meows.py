"""The shapes of Tomorrow Never Meows."""

from typing import Any

from marshmallow import fields

from gyoji.api.fields import Cards, Flag, Flags, Hidden, Listed, Whole, Wholes, Word
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
from gyoji.games.tomorrow_never_meows import GAME
from gyoji.games.tomorrow_never_meows.components import DECK, SUITS, WISH_POINTS, WISHES

PREFIX = "TomorrowNeverMeows"
SEATS = GAME.max_seats
ROUNDS = 4
TRICKS = 10
CARDS_LISTED = 2 * len(DECK)
"""A list may be too long for the game before it is too long for the shape: that is for the referee to find."""

ROW = shape("TomorrowNeverMeowsWishRow", {suit: Whole(-9, 9, required=True) for suit in SUITS})
WISH_TABLE = shape("TomorrowNeverMeowsWishPoints", {wish: nested(ROW) for wish in WISH_POINTS})


def _options() -> dict[str, fields.Field[Any]]:
    return {
        "rounds": Whole(3, ROUNDS, load_default=3),
        "round_leader": Word("lowest_score", "clockwise", load_default="lowest_score"),
        "wishes": Word("all", "basic", load_default="all"),
        "concealed": Flag(load_default=False),
        "bluff_scoring": Word("none", "per_trick", load_default="none"),
        "wish_points": nested(WISH_TABLE, required=False, allow_none=True, load_default=None),
    }


def _card() -> Word:
    return Word(*DECK, required=True)


def _cards(**options: Any) -> Cards:
    return Cards(DECK, CARDS_LISTED, **options)


def _hands() -> Listed:
    return Listed(_cards(), SEATS, required=True)


def _wish(**options: Any) -> Word:
    return Word(*WISHES, required=True, **options)


def _wishes(*, gaps: bool = True) -> Cards:
    return Cards(WISHES, SEATS, gaps=gaps, required=True)


def _tricks() -> Wholes:
    return Wholes(0, TRICKS, most=SEATS, required=True)


WON = shape("TomorrowNeverMeowsWon", {suit: Whole(0, len(DECK), required=True) for suit in SUITS})
ROUND = shape(
    "TomorrowNeverMeowsRound",
    {
        "points": scores_field(),
        "tricks": _tricks(),
        "wishes": _wishes(gaps=False),
        "announced": _wishes(),
        "won": many(WON, SEATS),
    },
)


TRICK_CARD = play_shape(PREFIX, SEATS, _card())


def _table(hands: Listed, aside: Any, captured: Listed) -> Fields:
    return {
        "first_lead": seat_of(SEATS),
        "lead": seat_of(SEATS),
        "wish_order": Wholes(0, SEATS - 1, most=SEATS, required=True),
        "hands": hands,
        "aside": aside,
        "wishes": _wishes(),
        "announced": _wishes(),
        "last_wishes": _wishes(),
        "advanced": Flags(SEATS, required=True),
        "trick": many(TRICK_CARD, SEATS),
        "captured": captured,
        "tricks_won": _tricks(),
        "rounds": many(ROUND, ROUNDS),
    }


def _hidden_hands() -> Listed:
    return Listed(Hidden(_cards()), SEATS, required=True)


OUTCOME = outcome_shape("TomorrowNeverMeowsOutcome", SEATS, "rounds_played")
OPTIONS_GIVEN = shape("TomorrowNeverMeowsOptionsGiven", _options())
OPTIONS = shape("TomorrowNeverMeowsOptions", all_required(_options()))
STATE = envelope(
    "TomorrowNeverMeowsState",
    GAME,
    OPTIONS,
    OUTCOME,
    shape("TomorrowNeverMeowsTable", _table(_hands(), _cards(required=True), _hands())),
)
VIEW = envelope(
    "TomorrowNeverMeowsView",
    GAME,
    OPTIONS,
    OUTCOME,
    shape(
        "TomorrowNeverMeowsTableView",
        _table(_hidden_hands(), Hidden(_cards(), required=True), _hidden_hands()),
    ),
)
MOVE = moves(PREFIX, {"wish": {"wish": _wish()}, "announce": {"wish": _wish()}, "play": {"card": _card()}}, SEATS)
LINE_FACTS: Fields = {
    "round": round_number(),
    **{fact: Whole(0, 99) for fact in ("fine", "cloudy", "rainy", "thunder", "snow", "pairs", "tricks")},
    **{fact: Whole(0, 99) for fact in ("common", "special", "product")},
    "each": Whole(-MAX_INTEGER, MAX_INTEGER),
}
EVENT = events(
    PREFIX,
    {
        "hands_dealt": {"round": round_number(), "hands": _hands(), "aside": _cards(required=True)},
        "wish_chosen": {"seat": seat_of(SEATS), "wish": _wish()},
        "wish_announced": {"seat": seat_of(SEATS), "wish": _wish()},
        "card_played": {"seat": seat_of(SEATS), "card": _card()},
        "trick_won": {"seat": seat_of(SEATS), "cards": _cards(required=True), "rule": cited()},
        "round_scored": {
            "round": round_number(),
            "points": scores_field(),
            "wishes": _wishes(gaps=False),
            "announced": _wishes(),
            "tricks": _tricks(),
            "won": _hands(),
            "lines": lines_field(PREFIX, SEATS, LINE_FACTS),
        },
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
    rounds=many(ROUND, ROUNDS),
    line_facts=LINE_FACTS,
    data={"wish_points": WISH_POINTS},
)
