"""Runs SQL on one SQLite file, which all threads of a process write by one connection.

A write that returns is on the disk: WAL with ``synchronous=FULL``. The library comes with the driver, apsw, whose floor
in ``pyproject.toml`` is the first in which WAL is sound; no other driver may open the file in this process, since each
would let go of the other's locks.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

import apsw

from gyoji.store.database.appends import AppendFollowers, Followed, Tell, Topic
from gyoji.store.database.connections import ConnectionPool, ThreadConnections
from gyoji.store.database.guard import Guard
from gyoji.store.database.marker import MarkerPlace
from gyoji.store.database.port import Append, append_steps
from gyoji.store.database.statements import (
    REVISION,
    REVISIONS,
    SCHEMA_AND_GENERATION,
    Execute,
    Row,
    Step,
    refuse_other_schema,
)
from gyoji.store.database.subscriptions import Subscriptions, Wake
from gyoji.store.records import Cause, Conflict, Unavailable

Answer = TypeVar("Answer")

LOCK_SECONDS = 10.0
"""Seconds that a statement waits for another's lock."""

UNLIMITED = 86400.0
"""The same for administrative work, which waits for others of its kind."""

CACHE = 512
"""KiB of pages that a connection keeps; every thread has one. The kernel keeps the file in memory for all of them."""

DURABILITY = ("wal", "FULL")
"""Journal mode and ``synchronous``."""

LOOKS_APART = 0.05
"""Seconds between two looks at whether another process has written to the file, while anybody follows a match."""

TAKEN = ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_ROWID")
"""The constraints that say that there is such a row already."""

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

FAILURES = (apsw.Error, UnicodeDecodeError)
"""What the driver raises; the second where a damaged file has something else in the place of text."""


def unavailable(failure: apsw.Error | UnicodeDecodeError) -> Unavailable:
    """Translate a failure, without the words of SQLite, which may quote data."""
    if isinstance(failure, UnicodeDecodeError):
        return Unavailable(DAMAGED, "damaged")
    name = error_name(failure)
    unknown: tuple[Cause, str] = ("unreachable", "the database does not answer")
    cause, told = next((found for start, found in CAUSES.items() if name.startswith(start)), unknown)
    return Unavailable(f"{told} ({name})", cause)


def error_name(failure: apsw.Error) -> str:
    """Name a failure as SQLite does."""
    extended = apsw.mapping_extended_result_codes.get(getattr(failure, "extendedresult", 0))
    return str(extended or apsw.mapping_result_codes[getattr(failure, "result", apsw.SQLITE_ERROR)])


def connect(path: Path, lock_seconds: float | None = None) -> apsw.Connection:
    """Connect, with the settings of the product, to a file that is there, whose lock is waited for so many seconds."""
    connection = apsw.Connection(str(path.absolute()), apsw.SQLITE_OPEN_READWRITE)
    try:
        _settle(connection, LOCK_SECONDS if lock_seconds is None else lock_seconds)
    except BaseException:
        connection.close()
        raise
    return connection


def connect_still(path: Path) -> apsw.Connection:
    """Connect to a file that nobody writes to, such as a backup, without changing anything."""
    return apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _settle(connection: apsw.Connection, lock_seconds: float) -> None:
    mode, synchronous = DURABILITY
    connection.set_busy_timeout(int(lock_seconds * 1000))
    connection.pragma("synchronous", synchronous)
    connection.pragma("foreign_keys", True)
    connection.pragma("cache_size", -CACHE)
    if connection.pragma("journal_mode") != mode:
        connection.pragma("journal_mode", mode)  # once in a file's life


def find_faults(connection: apsw.Connection) -> list[str]:
    """Find what is wrong with a file: damaged pages, indexes that do not agree, rows that lead nowhere."""
    found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    strays = {str(row[0]) for row in connection.execute("PRAGMA foreign_key_check")}
    return [text for text in found if text != "ok"] + [f"{table}: rows without their match" for table in sorted(strays)]


INTERRUPTED = Unavailable("the database does not answer")
"""The outcome of work that somebody took along who was ended in the middle of it."""


