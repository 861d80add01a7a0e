"""Divides the places for streams of a worker: every match and every caller has a share.

Where the server cannot do without, a place is a thread that is lent.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from threading import Lock
from typing import NamedTuple

from gyoji.app.problems import RETRY_AFTER, HttpProblem


class Follower(NamedTuple):
    """A caller who asks for a stream, to wait or for a download; and of which match."""

    match: str | None
    """``None``: of all its matches."""
    caller: Hashable | None
    """Whom the credential names; without one the address. ``None`` where that says nothing."""
    has_credential: bool


class Shares:
    """The places for streams that are open at the same time.

    Whoever shows no credential is a stranger. Of all places strangers have half at most, a match all but a quarter,
    and a caller half; of the strangers' places a match has half, and an address a tenth. So it takes several callers,
    and several matches, to leave nothing to the others, and strangers leave half whatever they do.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[Hashable] = Counter()
        self._lock = Lock()
        self.on_change: Callable[[float], None] = lambda _more: None
        """Called whenever there is one more (1), or one less (-1)."""

    def take(self, who: Follower | None = None) -> None:
        """Take a place. Raises 429 where the caller has as many as one may have, 503 where there is no room."""
        with self._lock:
            for share, most, code in self._shares(who):
                if self._open[share] >= most:
                    raise HttpProblem(code, retry_after=RETRY_AFTER)
            self._count(who, 1)

    def give_back(self, who: Follower | None = None) -> None:
        """Give a place back."""
        with self._lock:
            self._count(who, -1)

    def _shares(self, who: Follower | None) -> Iterator[tuple[Hashable, int, str]]:
        """Return the shares that a stream counts for, how many places each may have, and the problem where it has
        them."""
        if who is not None:
            own = self._most if who.has_credential else _part(self._most, 2)
            of_match = own - own // 4 if who.has_credential else _part(own, 2)
            if who.caller is not None:
                yield ("caller", who.caller), _part(own, 2 if who.has_credential else 10), "rate-limited"
            if who.match is not None:
                yield ("match", who.match, who.has_credential), of_match, "too-many-at-once"
            yield ("all", who.has_credential), own, "too-many-at-once"
        yield "all", self._most, "too-many-at-once"

    def _count(self, who: Follower | None, more: int) -> None:
        for share, _most, _code in self._shares(who):
            self._open[share] += more
            if not self._open[share]:
                del self._open[share]
        self.on_change(more)


def _part(places: int, parts: int) -> int:
    return max(1, places // parts)
