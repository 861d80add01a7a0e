"""When a message that was not taken is sent again, and when it is given up."""

from datetime import UTC
from email.utils import parsedate_to_datetime

FIRST = 5.0
"""Seconds after the first attempt; the pause doubles from one attempt to the next."""
LONGEST = 12 * 60 * 60.0
SPREAD = 0.2
"""Pauses are longer by up to this part of them, so that what failed together does not come back together."""

MOST_ATTEMPTS = 19
"""Over about three days."""

DISABLED_AFTER = 5 * 24 * 60 * 60.0
"""Seconds in which nothing at all got through, after which a webhook is told nothing any more."""

KEPT = 30 * 24 * 60 * 60.0
"""Seconds for which it is remembered what was delivered, or given up."""


def asked_pause(retry_after: str | None, now: float) -> float | None:
    """The seconds from ``now`` on that a ``Retry-After`` asks for, by their number or by a date (RFC 9110, section
    10.2.3); ``None`` where it is neither."""
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - now
    except (TypeError, ValueError, OverflowError):  # the last for a time zone of twenty digits
        return None


def pause(attempts: int, chance: float, asked: float | None = None) -> float:
    """Seconds until the next attempt after so many; ``chance`` is from 0 to 1. A receiver may ask for a longer pause
    (``Retry-After``), up to the longest."""
    planned = min(FIRST * 2.0 ** (attempts - 1), LONGEST) * (1 + SPREAD * chance)
    return planned if asked is None else max(planned, min(asked, LONGEST))
