"""The bell that wakes whoever waits for news of a match, in whichever process of whichever server: PostgreSQL's NOTIFY.

It is rung after an append has been committed, by a transaction of its own. NOTIFY within the append would take a lock
over the whole server until the commit is on the disk, so that no two commits share a sync; a transaction that writes
nothing syncs nothing.

It is not rung where nobody listens: whoever listens holds a lock, and the append looks at that in passing. Two appends
that look at the same moment may take each other for a listener, and ring in vain.

It is a hint and nothing more: whoever waits looks at the head in the database, now and then unasked too. So a ring that
is lost costs a second, never an event. A process listens, by one connection and one thread, only while somebody waits
in it, and for a little longer.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event, Lock, Thread
from time import monotonic

import psycopg

from gyoji.store.database.sql import Row

Connection = psycopg.Connection[Row]

LISTENING = 0x67796F6A6B
"""The advisory lock of all who listen."""

LISTEN = ("LISTEN gyoji", f"SELECT pg_advisory_lock_shared({LISTENING})")
IS_HEARD = f"CASE WHEN pg_try_advisory_lock({LISTENING}) THEN NOT pg_advisory_unlock({LISTENING}) ELSE true END"
"""Whether somebody listens."""
RING = "SELECT pg_notify('gyoji', ?)"

UNASKED = 1.0
"""Seconds after which whoever waits is to look though nothing was heard."""

LINGER = 10.0
"""Seconds for which a process goes on listening when nobody waits in it any more."""

TICK = 0.25
"""Seconds between two looks at whether there is still somebody to listen for."""

AGAIN = 0.5
"""Seconds until the next try where the database cannot be listened to."""


class Waiter:
    """One who waits for news of a match."""

    def __init__(self, hears: Callable[[], bool]) -> None:
        self.rung = Event()
        self._hears = hears
        self._looked = monotonic()

    def __call__(self, seconds: float) -> bool:
        """``Wake``: at once where the bell is rung; and where nothing is heard, every time."""
        if not self.rung.wait(seconds) and self._hears() and monotonic() < self._looked + UNASKED:
            return False
        self.rung.clear()
        self._looked = monotonic()
        return True


class Bell:
    """The waiters of one process, and the thread that listens for them."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._lock = Lock()
        self._waiters: dict[str, set[Waiter]] = {}
        self._listener: Thread | None = None
        self._left = 0.0
        """When the last waiter went, on the clock of ``monotonic``."""
        self._closed = Event()
        self._hears = False

    @contextmanager
    def awaiting(self, match: str) -> Iterator[Waiter]:
        """A waiter for news of the match, for as long as the block takes."""
        waiter = Waiter(lambda: self._hears)
        with self._lock:
            self._waiters.setdefault(match, set()).add(waiter)
            if self._listener is None or not self._listener.is_alive():
                self._closed.clear()
                self._listener = Thread(target=self._listen, name="bell", daemon=True)
                self._listener.start()
        try:
            yield waiter
        finally:
            with self._lock:
                self._left = monotonic()
                self._waiters[match].remove(waiter)
                if not self._waiters[match]:
                    del self._waiters[match]

    def close(self) -> None:
        """Listen no more."""
        listener = self._listener
        if listener is not None:
            self._closed.set()
            listener.join(2 * TICK)

    def _listen(self) -> None:
        """The thread: as long as somebody waits, through every loss of the database."""
        while self._goes_on():
            try:
                self._heed()
            except psycopg.Error:  # until it can be listened to again, waiters look for themselves
                self._hears = False
                self._closed.wait(AGAIN)

    def _heed(self) -> None:
        with closing(self._connect()) as connection:
            for statement in LISTEN:
                connection.execute(statement, prepare=False)
            self._hears = True
            self._wake_all()  # for what was rung before
            while self._goes_on():
                for told in connection.notifies(timeout=TICK):
                    self._wake(told.payload)
        self._hears = False

    def _goes_on(self) -> bool:
        with self._lock:
            if not self._closed.is_set() and (self._waiters or monotonic() < self._left + LINGER):
                return True
            self._listener = None
            return False

    def _wake(self, match: str) -> None:
        with self._lock:
            for waiter in self._waiters.get(match, ()):
                waiter.rung.set()

    def _wake_all(self) -> None:
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.rung.set()
