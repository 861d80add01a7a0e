"""The options and the positions of Catte."""

from typing import Annotated, Literal, NamedTuple

from gyoji.games.catte.components import DECK, in_hand_order
from gyoji.games.catte.events import EVENTS, MOST_CATS, MOVES, CatCode, Cats, Coffee, Hands, LineFacts, Outcome, Round
from gyoji.games.declared import Records
from gyoji.games.game import Card, Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, DISTINCT, HIDEABLE, Most
from gyoji.games.tricks import TrickCard

PHASES = ("coffee", "trick", "finished")

BustBonus = Literal["keep", "forfeit"]


class Options(NamedTuple):
    """What a table may decide for itself."""

    bust_bonus: BustBonus = "keep"
    """CAT-R2: whether a seat above the limit keeps its points for unused coffee cards."""
    deck: Annotated[tuple[CatCode, ...], Most(MOST_CATS), DISTINCT] | None = None
    """CAT-R1: the table's own cat cards, in the order given; ``None``: the 41 of the page."""

    def cats(self) -> tuple[Card, ...]:
        """The cat cards in hand order, as they are before a shuffle."""
        return DECK if self.deck is None else in_hand_order(self.deck)


class State(NamedTuple):
    """One position: the envelope and the table. Hands and unused coffee are in hand order."""

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
