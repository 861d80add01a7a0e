"""The moves, events, options and positions of Familiar's Trouble: what each holds, and who may know it."""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypedDict

from gyoji.games.declared import Records
from gyoji.games.familiars_trouble.components import CARDS, COLOURS, Level
from gyoji.games.familiars_trouble.errands import BY_ID, ERRANDS, Errand, ErrandId, Figure
from gyoji.games.game import Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import (
    BOTH,
    BY_SEAT,
    EACH,
    HIDEABLE,
    NOBODY,
    OWN,
    UNCOVERED,
    Among,
    Exactly,
    Keys,
    Most,
    Within,
)
from gyoji.games.tricks import TrickCard

LONGEST = 2 * len(CARDS)
"""A list may be too long for the game before it is too long for its shape: that is for the referee to find."""
MOST_ERRANDS = 99

Code = Annotated[str, Among(COLOURS)]
Cards = Annotated[tuple[Code, ...], Most(LONGEST)]
Hands = Annotated[tuple[Cards, ...], BY_SEAT]
ErrandIds = Annotated[tuple[ErrandId, ...], Most(2 * MOST_ERRANDS)]
Piles = Annotated[tuple[ErrandIds, ...], Keys("1", "2", "3")]
"""The errand piles of level 1, 2 and 3."""


class SkipExchange(TypedDict):
    type: Literal["skip_exchange"]
    seat: Seat


class Exchange(TypedDict):
    type: Literal["exchange"]
    seat: Seat
    card: Annotated[Code, OWN]


class SkipErrand(TypedDict):
    type: Literal["skip_errand"]
    seat: Seat


class ReplaceErrand(TypedDict):
    type: Literal["replace_errand"]
    seat: Seat
    errand: ErrandId
    level: Level


class PlayCard(TypedDict):
    type: Literal["play"]
    seat: Seat
    card: Code


class DrawErrand(TypedDict):
    type: Literal["draw_errand"]
    seat: Seat
    level: Level


class HandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: Annotated[Hands, EACH]
    draw: Annotated[Cards, NOBODY]
    errands: ErrandIds
    piles: Annotated[Piles, NOBODY]


class ExchangeSkipped(TypedDict):
    type: Literal["exchange_skipped"]
    seat: Seat


class ErrandExchangeSkipped(TypedDict):
    type: Literal["errand_exchange_skipped"]
    seat: Seat


CardPassed = TypedDict(
    "CardPassed", {"type": Literal["card_passed"], "from": Seat, "to": Seat, "card": Annotated[Code, BOTH]}
)


class ErrandReplaced(TypedDict):
    type: Literal["errand_replaced"]
    seat: Seat
    discarded: ErrandId
    turned_up: Annotated[ErrandId, UNCOVERED]
    level: Level


class CardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: Seat
    card: Annotated[Code, UNCOVERED]


class TrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: Seat
    cards: Cards
    rule: Literal["FAM-3.7", "FAM-3.8"]


class Totals(TypedDict):
    """What a trick has reached in each colour."""

    red: Figure
    blue: Figure
    green: Figure


class ErrandsCompleted(TypedDict):
    type: Literal["errands_completed"]
    errands: ErrandIds
    totals: Totals
    points: Annotated[int, Within()]


class ErrandTurnedUp(TypedDict):
    type: Literal["errand_turned_up"]
    seat: Seat
    errand: Annotated[ErrandId, UNCOVERED]
    level: Level


class CardDrawn(TypedDict):
    type: Literal["card_drawn"]
    seat: Seat
    card: Annotated[Code, OWN]


class Outcome(TypedDict):
    """How the game ended, and how well the seats did."""

    winners: Seats
    scores: Scores
    reason: Literal["hands_played"]
    rating: Literal["poor", "fair", "good", "excellent", "legendary"]


class GameFinished(Outcome):
    type: Literal["game_finished"]


class LineFacts(TypedDict):
    """A score item: a completed errand, and its requirements."""

    seat: Seat | None
    rule: RuleId
    points: Points
    errand: ErrandId
    red: Figure
    blue: Figure
    green: Figure


MOVES = (SkipExchange, Exchange, SkipErrand, ReplaceErrand, PlayCard, DrawErrand)
EVENTS = (
    HandsDealt,
    ExchangeSkipped,
    ErrandExchangeSkipped,
    CardPassed,
    ErrandReplaced,
    CardPlayed,
    TrickWon,
    ErrandsCompleted,
    ErrandTurnedUp,
    CardDrawn,
    GameFinished,
)


class Options(NamedTuple):
    """The options of Familiar's Trouble, defaults first; ``errands`` is ``None`` for the rulebook's own deck."""

    hand_exchange: bool = True
    errand_exchange: bool = True
    opening: Annotated[tuple[Annotated[int, Within(0, 9)], ...], Exactly(3)] = (3, 1, 1)
    lead_rule: Literal["attribute", "any"] = "attribute"
    errands: Annotated[tuple[Errand, ...], Most(MOST_ERRANDS)] | None = None


class State(NamedTuple):
    """A position of Familiar's Trouble: the state envelope and the table."""

    seats: int
    options: Options
    seed: str | None
    shuffles: int
    round: int
    ply: int
    phase: str
    to_act: Seats
    scores: Scores
    outcome: Outcome | None
    lead: Seat
    hands: Annotated[Hands, HIDEABLE]
    draw: Annotated[Cards, HIDEABLE]
    errands: ErrandIds
    piles: Annotated[Piles, HIDEABLE]
    completed: ErrandIds
    discard: Cards
    trick: Annotated[tuple[TrickCard[Code], ...], BY_SEAT]
    exchange: Seat | None
    tricks: Annotated[int, Within(0, 9)]


RECORDS = Records(state=State, options=Options, moves=MOVES, events=EVENTS, line=LineFacts)


def errand_list(options: Options) -> tuple[Errand, ...]:
    """The errand deck in force, in canonical order."""
    return ERRANDS if options.errands is None else options.errands


def errand_deck(options: Options) -> Mapping[ErrandId, Errand]:
    """The errand deck in force, by id, in canonical order."""
    return BY_ID if options.errands is None else {errand.id: errand for errand in options.errands}
