"""Waits for what comes by itself, in another thread or process."""

from collections.abc import Callable
from time import monotonic, sleep

LONGEST = 30.0
"""Seconds: whatever has not come by then does not come, however busy the machine is."""


def until(true: Callable[[], object], seconds: float = LONGEST) -> bool:
    """Wait until it becomes true; tell whether it has."""
    end = monotonic() + seconds
    while not true():
        if monotonic() > end:
            return False
        sleep(0.02)
    return True
