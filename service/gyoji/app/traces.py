"""The trace that a request is part of, as whoever sent it says (https://www.w3.org/TR/trace-context/).

The service adds no span of its own: what it sends on is what it was sent.
"""

import re
from typing import NamedTuple

TRACEPARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})(?P<parent>[0-9a-f]{16})"
    r"-(?P<flags>[0-9a-f]{2})(?P<more>-[\x20-\x7e]*)?"
)
"""The header: of later versions the part that is known is read, and whatever follows is not."""

SAMPLED = 1
"""The flag that says that the caller may have recorded the trace."""


class Trace(NamedTuple):
    """The ids of a trace, and of the span in it that asked."""

    trace: str
    parent: str
    flags: int

    def header(self) -> str:
        """The header ``traceparent``, of version 00."""
        return f"00-{self.trace}-{self.parent}-{self.flags:02x}"


def read_trace(header: str) -> Trace | None:
    """The trace that a header ``traceparent`` names; ``None`` where it is not what the standard says."""
    found = TRACEPARENT.fullmatch(header)
    if found is None or (found["version"] == "00" and found["more"] is not None):
        return None
    return Trace(found["trace"], found["parent"], int(found["flags"], 16) & SAMPLED)
