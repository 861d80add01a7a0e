"""Positions of Catte, and how they stand in plain data."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict

from gyoji.games.catte.components import DECK, in_hand_order
from gyoji.games.game import Card, Seat, named
from gyoji.games.tricks import Play

SLUG = "catte"
VERSION = 1
PHASES = ("coffee", "trick", "finished")

RoundEnd = Literal["limit_exceeded", "hands_empty", "no_coffee"]


BustBonus = Literal["keep", "forfeit"]


class CoffeeMove(TypedDict):
    """CAT-2.2: the lead player serves an unused coffee card."""

    type: Literal["coffee"]
    seat: Seat
    card: Card


class PlayMove(TypedDict):
    """CAT-2.3, CAT-3.1: a cat card into the trick."""

    type: Literal["play"]
    seat: Seat
    card: Card


Move = CoffeeMove | PlayMove

Piles = tuple[tuple[Card, ...], ...]


class Options(NamedTuple):
    """What a table may decide for itself."""

    bust_bonus: BustBonus
    """CAT-R2: whether a seat above the limit keeps its points for unused coffee cards."""
    deck: tuple[Card, ...] | None
    """CAT-R1: the table's own cat cards, in the order given; ``None``: the 41 of the page."""

    def cats(self) -> tuple[Card, ...]:
        """The cat cards in hand order, as they are before a shuffle."""
        return DECK if self.deck is None else in_hand_order(self.deck)


class FinishedRound(NamedTuple):
    """What is kept of a round that has been scored."""

    reason: RoundEnd
    points: tuple[int, ...]
    acquired: tuple[tuple[Card, ...], ...]
    unused: tuple[int, ...]


class State(NamedTuple):
    """One position: the envelope and the table, first what moves change. Hands and ``unused`` are in hand order,
    ``acquired`` as won."""

    ply: int
    to_act: tuple[Seat, ...]
    hands: Piles
    trick: tuple[Play, ...]
    phase: str
    lead: Seat
    acquired: Piles
    centre: Card | None
    discard: tuple[Card, ...]
    unused: Piles
    seats: int
    options: Options
    seed: str | None
    shuffles: int
    round: int
    scores: tuple[int, ...]
    outcome: Mapping[str, Any] | None
    starting: Seat
    aside: tuple[Card, ...]
    rounds: tuple[FinishedRound, ...]


PLY, TO_ACT, HANDS, TRICK, PHASE, LEAD, ACQUIRED, CENTRE, DISCARD, UNUSED = range(10)
"""The places of what moves change."""


# All moves but a round's last pass through these, and ``_replace`` takes three times as long.


def card_played(state: State, to_act: Seat, hands: Piles, trick: tuple[Play, ...]) -> State:
    """The position one card later."""
    changed = (state.ply + 1, (to_act,), hands, trick)
    return named(State, changed + state[4:])


def trick_taken(state: State, winner: Seat, hands: Piles, acquired: Piles, cards: tuple[Card, ...]) -> State:
    """The position after the last card of a trick: its ``cards`` go to the discard, and the winner is to serve."""
    changed = (state.ply + 1, (winner,), hands, (), "coffee", winner, acquired, None, state.discard + cards)
    return named(State, changed + state[9:])


def coffee_served(state: State, unused: Piles, centre: Card) -> State:
    """The position once the lead player has served: a card is to lead."""
    changed = [*state]
    changed[PLY], changed[PHASE], changed[CENTRE], changed[UNUSED] = state.ply + 1, "trick", centre, unused
    return named(State, changed)


def read_options(data: Mapping[str, Any]) -> Options:
    """Options as given; what is left out is as the page has it."""
    deck = data.get("deck")
    return Options(data.get("bust_bonus", "keep"), None if deck is None else tuple(deck))


def write_options(options: Options) -> dict[str, Any]:
    """All options as plain data."""
    return {"bust_bonus": options.bust_bonus, "deck": options.deck}


def _piles(lists: list[list[Card]]) -> Piles:
    return tuple(map(tuple, lists))


def _read_outcome(data: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if data is None:
        return None
    return {"winners": tuple(data["winners"]), "scores": tuple(data["scores"]), "reason": data["reason"]}


def _read_round(data: Mapping[str, Any]) -> FinishedRound:
    return FinishedRound(data["reason"], tuple(data["points"]), _piles(data["acquired"]), tuple(data["unused"]))


def read_state(data: Mapping[str, Any]) -> State:
    """A well-formed envelope as a position, possible or not."""
    table = data["table"]
    coffee = table["coffee"]
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
        lead=table["lead"],
        hands=_piles(table["hands"]),
        aside=tuple(table["aside"]),
        unused=_piles(coffee["unused"]),
        acquired=_piles(coffee["acquired"]),
        centre=coffee["centre"],
        trick=tuple([Play(play["seat"], play["card"]) for play in table["trick"]]),
        discard=tuple(table["discard"]),
        rounds=tuple([_read_round(finished) for finished in table["rounds"]]),
    )


def write_coffee(state: State) -> dict[str, Any]:
    """The coffee cards, all of them public."""
    return {"unused": state.unused, "acquired": state.acquired, "centre": state.centre}


def write_trick(state: State) -> list[dict[str, Any]]:
    """The cat cards of the trick, the lead first."""
    return [{"seat": seat, "card": card} for seat, card in state.trick]


def write_rounds(state: State) -> tuple[dict[str, Any], ...]:
    """What is kept of each finished round, as plain data."""
    return tuple([finished._asdict() for finished in state.rounds])


def write_table(state: State) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "starting": state.starting,
        "lead": state.lead,
        "hands": state.hands,
        "aside": state.aside,
        "coffee": write_coffee(state),
        "trick": write_trick(state),
        "discard": state.discard,
        "rounds": write_rounds(state),
    }


def write_envelope(state: State, seed: str | None, table: dict[str, Any]) -> dict[str, Any]:
    """The envelope around a table that is plain data already."""
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


def write_state(state: State) -> dict[str, Any]:
    """The whole position as plain data."""
    return write_envelope(state, state.seed, write_table(state))
