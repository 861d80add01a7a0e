"""Logs: one JSON object a line, a line a request; gunicorn's own lines in the same shape.

What is logged is chosen here, member by member. No body, no card, no seed and no header but the request id gets in.
"""

import logging
import sys
import traceback
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from gyoji.games.catalogue import BY_SLUG

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

SHARED = (
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


REQUESTS = structlog.get_logger("gyoji.request")

RULING = "gyoji.ruling"
"""Where a handler leaves the problem details that it answered with."""
UNSEALED = "gyoji.unsealed"
"""Where the ids of a key, and of the match whose hidden cards it was shown before they are disclosed, are left."""
FAILURE = "gyoji.failure"
"""Where the exception is left that ended a request."""


def _bytes(event: Any, **_options: Any) -> bytes:
    return orjson.dumps(event)


def configure_logs() -> None:
    """Requests through structlog, other loggers through the same formatter; all to standard error."""
    structlog.configure(
        processors=[*SHARED, structlog.processors.JSONRenderer(serializer=_bytes)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )


def formatter() -> logging.Formatter:
    """The same shape for lines of the standard library's loggers, gunicorn's among them."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*SHARED, structlog.stdlib.ExtraAdder(allow=())],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(),
        ],
    )


def log_request(environ: "WSGIEnvironment", request_id: str, status: int, seconds: float) -> None:
    """One line: what was asked, how it ended, how long it took; a refusal's reason and rule."""
    request = environ.get("werkzeug.request")
    facts: dict[str, Any] = {
        "request_id": request_id,
        "method": environ["REQUEST_METHOD"],
        "route": request.url_rule.rule if request and request.url_rule else None,
        "status": status,
        "duration_ms": round(seconds * 1000, 3),
    }
    if request and request.view_args:
        facts.update(_addressed(request.view_args))
    ruling = environ.get(RULING)
    if ruling:
        facts.update({name: ruling[name] for name in ("code", "reason", "rule") if name in ruling})
    if UNSEALED in environ:
        facts["unsealed"], facts["match"] = environ[UNSEALED]
    if FAILURE in environ:
        REQUESTS.error("request", **facts, failure=_where(environ[FAILURE]))
    else:
        REQUESTS.info("request", **facts)


def log_unread(request_id: str, status: int, code: str, failure: BaseException) -> None:
    """One line for bytes that the application never saw as a request: the kind of what is wrong, none of the bytes."""
    REQUESTS.warning(
        "request", request_id=request_id, method=None, route=None, status=status, code=code, failure=_where(failure)
    )


def log_aside(event: str, failure: BaseException) -> None:
    """One line for something that failed after the answer to a request, which has nothing to do with it."""
    REQUESTS.error(event, failure=_where(failure))


def _addressed(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The game and the call that the address names, where the service has them."""
    facts = {"game": arguments["game"]} if arguments.get("game") in BY_SLUG else {}
    if "call" in arguments:
        facts["call"] = arguments["call"]
    return facts


def _where(failure: BaseException) -> dict[str, Any]:
    """The kind of an exception and the places it passed; not its text, which may hold values of the request."""
    frames = traceback.extract_tb(failure.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return {"kind": type(failure).__name__, "places": places[-8:]}
