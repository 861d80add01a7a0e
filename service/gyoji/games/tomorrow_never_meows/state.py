"""The options and the positions of Tomorrow Never Meows."""

from typing import Annotated, Literal, NamedTuple

from gyoji.games.declared import Records
from gyoji.games.game import Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, HIDEABLE, Most, Within
from gyoji.games.tomorrow_never_meows.events import (
    EVENTS,
    MOVES,
    Cards,
    Code,
    Hands,
    LineFacts,
    Outcome,
    Round,
    Tricks,
    Wishes,
)
from gyoji.games.tricks import TrickCard

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
    """What a table may decide otherwise; the defaults are the page's."""

    rounds: Annotated[int, Within(3, 4)] = 3
    round_leader: Literal["lowest_score", "clockwise"] = "lowest_score"
    wishes: Literal["all", "basic"] = "all"
    concealed: bool = False
    bluff_scoring: Literal["none", "per_trick"] = "none"
    wish_points: WishPoints | None = None


class State(NamedTuple):
    """A position: the envelope's members and the table's, named as on the rules page."""

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
