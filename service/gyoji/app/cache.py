"""What a process keeps in memory of what was used lately."""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

REMEMBERED = 4096
"""Matches whose latest standing a process keeps in memory, at most; and of anything else, as many."""

IDLE = 300.0
"""Seconds after which a standing that has not been used is let go of: what a process remembers follows what is being
played, and not how many matches there have ever been."""


class Recent(Generic[K, V]):
    """Values that were used lately, for one thread at a time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._kept: OrderedDict[K, tuple[V, float]] = OrderedDict()
        self._clock = clock

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """The value of that key, if it is remembered; it is then for ``IDLE`` seconds more."""
        found = self._kept.get(key)
        if found is None:
            return None
        self.keep(key, found[0])
        return found[0]

    def keep(self, key: K, value: V) -> None:
        """Remember it, and let go of those that have not been used for long."""
        now = self._clock()
        self._kept[key] = value, now
        self._kept.move_to_end(key)
        while len(self._kept) > REMEMBERED or next(iter(self._kept.values()))[1] < now - IDLE:
            self._kept.popitem(last=False)
