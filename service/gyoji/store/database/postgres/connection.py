"""Statements on a PostgreSQL connection by the shortest way that psycopg has: libpq's call for a prepared statement.

A cursor finds out anew for every statement how each of its values is written, and waits for the answer in Python; that
took half of what an append costs this side of the server. Here a value is text, bytes, an integer, a boolean or
``None``, of whatever type the statement demands in its place, and libpq waits.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from math import inf
from os import dup
from socket import SHUT_RDWR, socket
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg import capabilities
from psycopg.abc import PQGen
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from gyoji.store.database.sql import Row
from gyoji.store.deadlines import Deadlines

Answer = TypeVar("Answer")

TEXT, BINARY = 0, 1
MOST_NAMED = 100
"""Statements that stay prepared on a connection, at most, as with psycopg: the server keeps the plan of each."""

DONE = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)

WRITTEN: Mapping[type, Callable[[Any], bytes | None]] = {
    bytes: lambda value: value,
    str: str.encode,
    int: b"%d".__mod__,
    bool: lambda value: b"t" if value else b"f",
    type(None): lambda _value: None,
}
AS_TEXT = (int, bool)
"""What is written as in SQL. Text goes as bytes do, with its length: it would end at a zero byte, and so be another."""


class Connection(psycopg.Connection[Row]):
    """A connection that commits by itself, with the statements that it has prepared; and deadlines for its answers,
    where it is given any."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._named: OrderedDict[str, bytes] = OrderedDict()
        self._numbers = count()
        self._deadlines: Deadlines | None = None
        self._patience = inf
        self._socket: socket | None = None
        self.deadline = inf
        self.until = inf
        """When all answers to whoever has the connection now have to be there, on the clock of ``monotonic``."""
        self.made = monotonic()
        self.was_cut = False
        """Whether an answer did not come in time: then the connection is of no use any more."""
        self.is_committing = False
        """Whether what was asked last was the end of a transaction that writes."""

    def limit(self, deadlines: Deadlines, seconds: float) -> None:
        """From now on every answer has to come within so many seconds."""
        self._deadlines, self._patience = deadlines, seconds
        self._socket = socket(fileno=dup(self.fileno()))  # libpq's own number may be another's by the time it is cut
        deadlines.watch(self)

    def cut(self) -> None:
        """What is waited for does not come: whoever waits wakes at once."""
        self.was_cut = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Let go of the server."""
        super().close()
        if self._deadlines is not None and self._socket is not None:
            self._deadlines.forget(self)
            self._socket.close()

    def wait(self, gen: PQGen[Answer], *more: Any, **named: Any) -> Answer:
        """What psycopg itself asks, answered in time."""
        self.deadline = min(self.until, monotonic() + self._patience)
        try:
            return super().wait(gen, *more, **named)
        finally:
            self.deadline = inf

    def answer(self, sql: str, put: Row, commits: bool = False) -> PGresult:
        """What the server says to a statement, in which ``$1`` and on stand for what is put in; ``commits``: it writes,
        and is a transaction of its own."""
        self.deadline = min(self.until, monotonic() + self._patience)
        try:
            name = self._known(sql) if sql in self._named else self._made(sql)
            written: list[Any] = [WRITTEN[type(value)](value) for value in put]  # None too, which psycopg does not say
            formats = [TEXT if type(value) in AS_TEXT else BINARY for value in put]
            self.is_committing = commits
            return _good(self.pgconn.exec_prepared(name, written, formats, BINARY))
        finally:
            self.deadline = inf

    def found(self, sql: str, put: Row, commits: bool = False) -> list[Row]:
        """The rows that the statement finds."""
        answer = self.answer(sql, put, commits)
        reading = Transformer(self)
        reading.set_pgresult(answer)
        return reading.load_rows(0, answer.ntuples, tuple)

    def changed(self, sql: str, put: Row) -> int:
        """How many rows the statement, a transaction of its own, has changed."""
        return self.answer(sql, put, commits=True).command_tuples or 0

    @contextmanager
    def whole(self) -> Iterator[None]:
        """A transaction, in which cursors may be used as well. Where one is undone, all is forgotten that was prepared,
        by whomever."""
        self.is_committing = False
        try:
            with self.transaction():
                yield
                self.is_committing = True
        except BaseException:
            self._forget()
            raise

    def _forget(self) -> None:
        """psycopg has forgotten its statements. It has the server forget all there are only if some were its own; else
        the server would keep ours for as long as the connection lasts."""
        self._named.clear()
        if self.pgconn.transaction_status == TransactionStatus.IDLE:  # else the connection is thrown away
            self.deadline = min(self.until, monotonic() + self._patience)
            self.pgconn.exec_(b"DEALLOCATE ALL")
            self.deadline = inf

    def _known(self, sql: str) -> bytes:
        self._named.move_to_end(sql)
        return self._named[sql]

    def _made(self, sql: str) -> bytes:
        """Its name, prepared; the statement that was not asked for longest makes room."""
        if len(self._named) >= MOST_NAMED:
            _sql, oldest = self._named.popitem(last=False)
            self._let_go(oldest)
        name = b"gyoji_%d" % next(self._numbers)
        _good(self.pgconn.prepare(name, sql.encode()))
        self._named[sql] = name
        return name

    def _let_go(self, name: bytes) -> None:
        """By the protocol, where this libpq can: what lends connections need not understand the statement for it."""
        if capabilities.has_send_close_prepared():
            _good(self.pgconn.close_prepared(name))
        else:
            _good(self.pgconn.exec_(b"DEALLOCATE " + name))


def _good(answer: PGresult) -> PGresult:
    if answer.status not in DONE:
        raise error_from_result(answer)
    return answer
