"""Collects what is known of one request when it has been answered: log line and metrics are made from it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gyoji.store.interface import Cause

TRACEPARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?!0{32})(?P<trace>[0-9a-f]{32})-(?!0{16})(?P<parent>[0-9a-f]{16})"
    r"-(?P<flags>[0-9a-f]{2})(?P<more>-[\x20-\x7e]*)?"
)
"""The header: of later versions the part that is known is read, and whatever follows is not."""

SAMPLED = 1
"""The flag that says that the caller may have recorded the trace."""


class Trace(NamedTuple):
    """The trace that a request is part of, as whoever sent it says (https://www.w3.org/TR/trace-context/).

    The service adds no span of its own: what it sends on is what it was sent.
    """

    trace: str
    parent: str
    flags: int

    def header(self) -> str:
        """Write the header ``traceparent``, of version 00."""
        return f"00-{self.trace}-{self.parent}-{self.flags:02x}"


@dataclass(slots=True)
class RequestRecord:
    """Facts about one request, collected while it is answered. Nothing of its body and no hidden card gets in."""

    method: str
    request_id: str
    started: float = 0.0
    """When it came, on the clock of ``perf_counter``."""
    is_suspended: bool = False
    """Whether it waits for news, and is answered later."""
    trace: Trace | None = None
    """The trace that the request is part of, if its caller said so."""
    route: str | None = None
    """The URL rule that was matched, such as ``/v1/matches/<match>``; ``None`` where none was."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """What the URL holds in the places that the rule leaves open."""
    created_match: str | None = None
    """The id of the match that the request created."""
    problem: Mapping[str, Any] | None = None
    """The problem details that were answered with."""
    cause: Cause | None = None
    """Why the store did not do what it was asked."""
    is_unsure: bool = False
    """Whether the store may have done it all the same."""
    failure: BaseException | None = None
    """The exception that ended the request with status 500."""
    unsealed_by: str | None = None
    """The id of the API key that was shown what is hidden, or that was given tokens with which it can see it."""
    unsealed: tuple[str, ...] = ()
    """The matches concerned."""

    def add_unsealed(self, key: str, match: str) -> None:
        """Note that an API key has been used to see what is hidden in a match."""
        self.unsealed_by = key
        self.unsealed = tuple(dict.fromkeys((*self.unsealed, match)))


def read_trace(header: str) -> Trace | None:
    """Read the trace of a header ``traceparent``; ``None`` where the header is not as the standard demands."""
    found = TRACEPARENT.fullmatch(header)
    if found is None or (found["version"] == "00" and found["more"] is not None):
        return None
    return Trace(found["trace"], found["parent"], int(found["flags"], 16) & SAMPLED)
