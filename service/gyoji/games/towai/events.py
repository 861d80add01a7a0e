"""The moves and the events of TOWAI: what each holds, and who may know it."""

from typing import Annotated, Literal, NotRequired, TypedDict

from gyoji.games.game import Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import BOTH, BY_SEAT, EACH, NOBODY, OWN, UNCOVERED, Among, Most, Within
from gyoji.games.towai.components import CODES, DECK, Daylight

LONGEST = 2 * len(DECK)
"""A list may be too long for the game before it is too long for its shape: that is for the referee to find."""

Code = Annotated[str, Among(CODES)]
Pile = Annotated[tuple[Code, ...], Most(LONGEST)]
Hands = Annotated[tuple[Pile, ...], BY_SEAT]


class Play(TypedDict):
    """One card onto the pile; ``daylight`` when leading, and only then."""

    type: Literal["play"]
    seat: Seat
    card: Code
    daylight: NotRequired[Daylight]


class Pass(TypedDict):
    """No card this turn."""

    type: Literal["pass"]
    seat: Seat


class EndTurn(TypedDict):
    """No further card this turn."""

    type: Literal["end_turn"]
    seat: Seat


class Swap(TypedDict):
    """The card that goes to the right when all have chosen."""

    type: Literal["swap"]
    seat: Seat
    card: Annotated[Code, OWN]


class HandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: Annotated[Hands, EACH]
    deck: Annotated[Pile, NOBODY]


class DaylightDeclared(TypedDict):
    type: Literal["daylight_declared"]
    seat: Seat
    daylight: Daylight


class CardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: Seat
    card: Annotated[Code, UNCOVERED]


class DaylightFlipped(TypedDict):
    type: Literal["daylight_flipped"]
    daylight: Daylight


class PileDiscarded(TypedDict):
    type: Literal["pile_discarded"]
    rule: RuleId
    cards: Pile


class CardDrawn(TypedDict):
    type: Literal["card_drawn"]
    seat: Seat
    card: Annotated[Code, OWN]
    rule: RuleId


class DeckReformed(TypedDict):
    type: Literal["deck_reformed"]
    count: Annotated[int, Within(1, LONGEST)]
    deck: Annotated[Pile, NOBODY]


class SwapBegun(TypedDict):
    type: Literal["swap_begun"]
    seat: Seat


class SwapChosen(TypedDict):
    type: Literal["swap_chosen"]
    seat: Seat
    card: Annotated[Code, OWN]


CardPassed = TypedDict(
    "CardPassed", {"type": Literal["card_passed"], "from": Seat, "to": Seat, "card": Annotated[Code, BOTH]}
)


class Passed(TypedDict):
    type: Literal["passed"]
    seat: Seat


class TurnEnded(TypedDict):
    type: Literal["turn_ended"]
    seat: Seat


class RoundFinished(TypedDict):
    type: Literal["round_finished"]
    round: RoundNumber
    seat: Seat


class Outcome(TypedDict):
    """How the game ended."""

    winners: Seats
    scores: Scores
    reason: Literal["finished"]


class GameFinished(Outcome):
    type: Literal["game_finished"]


class LineFacts(TypedDict):
    """A line of the score: one finish."""

    seat: Seat
    rule: RuleId
    points: Points
    round: RoundNumber


MOVES = (Play, Pass, EndTurn, Swap)
EVENTS = (
    HandsDealt,
    DaylightDeclared,
    CardPlayed,
    DaylightFlipped,
    PileDiscarded,
    CardDrawn,
    DeckReformed,
    SwapBegun,
    SwapChosen,
    CardPassed,
    Passed,
    TurnEnded,
    RoundFinished,
    GameFinished,
)
