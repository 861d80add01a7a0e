"""Declares the port to a database: the few operations that a store needs of SQLite or PostgreSQL; times them."""

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from time import perf_counter
from typing import Any, Literal, NamedTuple, ParamSpec, Protocol, TypeVar

from gyoji.store.database.appends import Followed, Tell, Topic
from gyoji.store.database.guard import Guard
from gyoji.store.database.statements import (
    ADD_APPEND,
    ADD_EVENT,
    ADD_NEWS,
    ADD_PENDING_LEAF,
    ADD_REQUEST,
    ADVANCE_HEAD,
    ADVANCE_SEATED_HEAD,
    FORGET_CALLS,
    PAGE,
    REVISIONS,
    SET_STATUS,
    TRACE,
    Execute,
    Row,
    Step,
    refuse_other_schema,
)
from gyoji.store.database.subscriptions import Wake
from gyoji.store.records import Cause, Conflict, Head, IdempotencyRecord, KeyTaken, Unavailable
from gyoji.trust.transparency.leaves import OVER

Answer = TypeVar("Answer")
Given = ParamSpec("Given")


class Append(NamedTuple):
    """An append to the log of a match, as rows."""

    match: str
    expected: int
    """The ``seq`` at which the match has to stand."""
    rows: Sequence[Row]
    """Rows of ``events``."""
    head: Head
    request: IdempotencyRecord | None
    leaves: Sequence[Row] = ()
    """Rows of ``tree_pending``: what has to get into the transparency log by this."""
    seats: str | None = None
    """The seats that the match has to have, as they stand in their column; ``None``: any."""

    @property
    def ends(self) -> bool:
        """Whether the match is over with it."""
        return self.head.status in OVER


def request_steps(request: IdempotencyRecord | None, subject: str, seq: int) -> list[Step]:
    """Write the step that stores an idempotency record, if there is a key: the id of what the request made, and the
    ``seq`` of its event."""
    if request is None:
        return []
    return [Step(ADD_REQUEST, ((request.scope, request.key, request.digest, subject, seq),), KeyTaken)]


def append_steps(append: Append, more: Sequence[Step] = ()) -> list[Step]:
    """Write the steps that append to the log of a match, ``more`` among them: the idempotency record first, so that a
    key in use is found before a match that has moved on."""
    match, head, expected = append.match, append.head, append.expected
    stands = (head.seq, head.hash, head.decision, match, expected)
    advance, put = (ADVANCE_HEAD, stands) if append.seats is None else (ADVANCE_SEATED_HEAD, (*stands, append.seats))
    return [
        *request_steps(append.request, match, expected + 1),
        *more,
        Step(advance, (put,), Conflict, must_change=True),
        Step(SET_STATUS, ((head.status, head.closed, match, head.status, head.closed),), Conflict),
        Step(ADD_EVENT, append.rows, Conflict),
        Step(ADD_NEWS, ((expected + 1, head.seq, TRACE.get(), match),), Conflict),
        Step(ADD_APPEND, ((match, expected + 1, head.seq),), Conflict),
        *([Step(ADD_PENDING_LEAF, append.leaves, Conflict)] if append.leaves else []),
        *([Step(FORGET_CALLS, ((match,),), Conflict)] if append.ends else []),
    ]


class Database(Protocol):
    """A connection to the database for every process and thread, and SQL on it. Every failure is ``Unavailable``."""

    guard: Guard
    """Whether the database may be written to; asked within every write."""

    def query(self, sql: str, put: Row = ()) -> list[Row]:
        """Execute a query and give back its rows."""

    def modify(self, sql: str, put: Row = ()) -> int:
        """Execute one statement as a transaction of its own, and give back how many rows it has changed."""

    def write(self, steps: Sequence[Step]) -> None:
        """Execute all steps in one transaction, or none of them."""

    def append(self, append: Append) -> None:
        """Append to the log of a match in one transaction, as ``Store.append`` says, and wake whoever follows
        it."""

    def exclusively(self, work: Callable[[Execute], Answer]) -> Answer:
        """Do the work in a transaction of its own, while no other work of this kind runs; other callers wait."""

    def notify(self, match: str, seq: int | None) -> None:
        """Wake those who follow the match, whose head now stands at ``seq``, in other processes too, if the database
        can; ``None``: what is news is beside its log. A hint: whatever goes wrong with it is of no consequence."""

    def subscribe(self, match: str, wake: Wake) -> Callable[[], None]:
        """Have ``wake`` called when there may be news of the match, until the function is called that is returned."""

    def follow(self, topics: Sequence[Topic], tell: Tell) -> Followed:
        """Have ``tell`` called with the appends of these topics from now on, until that is left; ``AppendFollowers``
        says more."""

    def writers(self, table: str) -> set[Row]:
        """Find the transactions that may have written to a table and have not ended: nobody else sees yet what they
        write, and they may not see what was stored just now."""

    def open_connection(self, make: bool = False) -> Any:
        """Open a connection of the driver's that is the caller's to close, for administrative work; with ``make`` a
        missing file is made."""

    def unavailable(self, failure: BaseException | None) -> Unavailable | None:
        """Translate a failure of the driver's, without the driver's words; ``None`` for any other failure."""

    def find_faults(self) -> list[str]:
        """Find what is wrong with the stored pages, as the database itself sees it."""

    def close(self) -> None:
        """Close the connections of this process."""


def paged(database: Database, sql: str, after: Any, before: Row = (), behind: Row = ()) -> Iterator[Row]:
    """Read the rows of a list that may be long, page by page: each is a query of its own, so that no transaction stays
    open in between. ``sql`` takes, among the values before and behind it, the first column of the row that was read
    last, and at its end how many rows a page has."""
    while page := database.query(sql, (*before, after, *behind, PAGE)):
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1][0]


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


Operation = Literal["read", "write", "append"]
"""What a database was asked for: a query, a transaction that may write, an append to the log of a match."""

ObserveLatency = Callable[[Operation, float], None]
"""Called with an operation, and the seconds after which it was answered or failed."""

ObserveWrite = Callable[[Cause | None], None]
"""Called with ``None`` when something was written, and with the cause when it was not."""


class TimedDatabase:
    """A database whose answers are timed; see ``Database``. What watches for news asks the database itself, and is
    not timed."""

    def __init__(self, database: Database, observe_latency: ObserveLatency, observe_write: ObserveWrite) -> None:
        self.query = _timed("read", database.query, observe_latency)
        self.modify = _timed("write", database.modify, observe_latency)
        self.write = _timed_write("write", database.write, observe_latency, observe_write)
        self.append = _timed_write("append", database.append, observe_latency, observe_write)
        self.exclusively = _timed("write", database.exclusively, observe_latency)
        self.notify = database.notify
        self.subscribe = database.subscribe
        self.follow = database.follow
        self.writers = database.writers
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
    """Time what surely writes, as ``_timed``, if it comes about."""
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
