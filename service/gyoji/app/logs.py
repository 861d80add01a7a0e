"""Writes the log of the process: one JSON object a line, a line a request; gunicorn's own lines in the same shape.

What is logged is chosen here, member by member. No body, no card, no seed and no header gets in but the request id and
the ids of a trace.

Whoever logs neither waits nor fails. A thread of each process writes the lines. What the device does not take is kept
and tried again; meanwhile the queue holds so many lines, the rest is dropped, counted, and reported in one line as soon
as there is room for it.
"""

import atexit
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from queue import SimpleQueue
from threading import Event, Lock, RLock, Thread
from time import sleep
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from gyoji.api.parameters import MATCH
from gyoji.app.request_record import RequestRecord
from gyoji.games.catalogue import BY_SLUG
from gyoji.store.interface import Unavailable

if TYPE_CHECKING:
    from structlog.typing import EventDict

REQUESTS = structlog.get_logger("gyoji.request")

MATCH_ID = re.compile(MATCH)


MOST_WAITING_LINES = 8192
"""Lines that wait in a process: some three megabytes."""

MOST_LINES_TAKEN = 512
"""Lines that are taken out of the queue together."""

PIECE = 4096
"""Bytes that are written together: what is no longer than that gets into a pipe as a whole, and is not mixed with the
lines of other processes."""

WRITE_SECONDS = 0.01
"""Seconds between two looks: under load many lines cost one call, and no request wakes the thread."""

RETRY_SECONDS = 0.25
"""Seconds after which what was not taken is tried again."""

FLUSH_SECONDS = 1.0
"""Seconds that a process which ends waits for its lines to be taken."""


class LogQueue:
    """The queue of the lines of the process log that are not written yet. A forked process begins with an empty
    queue."""

    def __init__(
        self, descriptor: Callable[[], int], note: Callable[[int], bytes], most: int = MOST_WAITING_LINES
    ) -> None:
        """``descriptor`` is asked for where the lines go, once they do; ``note`` for a line about so many dropped."""
        self._descriptor = descriptor
        self._note = note
        self._most = most
        self.on_drop: Callable[[], None] = lambda: None
        """Called for every line that is dropped."""
        self._begin()
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._waiting: SimpleQueue[bytes | Event] = SimpleQueue()
        self._starting = Lock()
        self._writer: Thread | None = None
        self._counting = RLock()  # a signal's handler may log while its own thread does
        self._dropped = 0

    def put(self, line: bytes) -> None:
        """Queue a line, with its end; drop it where too many wait."""
        if self._waiting.qsize() >= self._most:
            with self._counting:
                self._dropped += 1
            self.on_drop()
            return
        self._waiting.put(line)
        if self._writer is None:
            self._start()

    def flush(self, seconds: float = FLUSH_SECONDS) -> bool:
        """Wait until every queued line has been written, at most so many seconds; tell whether all were written."""
        if self._writer is None:
            return self._waiting.empty()
        written = Event()
        self._waiting.put(written)
        return written.wait(seconds)

    def _start(self) -> None:
        """Start the thread; where the system has none to give, the next line tries again."""
        if not self._starting.acquire(blocking=False):
            return  # somebody else does, or this very thread that a signal has interrupted
        try:
            if self._writer is None:
                writer = Thread(target=self._write_all, name="log", daemon=True)
                writer.start()
                self._writer = writer
        except RuntimeError:  # "can't start new thread": the line waits
            return
        finally:
            self._starting.release()

    def _write_all(self) -> None:
        """Write lines for as long as the process lives."""
        to = self._descriptor()
        while True:
            lines, asked = self._taken()
            for piece in pieces(lines):
                _written(to, piece)
            self._tell_dropped(to)
            if asked is not None:
                asked.set()
            sleep(WRITE_SECONDS)

    def _taken(self) -> tuple[list[bytes], Event | None]:
        """Take the lines that wait, at least one; or those before somebody who waits for them."""
        lines = list[bytes]()
        while not lines or (len(lines) < MOST_LINES_TAKEN and not self._waiting.empty()):
            one = self._waiting.get()
            if isinstance(one, Event):
                return lines, one
            lines.append(one)
        return lines, None

    def _tell_dropped(self, to: int) -> None:
        with self._counting:
            dropped, self._dropped = self._dropped, 0
        if dropped:
            _written(to, self._note(dropped))


def pieces(lines: list[bytes]) -> Iterator[bytes]:
    """Join lines into pieces of limited size for writing; a line longer than a piece is one by itself."""
    piece = b""
    for line in lines:
        if piece and len(piece) + len(line) > PIECE:
            yield piece
            piece = b""
        piece += line
    if piece:
        yield piece


def _written(to: int, piece: bytes) -> None:
    """Write all of it, however long the device refuses: a line that was cut goes on where it was."""
    left = memoryview(piece)
    while left:
        try:
            left = left[os.write(to, left) :]
        except OSError:  # full, or nobody reads: lines are dropped meanwhile, and counted
            sleep(RETRY_SECONDS)


def _as_json(_logger: Any, level: str, facts: "EventDict") -> bytes:
    """Write a line with level, time and process. Every request waits for it, and one processor is called sooner than
    three."""
    facts["level"], facts["timestamp"], facts["pid"] = level, datetime.now(UTC), os.getpid()
    try:
        return orjson.dumps(facts, option=orjson.OPT_UTC_Z)
    except TypeError:  # text that is none in UTF-8, or what is no JSON, in a line of somebody else
        return json.dumps(facts, default=str).encode()


