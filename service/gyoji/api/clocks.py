"""The shapes of the time control of a match: whole seconds in requests and answers, milliseconds in the log."""

from typing import Any, get_args

from gyoji.api.fields import Integer, Word
from gyoji.api.shapes import Shape, shape
from gyoji.match.clocks import LONGEST_MS, Expiry

LONGEST = LONGEST_MS // 1000
"""Seconds."""


def _clock(name: str, *, required: bool) -> Shape:
    def default(value: object) -> dict[str, Any]:
        return {"required": True} if required else {"load_default": value}

    return shape(
        name,
        {
            "move": Integer(0, LONGEST, **default(0)),
            "bank": Integer(1, LONGEST, allow_none=True, **default(None)),
            "increment": Integer(0, LONGEST, **default(0)),
            "on_expiry": Word(*get_args(Expiry), required=True),
        },
    )


NEW_CLOCK = _clock("NewClock", required=False)
CONTROL = _clock("ClockControl", required=True)
