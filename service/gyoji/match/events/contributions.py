"""What the two kinds of contributions to the seed of a match (``entropy_committed``, ``entropy_revealed``) have in
common."""

from collections.abc import Mapping
from typing import Any

from gyoji.log.entries import Actor
from gyoji.match.events import dealt
from gyoji.match.events.kind import DecidedEvent
from gyoji.match.seeding import Reason, Seeding
from gyoji.match.state import MatchState


def contribute(
    match: MatchState, after: Seeding | Reason, kind: str, actor: Actor, data: Mapping[str, Any]
) -> DecidedEvent | Reason:
    """Make the event of a contribution after which the seeding is ``after``. The last contribution is followed by the
    deal."""
    if isinstance(after, str):
        return after
    return DecidedEvent(kind, actor, data, {}, contributed(match, after), dealt.DUE if after.is_complete else None)


def contributed(match: MatchState, after: Seeding) -> MatchState:
    """Return the match with one more contribution to its seed."""
    return match._replace(seeding=after, decision=match.seq + 1)
