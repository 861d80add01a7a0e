"""What a take-back crosses: the events that told somebody something which had been hidden, and the shuffles. What was
told stays known to whoever heard it, whatever is ruled.

All of it follows from what anybody may know of the log, so it can be told to a referee who sees no hidden card: which
card it was is never said.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.games.game import Event, Seat
from gyoji.games.records import Knower
from gyoji.log.entries import Entry
from gyoji.log.redaction import Audience
from gyoji.match.chance import piles_of
from gyoji.match.effective_history import taken_back_events
from gyoji.match.fold import opened_data
from gyoji.match.state import MatchState


class UndoneEvent(NamedTuple):
    """One event that is taken back."""

    seq: int
    type: str
    known_to: Audience
    """The seats that it had told something; ``all``: everybody at the table."""
    shuffle: bool
    """Whether cards were shuffled."""


def undone_events(target: MatchState, entries: Sequence[Entry]) -> tuple[UndoneEvent, ...]:
    """Of the entries that follow the event at which ``target`` stands, those that are in force and told somebody
    something. Every opening has to be there."""
    gone = taken_back_events(entries)
    return tuple([found for entry in entries if entry.seq not in gone for found in _crossing(target, entry)])


def _crossing(target: MatchState, entry: Entry) -> Iterator[UndoneEvent]:
    document = orjson.loads(entry.body)
    data = opened_data(entry, document)
    events, move = data.get("events", ()), data.get("move", {})
    shuffle = bool(piles_of(target.game, target.options, events))
    known = target.game.known(target.options).events
    told = {seat for event in events for seat in _told(event, known[event["type"]], move)}
    is_public = any(event["type"] in target.game.records.uncovering for event in events)
    if is_public or told or shuffle:
        yield UndoneEvent(entry.seq, document["type"], "all" if is_public else tuple(sorted(told)), shuffle)


def _told(event: Event, fields: Mapping[str, Knower], move: Mapping[str, Any]) -> Iterator[Seat]:
    """The seats that one event told something privately. Of its own choice nobody learns anything."""
    for name, knower in fields.items():
        if knower == "own" and event.get(name) != move.get(name, ""):
            yield event["seat"]
        elif knower == "both":
            yield event["to"]
        elif knower == "each":
            yield from range(len(event[name]))
