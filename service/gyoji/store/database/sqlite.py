"""A store in one SQLite file.

A write that returns is on the disk: WAL with ``synchronous=FULL`` from library version 3.51.3; below it, where WAL has
a bug that can damage the file, the rollback journal with ``synchronous=EXTRA``, which also syncs the folder.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import TypeVar

from gyoji.store.database.connections import ThreadConnections
from gyoji.store.database.guard import Guard
from gyoji.store.database.marker import MarkerPlace
from gyoji.store.database.port import Wake
from gyoji.store.database.sql import Execute, Row, Step
from gyoji.store.database.statements import (
    ENTER,
    MOVE_ON,
    MOVE_ON_SEATED,
    PEND,
    REMEMBER,
    REVISION,
    REVISIONS,
    STANDS,
    TELL,
    TURN,
    refuse_other_schema,
)
from gyoji.store.groups import GroupClosed
from gyoji.store.records import Cause, Conflict, Head, KeyTaken, Request, Restored, Unavailable
from gyoji.store.trace import TRACE

Answer = TypeVar("Answer")

PATIENCE = 10.0
"""Seconds that a statement waits for another's lock."""

UNHURRIED = 86400.0
"""The same for administrative work, which waits for others of its kind."""

CACHE = 512
"""KiB of pages that a connection keeps; every thread has one. The kernel keeps the file in memory for all of them."""

ATTEMPT = 0.005
"""Seconds that SQLite itself waits before it is asked again. Left to itself it sleeps for a tenth of a second between
two looks, so that among busy writers, who hold the lock nearly all the time, some wait for ever."""

WAL_IS_SOUND = (3, 51, 3)

TAKEN = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID")

UNWRITABLE = ("SQLITE_ERROR", "SQLITE_READONLY")
"""A table that another schema has not got, and a file that takes nothing down: writes fail there by themselves, and
reads need not."""

DAMAGED = "the database is damaged"

CAUSES: dict[str, tuple[Cause, str]] = {
    "SQLITE_FULL": ("disk-full", "the disk is full"),
    "SQLITE_READONLY": ("read-only", "the database is read-only"),
    "SQLITE_BUSY": ("busy", "the database is locked"),
    "SQLITE_LOCKED": ("busy", "the database is locked"),
    "SQLITE_CANTOPEN": ("unreachable", "the database cannot be opened"),
    "SQLITE_IOERR_SHMSIZE": ("disk-full", "the disk is full"),
    "SQLITE_IOERR": ("disk-error", "the disk does not read or write"),
    "SQLITE_CORRUPT": ("damaged", DAMAGED),
    "SQLITE_NOTADB": ("damaged", "the file is no database"),
}
"""By the beginning of SQLite's name of the error; the first that fits."""

NO_TEXT = "Could not decode to UTF-8"
"""How Python's driver begins to say that a text is none; it has no code for it."""

FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What the driver raises; the second where SQLite quotes what a damaged file has in place of text."""


def unavailable(failure: sqlite3.Error | UnicodeDecodeError) -> Unavailable:
    """The failure without the words of SQLite, which may quote data."""
    if isinstance(failure, UnicodeDecodeError) or str(failure).startswith(NO_TEXT):
        return Unavailable(DAMAGED, "damaged")
    name: str = getattr(failure, "sqlite_errorname", "SQLITE_ERROR")
    unknown: tuple[Cause, str] = ("unreachable", "the database does not answer")
    cause, told = next((found for start, found in CAUSES.items() if name.startswith(start)), unknown)
    return Unavailable(f"{told} ({name})", cause)


def journal() -> tuple[str, str]:
    """Journal mode and ``synchronous``, by the library's version."""
    return ("wal", "FULL") if sqlite3.sqlite_version_info >= WAL_IS_SOUND else ("delete", "EXTRA")


