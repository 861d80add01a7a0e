"""Shares a worker's threads among its connections, and new connections among the workers."""

from collections import deque
from mmap import mmap
from threading import Lock

from gyoji.web.connection import Connection, State

MOST_WORKERS = 256
"""Workers of a master that count their connections each for itself."""


class Places:
    """Places in which so many threads may work at a time, and the connections that wait for one."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting = deque[Connection]()
        self._lock = Lock()

    def take(self, conn: Connection) -> bool:
        """Take a place for a connection, or queue it where there is none."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            conn.state = State.QUEUED
            self._waiting.append(conn)
            return False

    def give_back(self) -> Connection | None:
        """Give a place back, or hand it on to the connection that is returned."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._free += 1
            return None


class Crowds:
    """How many connections each worker of a master has, in memory that they share; one more is counted, since 0 is
    nobody."""

    def __init__(self) -> None:
        self._counts = memoryview(mmap(-1, 4 * MOST_WORKERS)).cast("I")

    def take_slot(self) -> int:
        """Take the slot of a new worker. Called by the master, where there are as many as that the last is shared."""
        slot = next((slot for slot, count in enumerate(self._counts) if not count), MOST_WORKERS - 1)
        self._counts[slot] = 1
        return slot

    def free(self, slot: int) -> None:
        """Free the slot of a worker that has ended, or lets nobody in any more."""
        self._counts[slot] = 0

    def is_larger(self, slot: int, connections: int) -> bool:
        """Note how many connections a worker has; tell whether another has fewer by more than an eighth."""
        self._counts[slot] = connections + 1
        return connections * 8 > (min(filter(None, self._counts)) - 1) * 9


CROWDS = Crowds()
"""Those of this process's workers, made before they are forked."""
