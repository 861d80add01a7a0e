"""Options, state and moves of Familiar's Trouble, and their plain forms."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict

from gyoji.games.familiars_trouble.components import BY_ID, ERRANDS, Errand, Level
from gyoji.games.game import Card, Seat, named
from gyoji.games.tricks import Play

SLUG = "familiars-trouble"
VERSION = 1

ErrandId = str


class Options(NamedTuple):
    """The options of the rules page, defaults first; ``errands`` is ``None`` for the page's own deck."""

    hand_exchange: bool = True
    errand_exchange: bool = True
    opening: tuple[int, ...] = (3, 1, 1)
    lead_rule: str = "attribute"
    errands: tuple[Errand, ...] | None = None


class State(NamedTuple):
    """The state envelope and the table; ``piles`` are those of level 1, 2 and 3. What moves change comes first."""

    ply: int
    phase: str
    to_act: tuple[Seat, ...]
    hands: tuple[tuple[Card, ...], ...]
    trick: tuple[Play, ...]
    exchange: Seat | None
    draw: tuple[Card, ...]
    round: int
    scores: tuple[int, ...]
    lead: Seat
    errands: tuple[ErrandId, ...]
    completed: tuple[ErrandId, ...]
    discard: tuple[Card, ...]
    tricks: int
    piles: tuple[tuple[ErrandId, ...], ...]
    seats: int
    options: Options
    seed: str | None
    shuffles: int
    outcome: Mapping[str, Any] | None


PLY, PHASE, TO_ACT, HANDS, TRICK, EXCHANGE, DRAW, ROUND, SCORES, LEAD, DISPLAY, COMPLETED, DISCARD, TRICKS, PILES = (
    range(15)
)
"""The places of what moves change; ``DISPLAY`` is that of ``errands``."""


class SkipExchange(TypedDict):
    type: Literal["skip_exchange"]
    seat: Seat


class Exchange(TypedDict):
    type: Literal["exchange"]
    seat: Seat
    card: Card


class SkipErrand(TypedDict):
    type: Literal["skip_errand"]
    seat: Seat


class ReplaceErrand(TypedDict):
    type: Literal["replace_errand"]
    seat: Seat
    errand: ErrandId
    level: Level


class PlayCard(TypedDict):
    type: Literal["play"]
    seat: Seat
    card: Card


class DrawErrand(TypedDict):
    type: Literal["draw_errand"]
    seat: Seat
    level: Level


Move = SkipExchange | Exchange | SkipErrand | ReplaceErrand | PlayCard | DrawErrand


# Most moves pass through these, and ``_replace`` takes three times as long.


def card_played(state: State, to_act: Seat, hands: tuple[tuple[Card, ...], ...], trick: tuple[Play, ...]) -> State:
    """The state after a card that does not end the trick."""
    changed = (state.ply + 1, state.phase, (to_act,), hands, trick)
    return named(State, changed + state[5:])


def card_passed(
    state: State, phase: str, to_act: Seat, hands: tuple[tuple[Card, ...], ...], exchange: Seat | None
) -> State:
    """The state after a card that goes to the left before the trick."""
    changed = (state.ply + 1, phase, (to_act,), hands, state.trick, exchange)
    return named(State, changed + state[6:])


def skipped(state: State, phase: str) -> State:
    """The state in the next phase, nothing having been done in this one."""
    changed = (state.ply + 1, phase)
    return named(State, changed + state[2:])


def in_phase(state: State, phase: str) -> State:
    """The state in another phase, after the same move."""
    changed = (state.ply, phase)
    return named(State, changed + state[2:])


def trick_judged(
    state: State,
    winner: Seat,
    hands: tuple[tuple[Card, ...], ...],
    cards: tuple[Card, ...],
    completed: tuple[ErrandId, ...],
    gained: int,
) -> State:
    """The state after the last card of a trick: its ``cards`` go to the discard, what it ``completed`` to the team."""
    changed = [*state]
    changed[PLY], changed[TRICKS] = state.ply + 1, state.tricks + 1
    changed[TO_ACT], changed[LEAD] = (winner,), winner
    changed[HANDS], changed[TRICK], changed[DISCARD] = hands, (), state.discard + cards
    if completed:
        changed[DISPLAY] = tuple([errand for errand in state.errands if errand not in completed])
        changed[COMPLETED] = state.completed + completed
        changed[SCORES] = tuple([score + gained for score in state.scores])
    return named(State, changed)


