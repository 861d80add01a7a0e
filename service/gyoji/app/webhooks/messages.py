"""Writes the messages of webhooks about events. Every event goes out as the public may know it, through the redaction
of logs, whoever owns the webhook."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson

from gyoji.app.match_states import MatchStateCache
from gyoji.app.matches.feeds import event_document
from gyoji.match.state import MatchState, result_of
from gyoji.store.interface import Match, Store
from gyoji.store.webhooks.records import Delivery

MESSAGE_TYPES: Mapping[str, str] = {
    "match_created": "match.created",
    "move_played": "match.moved",
    "choice_made": "match.moved",
    "clock_expired": "match.clock_expired",
    "ruling_made": "match.ruled",
    "match_finished": "match.finished",
    "match_voided": "match.finished",
    "round_paired": "round.paired",
}
"""The message of an event by the event's type; of the others there is none of their own."""

REVISING = ("take_back", "points", "result")
"""Rulings that may change how a match came out, and with it the standings."""

FIGURES = (
    "round_paired",
    "round_taken_back",
    "match_replaced",
    "entrant_removed",
    "entrant_forfeited",
    "entrant_reinstated",
    "correction_made",
    "tournament_closed",
)
"""Events of a tournament that may change its standings: byes, matches in the place of others, entrants who were not
there, points, drawn lots."""


class MessageSource(NamedTuple):
    """The source of messages about matches and tournaments: reads their logs and replays them."""

    store: Store
    states: MatchStateCache

    def state(self, row: Match, seq: int) -> MatchState:
        """Return the state of the match after event ``seq``. In rising order, each state is a step from the one
        before."""
        latest = self.states.latest(row._replace(head=row.head._replace(seq=seq)))
        return latest if latest.seq == seq else self.states.at(row, seq)


def types_for_match(
    source: MessageSource, row: Match, event: Mapping[str, Any], last: int, wanted: frozenset[str]
) -> Iterator[str]:
    """List the types of the messages, among those wanted, that an event of a match leads to; ``last`` is the ``seq`` of
    the last event that was stored with it."""
    kind, data = event["type"], event["data"]
    own = MESSAGE_TYPES.get(kind)
    if own in wanted:
        yield own
    revised = kind == "ruling_made" and data["ruling"]["kind"] in REVISING
    if row.tournament is not None and (own == "match.finished" or revised) and "standings.changed" in wanted:
        yield "standings.changed"
    if "match.decision_needed" in wanted and opens_decision(source, row, event, last):
        yield "match.decision_needed"


def opens_decision(source: MessageSource, row: Match, event: Mapping[str, Any], last: int) -> bool:
    """Tell whether seats have to act from this event on that did not have to before, or could not. They have not where
    the match is paused by what was stored with it."""
    if event["seq"] == 0:
        return False
    state = source.state(row, event["seq"])
    opened = state.decision == state.seq or event["type"] == "match_resumed"
    has_opened = opened and state.status == "playing" and bool(state.state.to_act)
    return has_opened and (last == state.seq or source.state(row, last).status == "playing")


def types_for_tournament(event: Mapping[str, Any], wanted: frozenset[str]) -> Iterator[str]:
    """List the types of the messages, among those wanted, that an event of a tournament leads to."""
    if event["type"] == "round_paired" and "round.paired" in wanted:
        yield "round.paired"
    if event["type"] in FIGURES and "standings.changed" in wanted:
        yield "standings.changed"


class EventGone(Exception):
    """The event that a message is about is not there any more."""


def body(source: MessageSource, delivery: Delivery) -> bytes:
    """Write the body of a message: the same bytes whenever it is sent. ``EventGone`` if its match or tournament is not
    there."""
    if delivery.kind == "test":
        return _written(delivery.type, delivery.created, {"webhook": delivery.webhook})
    if delivery.kind == "tournament":
        return _about_tournament(source.store, delivery)
    row = source.store.match(delivery.subject)
    if row is None:
        raise EventGone
    return _about_match(source, row, delivery)


def _about_match(source: MessageSource, row: Match, delivery: Delivery) -> bytes:
    entry = next(source.store.entries(row.match, delivery.seq - 1, delivery.seq), None)
    if entry is None:
        raise EventGone
    state = source.state(row, delivery.seq)
    event = event_document("public", entry, state)
    named = {"match": row.match, "game": row.game, "tournament": row.tournament, "seq": delivery.seq}
    more: Mapping[str, Any] = {"event": event}
    if delivery.type == "match.decision_needed":
        more = {"to_act": event["to_act"]}
    elif delivery.type == "match.finished":
        more = {"result": _result(state), "event": event}
    elif delivery.type == "standings.changed":
        more = {}
    return _written(delivery.type, event["at"], {**named, **more})


def _result(state: MatchState) -> dict[str, Any] | None:
    """Tell how the match came out; ``None`` for one that is void."""
    result = result_of(state)
    return None if result is None else result._asdict()


def _about_tournament(store: Store, delivery: Delivery) -> bytes:
    """Write a message about a tournament, in whose log nothing is hidden."""
    for entry in store.tournaments.entries(delivery.subject, delivery.seq - 1, delivery.seq):
        event = orjson.loads(entry.body)
        named = {"tournament": delivery.subject, "seq": delivery.seq}
        whole = {"seq": entry.seq, "type": event["type"], "at": event["at"], "data": event["data"]}
        more = {} if delivery.type == "standings.changed" else {"event": {**whole, "hash": entry.hash.hex()}}
        return _written(delivery.type, event["at"], {**named, **more})
    raise EventGone


def _written(kind: str, at: str, data: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"type": kind, "timestamp": at, "data": data})
