"""SQL on one SQLite file.

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
from gyoji.store.database.port import Append, Wake, append_steps
from gyoji.store.database.statements import (
    REVISION,
    REVISIONS,
    SCHEMA_AND_GENERATION,
    Execute,
    Row,
    Step,
    refuse_other_schema,
)
from gyoji.store.records import Cause, Conflict, GroupClosed, KeyTaken, Restored, Unavailable

Answer = TypeVar("Answer")

LOCK_SECONDS = 10.0
"""Seconds that a statement waits for another's lock."""

UNLIMITED = 86400.0
"""The same for administrative work, which waits for others of its kind."""

CACHE = 512
"""KiB of pages that a connection keeps; every thread has one. The kernel keeps the file in memory for all of them."""

ATTEMPT = 0.005
"""Seconds that SQLite itself waits before it is asked again. Left to itself it sleeps for a tenth of a second between
two looks, so that among busy writers, who hold the lock nearly all the time, some wait for ever."""

WAL_IS_SOUND = (3, 51, 3)

TAKEN = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID")

UNWRITABLE = ("SQLITE_ERROR", "SQLITE_READONLY")
"""Errors for a table that another schema has not got, and for a file that is read-only: writes fail there by
themselves, and reads need not."""

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
"""By how SQLite's name of the error begins; the first that fits."""

NO_TEXT = "Could not decode to UTF-8"
"""How Python's driver begins to say that a text is none; it has no code for it."""

FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What the driver raises; the second where SQLite quotes what a damaged file has in place of text."""


def unavailable(failure: sqlite3.Error | UnicodeDecodeError) -> Unavailable:
    """Translate a failure, without the words of SQLite, which may quote data."""
    if isinstance(failure, UnicodeDecodeError) or str(failure).startswith(NO_TEXT):
        return Unavailable(DAMAGED, "damaged")
    name: str = getattr(failure, "sqlite_errorname", "SQLITE_ERROR")
    unknown: tuple[Cause, str] = ("unreachable", "the database does not answer")
    cause, told = next((found for start, found in CAUSES.items() if name.startswith(start)), unknown)
    return Unavailable(f"{told} ({name})", cause)


def journal() -> tuple[str, str]:
    """Choose journal mode and ``synchronous`` by the version of the library."""
    return ("wal", "FULL") if sqlite3.sqlite_version_info >= WAL_IS_SOUND else ("delete", "EXTRA")


def connect(path: Path, lock_seconds: float = LOCK_SECONDS) -> sqlite3.Connection:
    """Connect, with the settings of the product, to a file that is there, whose lock is waited for so many seconds."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=rw", timeout=lock_seconds, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        _settle(connection, *journal())
    except BaseException:
        connection.close()
        raise
    return connection


