"""How long a database takes to answer, and how writing ends."""

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Literal, ParamSpec, TypeVar

from gyoji.store.database.port import Database
from gyoji.store.records import Cause, Unavailable

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

Asked = Literal["read", "write", "append"]
"""What was asked: a query, a transaction that may write, an append to the log of a match."""

Told = Callable[[Asked, float], None]
"""Told what was asked, and after how many seconds there was an answer, or a failure."""


Wrote = Callable[[Cause | None], None]
"""Told of what was written (``None``), and why something was not."""


class TimedDatabase:
    """A database whose answers are timed; see ``Database``. To wait for news takes as long as there is none, and is
    not."""

    def __init__(self, database: Database, told: Told, wrote: Wrote) -> None:
        self.rows = _timed("read", database.rows, told)
        self.changed = _timed("write", database.changed, told)
        self.write = _written("write", database.write, told, wrote)
        self.append = _written("append", database.append, told, wrote)
        self.alone = _timed("write", database.alone, told)
        self.ring, self.awaiting, self.outlast_news = database.ring, database.awaiting, database.outlast_news
        self.raw, self.unavailable, self.faults = database.raw, database.unavailable, database.faults
        self.close, self.guard = database.close, database.guard


def _timed(asked: Asked, ask: Callable[Given, Answer], told: Told) -> Callable[Given, Answer]:
    @wraps(ask)
    def timed(*given: Given.args, **named: Given.kwargs) -> Answer:
        began = perf_counter()
        try:
            return ask(*given, **named)
        finally:
            told(asked, perf_counter() - began)

    return timed


def _written(asked: Asked, ask: Callable[Given, Answer], told: Told, wrote: Wrote) -> Callable[Given, Answer]:
    """The same for what surely writes, if it comes about."""

    @wraps(ask)
    def timed(*given: Given.args, **named: Given.kwargs) -> Answer:
        began = perf_counter()
        try:
            answer = ask(*given, **named)
        except Unavailable as gone:
            wrote(gone.cause)
            raise
        finally:
            told(asked, perf_counter() - began)
        wrote(None)
        return answer

    return timed
