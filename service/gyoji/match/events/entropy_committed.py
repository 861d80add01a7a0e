"""``entropy_committed`` records that a seat commits to entropy that it keeps to itself for now."""

from typing import TypedDict

from gyoji.games.game import Seat
from gyoji.match.events.contributions import contribute, contributed
from gyoji.match.events.kind import BrokenLog, DecidedEvent, EventKind, LoggedEvent
from gyoji.match.records import Digest
from gyoji.match.seeding import Reason, add_commitment
from gyoji.match.state import MatchState


class EntropyCommittedData(TypedDict):
    """A commitment to entropy, 64 hex digits. Everybody may know it."""

    commit: Digest


def decide(match: MatchState, seat: Seat, commit: str) -> DecidedEvent | Reason:
    """Decide a seat's commitment to entropy; or return why it is not accepted."""
    data: EntropyCommittedData = {"commit": commit}
    after = add_commitment(match.seeding, seat, commit)
    return contribute(match, after, "entropy_committed", {"role": "seat", "seat": seat}, data)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a commitment to entropy."""
    after = add_commitment(match.seeding, event["actor"]["seat"], event["data"]["commit"])
    if isinstance(after, str):
        raise BrokenLog(match.seq + 1)
    return contributed(match, after)


KIND: EventKind = EventKind("entropy_committed", EntropyCommittedData, apply)
