"""``entropy_revealed`` reveals the entropy that a seat has committed to, or a contribution for all seats."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from gyoji.games.game import Seat
from gyoji.games.records import Like
from gyoji.log.entries import OPERATOR, Actor
from gyoji.match.events.contributions import contribute, contributed
from gyoji.match.events.kind import BrokenLog, DecidedEvent, EventKind, LoggedEvent
from gyoji.match.records import ENTROPY
from gyoji.match.seeding import Reason, add_reveal, add_share
from gyoji.match.state import MatchState

SHARERS: Mapping[str, Actor] = {"director": {"role": "director"}, "external": OPERATOR}
"""Who contributes for all seats, by the policy."""


class EntropyRevealedData(TypedDict):
    """Entropy in hex digits: 64 of a seat, 32 to 128 of whoever contributes for all. Everybody may know it."""

    entropy: Annotated[str, Like(ENTROPY)]


def decide(match: MatchState, seat: Seat | None, entropy: str) -> DecidedEvent | Reason:
    """Decide a contribution of entropy, by a seat or (``None``) for all seats; or return why it is not accepted."""
    data: EntropyRevealedData = {"entropy": entropy}
    if seat is None:
        actor = SHARERS.get(match.seeding.policy.name, OPERATOR)
        return contribute(match, add_share(match.seeding, entropy), "entropy_revealed", actor, data)
    actor = {"role": "seat", "seat": seat}
    return contribute(match, add_reveal(match.seeding, seat, entropy), "entropy_revealed", actor, data)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after a contribution of entropy."""
    seat, entropy = event["actor"].get("seat"), event["data"]["entropy"]
    after = add_share(match.seeding, entropy) if seat is None else add_reveal(match.seeding, seat, entropy)
    if isinstance(after, str):
        raise BrokenLog(match.seq + 1)
    return contributed(match, after)


KIND: EventKind = EventKind("entropy_revealed", EntropyRevealedData, apply)
