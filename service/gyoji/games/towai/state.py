"""The options and the positions of TOWAI."""

from typing import Annotated, Literal, NamedTuple

from gyoji.games.declared import Records
from gyoji.games.game import Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, HIDEABLE, Most, Within
from gyoji.games.towai.components import Daylight
from gyoji.games.towai.events import EVENTS, MOVES, Code, Hands, LineFacts, Outcome, Pile

Phase = Literal["lead", "turn", "combo", "swap", "finished"]

PHASES: tuple[Phase, ...] = ("lead", "turn", "combo", "swap", "finished")

Choices = Annotated[tuple[Code | None, ...], BY_SEAT]
"""By seat, the card that it has chosen to give."""


class Options(NamedTuple):
    """How the table plays; the defaults are the printed game and our rulings on it."""

    finishes_to_win: Annotated[int, Within(1, 3)] = 2
    first_card: Literal["matching", "any"] = "matching"
    reform: Literal["either", "discard"] = "either"


class State(NamedTuple):
    """The envelope and the table, named as on the rules page."""

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
    daylight: Daylight | None
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
