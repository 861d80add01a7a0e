"""``match_finished`` ends the match with a result."""

from functools import partial
from typing import Annotated, Any, NotRequired, TypedDict

from gyoji.games.game import Chance
from gyoji.games.records import Shaped
from gyoji.log.entries import SERVICE
from gyoji.match.events import seed_disclosed
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.state import MatchResult, MatchState, Result, read_result, stop, write_result


class MatchFinishedData(TypedDict):
    """The game's ``outcome`` where it was played to its end; else ``None``, and the ``result`` of a ruling, a forfeit
    or the clock. Everybody may know it."""

    outcome: Annotated[Any | None, Shaped("outcome")]
    result: NotRequired[MatchResult]


def decide(match: MatchState, at: str, _chance: Chance, result: Result | None = None) -> DecidedEvent:
    """Decide the end of a match; ``result`` where it was not played to its end."""
    data: MatchFinishedData = {"outcome": match.state.outcome}
    if result is not None:
        data = {"outcome": None, "result": write_result(result)}
    return DecidedEvent("match_finished", SERVICE, data, {}, end(match, at, result), seed_disclosed.due(match, at))


DUE = DueEvent("match_finished", decide)


def due(result: Result) -> DueEvent:
    """Return the end of a match, not played to its end, as an event that has to follow at once."""
    return DueEvent("match_finished", partial(decide, result=result))


def end(match: MatchState, at: str, result: Result | None) -> MatchState:
    """Return the match at its end; ``result`` where it was not played to its end."""
    if result is not None:
        course = match.course._replace(ruled=result, forfeited=result.forfeited)
        match = match._replace(course=course)
    return stop(match, at)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match at its end, with the result that the log states."""
    result = event["data"].get("result")
    return end(match, event["at"], None if result is None else read_result(result))


KIND: EventKind = EventKind("match_finished", MatchFinishedData, apply)
