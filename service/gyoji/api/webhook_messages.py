"""The section ``webhooks`` of the contract: what is posted to the address of a webhook."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apispec import APISpec

from gyoji.api.components import component
from gyoji.api.fields import SEED, Integer, ListOf, Text, Word
from gyoji.api.log_events import SEAT_TO_ACT, hash_field, match_field, seq_field, time_field
from gyoji.api.media import JSON
from gyoji.api.parameters import ENTRANT, MATCH, MESSAGE_TAGS, MOST_SEATS, MOST_TABLES
from gyoji.api.publication import Node
from gyoji.api.rulings import RESULT
from gyoji.api.shapes import Fields, Shape, many, nested, shape, tagged, variants_of
from gyoji.api.tournament_requests import PAIRINGS
from gyoji.api.webhook_words import MESSAGE, TEST
from gyoji.tournaments.tournament import MOST_ENTRANTS, MOST_ROUNDS

SUMMARIES: Mapping[str, str] = {
    "match.created": "A new match",
    "match.moved": "A move or a choice",
    "match.clock_expired": "The time of a seat has run out, and what was done by default",
    "match.ruled": "A ruling",
    "match.finished": "A match is over, or void",
    "match.decision_needed": "Seats have to act that had not to before, or could not",
    "round.paired": "The tables of a round",
    "standings.changed": "The standings of a tournament may have changed",
    TEST: "Somebody has asked for a test",
}
"""What each message tells of, by its type."""

TOLD_OF: Mapping[str, tuple[str, ...]] = {
    "match.created": ("match_created",),
    "match.moved": ("move_played", "choice_made"),
    "match.clock_expired": ("clock_expired",),
    "match.ruled": ("ruling_made",),
    "match.finished": ("match_finished", "match_voided"),
}
"""The events that are in messages of a type."""

DESCRIPTION = "Posted to the `url` of every webhook that asked for messages of this type, at least once."

HEADERS: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    (
        "webhook-id",
        "The id of the message: the same whenever it is sent again",
        {"type": "string", "pattern": f"^{MESSAGE}$"},
    ),
    ("webhook-timestamp", "Unix seconds of this attempt", {"type": "string", "pattern": "^[0-9]+$"}),
    (
        "webhook-signature",
        "v1, a comma, and the base64 of the HMAC-SHA-256, under the secret of the webhook, of webhook-id, a full stop, "
        "webhook-timestamp, a full stop and the body",
        {"type": "string", "pattern": "^v1,[A-Za-z0-9+/]{43}=$"},
    ),
)
TRACEPARENT = ("traceparent", "The trace of the request that led to the message, where it had one", {"type": "string"})

RESPONSES: Mapping[str, tuple[str, str]] = {
    "2XX": ("MessageTaken", "The message is taken"),
    "410": ("AddressGone", "The address is gone: the webhook is disabled"),
    "default": ("MessageNotTaken", "The message is sent again later; a Retry-After is heeded"),
}
"""What an answer means, by status: the name of its component, and the meaning."""

TABLE = shape(
    "PairedTable",
    {
        "table": Integer(1, MOST_TABLES, required=True),
        "seats": ListOf(Text(ENTRANT), MOST_SEATS, required=True),
        "match": match_field(),
    },
)
PAIRED_DATA = shape(
    "RoundPairedData",
    {
        "round": Integer(1, MOST_ROUNDS, required=True),
        "pairing": Word(*PAIRINGS, required=True),
        "seed": Text(SEED, required=True),
        "tables": many(TABLE, MOST_TABLES),
        "byes": ListOf(Text(ENTRANT), MOST_ENTRANTS, required=True),
        "absent": ListOf(Text(ENTRANT), MOST_ENTRANTS),
    },
)
ROUND_PAIRED = shape(
    "RoundPairedEvent",
    {
        "seq": seq_field(),
        "type": Word("round_paired", required=True),
        "at": time_field(),
        "data": nested(PAIRED_DATA),
        "hash": hash_field(),
    },
)


def _headers() -> dict[str, Node]:
    """Make the parameters that all messages have, by the name of the header."""
    headers = [*((*header, True) for header in HEADERS), (*TRACEPARENT, False)]
    return {
        name: {"in": "header", "name": name, "required": required, "description": about, "schema": dict(schema)}
        for name, about, schema, required in headers
    }


def shared_parameters() -> dict[str, Node]:
    """Return the components of the parameters of messages, by name."""
    return {_named(name): header for name, header in _headers().items()}


def shared_responses() -> dict[str, Node]:
    """Return the components of what answers to messages mean, by name."""
    return {name: {"description": meaning} for name, meaning in RESPONSES.values()}


def _named(header: str) -> str:
    return "".join(part.capitalize() for part in header.split("-"))


def posted(spec: APISpec, kind: str, data: Shape) -> Node:
    """Write the messages of a type as OpenAPI has them: what is posted, and what an answer means."""
    return {
        "post": {
            "operationId": f"on{_title(kind)}",
            "summary": SUMMARIES[kind],
            "description": DESCRIPTION,
            "tags": [*MESSAGE_TAGS],
            "security": [],
            "parameters": [{"$ref": f"#/components/parameters/{_named(name)}"} for name in _headers()],
            "requestBody": {
                "required": True,
                "content": {JSON: {"schema": component(spec, _message(kind, data))}},
            },
            "responses": {
                status: {"$ref": f"#/components/responses/{name}"} for status, (name, _meaning) in RESPONSES.items()
            },
        }
    }


def _message(kind: str, data: Shape) -> Shape:
    return shape(
        f"{_title(kind)}Message",
        {"type": Word(kind, required=True), "timestamp": time_field(), "data": nested(data)},
    )


def message_data(games: Sequence[str], feed: Shape) -> Iterator[tuple[str, Shape]]:
    """Make what each message holds in ``data``, by its type."""
    named: Fields = {
        "match": match_field(),
        "game": Word(*games, required=True),
        "tournament": Text(MATCH, required=True, allow_none=True),
        "seq": seq_field(),
    }
    of_tournament: Fields = {"tournament": Text(MATCH, required=True), "seq": seq_field()}
    of_match: Fields = {"match": Text(MATCH), "game": Word(*games)}
    for kind, types in TOLD_OF.items():
        events = {name: variants_of(feed)[name] for name in types}
        event = tagged(f"{_title(kind)}Event", "type", events) if len(events) > 1 else events[types[0]]
        result: Fields = {"result": nested(RESULT, allow_none=True)} if kind == "match.finished" else {}
        yield kind, shape(f"{_title(kind)}MessageData", {**named, **result, "event": nested(event)})
    yield (
        "match.decision_needed",
        shape("MatchDecisionNeededMessageData", {**named, "to_act": many(SEAT_TO_ACT, MOST_SEATS)}),
    )
    yield "round.paired", shape("RoundPairedMessageData", {**of_tournament, "event": nested(ROUND_PAIRED)})
    yield "standings.changed", shape("StandingsChangedMessageData", {**of_tournament, **of_match})
    yield TEST, shape("WebhookTestMessageData", {"webhook": Text(MATCH, required=True)})


def _title(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.replace(".", "_").split("_"))
