"""What lies on the table of TOWAI, between plain data and the frozen state; and the shapes of its moves."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

from gyoji.games.game import Card, Finding, Seat, named
from gyoji.games.towai.components import NUMBER, Daylight

Phase = Literal["lead", "turn", "combo", "swap", "finished"]

PHASES: tuple[Phase, ...] = ("lead", "turn", "combo", "swap", "finished")

Hands = tuple[tuple[Card, ...], ...]
Choices = tuple[Card | None, ...]


class Play(TypedDict):
    """One card onto the pile; ``daylight`` when leading, and only then."""

    type: Literal["play"]
    seat: Seat
    card: Card
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
    card: Card


Move = Play | Pass | EndTurn | Swap


class Options(NamedTuple):
    """How the table plays; the defaults are the printed game and our rulings on it."""

    finishes_to_win: int = 2
    first_card: Literal["matching", "any"] = "matching"
    reform: Literal["either", "discard"] = "either"


class State(NamedTuple):
    """The envelope and the table, named as on the rules page; first what a card that is played changes."""

    ply: int
    phase: Phase
    daylight: Daylight | None
    hands: Hands
    pile: tuple[Card, ...]
    combo: int | None
    last_played: Seat | None
    passes: int
    to_act: tuple[Seat, ...]
    turn: Seat
    deck: tuple[Card, ...]
    discard: tuple[Card, ...]
    swap: Choices | None
    seats: int
    options: Options
    seed: str | None
    shuffles: int
    round: int
    scores: tuple[int, ...]
    outcome: Mapping[str, Any] | None
    starting: Seat
    finishes: tuple[int, ...]
    rounds: tuple[Seat, ...]


PLY, PHASE, DAYLIGHT, HANDS, PILE, COMBO, LAST_PLAYED, PASSES, TO_ACT, TURN, DECK, DISCARD, SWAP = range(13)
"""The places of what moves change."""


# Most moves pass through these, and ``_replace`` takes three times as long.


def card_played(
    state: State, seat: Seat, card: Card, daylight: Daylight | None, hands: Hands, pile: tuple[Card, ...]
) -> State:
    """The state once the card lies on the pile: a combo of its number can go on."""
    changed = (state.ply + 1, "combo", daylight, hands, pile, NUMBER[card], seat, 0)
    return named(State, changed + state[8:])


def flipped(state: State, daylight: Daylight) -> State:
    """The state under the other state of play."""
    changed = (state.ply, state.phase, daylight)
    return named(State, changed + state[3:])


def turn_ended(state: State, left: Seat) -> State:
    """The state in which the seat on the left is on turn, after at least one card."""
    changed = [*state]
    changed[PLY], changed[PHASE], changed[COMBO] = state.ply + 1, "turn", None
    changed[TO_ACT], changed[TURN] = (left,), left
    return named(State, changed)


def passed(state: State, left: Seat) -> State:
    """The state in which the seat on the left is on turn, after a pass."""
    changed = [*state]
    changed[PLY], changed[PASSES] = state.ply + 1, state.passes + 1
    changed[TO_ACT], changed[TURN] = (left,), left
    return named(State, changed)


def drawn(state: State, hands: Hands, deck: tuple[Card, ...]) -> State:
    """The state with other hands and what is left of the deck."""
    changed = [*state]
    changed[HANDS], changed[DECK] = hands, deck
    return named(State, changed)


def pile_discarded(state: State) -> State:
    """The state in which the seat on turn leads onto no pile."""
    changed = [*state]
    changed[PHASE], changed[PILE], changed[DISCARD] = "lead", (), state.discard + state.pile
    changed[COMBO] = changed[LAST_PLAYED] = None
    changed[PASSES] = 0
    return named(State, changed)


def swap_chosen(state: State, to_act: tuple[Seat, ...], swap: Choices) -> State:
    """The state after one more choice for the swap."""
    changed = [*state]
    changed[PLY], changed[TO_ACT], changed[SWAP] = state.ply + 1, to_act, swap
    return named(State, changed)


def read_options(data: Mapping[str, Any]) -> Options:
    """Options as given; what is left out has its default."""
    return Options(**data)


def write_options(options: Options) -> dict[str, Any]:
    """All options as plain data."""
    return options._asdict()


def contradictions(_seats: int, _options: Options) -> tuple[Finding, ...]:
    """No option of this game contradicts another, and all of them go with every number of seats."""
    return ()


def read_state(data: Mapping[str, Any]) -> State:
    """A well-formed envelope, possible or not, as the frozen state."""
    table = data["table"]
    swap = table["swap"]
    return State(
        seats=data["seats"],
        options=read_options(data["options"]),
        seed=data["seed"],
        shuffles=data["shuffles"],
        round=data["round"],
        ply=data["ply"],
        phase=data["phase"],
        to_act=tuple(data["to_act"]),
        scores=tuple(data["scores"]),
        outcome=_read_outcome(data["outcome"]),
        starting=table["starting"],
        daylight=table["daylight"],
        hands=tuple([tuple(hand) for hand in table["hands"]]),
        deck=tuple(table["deck"]),
        pile=tuple(table["pile"]),
        discard=tuple(table["discard"]),
        turn=table["turn"],
        combo=table["combo"],
        last_played=table["last_played"],
        passes=table["passes"],
        swap=None if swap is None else tuple(swap),
        finishes=tuple(table["finishes"]),
        rounds=tuple(table["rounds"]),
    )


def _read_outcome(data: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if data is None:
        return None
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


def write_state(state: State) -> dict[str, Any]:
    """The whole state as plain data."""
    return written(state, state.seed, state.hands, state.deck, state.swap)


def written(state: State, seed: str | None, hands: Any, deck: Any, swap: Choices | None) -> dict[str, Any]:
    """The envelope as plain data: what is public from the state, what may be secret only as it is handed in."""
    return {
        "game": "towai",
        "version": 1,
        "seats": state.seats,
        "options": write_options(state.options),
        "seed": seed,
        "shuffles": state.shuffles,
        "round": state.round,
        "ply": state.ply,
        "phase": state.phase,
        "to_act": state.to_act,
        "scores": state.scores,
        "outcome": state.outcome,
        "table": {
            "starting": state.starting,
            "daylight": state.daylight,
            "hands": hands,
            "deck": deck,
            "pile": state.pile,
            "discard": state.discard,
            "turn": state.turn,
            "combo": state.combo,
            "last_played": state.last_played,
            "passes": state.passes,
            "swap": swap,
            "finishes": state.finishes,
            "rounds": state.rounds,
        },
    }
