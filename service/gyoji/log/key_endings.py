"""That keys have ended because the store of their service has gone back, and what was known then."""

from collections.abc import Mapping
from typing import NamedTuple


class Restoration(NamedTuple):
    """That a store has gone back, as its service says it."""

    origin: str
    """The name that the service signs receipts and heads under."""
    generation: int
    """The time of the recovery as a number, which the name of the next log ends with."""
    at: str
    """When it was recovered."""
    until: str | None
    """The time of the last event that is still known; ``None`` if none is. What was lost came after it."""
    ended: tuple[str, ...]
    """The keys for receipts and heads that sign nothing any more."""
    key: str
    """The one that follows them."""
    log: str
    """The name of the log over all matches until then."""
    size: int
    """Of the last checkpoint that is known of it."""
    root: bytes
    log_ended: tuple[str, ...]
    """The ids of the keys that have signed for that log."""
    next: str
    """The vkey of the log that follows it."""
    open: Mapping[str, int]
    """With which event each match and tournament was known that was not closed."""

    def has_lost(self, log: str, seq: int) -> bool:
        """Whether an event of that match or tournament is one that was lost, if there was one."""
        return log in self.open and seq > self.open[log]
