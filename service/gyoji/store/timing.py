"""How long a database takes to answer."""

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Literal, ParamSpec, TypeVar

from gyoji.store.database import Database

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

Asked = Literal["read", "write", "append"]
"""What was asked: a query, a transaction that may write, an append to the log of a match."""

Told = Callable[[Asked, float], None]
"""Told what was asked, and after how many seconds there was an answer, or a failure."""


class TimedDatabase:
    """A database whose answers are timed; see ``Database``. To wait for news takes as long as there is none, and is
    not."""

    def __init__(self, database: Database, told: Told) -> None:
        self.rows = _timed("read", database.rows, told)
        self.changed = _timed("write", database.changed, told)
        self.write = _timed("write", database.write, told)
        self.append = _timed("append", database.append, told)
        self.alone = _timed("write", database.alone, told)
        self.ring, self.awaiting, self.outlast_news = database.ring, database.awaiting, database.outlast_news
        self.raw, self.unavailable, self.faults = database.raw, database.unavailable, database.faults
        self.close = database.close


def _timed(asked: Asked, ask: Callable[Given, Answer], told: Told) -> Callable[Given, Answer]:
    @wraps(ask)
    def timed(*given: Given.args, **named: Given.kwargs) -> Answer:
        began = perf_counter()
        try:
            return ask(*given, **named)
        finally:
            told(asked, perf_counter() - began)

    return timed
