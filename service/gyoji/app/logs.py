"""Logs: one JSON object a line, a line a request; gunicorn's own lines in the same shape.

What is logged is chosen here, member by member. No body, no card, no seed and no header gets in but the request id and
the ids of a trace.
Whether a line can be written is nobody's business but that of a thread: ``gyoji.app.log_queue``.
"""

import atexit
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from gyoji.api.parameters import MATCH
from gyoji.app.log_queue import LogQueue
from gyoji.app.request_record import RequestRecord
from gyoji.games.catalogue import BY_SLUG
from gyoji.store.interface import Unavailable

if TYPE_CHECKING:
    from structlog.typing import EventDict

REQUESTS = structlog.get_logger("gyoji.request")

MATCH_ID = re.compile(MATCH)


def _as_json(_logger: Any, level: str, facts: "EventDict") -> bytes:
    """The line itself, with level, time and process: every request waits for it, and one processor is called sooner
    than three."""
    facts["level"], facts["timestamp"], facts["pid"] = level, datetime.now(UTC), os.getpid()
    try:
        return orjson.dumps(facts, option=orjson.OPT_UTC_Z)
    except TypeError:  # text that is none in UTF-8, or what is no JSON, in a line of somebody else
        return json.dumps(facts, default=str).encode()


def _as_text(logger: Any, level: str, facts: "EventDict") -> str:
    return _as_json(logger, level, facts).decode()


def _without_words(_logger: Any, _level: str, facts: "EventDict") -> "EventDict":
    """Of an exception where it was raised, not what it says."""
    told = facts.pop("exc_info", None)
    if told and told[1]:
        facts["failure"] = _where(told[1])
    return facts


def _standard_error() -> int:
    """Where lines go. A process that was started without standard error may have another file under its number."""
    return os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()


def _told_of_dropped(lines: int) -> bytes:
    return _as_json(None, "warning", {"event": "log-lines-dropped", "lines": lines}) + b"\n"


LINES = LogQueue(_standard_error, _told_of_dropped)
"""The lines of this process that are not written yet."""


class LineLogger:
    """What structlog hands finished lines to."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put

    def msg(self, line: bytes) -> None:
        """One line, of whichever level."""
        self._put(line + b"\n")

    debug = info = warning = error = critical = msg


class LineHandler(logging.Handler):
    """What the standard library's loggers hand their records to."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line; of a record that makes none, who left it and why: whoever logs must not fail by it."""
        try:
            line = self.format(record)
        except Exception as failure:
            facts = {"event": "record-not-formatted", "logger": record.name, "failure": _where(failure)}
            line = _as_text(None, "error", facts)
        LINES.put(line.encode() + b"\n")


def configure_logs(put: Callable[[bytes], None] = LINES.put) -> None:
    """Requests are logged through structlog, to standard error or to whatever takes their lines."""
    structlog.configure(
        processors=[_as_json],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=lambda *_arguments: LineLogger(put),
        cache_logger_on_first_use=True,
    )
    atexit.unregister(LINES.flush)
    atexit.register(LINES.flush)


def formatter() -> logging.Formatter:
    """The same shape for lines of the standard library's loggers, gunicorn's among them."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[_without_words],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _as_text],
    )


def log_request(record: RequestRecord, status: int, seconds: float) -> None:
    """One line: what was asked, how it ended, how long it took; a refusal's reason and rule. Another one for each match
    but the first that was unsealed."""
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
        REQUESTS.info("unsealed", request_id=record.request_id, unsealed=record.unsealed_by, match=match)


def log_unread(request_id: str, status: int, code: str, failure: BaseException) -> None:
    """One line for bytes that the application never saw as a request: the kind of what is wrong, none of the bytes."""
    REQUESTS.warning(
        "request", request_id=request_id, method=None, route=None, status=status, code=code, failure=_where(failure)
    )


def log_aside(event: str, failure: BaseException) -> None:
    """One line for something that failed after the answer to a request, which has nothing to do with it."""
    cause = {"cause": failure.cause} if isinstance(failure, Unavailable) else {}
    REQUESTS.error(event, **cause, failure=_where(failure))


def log_refused(event: str, failure: OSError) -> None:
    """One line for something beside requests that the system refuses, in the system's words."""
    REQUESTS.warning(event, reason=os.strerror(failure.errno or 0))


def log_unreadable(match: str) -> None:
    """One line for a match that a list leaves out because what is stored of it is damaged."""
    REQUESTS.error("match-unreadable", match=match, cause="damaged")


def _add_addressed(facts: dict[str, Any], arguments: Mapping[str, Any]) -> None:
    """Add the game and the call that the address names, where the service has them; and the match, if that may be
    the id of one."""
    game = arguments.get("game")
    if game in BY_SLUG:
        facts["game"] = game
    if "call" in arguments:
        facts["call"] = arguments["call"]
    if MATCH_ID.fullmatch(arguments.get("match", "")):
        facts["match"] = arguments["match"]


def _where(failure: BaseException) -> dict[str, Any]:
    """The kind of an exception and the places it passed; not its text, which may hold values of the request."""
    frames = traceback.extract_tb(failure.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return {"kind": type(failure).__name__, "places": places[-8:]}
