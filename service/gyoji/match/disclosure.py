"""When the server's secret of a match is told, and to whom."""

from typing import Literal

Disclosure = Literal["public_on_close", "auditors_only"]
"""To whom the server's secret is told when the log is closed."""


def is_withheld(until: str | None, at: str) -> bool:
    """Whether nothing may be disclosed at that time of what is withheld ``until`` then: a time, or ``group``. When a
    group is over its members do not say."""
    return until is not None and (until == "group" or at < until)
