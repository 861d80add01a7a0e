"""``match_paused`` begins a pause: time stands still, and nobody moves."""

from typing import TypedDict

from gyoji.games.game import Chance
from gyoji.log.entries import SERVICE
from gyoji.match import clocks
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.state import MatchState


class MatchPausedData(TypedDict):
    """The ``data`` of ``match_paused``, which is empty."""


def decide(match: MatchState, at: str, _chance: Chance) -> DecidedEvent:
    """Decide the beginning of a pause."""
    return DecidedEvent("match_paused", SERVICE, MatchPausedData(), {}, pause(match, at))


DUE = DueEvent("match_paused", decide)


def pause(match: MatchState, at: str) -> MatchState:
    """Return the match in a pause."""
    clock = match.clock
    return match._replace(
        course=match.course._replace(paused=True), clock=None if clock is None else clocks.pause_clock(clock, at)
    )


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a logged ``match_paused``."""
    return pause(match, event["at"])


KIND: EventKind = EventKind("match_paused", MatchPausedData, apply)
