"""The shapes of TOWAI."""

from typing import Any

from marshmallow import fields

from gyoji.api.fields import Cards, Hidden, Listed, Whole, Wholes, Word
from gyoji.api.game_events import cited, events, game_finished, moves, round_number
from gyoji.api.shapes import Fields, GameShapes, all_required, envelope, outcome_shape, seat_of, shape
from gyoji.games.towai import GAME
from gyoji.games.towai.components import CODES, DAYLIGHTS, DECK

PREFIX = "Towai"
SEATS = GAME.max_seats
CARDS = 2 * len(DECK)
"""A list may be too long for the game before it is too long for the shape: that is for the referee to find."""


def _options() -> dict[str, fields.Field[Any]]:
    return {
        "finishes_to_win": Whole(1, 3, load_default=2),
        "first_card": Word("matching", "any", load_default="matching"),
        "reform": Word("either", "discard", load_default="either"),
    }


def _card() -> Word:
    return Word(*CODES, required=True)


def _cards(**options: Any) -> Cards:
    return Cards(CODES, CARDS, **options)


def _daylight(**options: Any) -> Word:
    return Word(*DAYLIGHTS, **options)


def _table(hands: Listed, deck: Any) -> Fields:
    return {
        "starting": seat_of(SEATS),
        "daylight": _daylight(required=True, allow_none=True),
        "hands": hands,
        "deck": deck,
        "pile": _cards(required=True),
        "discard": _cards(required=True),
        "turn": seat_of(SEATS),
        "combo": Whole(1, 7, required=True, allow_none=True),
        "last_played": seat_of(SEATS, allow_none=True),
        "passes": Whole(0, SEATS, required=True),
        "swap": Cards(CODES, SEATS, gaps=True, required=True, allow_none=True),
        "finishes": Wholes(0, 3, most=SEATS, required=True),
        "rounds": Wholes(0, SEATS - 1, most=99, required=True),
    }


OUTCOME = outcome_shape("TowaiOutcome", SEATS, "finished")
OPTIONS_GIVEN = shape("TowaiOptionsGiven", _options())
OPTIONS = shape("TowaiOptions", all_required(_options()))
STATE = envelope(
    "TowaiState",
    GAME,
    OPTIONS,
    OUTCOME,
    shape("TowaiTable", _table(Listed(_cards(), SEATS, required=True), _cards(required=True))),
)
VIEW = envelope(
    "TowaiView",
    GAME,
    OPTIONS,
    OUTCOME,
    shape(
        "TowaiTableView",
        _table(Listed(Hidden(_cards()), SEATS, required=True), Hidden(_cards(), required=True)),
    ),
)
MOVE = moves(
    PREFIX,
    {
        "play": {"card": _card(), "daylight": _daylight()},
        "pass": {},
        "end_turn": {},
        "swap": {"card": _card()},
    },
    SEATS,
)
EVENT = events(
    PREFIX,
    {
        "hands_dealt": {
            "round": round_number(),
            "hands": Listed(_cards(), SEATS, required=True),
            "deck": _cards(required=True),
        },
        "daylight_declared": {"seat": seat_of(SEATS), "daylight": _daylight(required=True)},
        "card_played": {"seat": seat_of(SEATS), "card": _card()},
        "daylight_flipped": {"daylight": _daylight(required=True)},
        "pile_discarded": {"rule": cited(), "cards": _cards(required=True)},
        "card_drawn": {"seat": seat_of(SEATS), "card": _card(), "rule": cited()},
        "deck_reformed": {"count": Whole(1, CARDS, required=True), "deck": _cards(required=True)},
        "swap_begun": {"seat": seat_of(SEATS)},
        "swap_chosen": {"seat": seat_of(SEATS), "card": _card()},
        "card_passed": {"from": seat_of(SEATS), "to": seat_of(SEATS), "card": _card()},
        "passed": {"seat": seat_of(SEATS)},
        "turn_ended": {"seat": seat_of(SEATS)},
        "round_finished": {"round": round_number(), "seat": seat_of(SEATS)},
        "game_finished": game_finished(SEATS, "finished"),
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
    rounds=Wholes(0, SEATS - 1, most=99, required=True),
    line_facts={"round": round_number()},
    data={},
)
