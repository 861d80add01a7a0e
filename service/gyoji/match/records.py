"""Types that the records of events and rulings are made of, each with the bounds that the contract states.

A record is a typed dict that bears the name of its shape in the contract: ``api`` makes the shape from it, and needs no
other word of what an event or a ruling holds.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from gyoji.games.game import Event, Move, Seat
from gyoji.games.records import DISTINCT, MAX_INTEGER, MOST_SEATS, Least, Like, Most, Shaped, Within
from gyoji.log.parser import HEX_32, HEX_64, ID
from gyoji.log.times import WRITTEN

NAME = r"[^\x00-\x1f\x7f-\x9f]{1,64}"
"""The name of a player, or a tag: no control characters."""
RULE_ID = "[A-Z]{3}-[0-9R.]+"
ENTROPY = "[0-9a-f]{32}([0-9a-f]{2}){0,48}"
"""16 to 64 bytes as hex digits."""
MOST_SEQ = 2**31 - 1

WITHHELD = f"(group|{WRITTEN})"
"""What a disclosure waits for."""

Digest = Annotated[str, Like(HEX_32.pattern)]
Secret = Annotated[str, Like(HEX_64.pattern)]
MatchId = Annotated[str, Like(ID.pattern)]
Time = Annotated[str, Like(WRITTEN)]
Name = Annotated[str, Like(NAME)]
LaterSeq = Annotated[int, Within(1, MOST_SEQ)]
"""The ``seq`` of an event after the first."""
Score = Annotated[int, Within(-MAX_INTEGER)]
Scores = Annotated[tuple[Score, ...], Most(MOST_SEATS)]
Milliseconds = Annotated[int, Within()]
Durations = Annotated[tuple[Milliseconds, ...], Most(MOST_SEATS)]
SeatList = Annotated[tuple[Seat, ...], Most(MOST_SEATS)]
SeatSet = Annotated[tuple[Seat, ...], Most(MOST_SEATS), DISTINCT]
SomeSeats = Annotated[tuple[Seat, ...], Most(MOST_SEATS), DISTINCT, Least(1)]

# What the game of the match declares, or ``api`` itself

Moved = Annotated[Move, Shaped("move")]
Happened = Annotated[Sequence[Event], Shaped("events")]
PublicPosition = Annotated[Mapping[str, Any], Shaped("view")]
