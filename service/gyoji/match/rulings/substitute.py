"""``substitute`` gives a seat to another player from now on."""

from typing import Literal, NotRequired, TypedDict

from gyoji.games.game import Seat
from gyoji.match.events.kind import LoggedEvent
from gyoji.match.records import Name
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind
from gyoji.match.state import RUNNING, MatchState, add_ruling


class SubstituteRuling(TypedDict):
    """The ``data`` of a ``substitute`` ruling: the seat; the name is private so that it can be erased."""

    kind: Literal["substitute"]
    seat: Seat
    name: Name | None


class SubstituteRequest(TypedDict):
    """The request of a ``substitute`` ruling: the seat and who plays it; without a name nobody is told who it is."""

    kind: Literal["substitute"]
    seat: Seat
    name: NotRequired[Name | None]


def decide(case: RulingCase) -> DecidedRuling:
    """Decide that the substitute takes over the seat."""
    return DecidedRuling(replace_player(case.match, case.ruling.seat or 0, case.ruling.name))


def replace_player(match: MatchState, seat: Seat, name: str | None) -> MatchState:
    """Return the match with another player in a seat; ``None``: without a name."""
    return add_ruling(match, match.course._replace(names={**match.course.names, seat: name}))


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match with the substitute in the seat."""
    ruling = event["data"]["ruling"]
    return replace_player(match, ruling["seat"], ruling["name"])


KIND: RulingKind = RulingKind(
    "substitute",
    SubstituteRuling,
    ("seeding", *RUNNING),
    decide,
    apply,
    overrides=False,
    lasts=True,
    request=SubstituteRequest,
)
