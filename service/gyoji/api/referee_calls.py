"""The shapes of calls for the referee, which stand beside the log of a match."""

from gyoji.api.fields import Text, Word
from gyoji.api.parameters import MATCH, MOST_SEATS, ONE_LINE
from gyoji.api.shapes import Fields, many, seat_of, shape
from gyoji.log.times import WRITTEN

SAID = rf"{ONE_LINE}{{1,200}}"
"""What a seat says to the referee: a sentence on one line."""

CALL_REQUEST = shape("RefereeCallRequest", {"text": Text(SAID, allow_none=True)})

CALL = shape(
    "RefereeCall",
    {
        "seat": seat_of(MOST_SEATS),
        "at": Text(WRITTEN, required=True),
        "text": Text(SAID, required=True, allow_none=True),
        "attended": Text(WRITTEN, required=True, allow_none=True),
    },
)

OF_MATCH: Fields = {"match": Text(MATCH, required=True), "calls": many(CALL, MOST_SEATS)}

CALLS = shape("RefereeCalls", OF_MATCH)
"""Who calls the referee at a table."""

CALLS_NEWS = shape("StreamCalls", {"type": Word("calls", required=True), **OF_MATCH})
"""What a stream says of it."""
