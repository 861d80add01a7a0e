"""Every kind of event by its type: how it is applied to a match."""

from collections.abc import Mapping

from gyoji.match.events import (
    clock_expired,
    dealt,
    entropy_committed,
    entropy_revealed,
    match_created,
    match_finished,
    match_paused,
    match_resumed,
    match_voided,
    move,
    seed_disclosed,
)
from gyoji.match.events.kind import EventKind
from gyoji.match.rulings import ruling_made

EVENT_KINDS: Mapping[str, EventKind] = {
    kind.name: kind
    for kind in (
        entropy_committed.KIND,
        entropy_revealed.KIND,
        dealt.KIND,
        *move.KINDS,
        ruling_made.KIND,
        clock_expired.KIND,
        match_paused.KIND,
        match_resumed.KIND,
        match_finished.KIND,
        match_voided.KIND,
        seed_disclosed.KIND,
    )
}
"""The kinds of events that follow ``match_created``, by type."""

RECORDS: Mapping[str, type] = {
    "match_created": match_created.MatchCreatedData,
    **{kind.name: kind.record for kind in EVENT_KINDS.values()},
}
"""What every kind of event holds in ``data``, by type."""
