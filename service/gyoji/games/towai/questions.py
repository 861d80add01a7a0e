"""What can be asked about TOWAI at a table: whether a card may be played, or a turn passed or ended. It hangs on the
card on top of the pile, on day or night, and on whether the seat has played in its turn already; the hand decides
nothing."""

from typing import Annotated, Literal, NotRequired, TypedDict, cast

from gyoji.games import questions
from gyoji.games.game import Move
from gyoji.games.questions import Hand, Permission, Questions, Value
from gyoji.games.records import Called
from gyoji.games.towai.components import CODES, DAYLIGHTS, DECK, NUMBER, RESET, Daylight
from gyoji.games.towai.state import Code, DayOrNight, Options, Phase, State

PHASES = ("turn", "combo", "lead")


class Facts(TypedDict):
    """What is known of the pile and of the turn. ``top`` is the card on top of the pile, null where the pile is
    empty."""

    top: NotRequired[Code | None]
    daylight: NotRequired[DayOrNight]
    phase: NotRequired[Annotated[Literal["turn", "combo", "lead"], Called("TurnPhase")]]


def values(_options: Options) -> dict[str, tuple[Value, ...]]:
    """TOW-5.3: a reset takes itself away, so it is never on top."""
    return {"top": (None, *(code for code in CODES if code != RESET)), "daylight": DAYLIGHTS, "phase": PHASES}


def position(state: State, facts: questions.Facts, hand: Hand) -> State | None:
    """TOW-2.1: the pile is empty for whoever leads, and for nobody else.

    TOW-3.1, TOW-3.2: a Day card on top was played by day, a Night card by night; TOW-R3: as a first card by either.
    """
    top, daylight, phase = facts["top"], facts["daylight"], facts["phase"]
    if (top is None) != (phase == "lead"):
        return None
    fits = top is None or top[0] in ("T", "D" if daylight == "day" else "N")
    if not fits and state.options.first_card == "matching":
        return None
    return state._replace(
        phase=cast(Phase, phase),
        to_act=(0,),
        turn=0,
        daylight=cast(Daylight, daylight),
        hands=(hand, *[()] * (state.seats - 1)),
        pile=() if top is None else (top,),
        combo=NUMBER[top] if top is not None and phase == "combo" else None,
    )


def permits(state: State, move: Move) -> Permission:
    """TOW-2.1, TOW-3.1, TOW-3.2, TOW-4.1, TOW-4.2, TOW-6.1: why a move may be made."""
    if move["type"] == "pass":
        return Permission("TOW-6.1", "passes")
    if move["type"] == "end_turn":
        return Permission("TOW-4.2", "ends")
    card = move["card"]
    if state.phase == "lead":
        if state.options.first_card == "any":
            return Permission("TOW-2.1", "leads-any")
        return Permission("TOW-2.1", "leads", {"card": card, "daylight": move["daylight"]})
    facts = {"card": card, "top": NUMBER[state.pile[-1]], "daylight": state.daylight}
    if state.phase == "combo":
        return Permission("TOW-4.1", "combines", facts)
    return (
        Permission("TOW-3.1", "by-day", facts) if state.daylight == "day" else Permission("TOW-3.2", "by-night", facts)
    )


QUESTIONS: Questions[State] = Questions(
    facts=Facts,
    moves=("play", "pass", "end_turn"),
    deck=lambda _options: DECK,
    most=lambda _seats: len(DECK),
    values=values,
    position=position,
    alike=lambda _facts, _card: None,
    permits=permits,
    permitted=("leads", "leads-any", "by-day", "by-night", "combines", "passes", "ends"),
)
