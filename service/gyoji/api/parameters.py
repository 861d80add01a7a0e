"""The parameters and headers of the HTTP API as data, from which ``openapi.yaml`` is made. No shapes are needed."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.api.webhook_words import MESSAGE
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.parser import ID
from gyoji.match import records
from gyoji.tournaments.tournament import MOST_ENTRANTS, MOST_ROUNDS

MATCH = ID.pattern
"""The id of a match: a UUID in lower case."""

ENTRANT = "e[1-9][0-9]{0,3}"
"""The id of an entrant."""

NAME = records.NAME
"""A name or a tag: no control characters."""

CURSOR = "[A-Za-z0-9_-]{1,256}"
TAG_OF_SEQ = '"(0|[1-9][0-9]{0,9})"'
ONE_LINE = r"[^\x00-\x1f\x7f-\x9f]"
"""A letter of a text without line breaks and control characters."""
IDEMPOTENCY_KEY = r"[\x21-\x7e]{1,255}"
LEAST_JOINING_KEY = 22
"""Characters of an idempotency key of somebody who joins: as many as 128 random bits need. Whoever guessed one, and the
name, would be answered with the personal token of that entrant."""
TILE = r"(x[0-9]{3}/){0,5}[0-9]{3}(\.p/[1-9][0-9]{0,2})?"
"""Where a tile lies below its level (C2SP tlog-tiles)."""

MOST_SEQ = records.MOST_SEQ
MOST_SEATS = 6
MOST_GROUPED = 9_999
"""Matches of one group."""
MOST_TABLES = MOST_ENTRANTS
MOST_LEAVES = 2**31 - 1
PROVABLE = ("match_created", "match_closed")
"""The leaves of the transparency log that are found by their match."""
STATUSES = ("seeding", "playing", "paused", "finished", "voided")
LINES = ("played", "ruled")
LONGEST_WAIT = 30
"""Seconds."""
MOST_LISTED = 200
LISTED = 50
MOST_UNDONE = 10_000
"""So many of the events that a ruling takes back are listed."""

MOST_EVENTS = 500

FIRST_TAGS: Mapping[str, str] = {"catalogue": "Games and their rules", "operations": "Running the service"}
LAST_TAGS: Mapping[str, str] = {
    "matches": "Stored matches",
    "groups": "Groups of matches that share their deals",
    "tournaments": "Tournaments: entrants, rounds, standings",
    "webhooks": "Telling others what happens, and what they were told",
    "replays": "Replay files, audits and the keys that sign",
    "log": "The log over all matches: that each is the one that was begun, and none is gone",
}
MESSAGE_TAGS: Mapping[str, str] = {
    "messages": "What is posted to webhooks, of each match and of each tournament in the order of its log: "
    "docs/webhooks.md says what is promised. The headers are those of Standard Webhooks "
    "(https://www.standardwebhooks.com)"
}
"""That of what is posted. Generators make a class of each tag: calls and messages need one each."""
TAGS = (*FIRST_TAGS, *BY_SLUG, *LAST_TAGS, *MESSAGE_TAGS)
"""What the contract groups operations by; the stateless calls of a game by the game."""


class Parameter(NamedTuple):
    """One parameter of an operation."""

    place: Literal["path", "query", "header"]
    name: str
    about: str
    schema: Mapping[str, Any]
    example: str | None = None
    called: str = ""
    """The name of its component, where that is not its own."""


def whole(low: int, high: int, **more: Any) -> Mapping[str, Any]:
    """Return the JSON Schema of a whole number within bounds."""
    return {"type": "integer", "minimum": low, "maximum": high, **more}


def text(pattern: str) -> Mapping[str, Any]:
    """Return the JSON Schema of a text that matches a pattern."""
    return {"type": "string", "pattern": f"^{pattern}$"}


def word(words: Sequence[str], **more: Any) -> Mapping[str, Any]:
    """Return the JSON Schema of one of some words."""
    return {"type": "string", "enum": list(words), **more}


def query(name: str, about: str, schema: Mapping[str, Any]) -> Parameter:
    """Make a parameter of the query string."""
    return Parameter("query", name, about, schema)


def limit(of: str) -> Parameter:
    """Make the parameter that limits how many items of a list are returned."""
    return query("limit", f"How many {of} at most", whole(1, MOST_LISTED, default=LISTED))


def _header(name: str, about: str, schema: Mapping[str, Any], example: str | None = None) -> Parameter:
    return Parameter("header", name, about, schema, example)


def _place(name: str, about: str, schema: Mapping[str, Any], example: str | None = None) -> tuple[str, Parameter]:
    return name, Parameter("path", name, about, schema, example)


PLACES: Mapping[str, Parameter] = dict(
    [
        _place("game", "The slug of a game", word([*BY_SLUG])),
        _place("rule", "The id of a rule, such as CAT-3.1", {"type": "string"}),
        _place(
            "schema",
            "The path of a file below schemas/: a JSON Schema, or the rule data of a game",
            text(r"([a-z0-9-]+/)?[a-z0-9_-]+\.json"),
            "matches/matches-request.json",
        ),
        _place("code", "The code of a problem", {"type": "string"}),
        _place("match", "The id of a match", text(MATCH)),
        _place("group", "The id of a group of matches", text(MATCH)),
        _place("seq", "The number of an event; the first position is that after the deal", whole(0, MOST_SEQ)),
        _place(
            "seat",
            "A seat by its number, spectator, or director",
            word([*map(str, range(MOST_SEATS)), "spectator", "director"]),
        ),
        _place("tournament", "The id of a tournament", text(MATCH)),
        _place("entrant", "The id of an entrant", text(ENTRANT)),
        _place("number", "The number of a round", whole(1, MOST_ROUNDS)),
        _place("table", "The number of a table", whole(1, MOST_TABLES)),
        _place("webhook", "The id of a webhook", text(MATCH)),
        _place("delivery", "The id of a delivery", text(MESSAGE)),
        _place("level", "The level of the tile; 0 holds the hashes of leaves", whole(0, 63)),
        _place(
            "place",
            "The number of the tile in groups of three digits, all but the last behind an x; .p/W for a tile of W "
            "hashes",
            text(TILE),
            "000.p/1",
        ),
    ]
)
"""What URLs hold in their open places."""

IF_MATCH = _header(
    "If-Match",
    "The ETag of the position that the move is meant for, or several, or * (RFC 9110, section 13.1.1)",
    {"type": "string"},
    '"7"',
)
IDEMPOTENCY_HEADER = _header(
    "Idempotency-Key",
    "A key of the client's own for one request; the same request by the same caller under it is answered as before",
    text(IDEMPOTENCY_KEY),
    '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
)
JOINING_KEY_HEADER = _header(
    "Idempotency-Key",
    "A key of the client's own for one request, which nobody can guess: whoever sends the same request under it is "
    "answered with the same token",
    text(rf"[\x21-\x7e]{{{LEAST_JOINING_KEY},255}}"),
    '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
)._replace(called="IdempotencyKeyOfJoining")
LAST_EVENT_HEADER = _header(
    "Last-Event-ID",
    "Of a stream that is resumed: the id of the last event seen, which goes before after. Where the log has not come "
    "to it, the stream says reset and begins with the first event",
    {"type": "string"},
)
LAST_SEQ_HEADER = LAST_EVENT_HEADER._replace(schema=text("[0-9]{1,10}"))
"""The same where the answer is always a stream."""
LAST_POSITION_HEADER = _header(
    "Last-Event-ID",
    "Of a stream that is resumed: the id of the last message seen. Without it the stream begins with what happens from "
    "now on, and so it does, and says reset, where the service does not know that id any more",
    {"type": "string"},
)
IF_NONE_MATCH = _header(
    "If-None-Match",
    "The ETag of what the caller has, or several: 304 without a body where it is that still (RFC 9110, section 13.1.2)",
    {"type": "string"},
    '"8c41bb1f4ba07c06c56cc28e5b65f4b1"',
)
CURSOR_PARAMETER = query("cursor", "Where the page before has ended: its next", text(CURSOR))

CONTENT_TAG = "Content-Tag"

HEADERS: Mapping[str, Parameter] = {
    CONTENT_TAG: _header(
        "ETag", "What tells these bytes from all others: what If-None-Match takes", {"type": "string"}
    ),
} | {
    header.name: header
    for header in (
        _header("ETag", "The seq of the match, in quotes: what If-Match takes", text(TAG_OF_SEQ)),
        _header("Location", "The address of what was made", {"type": "string"}),
        _header("Link", "The next page, with rel=next, where there is one (RFC 8288)", {"type": "string"}),
        _header("Retry-After", "Seconds after which to try again", text("[0-9]+")),
        _header("WWW-Authenticate", "Bearer", {"type": "string"}),
    )
}
"""Headers of answers, by name; an ``ETag`` that is not a ``seq`` as ``CONTENT_TAG``."""
