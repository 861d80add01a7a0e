"""The parameters and headers of the HTTP API as data: what ``openapi.yaml`` says of each. No shapes are needed."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gyoji.games.catalogue import BY_SLUG
from gyoji.log.parser import ID
from gyoji.match import records

MATCH = ID.pattern
"""The id of a match: a UUID in lower case."""

NAME = records.NAME
"""A name or a tag: no control characters."""

CURSOR = "[A-Za-z0-9_-]{1,256}"
TAG_OF_SEQ = '"(0|[1-9][0-9]{0,9})"'
IDEMPOTENCY_KEY = r"[\x21-\x7e]{1,255}"

MOST_SEQ = records.MOST_SEQ
MOST_SEATS = 6
MOST_GROUPED = 9_999
"""Matches of one group."""
MOST_LEAVES = 2**31 - 1
PROVABLE = ("match_created", "match_closed")
"""The leaves of the log over all matches that are found by their match."""
STATUSES = ("seeding", "playing", "paused", "finished", "voided")
LINES = ("played", "ruled")
LONGEST_WAIT = 30
"""Seconds."""
MOST_LISTED = 200
LISTED = 50
MOST_CROSSED = 10_000
"""So many of the events that a ruling takes back are listed."""

MOST_EVENTS = 500


class Parameter(NamedTuple):
    """One parameter of an operation."""

    place: Literal["path", "query", "header"]
    name: str
    about: str
    schema: Mapping[str, Any]
    example: str | None = None


def _whole(low: int, high: int, **more: Any) -> Mapping[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": high, **more}


def _text(pattern: str) -> Mapping[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}


GAME = Parameter("path", "game", "The slug of a game", {"type": "string", "enum": list(BY_SLUG)})
RULE = Parameter("path", "rule", "The id of a rule, such as CAT-3.1", {"type": "string"})
CODE = Parameter("path", "code", "The code of a problem", {"type": "string"})
IN_MATCH = Parameter("path", "match", "The id of a match", _text(MATCH))
IN_GROUP = Parameter("path", "group", "The id of a group of matches", _text(MATCH))
AT_SEQ = Parameter(
    "path", "seq", "The number of an event; the first position is that after the deal", _whole(0, MOST_SEQ)
)
OF_SEAT = Parameter(
    "path",
    "seat",
    "A seat by its number, spectator, or director",
    {"type": "string", "enum": [*(str(seat) for seat in range(MOST_SEATS)), "spectator", "director"]},
)
IF_MATCH = Parameter(
    "header",
    "If-Match",
    "The ETag of the position that the move is meant for, or several, or * (RFC 9110, section 13.1.1)",
    {"type": "string"},
    '"7"',
)
KEYED_ONCE = Parameter(
    "header",
    "Idempotency-Key",
    "A key of the client's own for one request; the same request by the same caller under it is answered as before",
    _text(IDEMPOTENCY_KEY),
    '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
)
AFTER = Parameter("query", "after", "Only events after this one; without it from the first on", _whole(0, MOST_SEQ))
WAIT = Parameter("query", "wait", "Seconds to wait for news where there are none", _whole(0, LONGEST_WAIT, default=0))
EVENTS_ASKED = Parameter("query", "limit", "How many events at most", _whole(1, MOST_EVENTS, default=MOST_EVENTS))
RAW = Parameter(
    "query",
    "raw",
    "1: the canonical lines of the log, with the openings that the viewer may have",
    {"type": "string", "enum": ["0", "1"], "default": "0"},
)
LAST_EVENT = Parameter(
    "header",
    "Last-Event-ID",
    "Of a stream that is resumed: the id of the last event seen, which goes before after. Where the log has not come "
    "to it, the stream says reset and begins with the first event",
    {"type": "string"},
)
LOOKING_AS = Parameter(
    "query", "as", "For those who run or audit the match: what this seat could know", _whole(0, MOST_SEATS - 1)
)
GAME_ASKED = Parameter("query", "game", "Only matches of this game", {"type": "string", "enum": list(BY_SLUG)})
TOURNAMENT_ASKED = Parameter("query", "tournament", "Only matches of this tournament", _text(MATCH))
LINE_ASKED = Parameter(
    "query",
    "line",
    "played: the whole log; ruled: the events that no ruling has taken back, as the feed tells them",
    {"type": "string", "enum": list(LINES), "default": "played"},
)
RULED_ON = Parameter(
    "header",
    "If-Match",
    "The ETag of the position that is ruled on; demanded but for a dry run, and * is not enough",
    {"type": "string"},
    '"7"',
)
STATUS_ASKED = Parameter("query", "status", "Only matches that stand so", {"type": "string", "enum": list(STATUSES)})
TAG_ASKED = Parameter("query", "tag", "Only matches with this tag", _text(NAME))
CURSOR_ASKED = Parameter("query", "cursor", "Where the page before has ended: its next", _text(CURSOR))
LISTED_ASKED = Parameter("query", "limit", "How many matches at most", _whole(1, MOST_LISTED, default=LISTED))

HEADERS: Mapping[str, Parameter] = {
    header.name: header
    for header in (
        Parameter("header", "ETag", "The seq of the match, in quotes: what If-Match takes", _text(TAG_OF_SEQ)),
        Parameter("header", "Location", "The address of what was made", {"type": "string"}),
        Parameter("header", "Link", "The next page, with rel=next, where there is one (RFC 8288)", {"type": "string"}),
        Parameter(
            "header", "Retry-After", "Seconds after which to try again", {"type": "string", "pattern": "^[0-9]+$"}
        ),
        Parameter("header", "WWW-Authenticate", "Bearer", {"type": "string"}),
    )
}
"""Headers of answers."""
