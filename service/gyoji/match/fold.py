"""The fold: from the entries of a log to the state of the match after any of them."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from gyoji.games.game import Game, NotRecorded
from gyoji.log.entries import Entry
from gyoji.log.redaction import Misplaced, merge
from gyoji.match.event_kinds import EVENT_KINDS
from gyoji.match.events.kind import BrokenLog
from gyoji.match.setup import read_setup
from gyoji.match.state import MatchState
from gyoji.match.state import first_state as first

UNFOLDABLE = (BrokenLog, Misplaced, NotRecorded, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What the fold, and whoever tells of the events, raises where something is hidden, or was never written by a service.
Which event is wrong, and how, is the audit's to say."""


def opened_data(entry: Entry, document: Mapping[str, Any]) -> Any:
    """``data`` of the event with everything that this holder's openings tell."""
    return merge(document["data"], [opening.payload for opening in entry.openings])


def first_state(entry: Entry, game: Game[Any], secret: bytes) -> MatchState:
    """The state of a match after its first event; ``secret`` is the server's, kept beside the log, or empty."""
    document = orjson.loads(entry.body)
    return first(document["match"], read_setup(game, document["data"]), secret, entry.hash, document["at"])


def apply_entry(match: MatchState, entry: Entry) -> MatchState:
    """The state of the match after one more entry. Chance comes from what was recorded, not from the seed."""
    document = orjson.loads(entry.body)
    kind = EVENT_KINDS.get(document["type"])
    if kind is not None:
        data = opened_data(entry, document)
        match = kind.apply(match, {"at": document["at"], "actor": document["actor"], "data": data})
    return match._replace(seq=entry.seq, hash=entry.hash, at=document["at"])


def apply_entries(match: MatchState, entries: Iterable[Entry]) -> MatchState:
    """The fold over entries that follow on."""
    for entry in entries:
        match = apply_entry(match, entry)
    return match


def replay_log(game: Game[Any], secret: bytes, entries: Iterable[Entry]) -> MatchState:
    """The fold over a log from its first entry."""
    entries = iter(entries)
    return apply_entries(first_state(next(entries), game, secret), entries)
