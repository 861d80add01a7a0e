"""The port to a database: the few things that a store asks of SQLite or PostgreSQL."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from gyoji.store.database.guard import Guard
from gyoji.store.database.sql import Execute, Row, Step
from gyoji.store.database.statements import REVISIONS, refuse_other_schema
from gyoji.store.records import Head, Request, Unavailable

Answer = TypeVar("Answer")

Wake = Callable[[float], bool]
"""Waits for so many seconds at most; whether it is time to look at the head of the match."""


class Append(NamedTuple):
    """An append to the log of a match, as rows."""

    match: str
    expected: int
    """The ``seq`` at which the match has to stand."""
    rows: Sequence[Row]
    """Rows of ``events``."""
    head: Head
    request: Request | None
    leaves: Sequence[Row] = ()
    """Rows of ``tree_pending``: what has to get into the transparency log by this."""
    seats: str | None = None
    """The seats that the match has to have, as they stand in their column; ``None``: any."""


class Database(Protocol):
    """A connection for every process and thread, and SQL on it. Whatever goes wrong is ``Unavailable``."""

    guard: Guard
    """Whether the database may be written to; asked within every write."""

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """Execute a query and give back its rows."""

    def modify(self, sql: str, put: Row = ()) -> int:
        """Execute one statement as a transaction of its own, and give back how many rows it has changed."""

    def write(self, steps: Sequence[Step]) -> None:
        """Execute all steps in one transaction, or none of them."""

    def append(self, append: Append) -> None:
        """Append to the log of a match in one transaction, as ``Store.append`` says, and wake whoever waits for news
        of the match."""

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """Do the work in a transaction of its own; whoever else works so waits until that has ended."""

    def notify(self, match: str) -> None:
        """Wake those who wait for news of the match, in other processes too, if the database can. A hint: whatever goes
        wrong with it is of no consequence."""

    def subscribe(self, match: str) -> AbstractContextManager[Wake]:
        """Wait for news of the match. Nobody is woken for what was stored before the block."""

    def await_news_writers(self) -> None:
        """Wait for the transactions that may write news and began before this: they cannot know of a webhook that was
        stored just now, and all that begin later do."""

    def open_connection(self, make: bool = False) -> Any:
        """Open a connection of the driver's that is the caller's to close, for administrative work; with ``make`` a
        missing file is made."""

    def unavailable(self, failure: BaseException | None) -> Unavailable | None:
        """Translate a failure of the driver's, without the driver's words; ``None`` for any other failure."""

    def find_faults(self) -> list[str]:
        """Find what is wrong with the stored pages, as the database itself sees it."""

    def close(self) -> None:
        """Close the connections of this process."""


def check_schema(database: Database) -> None:
    """Refuse a database that does not answer or that another release has made: ``Unavailable``."""
    try:
        found = database.query(REVISIONS)
    except Unavailable as gone:
        if gone.cause == "timeout":
            raise
        database.query("SELECT 1")
        raise Unavailable("the database has no tables of this service yet", "older-schema") from None
    refuse_other_schema(found)
