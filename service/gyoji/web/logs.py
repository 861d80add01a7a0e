"""Logs: one JSON object a line, a line a request; gunicorn's own lines in the same shape.

What is logged is chosen here, member by member. No body, no card, no seed and no header but the request id gets in.
"""

import logging
import sys
import traceback
from pathlib import PurePath
from time import perf_counter
from typing import Any

import orjson
import structlog
from flask import g, request

from gyoji.games.catalogue import BY_SLUG

SHARED = (
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def _bytes(event: Any, **_options: Any) -> bytes:
    return orjson.dumps(event)


def configure_logs() -> None:
    """Requests through structlog, other loggers through the same formatter; all to standard error."""
    structlog.configure(
        processors=[*SHARED, structlog.processors.JSONRenderer(serializer=_bytes)],
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


def log_request(status: int) -> None:
    """One line: what was asked, how it ended, how long it took; a refusal's reason and rule."""
    facts: dict[str, Any] = {
        "request_id": g.request_id,
        "method": request.method,
        "route": request.url_rule.rule if request.url_rule else None,
        "status": status,
        "duration_ms": round((perf_counter() - g.started) * 1000, 3),
    }
    facts.update(_game_facts())
    log = structlog.get_logger("gyoji.request")
    if "failure" in g:
        log.error("request", **facts, failure=_where(g.failure))
    else:
        log.info("request", **facts)


def _game_facts() -> dict[str, Any]:
    """The game and the call from the address, the code, reason and rule of a refusal."""
    addressed = request.view_args or {}
    facts = {"game": addressed["game"]} if addressed.get("game") in BY_SLUG else {}
    if "call" in addressed:
        facts["call"] = addressed["call"]
    ruling = g.get("ruling") or {}
    facts.update({name: ruling[name] for name in ("code", "reason", "rule") if name in ruling})
    return facts


def _where(failure: BaseException) -> dict[str, Any]:
    """The kind of an exception and the places it passed; not its text, which may hold values of the request."""
    frames = traceback.extract_tb(failure.__traceback__)
    places = [f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return {"kind": type(failure).__name__, "places": places[-8:]}
