"""The moves and the events of Familiar's Trouble: what each holds, and who may know it."""

from typing import Annotated, Literal, TypedDict

from gyoji.games.familiars_trouble.components import CARDS, COLOURS, Level
from gyoji.games.familiars_trouble.errands import ErrandId, Figure
from gyoji.games.game import Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import BOTH, BY_SEAT, EACH, NOBODY, OWN, UNCOVERED, Among, Keys, Most, Within

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
    """A line of the score: a completed errand, and what it asked for."""

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
