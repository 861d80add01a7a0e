"""The options and the positions of Familiar's Trouble."""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

from gyoji.games.declared import Records
from gyoji.games.familiars_trouble.errands import BY_ID, ERRANDS, Errand, ErrandId
from gyoji.games.familiars_trouble.events import (
    EVENTS,
    MOST_ERRANDS,
    MOVES,
    Cards,
    Code,
    ErrandIds,
    Hands,
    LineFacts,
    Outcome,
    Piles,
)
from gyoji.games.game import Scores, Seat, Seats
from gyoji.games.records import BY_SEAT, HIDEABLE, Exactly, Most, Within
from gyoji.games.tricks import TrickCard


class Options(NamedTuple):
    """The options of the rules page, defaults first; ``errands`` is ``None`` for the page's own deck."""

    hand_exchange: bool = True
    errand_exchange: bool = True
    opening: Annotated[tuple[Annotated[int, Within(0, 9)], ...], Exactly(3)] = (3, 1, 1)
    lead_rule: Literal["attribute", "any"] = "attribute"
    errands: Annotated[tuple[Errand, ...], Most(MOST_ERRANDS)] | None = None


class State(NamedTuple):
    """The state envelope and the table."""

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
