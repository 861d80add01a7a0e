"""``substitute``: somebody else plays a seat from now on."""

from typing import Literal, TypedDict

from gyoji.games.game import Seat
from gyoji.match.events.kind import LoggedEvent
from gyoji.match.rulings.kind import Case, RulingKind, Settled
from gyoji.match.state import RUNNING, MatchState, add_ruling


class Substitute(TypedDict):
    """The seat; the name is private so that it can be erased."""

    kind: Literal["substitute"]
    seat: Seat
    name: str | None


def decide(case: Case) -> Settled:
    """The substitute takes over the seat."""
    return Settled(replace_player(case.match, case.ruling.seat or 0, case.ruling.name))


def replace_player(match: MatchState, seat: Seat, name: str | None) -> MatchState:
    """The match with another player in that seat; ``None``: without a name."""
    return add_ruling(match)._replace(names={**match.names, seat: name})


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """The match with the substitute in the seat."""
    ruling = event["data"]["ruling"]
    return replace_player(match, ruling["seat"], ruling["name"])


KIND = RulingKind("substitute", Substitute, ("seeding", *RUNNING), decide, apply, overrides=False, lasts=True)
