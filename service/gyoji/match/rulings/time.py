"""``time`` gives time to a seat, or takes some from it."""

from typing import Annotated, Literal, TypedDict

from gyoji.games.game import Seat
from gyoji.games.records import Within
from gyoji.match import clocks
from gyoji.match.clocks import LONGEST_MS
from gyoji.match.events.kind import LoggedEvent, Refusal
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind, banks_of
from gyoji.match.state import RUNNING, MatchState, add_ruling


class TimeRuling(TypedDict):
    """The ``data`` of a ``time`` ruling: the milliseconds that a seat gets, or loses where they are below 0. Where
    banks are kept, they stand beside the ruling as they are after it."""

    kind: Literal["time"]
    seat: Seat
    add_ms: Annotated[int, Within(-LONGEST_MS, LONGEST_MS)]


class TimeRequest(TypedDict):
    """The request of a ``time`` ruling: the whole seconds that a seat is to get, or to lose where they are below 0."""

    kind: Literal["time"]
    seat: Seat
    add: Annotated[int, Within(-LONGEST_MS // 1000, LONGEST_MS // 1000)]


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide that a seat gets or loses time, unless none is kept or nothing changes."""
    if case.match.clock is None:
        return Refusal("no-clock")
    after = add_time(case.match, case.ruling.seat or 0, case.ruling.add_ms)
    if after.clock == case.match.clock:
        return Refusal("no-change")
    return DecidedRuling(after, banks_of(after, "banks_ms"))


def add_time(match: MatchState, seat: Seat, ms: int) -> MatchState:
    """Return the match with time given to a seat, where time is kept."""
    clock = match.clock
    return add_ruling(match)._replace(clock=None if clock is None else clocks.add_time(clock, seat, ms))


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match with the time given."""
    ruling = event["data"]["ruling"]
    return add_time(match, ruling["seat"], ruling["add_ms"])


KIND: RulingKind = RulingKind(
    "time", TimeRuling, RUNNING, decide, apply, overrides=False, lasts=True, request=TimeRequest
)
