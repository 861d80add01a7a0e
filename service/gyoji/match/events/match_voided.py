"""``match_voided`` ends the match without a result."""

from typing import Literal, TypedDict

from gyoji.games.game import Chance
from gyoji.log.entries import SERVICE, Actor
from gyoji.match.events import seed_disclosed
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.records import SeatList
from gyoji.match.state import MatchState, stop

VoidReason = Literal["cancelled", "entropy-missing", "ruling"]
"""An operator cancelled the match, seats owed entropy, or a referee made it void."""


class MatchVoidedData(TypedDict):
    """Why the match is void; ``missing`` are the seats that owed entropy, before the deal. Everybody may know it."""

    reason: VoidReason
    missing: SeatList


def decide(match: MatchState, at: str, actor: Actor, reason: VoidReason) -> DecidedEvent:
    """Decide the end of a match without a result, before the deal or after it."""
    data: MatchVoidedData = {"reason": reason, "missing": () if match.seeding.closed else match.seeding.missing}
    return DecidedEvent("match_voided", actor, data, {}, void(match, at), seed_disclosed.due(match, at))


def _decide_ruled(match: MatchState, at: str, _chance: Chance) -> DecidedEvent:
    return decide(match, at, SERVICE, "ruling")


DUE_AFTER_RULING = DueEvent("match_voided", _decide_ruled)


def void(match: MatchState, at: str) -> MatchState:
    """Return the match made void: nothing is contributed to its seed any more."""
    seeding = match.seeding._replace(closed=True)
    return stop(match, at, voided=True)._replace(seeding=seeding, decision=match.seq + 1)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a logged ``match_voided``."""
    return void(match, event["at"])


KIND: EventKind = EventKind("match_voided", MatchVoidedData, apply)