def connect_still(path: Path) -> sqlite3.Connection:
    """Connect to a file that nobody writes to, such as a backup, without changing anything."""
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
    """Find what is wrong with a file: damaged pages, indexes that do not agree, rows that lead nowhere."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    strays = {str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")}
    return [text for text in found if text != "ok"] + [f"{table}: rows without their match" for table in sorted(strays)]


class SqliteDatabase:
    """SQL on one file; see ``Database``."""

    def __init__(
        self, path: Path, is_still: bool = False, lock_seconds: float | None = None, marker: MarkerPlace | None = None
    ) -> None:
        """``is_still``: nobody writes to the file, and this does not either. ``lock_seconds``: for how long a lock is
        waited for; ``None``: as long as is usual. ``marker``: where the marker is."""
        self.path = path
        self._is_still = is_still
        self._lock_seconds = lock_seconds
        self.guard = Guard(marker)
        self._connections = ThreadConnections(lambda: connect_still(path) if is_still else self._connected())
        self._turn = Lock()
        """Threads of this process take turns at writing; that is quicker than to meet at the database."""

    def open_connection(self, make: bool = False) -> sqlite3.Connection:
        """Open a connection that no limit of requests cuts off; with ``make`` a missing file is made, which only its
        owner may read."""
        try:
            if make:
                self.path.touch(0o600)
            return connect_still(self.path) if self._is_still else connect(self.path, UNLIMITED)
        except FAILURES as failure:
            raise unavailable(failure) from None
        except OSError:
            raise Unavailable("the database cannot be opened") from None

    def _connected(self) -> sqlite3.Connection:
        """Connect, and look whether the file has what it had."""
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
        """Translate a failure of SQLite."""
        return unavailable(failure) if isinstance(failure, FAILURES) else None

    def find_faults(self) -> list[str]:
        """Find what is wrong with the file, as SQLite sees it."""
        return self._tried(find_faults)

    def close(self) -> None:
        """Close the connections of this process."""
        self.guard.close()
        self._connections.close()

    def notify(self, match: str) -> None:
        """Do nothing: SQLite cannot wake anybody."""

    def subscribe(self, match: str) -> AbstractContextManager[Wake]:
        """Wait for news of the match: time passes, and then it is time to look."""
        return nullcontext(_slept)

    def await_news_writers(self) -> None:
        """Do nothing: whoever writes to a file is alone."""

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """Execute a query and give back its rows."""
        return self._tried(lambda connection: self._patiently(connection, sql, put).fetchall())

    def modify(self, sql: str, put: Row = ()) -> int:
        """Execute one statement, and give back how many rows it has changed."""
        return self._transaction(lambda connection: connection.execute(sql, put).rowcount)

    def _patiently(self, connection: sqlite3.Connection, sql: str, put: Row = ()) -> sqlite3.Cursor:
        return patiently(connection, sql, put, self._lock_seconds)

    def _tried(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        try:
            return work(self._connections.acquire())
        except FAILURES as failure:
            self._connections.discard()
            raise unavailable(failure) from None

    def write(self, steps: Sequence[Step]) -> None:
        """Execute all steps in one transaction, or none of them."""

        def work(connection: sqlite3.Connection) -> None:
            for sql, rows, clash, must_change in steps:
                if _put(connection, sql, rows, clash) == 0 and must_change:
                    raise clash

        self._transaction(work)

    def append(self, append: Append) -> None:
        """Append in one transaction."""
        self.write(append_steps(append))

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """Do the work in a transaction that may write; there is one at a time."""
        return self._transaction(lambda connection: work(_executing(connection)))

    def _transaction(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        if not self._turn.acquire(timeout=self._lock_seconds or LOCK_SECONDS):
            raise Unavailable("the database is locked", "busy")
        try:
            connection = self._connections.acquire()
            self._patiently(connection, "BEGIN IMMEDIATE")
            self._require_writable(connection)
            answer = work(connection)
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
        return answer

    def _require_writable(self, connection: sqlite3.Connection) -> None:
        """``Unavailable`` unless the schema is that of this release, and the store takes writes."""
        try:
            found = connection.execute(SCHEMA_AND_GENERATION).fetchone()
        except sqlite3.OperationalError:
            refuse_other_schema(connection.execute(REVISIONS).fetchall())
            raise
        if found != (REVISION, self.guard.expected_generation()):
            refuse_other_schema([] if found is None else [found[:1]])
            self.guard.require_writable(_executing(connection), found[1])


def patiently(
    connection: sqlite3.Connection, sql: str, put: Row = (), lock_seconds: float | None = None
) -> sqlite3.Cursor:
    """Execute a statement as soon as the locks of others allow it, within the seconds of the patience."""
    until = 0.0
    while True:
        try:
            return connection.execute(sql, put)
        except sqlite3.OperationalError as failure:
            until = until or monotonic() + (lock_seconds or LOCK_SECONDS)
            if not _is_busy(failure) or monotonic() > until:
                raise
        sleep(0.001)


def _slept(seconds: float) -> bool:
    sleep(seconds)
    return True


def _is_busy(failure: sqlite3.OperationalError) -> bool:
    return getattr(failure, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _put(connection: sqlite3.Connection, sql: str, rows: Sequence[Row], clash: type[Exception]) -> int:
    """Execute a statement for some rows of values, and give back how many rows it has changed."""
    try:
        return connection.executemany(sql, rows).rowcount
    except sqlite3.IntegrityError as failure:
        if failure.sqlite_errorname in TAKEN:
            raise clash from None
        raise


def _executing(connection: sqlite3.Connection) -> Execute:
    return lambda sql, put: connection.execute(sql, put).fetchall()
