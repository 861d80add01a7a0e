"""The clock's time as logs and answers write it."""

from datetime import UTC, datetime
from time import time


def written_time(seconds: float) -> str:
    """Unix seconds as RFC 3339 in UTC with milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def current_time() -> str:
    """The time now, in the same form."""
    return written_time(time())


def seconds_of(written: str) -> float:
    """The Unix seconds of such a time."""
    return datetime.fromisoformat(written).timestamp()