class Write:
    """Work that waits for its turn, or for somebody to take it along."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        """``steps``: what it consists of; none where only its own thread can do it."""
        self.steps = steps
        self.outcome: Exception | None = INTERRUPTED
        """The failure for which it was not stored; ``None`` as soon as it is stored."""
        self.is_done = False
        """Whether somebody has taken it along, and has told the outcome."""
        self.waits = Lock()
        """Held as long as it waits."""


class Turns:
    """The turns in which the threads of a process write. Whoever has the turn takes along what waits behind it, so that
    all of it shares one transaction and one sync."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._waiting: list[Write] = []

    def wait(self, write: Write, seconds: float) -> bool:
        """Wait for the turn, and tell whether it has come; else somebody has done the work meanwhile. After so many
        seconds the work is taken back, so that nobody does it: ``Unavailable``."""
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return True
            write.waits.acquire()
            self._waiting.append(write)
        if not write.waits.acquire(timeout=seconds):
            with self._lock:
                if write in self._waiting:
                    self._waiting.remove(write)
                    raise Unavailable("the database is locked", "busy")
            write.waits.acquire()  # somebody has taken it along just now, and is about to tell the outcome
        return not write.is_done

    def take_along(self) -> list[Write]:
        """Take along what waits; asked by whoever has the turn."""
        with self._lock:
            taken = [write for write in self._waiting if write.steps]
            self._waiting = [write for write in self._waiting if not write.steps]
        return taken

    def end(self, taken: Sequence[Write] = ()) -> None:
        """End the turn: the next may begin, and those whose work was taken along are told."""
        with self._lock:
            self._is_taken = bool(self._waiting)
            if self._is_taken:
                self._waiting.pop(0).waits.release()
        for write in taken:
            write.is_done = True
            write.waits.release()


