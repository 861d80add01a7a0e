"""``move_played`` and ``choice_made`` record a move of a seat, made alone or while others choose as well."""

from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from gyoji.games.game import Accepted, Chance, IllegalMove, Move, NotRecorded, Seat
from gyoji.log.entries import Actor
from gyoji.log.redaction import redact
from gyoji.match import clocks
from gyoji.match.events import match_finished
from gyoji.match.events.kind import BrokenLog, DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.records import Happened, Moved
from gyoji.match.seeding import recorded_chance
from gyoji.match.state import MatchState

MOVES = ("move_played", "choice_made")


class MoveData(TypedDict):
    """A move and the game's events that it brings about. Who may know what of them is for the game to say."""

    move: Moved
    events: Happened


def decide(match: MatchState, move: Move, actor: Actor, at: str, chance: Chance) -> DecidedEvent | IllegalMove:
    """Decide a move: the event if it is legal, else the refusal. Raises what ``chance`` raises."""
    ruling = match.terms.game.adjudicate(match.state, move, chance)
    return ruling if isinstance(ruling, IllegalMove) else played(match, move, actor, ruling, at)


def played(match: MatchState, move: Move, actor: Actor, ruling: Accepted[Any], at: str) -> DecidedEvent:
    """Make the event of a move that the game has accepted."""
    state, events = ruling
    terms = match.terms
    data, private = redact(terms.game.known(terms.options), move, events)
    kind = "choice_made" if terms.game.simultaneous(match.state) else "move_played"
    after = after_move(match, state, move["seat"], at)
    return DecidedEvent(kind, actor, data, private, after, end_of(state), events)


def end_of(state: Any) -> DueEvent | None:
    """Return the end of the match, which follows a move at once that has ended the game; else ``None``."""
    return None if state.outcome is None else match_finished.DUE


def after_move(match: MatchState, state: Any, seat: Seat, at: str) -> MatchState:
    """Return the match in the state that a seat's move led to. A decision that all make together stays the same until
    the last seat has made it."""
    game, clock = match.terms.game, match.clock
    together = game.simultaneous(match.state) and game.simultaneous(state)
    if clock is not None:
        clock = clocks.charge_move(clock, seat, state.to_act, at, same_decision=together)
    return match._replace(state=state, clock=clock, decision=match.decision if together else match.seq + 1)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a logged move, with the shuffles that the log recorded."""
    return replayed(match, match.game.adjudicate, event)


Adjudicate = Callable[[Any, Move, Chance], Accepted[Any] | IllegalMove]


def replayed(match: MatchState, adjudicate: Adjudicate, event: LoggedEvent) -> MatchState:
    """Return the match after a logged move on which ``adjudicate`` rules. Raises ``BrokenLog`` where that refuses
    it."""
    data: Mapping[str, Any] = event["data"]
    move, chance = data["move"], recorded_chance(match.game, match.options, data["events"])
    try:
        ruling = adjudicate(match.state, move, chance)
    except NotRecorded:
        raise BrokenLog(match.seq + 1) from None
    if isinstance(ruling, IllegalMove):
        raise BrokenLog(match.seq + 1)
    return after_move(match, ruling.state, move["seat"], event["at"])


KINDS: tuple[EventKind, ...] = tuple([EventKind(name, MoveData, apply) for name in MOVES])
