"""What is known of one request when it has been answered: the log line and the metrics are made from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gyoji.app.traces import Trace
from gyoji.store.interface import Cause


@dataclass(slots=True)
class RequestRecord:
    """Facts about one request, collected while it is answered. Nothing of its body and no hidden card gets in."""

    method: str
    request_id: str
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
        """Note that the API key can see what is hidden in the match."""
        self.unsealed_by = key
        self.unsealed = tuple(dict.fromkeys((*self.unsealed, match)))
