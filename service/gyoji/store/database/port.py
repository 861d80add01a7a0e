"""The few things that a store asks of a database."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from gyoji.store.database.guard import Guard
from gyoji.store.database.sql import Execute, Row, Step
from gyoji.store.database.statements import REVISIONS, refuse_other_schema
from gyoji.store.records import Head, Request, Unavailable

Answer = TypeVar("Answer")

Wake = Callable[[float], bool]
"""Waits for so many seconds at most; whether it is time to look at the head of the match."""


class Database(Protocol):
    """A connection for every process and thread, and SQL on it. Whatever goes wrong is ``Unavailable``."""

    guard: Guard
    """Whether it may be written to; asked within every write."""

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """What a query finds."""

    def modify(self, sql: str, put: Row = ()) -> int:
        """How many rows one statement, a transaction of its own, has changed."""

    def write(self, steps: Sequence[Step]) -> None:
        """All steps or none of them."""

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
        """``Store.append``, with the entries as rows of ``events``, what waits for the tree then, and the seats as they
        stand in their column. Whoever waits for news of the match is woken."""

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """What the work makes of a transaction of its own; whoever else works so waits until it has ended."""

    def notify(self, match: str) -> None:
        """Wake those who wait for news of the match, in other processes too, if the database can. A hint: whatever goes
        wrong with it is of no consequence."""

    def subscribe(self, match: str) -> AbstractContextManager[Wake]:
        """Waiting for news of the match. What was stored before the block is not told of."""

    def await_news_writers(self) -> None:
        """Wait for the transactions that may write news and began before this. What was stored before it is known to
        all that begin later, but not to these."""

    def open_connection(self, make: bool = False) -> Any:
        """A new connection of the driver's that is the caller's to close, for administrative work; with ``make`` a
        missing file is made."""

    def unavailable(self, failure: BaseException | None) -> Unavailable | None:
        """What a failure of the driver's means, without the driver's words; ``None`` for any other failure."""

    def find_faults(self) -> list[str]:
        """What the database itself finds wrong with what it has stored."""

    def close(self) -> None:
        """Close this process's connections."""


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
