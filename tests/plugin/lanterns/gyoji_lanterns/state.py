"""The cards of Lanterns, its moves and events, and its positions."""

from typing import Annotated, Literal, NamedTuple, TypedDict

from gyoji.games.declared import Records
from gyoji.games.game import Points, RoundNumber, RuleId, Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, EACH, HIDEABLE, NOBODY, UNCOVERED, Among, Most, Within
from gyoji.games.tricks import TrickCard

SEATS = 3
HAND = 8
"""LAN-1.1: cards dealt to each seat."""

SUITS = ("A", "B", "C")
DECK = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, 10))
"""LAN-1.1: three colours, amber, blue and crimson, from 1 to 9, in hand order."""
RANK = {card: at for at, card in enumerate(DECK)}

PHASES = ("trick", "finished")

Code = Annotated[str, Among(DECK)]
Cards = Annotated[tuple[Code, ...], Most(2 * len(DECK))]
Hands = Annotated[tuple[Cards, ...], BY_SEAT]
Tricks = Annotated[tuple[Annotated[int, Within(0, HAND)], ...], BY_SEAT]


class Play(TypedDict):
    """LAN-2.1: a card to the trick."""

    type: Literal["play"]
    seat: Seat
    card: Code


class HandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: Annotated[Hands, EACH]
    aside: Annotated[Cards, NOBODY]


class CardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: Seat
    card: Annotated[Code, UNCOVERED]


class TrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: Seat
    cards: Cards
    rule: RuleId


class RoundScored(TypedDict):
    type: Literal["lanterns_lit"]
    round: RoundNumber
    points: Tricks


class Outcome(TypedDict):
    """How the game ended."""

    winners: Seats
    scores: Scores
    reason: Literal["rounds_played"]


class GameFinished(Outcome):
    type: Literal["game_finished"]


class LineFacts(TypedDict):
    """A line of the score: the tricks of a seat in a round."""

    seat: Seat
    rule: RuleId
    points: Points
    round: RoundNumber


class Options(NamedTuple):
    """What a table may decide for itself."""

    rounds: Annotated[int, Within(1, 3)] = 1
    """LAN-R1: how many rounds are played."""


class State(NamedTuple):
    """One position. Hands are in hand order; the discard lies face down, in the order played."""

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
    aside: Annotated[Cards, HIDEABLE]
    trick: Annotated[tuple[TrickCard[Code], ...], BY_SEAT]
    discard: Annotated[Cards, HIDEABLE]
    taken: Tricks
    rounds: Annotated[tuple[Tricks, ...], Most(3)]


RECORDS = Records(
    state=State,
    options=Options,
    moves=(Play,),
    events=(HandsDealt, CardPlayed, TrickWon, RoundScored, GameFinished),
    line=LineFacts,
)
