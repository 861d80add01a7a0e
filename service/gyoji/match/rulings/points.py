"""``points`` gives points to a seat, or takes some from it."""

from typing import Annotated, Literal, TypedDict

from gyoji.games.game import Seat, replace_at
from gyoji.games.records import Within
from gyoji.match.events.kind import LoggedEvent, Refusal
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind
from gyoji.match.state import RUNNING, MatchState, add_ruling, winners_among

MOST_POINTS = 1_000_000
"""No ruling gives or takes more."""


class PointsRuling(TypedDict):
    """The ``data`` of a ``points`` ruling: the points that a seat gets, or loses where they are below 0."""

    kind: Literal["points"]
    seat: Seat
    points: Annotated[int, Within(-MOST_POINTS, MOST_POINTS)]


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide that a seat gets or loses points, unless they are none."""
    points = case.ruling.points
    return DecidedRuling(add_points(case.match, case.ruling.seat or 0, points)) if points else Refusal("no-change")


def add_points(match: MatchState, seat: Seat, points: int) -> MatchState:
    """Return the match with points given to a seat, which may change who wins, unless a ruling has said who does."""
    result = match.course.ruled
    before = match.course.adjustments or (0,) * match.seeding.seats
    course = match.course._replace(adjustments=replace_at(before, seat, before[seat] + points))
    if result is None:
        return add_ruling(match, course)
    scores = replace_at(result.scores, seat, result.scores[seat] + points)
    winners = result.winners if result.by == "ruling" else winners_among(match.game, scores, result.forfeited)
    return add_ruling(match, course._replace(ruled=result._replace(scores=scores, winners=winners)))


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match with the points given."""
    ruling = event["data"]["ruling"]
    return add_points(match, ruling["seat"], ruling["points"])


KIND: RulingKind = RulingKind("points", PointsRuling, (*RUNNING, "finished"), decide, apply, overrides=True, lasts=True)
