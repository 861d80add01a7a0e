"""Hears of news of matches, from whichever process of whichever server, by PostgreSQL's NOTIFY.

A notification is sent after an append has been committed, by a transaction of its own. NOTIFY within the append would
take a lock over the whole server until the commit is on the disk, so that no two commits share a sync; a transaction
that writes nothing syncs nothing.

None is sent where nobody listens: whoever listens holds an advisory lock, and the append looks at that in passing. Two
appends that look at the same moment may take each other for a listener, and notify in vain.

A notification is a hint and nothing more: the heads of all matches that are followed are looked at once a second too,
and oftener where none can be heard. So one that is lost costs a second, never an event. A process listens, by one
connection and one thread, only while it watches (``Subscriptions``).
"""

from collections.abc import Callable
from contextlib import closing
from threading import Event

import psycopg

from gyoji.store.database.statements import Row
from gyoji.store.database.subscriptions import Subscriptions

Connection = psycopg.Connection[Row]

LISTENING = 0x67796F6A6B
"""The advisory lock that all listeners share."""

LISTEN = ("LISTEN gyoji", f"SELECT pg_advisory_lock_shared({LISTENING})")
HAS_LISTENERS = f"CASE WHEN pg_try_advisory_lock({LISTENING}) THEN NOT pg_advisory_unlock({LISTENING}) ELSE true END"
"""SQL: whether somebody listens."""
NOTIFY = "SELECT pg_notify('gyoji', ?)"

UNASKED = 1.0
"""Seconds between two looks at the database where notifications are heard."""

DEAF = 0.1
"""The same where none can be."""

TICK = 0.25
"""Seconds between two looks at whether there is still somebody to listen for."""

RETRY_SECONDS = 0.5
"""Seconds until the next try where the database cannot be listened to."""


BESIDE = "beside"
"""What a notification says in place of where the head stands, where what is news is beside the log."""


def payload(match: str, seq: int | None) -> str:
    """Write what a notification says: a match, and where its head stands."""
    return f"{match} {BESIDE if seq is None else seq}"


class Notifier:
    """What one process hears from PostgreSQL, through every loss of the database."""

    def __init__(self, connect: Callable[[], Connection], query: Callable[[str, Row], list[Row]]) -> None:
        """``connect`` makes the connection to listen by; ``query`` asks the database."""
        self._connect = connect
        self._query = query
        self._hears = False

    def look(self, news: Subscriptions) -> float:
        """Look at the heads in the database, and return the seconds until the next look."""
        news.compare(self._query)
        return UNASKED if self._hears else DEAF

    def listen(self, news: Subscriptions, over: Event) -> None:
        """Listen until it is over."""
        while not over.is_set():
            try:
                self._receive(news, over)
            except psycopg.Error:
                self._hears = False
                over.wait(RETRY_SECONDS)

    def _receive(self, news: Subscriptions, over: Event) -> None:
        with closing(self._connect()) as connection:
            for statement in LISTEN:
                connection.execute(statement, prepare=False)
            self._hears = True
            while not over.is_set():
                for notification in connection.notifies(timeout=TICK):
                    match, _space, seq = notification.payload.partition(" ")
                    if seq == BESIDE:
                        news.advance(match, None)
                    elif seq.isdecimal():  # an older release says no seq: the next look finds what it tells of
                        news.advance(match, int(seq))
        self._hears = False
