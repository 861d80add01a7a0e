"""Wakes whoever waits for news of a match, in whichever process of whichever server, by PostgreSQL's NOTIFY.

A notification is sent after an append has been committed, by a transaction of its own. NOTIFY within the append would
take a lock over the whole server until the commit is on the disk, so that no two commits share a sync; a transaction
that writes nothing syncs nothing.

None is sent where nobody listens: whoever listens holds an advisory lock, and the append looks at that in passing. Two
appends that look at the same moment may take each other for a listener, and notify in vain.

A notification is a hint and nothing more: whoever waits looks at the head in the database, now and then without one
too. So one that is lost costs a second, never an event. A process listens, by one connection and one thread, only while
somebody waits in it, and for a little longer.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from threading import Event, Lock, Thread
from time import monotonic

import psycopg

from gyoji.store.database.statements import Row

Connection = psycopg.Connection[Row]

LISTENING = 0x67796F6A6B
"""The advisory lock that all listeners share."""

LISTEN = ("LISTEN gyoji", f"SELECT pg_advisory_lock_shared({LISTENING})")
HAS_LISTENERS = f"CASE WHEN pg_try_advisory_lock({LISTENING}) THEN NOT pg_advisory_unlock({LISTENING}) ELSE true END"
"""SQL: whether somebody listens."""
NOTIFY = "SELECT pg_notify('gyoji', ?)"

UNASKED = 1.0
"""Seconds after which whoever waits is to look at the database though no notification came."""

LINGER = 10.0
"""Seconds for which a process goes on listening when nobody waits in it any more."""

TICK = 0.25
"""Seconds between two looks at whether there is still somebody to listen for."""

RETRY_SECONDS = 0.5
"""Seconds until the next try where the database cannot be listened to."""


class Waiter:
    """Somebody who waits for news of a match."""

    def __init__(self, is_listening: Callable[[], bool]) -> None:
        """``is_listening`` tells whether notifications reach this process now."""
        self.notified = Event()
        self._is_listening = is_listening
        self._looked = monotonic()

    def __call__(self, seconds: float) -> bool:
        """Wait for so many seconds at most; whether it is time to look at the database: at once where a notification
        comes, now and then without, and every time where none can come."""
        if not self.notified.wait(seconds) and self._is_listening() and monotonic() < self._looked + UNASKED:
            return False
        self.notified.clear()
        self._looked = monotonic()
        return True


class Notifier:
    """The waiters of one process, and the thread that listens to PostgreSQL for them."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._lock = Lock()
        self._waiters: dict[str, set[Waiter]] = {}
        self._listener: Thread | None = None
        self._left = 0.0
        """When the last waiter went, on the clock of ``monotonic``."""
        self._closed = Event()
        self._is_listening = False

    @contextmanager
    def subscribe(self, match: str) -> Iterator[Waiter]:
        """Wait for news of the match, for as long as the block takes."""
        waiter = Waiter(lambda: self._is_listening)
        with self._lock:
            self._waiters.setdefault(match, set()).add(waiter)
            if self._listener is None or not self._listener.is_alive():
                self._closed.clear()
                self._listener = Thread(target=self._listen, name="notifier", daemon=True)
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
        """Stop listening."""
        listener = self._listener
        if listener is not None:
            self._closed.set()
            listener.join(2 * TICK)

    def _listen(self) -> None:
        """Listen as long as somebody waits, through every loss of the database."""
        while self._goes_on():
            try:
                self._receive()
            except psycopg.Error:  # until it can be listened to again, waiters look for themselves
                self._is_listening = False
                self._closed.wait(RETRY_SECONDS)

    def _receive(self) -> None:
        with closing(self._connect()) as connection:
            for statement in LISTEN:
                connection.execute(statement, prepare=False)
            self._is_listening = True
            self._wake_all()  # for what was sent before
            while self._goes_on():
                for notification in connection.notifies(timeout=TICK):
                    self._wake(notification.payload)
        self._is_listening = False

    def _goes_on(self) -> bool:
        with self._lock:
            if not self._closed.is_set() and (self._waiters or monotonic() < self._left + LINGER):
                return True
            self._listener = None
            return False

    def _wake(self, match: str) -> None:
        with self._lock:
            for waiter in self._waiters.get(match, ()):
                waiter.notified.set()

    def _wake_all(self) -> None:
        with self._lock:
            for waiters in self._waiters.values():
                for waiter in waiters:
                    waiter.notified.set()