class SqliteDatabase:
    """One SQLite file, on which SQL is run; see ``Database``."""

    def __init__(
        self, path: Path, is_still: bool = False, lock_seconds: float | None = None, marker: MarkerPlace | None = None
    ) -> None:
        """``is_still``: nobody writes to the file, and this does not either. ``lock_seconds``: for how long a lock is
        waited for; ``None``: as long as is usual. ``marker``: where the marker is."""
        self.path = path
        self._is_still = is_still
        self._lock_seconds = lock_seconds
        self.guard = Guard(marker)
        self._connections = ThreadConnections(self._connected)
        self._writer = ConnectionPool(self._connected, 1, 0)
        """The one connection that writes, lent to whoever has the turn: its pages are as new as the last write."""
        self._turns = Turns()
        self._subscriptions = Subscriptions(self._look, AppendFollowers(self))
        self._seen: object = None
        """The watcher's connection, and its ``data_version`` at the last look, which others' commits change."""

    def open_connection(self, make: bool = False) -> apsw.Connection:
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

    def _connected(self) -> apsw.Connection:
        """Connect, and look whether the file has what it had."""
        if self._is_still:
            return connect_still(self.path)
        connection = connect(self.path, self._lock_seconds)
        try:
            # another schema has no such table, and a file may be read-only: writes fail there by themselves
            with suppress(apsw.SQLError, apsw.ReadOnlyError):
                self.guard.inspect(_executing(connection))
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
        self._subscriptions.close()
        self._connections.close()
        self._writer.close()

    def notify(self, match: str, seq: int | None) -> None:
        """Have whoever follows the match in this process woken; in others the watcher finds out."""
        self._subscriptions.hurry(match, seq)

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Have ``wake`` called at news of the match: at once for what this process stores."""
        return self._subscriptions.subscribe(match, wake)

    def follow(self, topics: Sequence[Topic], tell: Tell) -> Followed:
        """Have ``tell`` called with the appends of these topics: at once with what this process stores."""
        return self._subscriptions.follow(topics, tell)

    def _look(self, news: Subscriptions) -> float:
        """Compare the heads where anybody has written to the file since the last look."""
        seen = self._tried(lambda connection: (connection, connection.execute("PRAGMA data_version").fetchall()))
        if seen != self._seen:
            news.compare(self.query)
        self._seen = seen
        return LOOKS_APART

    def writers(self, _table: str) -> set[Row]:
        """Find none: whoever writes to a file is alone, and all that it stored before is seen."""
        return set()

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """Execute a query and give back its rows."""
        return self._tried(lambda connection: connection.execute(sql, put).fetchall())

    def modify(self, sql: str, put: Row = ()) -> int:
        """Execute one statement, and give back how many rows it has changed."""
        return self._alone(lambda connection: _put(connection, sql, (put,), Conflict))

    def _tried(self, work: Callable[[apsw.Connection], Answer]) -> Answer:
        try:
            return work(self._connections.acquire())
        except FAILURES as failure:
            self._connections.discard()
            raise unavailable(failure) from None

    def write(self, steps: Sequence[Step]) -> None:
        """Execute all steps or none of them, in one transaction with those that wait behind it."""
        self.guard.expected_generation()  # prepares this thread: another may execute the steps
        write = Write(steps)
        if self._turns.wait(write, self._seconds()):
            self._write_together(write)
        if write.outcome is not None:
            raise write.outcome

    def _write_together(self, write: Write) -> None:
        """Execute the steps of a write whose turn it is, and of those behind it; tell each its outcome."""
        taken: list[Write] = []
        try:
            with self._transaction() as connection:
                taken = self._turns.take_along()
                outcomes = [_attempted(connection, each.steps, bool(taken)) for each in (write, *taken)]
                if all(outcomes):
                    connection.execute("ROLLBACK")
            for each, outcome in zip((write, *taken), outcomes, strict=True):
                each.outcome = outcome
        except Exception as failure:
            for each in (write, *taken):
                each.outcome = failure
        finally:
            self._turns.end(taken)

    def append(self, append: Append) -> None:
        """Append in one transaction, and wake whoever follows the match."""
        self.write(append_steps(append))
        self.notify(append.match, append.head.seq)

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """Do the work in a transaction that may write; there is one at a time."""
        return self._alone(lambda connection: work(_executing(connection)))

    def _alone(self, work: Callable[[apsw.Connection], Answer]) -> Answer:
        """Do the work in a turn and a transaction of its own."""
        self._turns.wait(Write(), self._seconds())
        try:
            with self._transaction() as connection:
                return work(connection)
        finally:
            self._turns.end()

    def _seconds(self) -> float:
        return self._lock_seconds or LOCK_SECONDS

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        """Hold a transaction that may write, of whoever has the turn; one that the block has ended is not committed."""
        try:
            connection = self._writer.acquire()
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._require_writable(connection)
                yield connection
                if connection.in_transaction:
                    _commit(connection)
            except BaseException:
                self._writer.discard(connection)
                raise
            self._writer.release(connection)
        except FAILURES as failure:
            raise unavailable(failure) from None

    def _require_writable(self, connection: apsw.Connection) -> None:
        """Raise ``Unavailable`` unless the schema is that of this release, and the store takes writes."""
        execute = _executing(connection)
        try:
            found = execute(SCHEMA_AND_GENERATION, ())
        except apsw.SQLError:
            refuse_other_schema(execute(REVISIONS, ()))
            raise
        if found != [(REVISION, self.guard.expected_generation())]:
            refuse_other_schema([row[:1] for row in found])
            self.guard.require_writable(execute, found[0][1])


def _put(connection: apsw.Connection, sql: str, rows: Sequence[Row], clash: type[Exception]) -> int:
    """Execute a statement for some rows of values, and give back how many rows it has changed."""
    before = connection.total_changes()
    try:
        connection.executemany(sql, rows)
    except apsw.ConstraintError as failure:
        if error_name(failure) in TAKEN:
            raise clash from None
        raise
    return connection.total_changes() - before


def _attempted(connection: apsw.Connection, steps: Sequence[Step], is_shared: bool) -> Exception | None:
    """Execute steps within a transaction, which may be shared with others' steps, all or none of them; give back why it
    was none. A failure of the database, which others would meet too, is raised."""
    if is_shared:  # or else all is undone by undoing the transaction, which is quicker
        connection.execute("SAVEPOINT write")
    try:
        for sql, rows, clash, must_change in steps:
            if _put(connection, sql, rows, clash) == 0 and must_change:
                raise clash
    except apsw.ConstraintError as failure:
        outcome: Exception = unavailable(failure)
    except FAILURES:
        raise
    except Exception as refusal:
        outcome = refusal.with_traceback(None)
    else:
        return None
    if is_shared:
        connection.execute("ROLLBACK TO write")
    return outcome


def _commit(connection: apsw.Connection) -> None:
    """Commit. Where the disk fails meanwhile, what was written before may be found, and count, after a crash."""
    try:
        connection.execute("COMMIT")
    except apsw.IOError as failure:
        known = unavailable(failure)
        raise Unavailable(str(known), known.cause, is_unsure=True) from None


def _executing(connection: apsw.Connection) -> Execute:
    return lambda sql, put: connection.execute(sql, put).fetchall()
