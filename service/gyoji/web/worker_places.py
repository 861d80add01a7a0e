"""Shares a worker's threads among its connections, and new connections and the processors among the workers."""

import os
from collections import deque
from mmap import mmap
from pathlib import Path
from threading import Lock

from gyoji.app.logs import log_refused
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
    """The slots of a master's workers, and how many connections each has, in memory that they share; one more is
    counted, since 0 is nobody."""

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

    def keep_to_processor(self, slot: int, workers: int) -> None:
        """Keep this process to the processor of its slot, if there are at least as many workers as processors that it
        may run on: else some would have nothing to do.

        Of a worker's threads one runs Python at a time. Where another may run on a second processor, each statement of
        SQLite and each receipt of bytes moves the work there and back. Unless they are kept together a stored move
        costs 1.2 times the processor time, and 0.7 times as many are stored a second.
        """
        processors = sorted(os.sched_getaffinity(0))
        if workers < len(processors):
            return
        try:
            for thread in Path("/proc/self/task").iterdir():  # one writes the log by now
                os.sched_setaffinity(int(thread.name), {processors[slot % len(processors)]})
        except OSError as refused:  # as a sandbox may
            log_refused("no-affinity", refused)

    def is_larger(self, slot: int, connections: int) -> bool:
        """Note how many connections a worker has; tell whether another has fewer by more than an eighth."""
        self._counts[slot] = connections + 1
        return connections * 8 > (min(filter(None, self._counts)) - 1) * 9


CROWDS = Crowds()
"""Those of this process's workers, made before they are forked."""
