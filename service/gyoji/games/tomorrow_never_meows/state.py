"""The moves, events, options and positions of Tomorrow Never Meows: what each holds, and who may know it."""

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from gyoji.games.declared import Records
from gyoji.games.game import Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, EACH, HIDEABLE, NOBODY, UNCOVERED, Among, Called, KnownTo, Most, Within
from gyoji.games.tomorrow_never_meows.components import DECK, WISHES
from gyoji.games.tricks import TrickCard

LONGEST = 2 * len(DECK)
"""A list may be too long for the game before it is too long for its shape: that is for the referee to find."""

FACE_DOWN = KnownTo("own", under="concealed")
"""TNM-2.1: wishes lie open. TNM-7.1: concealed ones lie face down."""

Code = Annotated[str, Among(DECK)]
Wish = Annotated[str, Among(WISHES), Called("Wish")]
Cards = Annotated[tuple[Code, ...], Most(LONGEST)]
Hands = Annotated[tuple[Cards, ...], BY_SEAT]
Wishes = Annotated[tuple[Wish | None, ...], BY_SEAT]
Tricks = Annotated[tuple[Annotated[int, Within(0, 10)], ...], BY_SEAT]
Figure = Annotated[int, Within(0, 99)]


class WishMove(TypedDict):
    type: Literal["wish"]
    seat: Seat
    wish: Annotated[Wish, FACE_DOWN]


class AnnounceMove(TypedDict):
    type: Literal["announce"]
    seat: Seat
    wish: Wish


class PlayMove(TypedDict):
    type: Literal["play"]
    seat: Seat
    card: Code


class HandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: Annotated[Hands, EACH]
    aside: Annotated[Cards, NOBODY]


class WishChosen(TypedDict):
    type: Literal["wish_chosen"]
    seat: Seat
    wish: Annotated[Wish, FACE_DOWN]


class WishAnnounced(TypedDict):
    type: Literal["wish_announced"]
    seat: Seat
    wish: Annotated[Wish, UNCOVERED]


class CardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: Seat
    card: Annotated[Code, UNCOVERED]


class TrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: Seat
    cards: Cards
    rule: RuleId


class LineFacts(TypedDict):
    """A score item: what a wish, or an announcement, brought a seat in a round."""

    seat: Seat
    rule: RuleId
    points: Points
    round: RoundNumber
    fine: NotRequired[Figure]
    cloudy: NotRequired[Figure]
    rainy: NotRequired[Figure]
    thunder: NotRequired[Figure]
    snow: NotRequired[Figure]
    pairs: NotRequired[Figure]
    tricks: NotRequired[Figure]
    common: NotRequired[Figure]
    special: NotRequired[Figure]
    product: NotRequired[Figure]
    each: NotRequired[Points]


class RoundScored(TypedDict):
    type: Literal["round_scored"]
    round: RoundNumber
    points: Scores
    wishes: Annotated[tuple[Wish, ...], BY_SEAT]
    announced: Wishes
    tricks: Tricks
    won: Hands
    lines: tuple[LineFacts, ...]


class Outcome(TypedDict):
    """How the game ended."""

    winners: Seats
    scores: Scores
    reason: Literal["rounds_played"]


class GameFinished(Outcome):
    type: Literal["game_finished"]


class Won(NamedTuple):
    """How many cards of each suit a seat has won in a round: Fine, Cloudy, Rainy, Thunder, Snow."""

    F: Annotated[int, Within(0, len(DECK))]
    C: Annotated[int, Within(0, len(DECK))]
    R: Annotated[int, Within(0, len(DECK))]
    T: Annotated[int, Within(0, len(DECK))]
    S: Annotated[int, Within(0, len(DECK))]


class Round(NamedTuple):
    """A finished round: the points of each seat and all that they were computed from."""

    points: Scores
    tricks: Tricks
    wishes: Annotated[tuple[Wish, ...], BY_SEAT]
    announced: Wishes
    won: Annotated[tuple[Won, ...], BY_SEAT]


MOVES = (WishMove, AnnounceMove, PlayMove)
EVENTS = (HandsDealt, WishChosen, WishAnnounced, CardPlayed, TrickWon, RoundScored, GameFinished)


PointsEach = Annotated[int, Within(-9, 9)]


class WishRow(NamedTuple):
    """What a wish brings for each card of a suit: Fine, Cloudy, Rainy, Thunder, Snow."""

    F: PointsEach
    C: PointsEach
    R: PointsEach
    T: PointsEach
    S: PointsEach


class WishPoints(NamedTuple):
    """The rows of the wishes that score by the card."""

    fine: WishRow
    cloudy: WishRow
    rainy: WishRow
    thunder: WishRow


WISH_POINTS = WishPoints(
    fine=WishRow(1, 0, 0, 0, 0),
    cloudy=WishRow(0, 1, 0, 0, 0),
    rainy=WishRow(0, 0, 1, 0, 0),
    thunder=WishRow(0, 0, 0, 2, 0),
)
"""TNM-6.2: points a card by wish and suit (reconstructed); the option ``wish_points`` takes its place."""

BY_THE_CARD = WishPoints._fields
"""The wishes that score by the card."""


class Options(NamedTuple):
    """The options of Tomorrow Never Meows: what a table may decide otherwise; the defaults are the rulebook's."""

    rounds: Annotated[int, Within(3, 4)] = 3
    round_leader: Literal["lowest_score", "clockwise"] = "lowest_score"
    wishes: Literal["all", "basic"] = "all"
    concealed: bool = False
    bluff_scoring: Literal["none", "per_trick"] = "none"
    wish_points: WishPoints | None = None


class State(NamedTuple):
    """A position of Tomorrow Never Meows: the state envelope and the table, named as in the rulebook."""

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
    first_lead: Seat
    lead: Seat
    wish_order: Seats
    hands: Annotated[Hands, HIDEABLE]
    aside: Annotated[Cards, HIDEABLE]
    wishes: Annotated[Wishes, HIDEABLE]
    announced: Wishes
    last_wishes: Wishes
    advanced: Annotated[tuple[bool, ...], BY_SEAT]
    trick: Annotated[tuple[TrickCard[Code], ...], BY_SEAT]
    captured: Annotated[Hands, HIDEABLE]
    tricks_won: Tricks
    rounds: Annotated[tuple[Round, ...], Most(4)]


RECORDS = Records(state=State, options=Options, moves=MOVES, events=EVENTS, line=LineFacts)
