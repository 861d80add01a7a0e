"""The fold applies the entries of a log one after the other, and gives the state of the match after any of them."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from gyoji.games.game import Game, NotRecorded
from gyoji.log.entries import Entry
from gyoji.log.redaction import InvalidPointer, merge
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
from gyoji.match.events.kind import BrokenLog, EventKind
from gyoji.match.rulings import ruling_made
from gyoji.match.setup import read_setup
from gyoji.match.state import MatchState
from gyoji.match.state import first_state as first

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


UNFOLDABLE = (BrokenLog, InvalidPointer, NotRecorded, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What the fold raises, and whoever reads the events, where something is hidden, or was never written by a service.
Which event is wrong, and how, is the audit's to say."""


def opened_data(entry: Entry, document: Mapping[str, Any]) -> Any:
    """Return ``data`` of an event with all openings of its entry merged in."""
    return merge(document["data"], [opening.payload for opening in entry.openings])


def first_state(entry: Entry, game: Game[Any], secret: bytes) -> MatchState:
    """Return the state of a match after its first event; ``secret`` is the server's, stored beside the log, or
    empty."""
    document = orjson.loads(entry.body)
    return first(document["match"], read_setup(game, document["data"]), secret, entry.hash, document["at"])


def apply_entry(match: MatchState, entry: Entry) -> MatchState:
    """Return the state of the match after one more entry. Shuffles come from what was recorded, not from the seed."""
    document = orjson.loads(entry.body)
    kind = EVENT_KINDS.get(document["type"])
    if kind is not None:
        data = opened_data(entry, document)
        match = kind.apply(match, {"at": document["at"], "actor": document["actor"], "data": data})
    return match._replace(seq=entry.seq, hash=entry.hash, at=document["at"])


def apply_entries(match: MatchState, entries: Iterable[Entry]) -> MatchState:
    """Return the state of the match after further entries, which follow on."""
    for entry in entries:
        match = apply_entry(match, entry)
    return match


def replay_log(game: Game[Any], secret: bytes, entries: Iterable[Entry]) -> MatchState:
    """Return the state of a match after all entries of its log."""
    entries = iter(entries)
    return apply_entries(first_state(next(entries), game, secret), entries)
