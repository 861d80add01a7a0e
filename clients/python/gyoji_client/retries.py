"""Decides which answers are asked for again, and after which pause."""

from dataclasses import dataclass
from random import uniform

from gyoji_client.errors import Problem

REPEATED = frozenset({429, 502, 503, 504})
"""Statuses of answers that say nothing of what was asked for, but that it was not done now."""


@dataclass(frozen=True)
class Retries:
    """How often and how patiently an answer is asked for again."""

    most: int = 8
    """Attempts after the first."""
    first: float = 0.2
    """Seconds of the first pause at most; each that follows may be twice as long."""
    longest: float = 20.0
    """Seconds of any pause of our own choice."""

    def pause(self, attempt: int, retry_after: float | None) -> float:
        """Return the seconds to wait after a failed attempt, counted from 0: what the service says and a little more,
        else a random part of a time that doubles, so that many clients do not come back at once."""
        own = uniform(0, min(self.longest, self.first * 2.0**attempt))  # noqa: S311 - nothing is kept secret by it
        return own if retry_after is None else retry_after + min(own, 1.0)


def is_repeatable(refusal: Problem) -> bool:
    """Tell whether a request that was refused so may succeed when it is sent again as it is."""
    return refusal.status in REPEATED or refusal.code == "idempotency-in-progress"
