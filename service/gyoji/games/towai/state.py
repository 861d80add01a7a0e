"""The moves, events, options and positions of TOWAI: what each holds, and who may know it."""

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from gyoji.games.declared import Records
from gyoji.games.game import Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import BOTH, BY_SEAT, EACH, HIDEABLE, NOBODY, OWN, UNCOVERED, Among, Called, Most, Within
from gyoji.games.towai.components import CODES, DECK, Daylight

LONGEST = 2 * len(DECK)
"""A list may be too long for the game before it is too long for its shape: that is for the referee to find."""

Code = Annotated[str, Among(CODES)]
DayOrNight = Annotated[Daylight, Called("Daylight")]
Pile = Annotated[tuple[Code, ...], Most(LONGEST)]
Hands = Annotated[tuple[Pile, ...], BY_SEAT]


class Play(TypedDict):
    """A seat plays one card onto the pile; ``daylight`` when leading, and only then."""

    type: Literal["play"]
    seat: Seat
    card: Code
    daylight: NotRequired[DayOrNight]


class Pass(TypedDict):
    """A seat plays no card this turn."""

    type: Literal["pass"]
    seat: Seat


class EndTurn(TypedDict):
    """A seat plays no further card this turn."""

    type: Literal["end_turn"]
    seat: Seat


class Swap(TypedDict):
    """A seat chooses the card that goes to the right when all have chosen."""

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
    daylight: DayOrNight


class CardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: Seat
    card: Annotated[Code, UNCOVERED]


class DaylightFlipped(TypedDict):
    type: Literal["daylight_flipped"]
    daylight: DayOrNight


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
    """A score item: one finish."""

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


Phase = Literal["lead", "turn", "combo", "swap", "finished"]

PHASES: tuple[Phase, ...] = ("lead", "turn", "combo", "swap", "finished")

Choices = Annotated[tuple[Code | None, ...], BY_SEAT]
"""By seat, the card that it has chosen to give."""


class Options(NamedTuple):
    """The options of TOWAI; the defaults are the printed game and our rulings on it."""

    finishes_to_win: Annotated[int, Within(1, 3)] = 2
    first_card: Literal["matching", "any"] = "matching"
    reform: Literal["either", "discard"] = "either"


class State(NamedTuple):
    """A position of TOWAI: the state envelope and the table, named as in the rulebook."""

    seats: int
    options: Options
    seed: str | None
    shuffles: int
    round: int
    ply: int
    phase: Phase
    to_act: Seats
    scores: Scores
    outcome: Outcome | None
    starting: Seat
    daylight: DayOrNight | None
    hands: Annotated[Hands, HIDEABLE]
    deck: Annotated[Pile, HIDEABLE]
    pile: Pile
    discard: Pile
    turn: Seat
    combo: Annotated[int, Within(1, 7)] | None
    last_played: Seat | None
    passes: Annotated[int, Within(0, 6)]
    swap: Annotated[Choices | None, HIDEABLE]
    finishes: Annotated[tuple[Annotated[int, Within(0, 3)], ...], BY_SEAT]
    rounds: Annotated[tuple[Seat, ...], Most(99)]
    """Who finished each round that is over."""


RECORDS = Records(state=State, options=Options, moves=MOVES, events=EVENTS, line=LineFacts)
