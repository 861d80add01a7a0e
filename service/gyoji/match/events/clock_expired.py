"""``clock_expired`` records that somebody claimed the time of a seat is up. Nothing happens by itself at a deadline."""

from typing import Annotated, NotRequired, TypedDict

from gyoji.games.game import Accepted, Chance, Move, Seat, pass_of
from gyoji.games.records import MOST_SEATS, Most
from gyoji.log.entries import SERVICE
from gyoji.log.redaction import redact
from gyoji.match import clocks
from gyoji.match.clocks import Clock, Expiry
from gyoji.match.events import match_finished, match_paused, move
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent, Refusal
from gyoji.match.records import Happened, Moved, SomeSeats, Time
from gyoji.match.state import MatchState, forfeit_result


class ClockExpiredData(TypedDict):
    """The seats whose time was up, the deadline of each, and what was done: the move that was made for a seat, with
    what the game says of it, or what the next event says."""

    seats: SomeSeats
    deadlines: Annotated[tuple[Time, ...], Most(MOST_SEATS)]
    then: Expiry
    move: NotRequired[Moved]
    events: NotRequired[Happened]


def decide(match: MatchState, at: str, chance: Chance) -> DecidedEvent | Refusal:
    """Decide a claim that time is up: the event of all seats whose time is. Where a move is made for each, that of the
    first seat, which those of the others follow.

    Refused with ``no-clock``, ``not-running``, or ``not-expired`` with ``now`` and the ``deadlines`` by seat. Raises
    what ``chance`` raises.
    """
    clock = match.clock
    if clock is None or match.status != "playing":
        return Refusal("no-clock") if match.terms.control is None else Refusal("not-running", {"status": match.status})
    seats = clocks.expired_seats(clock, at)
    if not seats:
        return Refusal("not-expired", {"now": at, "deadlines": clocks.deadlines(clock)})
    if clock.control.on_expiry in ("default", "pass"):
        return _move_for(match, clock, seats[0], at, chance)
    return _halt(match, clock, seats)


def _halt(match: MatchState, clock: Clock, seats: tuple[Seat, ...]) -> DecidedEvent:
    """A referee has to rule before the match goes on, or the seats have forfeited."""
    then = clock.control.on_expiry
    data: ClockExpiredData = {"seats": seats, "deadlines": _deadlines(clock, seats), "then": then}
    lost = match_finished.due(forfeit_result(match, "clock", seats))
    return DecidedEvent("clock_expired", SERVICE, data, {}, match, match_paused.DUE if then == "referee" else lost)


def _deadlines(clock: Clock, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    """The deadlines of seats whose time is running."""
    running = clocks.deadlines(clock)
    return tuple([last for seat in seats if (last := running[seat]) is not None])


def _move_for(match: MatchState, clock: Clock, seat: Seat, at: str, chance: Chance) -> DecidedEvent | Refusal:
    """The move that is made for a seat whose time is up."""
    chosen, then = default_move(match, seat)
    ruling = match.game.adjudicate(match.state, chosen, chance)
    if not isinstance(ruling, Accepted):
        return Refusal("illegal-move", infraction=ruling.infraction)
    moved, private = redact(match.game.known(match.options), chosen, ruling.events)
    data: ClockExpiredData = {
        "seats": (seat,),
        "deadlines": _deadlines(clock, (seat,)),
        "then": then,
        "move": moved["move"],
        "events": moved["events"],
    }
    after = move.after_move(match, ruling.state, seat, at)
    is_next = ruling.state.outcome is None and after.clock is not None and clocks.expired_seats(after.clock, at)
    due = DUE if is_next else move.end_of(ruling.state)
    return DecidedEvent("clock_expired", SERVICE, data, private, after, due, ruling.events)


def _decide_next(match: MatchState, at: str, chance: Chance) -> DecidedEvent:
    found = decide(match, at, chance)
    if isinstance(found, Refusal):
        raise ValueError(f"{match.game.slug}: a listed move was refused")
    return found


DUE = DueEvent("clock_expired", _decide_next)


def default_move(match: MatchState, seat: Seat) -> tuple[Move, Expiry]:
    """Return the move that is made for a seat whose time is up, and its name: a pass where that is agreed and legal.
    Else the first of the seat's legal moves."""
    legal = match.game.legal_moves(match.state)
    if match.terms.control is not None and match.terms.control.on_expiry == "pass":
        passing = pass_of(match.game, legal, seat)
        if passing is not None:
            return passing, "pass"
    return next(move for move in legal if move["seat"] == seat), "default"


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after the move that was made for a seat; without a move it is unchanged until the next event."""
    return move.apply(match, event) if "move" in event["data"] else match


KIND: EventKind = EventKind("clock_expired", ClockExpiredData, apply)