def _as_text(logger: Any, level: str, facts: "EventDict") -> str:
    return _as_json(logger, level, facts).decode()


def _without_words(_logger: Any, _level: str, facts: "EventDict") -> "EventDict":
    """Replace an exception by where it was raised: its text is left out."""
    raised = facts.pop("exc_info", None)
    if raised and raised[1]:
        facts["failure"] = _where(raised[1])
    return facts


def _standard_error() -> int:
    """Return the descriptor that lines go to. A process without standard error may have another file under its
    number."""
    return os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()


def _dropped_line(lines: int) -> bytes:
    return _as_json(None, "warning", {"event": "log-lines-dropped", "lines": lines}) + b"\n"


LINES = LogQueue(_standard_error, _dropped_line)
"""The lines of this process that are not written yet."""


class LineLogger:
    """A logger to which structlog hands finished lines."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put

    def msg(self, line: bytes) -> None:
        """Queue one line, of whichever level."""
        self._put(line + b"\n")

    debug = info = warning = error = critical = msg


class LineHandler(logging.Handler):
    """A handler to which the standard library's loggers hand their records."""

    def emit(self, record: logging.LogRecord) -> None:
        """Queue one line for a record. A record that cannot be formatted is replaced by who logged it and why it
        failed."""
        try:
            line = self.format(record)
        except Exception as failure:
            facts = {"event": "record-not-formatted", "logger": record.name, "failure": _where(failure)}
            line = _as_text(None, "error", facts)
        LINES.put(line.encode() + b"\n")


def configure_logs(put: Callable[[bytes], None] = LINES.put) -> None:
    """Have requests logged through structlog, to standard error or to whatever takes their lines."""
    structlog.configure(
        processors=[_as_json],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_arguments: LineLogger(put),
        cache_logger_on_first_use=True,
    )
    atexit.unregister(LINES.flush)
    atexit.register(LINES.flush)


def formatter() -> logging.Formatter:
    """Make the formatter of the standard library's loggers, gunicorn's among them, with lines of the same shape."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[_without_words],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _as_text],
    )


def log_request(record: RequestRecord, status: int, seconds: float) -> None:
    """Log a request in one line: what was asked, how it ended, how long it took, the reason and the rule of a refusal.
    Each unsealed match but the first has another line."""
    facts: dict[str, Any] = {
        "request_id": record.request_id,
        "method": record.method,
        "route": record.route,
        "status": status,
        "duration_ms": round(seconds * 1000, 3),
    }
    if record.arguments:
        _add_addressed(facts, record.arguments)
    if record.created_match is not None:
        facts["match"] = record.created_match
    if record.trace is not None:
        facts["trace_id"], facts["parent_id"] = record.trace.trace, record.trace.parent
    if record.problem is not None:
        facts.update({name: record.problem[name] for name in ("code", "reason", "rule") if name in record.problem})
    if record.cause is not None:
        facts["cause"] = record.cause
        if record.is_unsure:
            facts["outcome"] = "unknown"
    if record.unsealed:
        facts["unsealed"], facts["match"] = record.unsealed_by, record.unsealed[0]
    if record.failure is not None:
        REQUESTS.error("request", **facts, failure=_where(record.failure))
    else:
        REQUESTS.info("request", **facts)
    for match in record.unsealed[1:]:
        log_unsealing(record.request_id, record.unsealed_by, match)


def log_unsealing(request_id: str, key: str | None, match: str) -> None:
    """Log that an API key sees what is hidden in a match, by a request whose line does not say so."""
    REQUESTS.info("unsealed", request_id=request_id, unsealed=key, match=match)


def log_unread(request_id: str, status: int, code: str, failure: BaseException) -> None:
    """Log bytes that the application never saw as a request: the kind of what is wrong, none of the bytes."""
    REQUESTS.warning(
        "request", request_id=request_id, method=None, route=None, status=status, code=code, failure=_where(failure)
    )


def log_aside(event: str, failure: BaseException) -> None:
    """Log a failure that came after the answer to a request, and has nothing to do with the answer."""
    cause = {"cause": failure.cause} if isinstance(failure, Unavailable) else {}
    REQUESTS.error(event, **cause, failure=_where(failure))


def log_refused(event: str, failure: OSError) -> None:
    """Log what the operating system refuses apart from requests, in its own words."""
    REQUESTS.warning(event, reason=os.strerror(failure.errno or 0))


def log_unreadable(match: str) -> None:
    """Log that a list leaves out a match because what is stored of it is damaged."""
    REQUESTS.error("match-unreadable", match=match, cause="damaged")


def _add_addressed(facts: dict[str, Any], arguments: Mapping[str, Any]) -> None:
    """Add the game and the call that the URL names, where the service has them; and the match, if that may be the id of
    one."""
    game = arguments.get("game")
    if game in BY_SLUG:
        facts["game"] = game
    if "call" in arguments:
        facts["call"] = arguments["call"]
    if MATCH_ID.fullmatch(arguments.get("match", "")):
        facts["match"] = arguments["match"]


def _where(failure: BaseException) -> dict[str, Any]:
    """Return the kind of an exception and the places it passed; not its text, which may hold values of the request."""
    frames = traceback.extract_tb(failure.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return {"kind": type(failure).__name__, "places": places[-8:]}
