"""Waits for the transactions that may have written to a table and have not ended: nobody sees yet what they write."""

from collections.abc import Callable
from time import monotonic, sleep

from gyoji.store.database.statements import Row
from gyoji.store.records import Unavailable

FindWriters = Callable[[], set[Row]]
"""Finds them: who has written nothing yet, or has ended, is not among them."""

LOOKS_APART = 0.005
"""Seconds between two looks at whether they have ended."""


def await_writers(find: FindWriters, seconds: float) -> None:
    """Wait until those have ended that write now; ``Unavailable`` if that takes longer than so many seconds. No lock is
    waited for: everybody else would wait behind it."""
    until = monotonic() + seconds
    left = find()
    while left:
        if monotonic() > until:
            raise Unavailable("the database is too slow (a transaction does not end)", "timeout")
        sleep(LOOKS_APART)
        left &= find()
