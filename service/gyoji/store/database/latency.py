"""Measures how long a database takes to answer, and counts how writing ends."""

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Literal, ParamSpec, TypeVar

from gyoji.store.database.port import Database
from gyoji.store.records import Cause, Unavailable

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

Operation = Literal["read", "write", "append"]
"""What a database was asked for: a query, a transaction that may write, an append to the log of a match."""

ObserveLatency = Callable[[Operation, float], None]
"""Called with an operation, and the seconds after which it was answered or failed."""

ObserveWrite = Callable[[Cause | None], None]
"""Called with ``None`` when something was written, and with the cause when it was not."""


class TimedDatabase:
    """A database whose answers are timed; see ``Database``. Waiting for news lasts as long as there is none, and is not
    timed."""

    def __init__(self, database: Database, observe_latency: ObserveLatency, observe_write: ObserveWrite) -> None:
        self.query = _timed("read", database.query, observe_latency)
        self.modify = _timed("write", database.modify, observe_latency)
        self.write = _timed_write("write", database.write, observe_latency, observe_write)
        self.append = _timed_write("append", database.append, observe_latency, observe_write)
        self.exclusively = _timed("write", database.exclusively, observe_latency)
        self.notify = database.notify
        self.subscribe = database.subscribe
        self.await_news_writers = database.await_news_writers
        self.open_connection = database.open_connection
        self.unavailable = database.unavailable
        self.find_faults = database.find_faults
        self.close = database.close
        self.guard = database.guard


def _timed(
    operation: Operation, execute: Callable[Given, Answer], observe_latency: ObserveLatency
) -> Callable[Given, Answer]:
    @wraps(execute)
    def timed(*given: Given.args, **named: Given.kwargs) -> Answer:
        began = perf_counter()
        try:
            return execute(*given, **named)
        finally:
            observe_latency(operation, perf_counter() - began)

    return timed


def _timed_write(
    operation: Operation,
    execute: Callable[Given, Answer],
    observe_latency: ObserveLatency,
    observe_write: ObserveWrite,
) -> Callable[Given, Answer]:
    """``_timed`` for what surely writes, if it comes about."""
    ask_timed = _timed(operation, execute, observe_latency)

    @wraps(execute)
    def counted(*given: Given.args, **named: Given.kwargs) -> Answer:
        try:
            answer = ask_timed(*given, **named)
        except Unavailable as gone:
            observe_write(gone.cause)
            raise
        observe_write(None)
        return answer

    return counted
