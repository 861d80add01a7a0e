"""Wraps every request: its id, the headers that every answer carries, its log line, its metrics.

A layer of WSGI and not a pair of Flask's hooks: it costs less, and what the framework answers by itself passes too.
"""

import re
from collections.abc import Callable, Iterable
from functools import partial
from random import getrandbits
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gyoji.app.logs import log_request
from gyoji.app.metrics import meters
from gyoji.app.request_record import RequestRecord, Trace, read_trace
from gyoji.app.suspension import WAITED
from gyoji.store.database.statements import TRACE as STORED_TRACE

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")

RECORD = "gyoji.record"
"""The key of the WSGI environment under which the ``RequestRecord`` is found."""

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]
"""What every answer carries."""


def with_record(
    application: "WSGIApplication", environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Answer a request with the application, and count and log it."""
    counting = meters()
    record = environ[RECORD] if WAITED in environ else _new_record(environ)
    record.is_suspended = False
    if record.trace is not None:
        application = partial(_traced, application, record.trace)

    def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
        if record.is_suspended:
            return _nowhere
        headers += [*HEADERS, ("X-Request-ID", record.request_id)]
        code, seconds = int(status[:3]), perf_counter() - record.started
        _add_route(record, environ)
        log_request(record, code, seconds)
        counting.count(record, code, seconds)
        return start_response(status, headers, exc_info)

    counting.begin()
    try:
        return application(environ, start)
    finally:
        counting.end()


def _new_record(environ: "WSGIEnvironment") -> RequestRecord:
    record = RequestRecord(environ["REQUEST_METHOD"], _request_id(environ.get("HTTP_X_REQUEST_ID", "")), perf_counter())
    if "HTTP_TRACEPARENT" in environ:
        record.trace = read_trace(environ["HTTP_TRACEPARENT"])
    environ[RECORD] = record
    return record


def _nowhere(_piece: bytes) -> None:
    """Take bytes of an answer that comes later."""


def _add_route(record: RequestRecord, environ: "WSGIEnvironment") -> None:
    """Note the URL rule that Flask has matched, and what the URL holds in its open places."""
    request = environ.get("werkzeug.request")
    if request is not None and request.url_rule is not None:
        record.route, record.arguments = request.url_rule.rule, request.view_args or {}


def _traced(
    application: "WSGIApplication", trace: Trace, environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """What the application answers; what it stores until the answer begins bears the trace."""
    before = STORED_TRACE.set(trace.header())
    try:
        return application(environ, start_response)
    finally:
        STORED_TRACE.reset(before)


def _request_id(given: str) -> str:
    """The caller's ``X-Request-ID`` where it is plain, else a new one: nothing is kept secret by it, and what every
    process is seeded with makes it another in each."""
    return given if given and REQUEST_ID.fullmatch(given) else f"{getrandbits(128):032x}"
