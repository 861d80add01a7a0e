"""Keeps the times at which a worker has to look at a connection, though nothing happens there."""

from collections.abc import Mapping
from heapq import heappop, heappush
from math import inf

from gyoji.web.connection import Connection


class Deadlines:
    """When to look at which connection, soonest first.

    A connection's time mostly moves away while it waits, so it is noted only where it is sooner than the one that is
    noted already; whoever looks at that one notes it anew. So a connection has few entries, however many requests it
    sends. An entry names a connection by its descriptor, and keeps no closed one in memory: at worst it has the next
    one of that descriptor looked at for nothing.

    Any thread may call any of this: ``heapq`` compares numbers alone here, which nothing interrupts.
    """

    def __init__(self) -> None:
        self._times: list[tuple[float, int]] = []

    def note(self, conn: Connection, at: float) -> None:
        """Note that a connection has to be looked at, on the clock of ``monotonic``."""
        if at < conn.looked_at:
            conn.looked_at = at
            heappush(self._times, (at, conn.sock.fileno()))

    def first(self) -> float:
        """Return the soonest time; ``inf`` where none is noted."""
        return self._times[0][0] if self._times else inf

    def take_due(self, connections: Mapping[int, Connection], now: float) -> list[Connection]:
        """Return the connections, which are given by their descriptors, to look at now; they are noted no more."""
        due = []
        while self._times and self._times[0][0] <= now:
            at, descriptor = heappop(self._times)
            if (conn := connections.get(descriptor)) is not None:
                if conn.looked_at == at:
                    conn.looked_at = inf
                due.append(conn)
        return due