def round_begun(state: State, phase: str, hands: tuple[tuple[Card, ...], ...], draw: tuple[Card, ...]) -> State:
    """The state of the next round, with the cards drawn for it."""
    changed = [*state]
    changed[PHASE], changed[HANDS], changed[DRAW], changed[ROUND] = phase, hands, draw, state.round + 1
    return named(State, changed)


def errand_turned_up(
    state: State, phase: str, errands: tuple[ErrandId, ...], piles: tuple[tuple[ErrandId, ...], ...]
) -> State:
    """The state with another errand on display."""
    changed = [*state]
    changed[PLY], changed[PHASE], changed[DISPLAY], changed[PILES] = state.ply + 1, phase, errands, piles
    return named(State, changed)


def errand_list(options: Options) -> tuple[Errand, ...]:
    """The errand deck in force, in canonical order."""
    return ERRANDS if options.errands is None else options.errands


def errand_deck(options: Options) -> Mapping[ErrandId, Errand]:
    """The errand deck in force, by id, in canonical order."""
    return BY_ID if options.errands is None else {errand.id: errand for errand in options.errands}


def _read_errand(plain: Mapping[str, Any]) -> Errand:
    requires = plain["requires"]
    return Errand(plain["id"], plain["level"], requires["red"], requires["blue"], requires["green"], plain["points"])


def read_options(plain: Mapping[str, Any]) -> Options:
    """Options as given; members that are left out take their defaults."""
    given = dict(plain)
    if "opening" in given:
        given["opening"] = tuple(given["opening"])
    if given.get("errands") is not None:
        given["errands"] = tuple(map(_read_errand, given["errands"]))
    return Options(**given)


def _read_outcome(plain: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    if plain is None:
        return None
    return {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}


def read_state(plain: Mapping[str, Any]) -> State:
    """A well-formed state envelope, possibly of an impossible position, as the frozen state."""
    table = plain["table"]
    piles = table["piles"]
    return State(
        seats=plain["seats"],
        options=read_options(plain["options"]),
        seed=plain["seed"],
        shuffles=plain["shuffles"],
        round=plain["round"],
        ply=plain["ply"],
        phase=plain["phase"],
        to_act=tuple(plain["to_act"]),
        scores=tuple(plain["scores"]),
        outcome=_read_outcome(plain["outcome"]),
        lead=table["lead"],
        hands=tuple(map(tuple, table["hands"])),
        draw=tuple(table["draw"]),
        errands=tuple(table["errands"]),
        piles=(tuple(piles["1"]), tuple(piles["2"]), tuple(piles["3"])),
        completed=tuple(table["completed"]),
        discard=tuple(table["discard"]),
        trick=tuple([Play(play["seat"], play["card"]) for play in table["trick"]]),
        exchange=table["exchange"],
        tricks=table["tricks"],
    )


def write_errand(errand: Errand) -> dict[str, Any]:
    """An errand as the option ``errands`` lists it."""
    return {
        "id": errand.id,
        "level": errand.level,
        "requires": {"red": errand.red, "blue": errand.blue, "green": errand.green},
        "points": errand.points,
    }


def write_options(options: Options) -> dict[str, Any]:
    """All options as plain data."""
    return {
        "hand_exchange": options.hand_exchange,
        "errand_exchange": options.errand_exchange,
        "opening": options.opening,
        "lead_rule": options.lead_rule,
        "errands": None if options.errands is None else [write_errand(errand) for errand in options.errands],
    }


def by_level(piles: tuple[Any, ...]) -> dict[str, Any]:
    """The errand piles, or what is shown of them, under the names of their levels."""
    return {"1": piles[0], "2": piles[1], "3": piles[2]}


def written_trick(state: State) -> list[dict[str, Any]]:
    """The cards on the table, who played them first to last."""
    return [{"seat": seat, "card": card} for seat, card in state.trick]


def envelope(state: State, seed: str | None, table: Mapping[str, Any]) -> dict[str, Any]:
    """The public members of the state envelope, around a seed and a table that may be shown."""
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
    """The frozen state as the full state envelope, members in the order of the rules page."""
    return envelope(
        state,
        state.seed,
        {
            "lead": state.lead,
            "hands": state.hands,
            "draw": state.draw,
            "errands": state.errands,
            "piles": by_level(state.piles),
            "completed": state.completed,
            "discard": state.discard,
            "trick": written_trick(state),
            "exchange": state.exchange,
            "tricks": state.tricks,
        },
    )