def connect(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection with the settings of the product, to a file that is there."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw", timeout=patience, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        _settle(connection, *journal())
    except BaseException:
        connection.close()
        raise
    return connection


def connect_still(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes to, such as a backup. It changes nothing."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable=1", isolation_level=None, check_same_thread=False, uri=True
    )


def _settle(connection: sqlite3.Connection, mode: str, synchronous: str) -> None:
    patiently(connection, f"PRAGMA synchronous={synchronous}")
    patiently(connection, "PRAGMA foreign_keys=ON")
    patiently(connection, f"PRAGMA cache_size=-{CACHE}")
    if patiently(connection, "PRAGMA journal_mode").fetchone()[0] != mode:
        patiently(connection, f"PRAGMA journal_mode={mode}")  # once in a file's life


def find_faults(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong with a file: damaged pages, indexes that do not agree, rows that lead nowhere."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    strays = {str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")}
    return [text for text in found if text != "ok"] + [f"{table}: rows without their match" for table in sorted(strays)]


class SqliteDatabase:
    """SQL on one file; see ``Database``."""

    def __init__(
        self, path: Path, is_still: bool = False, patience: float | None = None, marker: MarkerPlace | None = None
    ) -> None:
        """``is_still``: nobody writes to the file, and this does not either. ``patience``: how many seconds a lock is
        waited for; ``None``: as many as is usual. ``marker``: where it is named what was stored last."""
        self.path = path
        self._is_still = is_still
        self._patience = patience
        self.guard = Guard(marker)
        self._connections = ThreadConnections(lambda: connect_still(path) if is_still else self._connected())
        self._turn = Lock()
        """Threads of this process take turns at writing; that is quicker than to meet at the database."""

    def open_connection(self, make: bool = False) -> sqlite3.Connection:
        """A new connection, which no limit of requests cuts off; with ``make`` a missing file is made, for its owner's
        eyes alone."""
        try:
            if make:
                self.path.touch(0o600)
            return connect_still(self.path) if self._is_still else connect(self.path, UNHURRIED)
        except FAILURES as failure:
            raise unavailable(failure) from None
        except OSError:
            raise Unavailable("the database cannot be opened") from None

    def _connected(self) -> sqlite3.Connection:
        """A connection that has been looked at."""
        connection = connect(self.path, ATTEMPT)
        try:
            self.guard.inspect(lambda sql, put: self._patiently(connection, sql, put).fetchall())
        except sqlite3.OperationalError as failure:
            if getattr(failure, "sqlite_errorname", "") not in UNWRITABLE:
                connection.close()
                raise
        except BaseException:
            connection.close()
            raise
        return connection

    def unavailable(self, failure: BaseException | None) -> Unavailable | None:
        """What a failure of SQLite means."""
        return unavailable(failure) if isinstance(failure, FAILURES) else None

    def find_faults(self) -> list[str]:
        """What SQLite finds wrong with the file."""
        return self._tried(find_faults)

    def close(self) -> None:
        """Close this process's connections."""
        self.guard.close()
        self._connections.close()

    def notify(self, match: str) -> None:
        """Nobody hears anything here."""

    def subscribe(self, match: str) -> AbstractContextManager[Wake]:
        """Time passes, and then it is time to look."""
        return nullcontext(_slept)

    def await_news_writers(self) -> None:
        """There are none: whoever writes here is alone."""

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """What a query finds."""
        return self._tried(lambda connection: self._patiently(connection, sql, put).fetchall())

    def modify(self, sql: str, put: Row = ()) -> int:
        """How many rows one statement has changed."""
        counts: list[int] = []
        self._transaction(lambda connection: counts.append(connection.execute(sql, put).rowcount))
        return counts[0]

    def _patiently(self, connection: sqlite3.Connection, sql: str, put: Row = ()) -> sqlite3.Cursor:
        return patiently(connection, sql, put, self._patience)

    def _tried(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        try:
            return work(self._connections.acquire())
        except FAILURES as failure:
            self._connections.discard()
            raise unavailable(failure) from None

    def write(self, steps: Sequence[Step]) -> None:
        """All steps or none of them."""

        def work(connection: sqlite3.Connection) -> None:
            for sql, rows, clash, must_change in steps:
                if _put(connection, sql, rows, clash) == 0 and must_change:
                    raise clash

        self._transaction(work)

    def append(
        self,
        match: str,
        expected: int,
        rows: Sequence[Row],
        head: Head,
        request: Request | None,
        leaves: Sequence[Row] = (),
        seats: str | None = None,
    ) -> None:
        """The idempotency record first, so that a key in use is found before a match that has moved on."""
        stands = (head.seq, head.hash, head.decision, match, expected)
        moving_on = (MOVE_ON, stands) if seats is None else (MOVE_ON_SEATED, (*stands, seats))
        turn = (head.status, head.closed, match, head.status, head.closed)

        def work(connection: sqlite3.Connection) -> None:
            if request is not None:
                remembered = (request.scope, request.key, request.digest, match, expected + 1)
                _put(connection, REMEMBER, (remembered,), KeyTaken)
            if connection.execute(*moving_on).rowcount != 1:
                raise Conflict
            connection.execute(TURN, turn)
            _put(connection, ENTER, rows, Conflict)
            connection.execute(TELL, (expected + 1, head.seq, TRACE.get(), match))
            if leaves:
                _put(connection, PEND, leaves, Conflict)

        self._transaction(work)

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """A transaction that may write; there is one at a time."""
        answers: list[Answer] = []
        self._transaction(lambda connection: answers.append(work(lambda sql, put: _found(connection, sql, put))))
        return answers[0]

    def _transaction(self, work: Callable[[sqlite3.Connection], None]) -> None:
        if not self._turn.acquire(timeout=self._patience or PATIENCE):
            raise Unavailable("the database is locked", "busy")
        try:
            connection = self._connections.acquire()
            self._patiently(connection, "BEGIN IMMEDIATE")
            self._refuse(connection)
            work(connection)
            self._patiently(connection, "COMMIT")
        except (Conflict, KeyTaken, GroupClosed, Restored):
            self._tried(lambda connection: connection.execute("ROLLBACK"))
            raise
        except FAILURES as failure:
            self._connections.discard()
            raise unavailable(failure) from None
        except BaseException:
            self._connections.discard()
            raise
        finally:
            self._turn.release()

    def _refuse(self, connection: sqlite3.Connection) -> None:
        """``Unavailable`` unless the schema is that of this release, and the store takes writes."""
        try:
            found = connection.execute(STANDS).fetchone()
        except sqlite3.OperationalError:
            refuse_other_schema(connection.execute(REVISIONS).fetchall())
            raise
        if found != (REVISION, self.guard.expected_generation()):
            refuse_other_schema([] if found is None else [found[:1]])
            self.guard.require_writable(lambda sql, put: connection.execute(sql, put).fetchall(), found[1])


def patiently(connection: sqlite3.Connection, sql: str, put: Row = (), patience: float | None = None) -> sqlite3.Cursor:
    """The statement, as soon as the locks of others allow."""
    until = 0.0
    while True:
        try:
            return connection.execute(sql, put)
        except sqlite3.OperationalError as failure:
            until = until or monotonic() + (patience or PATIENCE)
            if not _is_busy(failure) or monotonic() > until:
                raise
        sleep(0.001)


def _slept(seconds: float) -> bool:
    sleep(seconds)
    return True


def _is_busy(failure: sqlite3.OperationalError) -> bool:
    return getattr(failure, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _put(connection: sqlite3.Connection, sql: str, rows: Sequence[Row], clash: type[Exception]) -> int:
    """How many rows it has changed."""
    try:
        return connection.executemany(sql, rows).rowcount
    except sqlite3.IntegrityError as failure:
        if failure.sqlite_errorname in TAKEN:
            raise clash from None
        raise


def _found(connection: sqlite3.Connection, sql: str, put: Row) -> list[Row]:
    return connection.execute(sql, put).fetchall()
