"""``match_resumed`` ends a pause: the match goes on."""

from typing import TypedDict

from gyoji.games.game import Chance
from gyoji.log.entries import SERVICE
from gyoji.match import clocks
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.state import MatchState


class MatchResumedData(TypedDict):
    """The ``data`` of ``match_resumed``, which is empty."""


def decide(match: MatchState, at: str, _chance: Chance) -> DecidedEvent:
    """Decide the end of a pause."""
    return DecidedEvent("match_resumed", SERVICE, MatchResumedData(), {}, resume(match, at))


DUE = DueEvent("match_resumed", decide)


def resume(match: MatchState, at: str) -> MatchState:
    """Return the match after a pause, with the time of the seats that are to act running on."""
    clock = match.clock
    return match._replace(
        course=match.course._replace(paused=False), clock=None if clock is None else clocks.resume_clock(clock, at)
    )


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a logged ``match_resumed``."""
    return resume(match, event["at"])


KIND: EventKind = EventKind("match_resumed", MatchResumedData, apply)
