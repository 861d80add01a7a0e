"""The moves, events, options and positions of Catte: what each holds, and who may know it."""

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from gyoji.games.catte.components import COFFEE, DECK, in_hand_order
from gyoji.games.declared import Records
from gyoji.games.game import Card, Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, DISTINCT, EACH, HIDEABLE, NOBODY, UNCOVERED, Among, Called, Like, Most, Within
from gyoji.games.tricks import TrickCard

MOST_CATS = 297
"""Three colours, numbers 1 to 99."""
LONGEST = 2 * MOST_CATS
"""A list may be too long for the game before it is too long for its shape: that is for the referee to find."""

CatCode = Annotated[str, Like("[BWK][1-9][0-9]?"), Called("Card")]
CoffeeCode = Annotated[str, Among(COFFEE), Called("CoffeeCard")]
Cats = Annotated[tuple[CatCode, ...], Most(LONGEST)]
Hands = Annotated[tuple[Cats, ...], BY_SEAT]
Rows = Annotated[tuple[Annotated[tuple[CoffeeCode, ...], Most(2 * len(COFFEE))], ...], BY_SEAT]

RoundEnd = Literal["limit_exceeded", "hands_empty", "no_coffee"]


class CoffeeMove(TypedDict):
    """CAT-2.2: the lead player serves an unused coffee card."""

    type: Literal["coffee"]
    seat: Seat
    card: CoffeeCode


class PlayMove(TypedDict):
    """CAT-2.3, CAT-3.1: a seat plays a cat card into the trick."""

    type: Literal["play"]
    seat: Seat
    card: CatCode


class Coffee(NamedTuple):
    """The coffee cards, all of them public: those that a seat may still serve, those that it has acquired as won, and
    the one that was served for the trick."""

    unused: Rows
    acquired: Rows
    centre: CoffeeCode | None


class HandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: Annotated[Hands, EACH]
    aside: Annotated[Cats, NOBODY]
    coffee: Coffee


class CoffeeServed(TypedDict):
    type: Literal["coffee_served"]
    seat: Seat
    card: CoffeeCode


class CardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: Seat
    card: Annotated[CatCode, UNCOVERED]


class TrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: Seat
    cards: Cats
    rule: RuleId


class CoffeeAcquired(TypedDict):
    type: Literal["coffee_acquired"]
    seat: Seat
    card: CoffeeCode
    total: Annotated[int, Within(1)]


class LineFacts(TypedDict):
    """A score item: what a seat's coffee cards of one sort brought in a round."""

    seat: Seat
    rule: RuleId
    points: Points
    round: RoundNumber
    times: NotRequired[Annotated[int, Within(0, 2)]]
    total: NotRequired[Annotated[int, Within()]]
    limit: NotRequired[Annotated[int, Within()]]
    unused: NotRequired[Annotated[int, Within(0, len(COFFEE))]]


class Round(NamedTuple):
    """What is kept of a round that has been scored."""

    reason: RoundEnd
    points: Scores
    acquired: Rows
    unused: Annotated[tuple[Annotated[int, Within(0, len(COFFEE))], ...], BY_SEAT]


class RoundScored(TypedDict):
    type: Literal["round_scored"]
    round: RoundNumber
    reason: RoundEnd
    points: Scores
    acquired: Rows
    unused: Annotated[tuple[Annotated[int, Within(0, len(COFFEE))], ...], BY_SEAT]
    lines: tuple[LineFacts, ...]


class Outcome(TypedDict):
    """How the game ended."""

    winners: Seats
    scores: Scores
    reason: Literal["rounds_played"]


class GameFinished(Outcome):
    type: Literal["game_finished"]


MOVES = (CoffeeMove, PlayMove)
EVENTS = (HandsDealt, CoffeeServed, CardPlayed, TrickWon, CoffeeAcquired, RoundScored, GameFinished)


PHASES = ("coffee", "trick", "finished")

BustBonus = Literal["keep", "forfeit"]


class Options(NamedTuple):
    """The options of Catte: what a table may decide for itself."""

    bust_bonus: BustBonus = "keep"
    """CAT-R2: whether a seat above the limit keeps its points for unused coffee cards."""
    deck: Annotated[tuple[CatCode, ...], Most(MOST_CATS), DISTINCT] | None = None
    """CAT-R1: the table's own cat cards, in the order given; ``None``: the 41 of the page."""

    def cats(self) -> tuple[Card, ...]:
        """The cat cards in hand order, as they are before a shuffle."""
        return DECK if self.deck is None else in_hand_order(self.deck)


class State(NamedTuple):
    """A position of Catte: the state envelope and the table. Hands and unused coffee cards are in hand order."""

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
    starting: Seat
    lead: Seat
    hands: Annotated[Hands, HIDEABLE]
    aside: Annotated[Cats, HIDEABLE]
    coffee: Coffee
    trick: Annotated[tuple[TrickCard[CatCode], ...], BY_SEAT]
    discard: Annotated[Cats, HIDEABLE]
    rounds: Annotated[tuple[Round, ...], BY_SEAT]


RECORDS = Records(state=State, options=Options, moves=MOVES, events=EVENTS, line=LineFacts)
