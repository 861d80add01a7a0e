"""Options, state and moves, and their plain data."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict

from gyoji.games.game import Card, Seat, named, replaced
from gyoji.games.tomorrow_never_meows.components import SUITS, WISH_POINTS
from gyoji.games.tricks import Play

SLUG = "tomorrow-never-meows"
VERSION = 1


class WishMove(TypedDict):
    type: Literal["wish"]
    seat: Seat
    wish: str


class AnnounceMove(TypedDict):
    type: Literal["announce"]
    seat: Seat
    wish: str


class PlayMove(TypedDict):
    type: Literal["play"]
    seat: Seat
    card: Card


Move = WishMove | AnnounceMove | PlayMove

Hands = tuple[tuple[Card, ...], ...]


class Options(NamedTuple):
    """What a table may decide otherwise; the defaults are the page's."""

    rounds: int = 3
    round_leader: str = "lowest_score"
    wishes: str = "all"
    concealed: bool = False
    bluff_scoring: str = "none"
    wish_points: Mapping[str, Mapping[str, int]] | None = None


class Won(NamedTuple):
    """How many cards of each suit a seat has won in a round, in the order of the suits."""

    fine: int
    cloudy: int
    rainy: int
    thunder: int
    snow: int


class Round(NamedTuple):
    """A finished round: the points of each seat and all that they were computed from."""

    points: tuple[int, ...]
    tricks: tuple[int, ...]
    wishes: tuple[str, ...]
    announced: tuple[str | None, ...]
    won: tuple[Won, ...]


class State(NamedTuple):
    """A position: the envelope's members and the table's, named as on the rules page; first what moves change."""

    ply: int
    to_act: tuple[Seat, ...]
    hands: Hands
    trick: tuple[Play, ...]
    lead: Seat
    captured: tuple[tuple[Card, ...], ...]
    tricks_won: tuple[int, ...]
    phase: str
    wishes: tuple[str | None, ...]
    announced: tuple[str | None, ...]
    seats: int
    options: Options
    seed: str | None
    shuffles: int
    round: int
    scores: tuple[int, ...]
    outcome: Mapping[str, Any] | None
    first_lead: Seat
    wish_order: tuple[Seat, ...]
    aside: tuple[Card, ...]
    last_wishes: tuple[str | None, ...]
    advanced: tuple[bool, ...]
    rounds: tuple[Round, ...]


PLY, TO_ACT, HANDS, TRICK, LEAD, CAPTURED, TRICKS_WON, PHASE, WISHES, ANNOUNCED = range(10)
"""The places of what moves change."""


# All moves but a round's last pass through these, and ``_replace`` takes three times as long.


def card_played(state: State, to_act: Seat, hands: Hands, trick: tuple[Play, ...]) -> State:
    """The state after a card that does not end the trick."""
    changed = (state.ply + 1, (to_act,), hands, trick)
    return named(State, changed + state[4:])


def trick_taken(state: State, winner: Seat, hands: Hands, cards: tuple[Card, ...]) -> State:
    """The state after the last card of a trick, which takes its ``cards`` to the winner."""
    captured = replaced(state.captured, winner, state.captured[winner] + cards)
    tricks_won = replaced(state.tricks_won, winner, state.tricks_won[winner] + 1)
    changed = (state.ply + 1, (winner,), hands, (), winner, captured, tricks_won)
    return named(State, changed + state[7:])


def wished(state: State, wishes: tuple[str | None, ...], announced: tuple[str | None, ...]) -> State:
    """The state after a wish or an announcement, but for whose turn it then is."""
    changed = [*state]
    changed[PLY], changed[WISHES], changed[ANNOUNCED] = state.ply + 1, wishes, announced
    return named(State, changed)


def turned(state: State, phase: str, to_act: tuple[Seat, ...]) -> State:
    """The state with another phase, or others to act."""
    changed = [*state]
    changed[TO_ACT], changed[PHASE] = to_act, phase
    return named(State, changed)


def read_options(given: Mapping[str, Any]) -> Options:
    """Options as given; members left out get their defaults."""
    options = Options(**given)
    rows = options.wish_points
    if rows is None:
        return options
    return options._replace(wish_points={wish: {suit: rows[wish][suit] for suit in SUITS} for wish in WISH_POINTS})


def write_options(options: Options) -> dict[str, Any]:
    """All options as plain data."""
    return options._asdict()


def _piles(piles: Any) -> tuple[tuple[Card, ...], ...]:
    return tuple([tuple(pile) for pile in piles])


def _read_outcome(outcome: Any) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {"winners": tuple(outcome["winners"]), "scores": tuple(outcome["scores"]), "reason": outcome["reason"]}


def _read_round(done: Mapping[str, Any]) -> Round:
    return Round(
        tuple(done["points"]),
        tuple(done["tricks"]),
        tuple(done["wishes"]),
        tuple(done["announced"]),
        tuple([Won(*[cards[suit] for suit in SUITS]) for cards in done["won"]]),
    )


def read_state(data: Mapping[str, Any]) -> State:
    """A well-formed envelope -> the state, possible or not."""
    table = data["table"]
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
        first_lead=table["first_lead"],
        lead=table["lead"],
        wish_order=tuple(table["wish_order"]),
        hands=_piles(table["hands"]),
        aside=tuple(table["aside"]),
        wishes=tuple(table["wishes"]),
        announced=tuple(table["announced"]),
        last_wishes=tuple(table["last_wishes"]),
        advanced=tuple(table["advanced"]),
        trick=tuple([Play(play["seat"], play["card"]) for play in table["trick"]]),
        captured=_piles(table["captured"]),
        tricks_won=tuple(table["tricks_won"]),
        rounds=tuple([_read_round(done) for done in table["rounds"]]),
    )


def write_rounds(state: State) -> tuple[dict[str, Any], ...]:
    """The finished rounds as plain data."""
    return tuple(
        [
            {
                "points": done.points,
                "tricks": done.tricks,
                "wishes": done.wishes,
                "announced": done.announced,
                "won": tuple([dict(zip(SUITS, won, strict=True)) for won in done.won]),
            }
            for done in state.rounds
        ]
    )


def write_envelope(state: State, seed: str | None, table: dict[str, Any]) -> dict[str, Any]:
    """The members common to all games around a table; all of them but the seed are public."""
    return {
        "game": SLUG,
        "version": VERSION,
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
        "table": table,
    }


def write_table(state: State, hands: Any, aside: Any, wishes: Any, captured: Any) -> dict[str, Any]:
    """The table with what may be hidden as given: in full, or as one viewer knows it."""
    return {
        "first_lead": state.first_lead,
        "lead": state.lead,
        "wish_order": state.wish_order,
        "hands": hands,
        "aside": aside,
        "wishes": wishes,
        "announced": state.announced,
        "last_wishes": state.last_wishes,
        "advanced": state.advanced,
        "trick": tuple([{"seat": play.seat, "card": play.card} for play in state.trick]),
        "captured": captured,
        "tricks_won": state.tricks_won,
        "rounds": write_rounds(state),
    }


def write_state(state: State) -> dict[str, Any]:
    """The state -> its full envelope."""
    return write_envelope(state, state.seed, write_table(state, state.hands, state.aside, state.wishes, state.captured))
