"""Wraps every request, and reads it into the plain values that services use.

What wraps it (its id, the headers that every answer carries, its log line, its metrics) is a layer of WSGI and not a
pair of Flask's hooks: it costs less, and what the framework answers by itself passes too.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from random import getrandbits
from tempfile import SpooledTemporaryFile
from time import perf_counter
from typing import IO, TYPE_CHECKING, Any

from flask import Response, current_app, request

from gyoji.api.media import JSON, JSON_LINES
from gyoji.api.operation import Operation
from gyoji.api.operations import ROWS
from gyoji.app.logs import log_request
from gyoji.app.metrics import meters
from gyoji.app.problems import HttpProblem, malformed_header
from gyoji.app.request_record import RequestRecord, Trace, read_trace
from gyoji.app.requests import MAX_BODY, MAX_REPLAY, PeerConnection, RequestContext
from gyoji.app.suspension import SUSPEND, WAITED
from gyoji.messages.language import LANGUAGES, Language
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
]
"""What every answer carries, whoever may read it."""

DEPRECATED = {row.name: row.deprecated.headers() for row in ROWS if row.deprecated is not None}
"""What every answer of a deprecated operation carries besides, by the name of the operation."""

IN_MEMORY = 1024 * 1024
"""Bytes of a replay file up to which it is kept in memory."""

PIECE = 64 * 1024

Handler = Callable[..., Response]
"""Takes the ``RequestContext``, and what the URL holds in its open places by their names."""

NO_QUERY: Mapping[str, str] = {}

AddHeaders = Callable[[list[tuple[str, str]], "WSGIEnvironment", str | None], None]
"""Adds to the headers of an answer those that every answer carries, given the environment of the request and the name
of its operation."""


def with_record(
    application: "WSGIApplication",
    add_headers: AddHeaders,
    environ: "WSGIEnvironment",
    start_response: "StartResponse",
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
        code, seconds = int(status[:3]), perf_counter() - record.started
        operation = _add_route(record, environ)
        add_headers(headers, environ, operation)
        headers.append(("X-Request-ID", record.request_id))
        if operation in DEPRECATED:
            headers += DEPRECATED[operation]
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


def _add_route(record: RequestRecord, environ: "WSGIEnvironment") -> str | None:
    """Note the URL rule that Flask has matched, and what the URL holds in its open places. Return the name of the
    operation."""
    request = environ.get("werkzeug.request")
    if request is None or request.url_rule is None:
        return None
    record.route, record.arguments = request.url_rule.rule, request.view_args or {}
    operation: str = request.url_rule.endpoint
    return operation


def _traced(
    application: "WSGIApplication", trace: Trace, environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """Have the application answer; what it stores until the answer begins bears the trace."""
    before = STORED_TRACE.set(trace.header())
    try:
        return application(environ, start_response)
    finally:
        STORED_TRACE.reset(before)


def _request_id(given: str) -> str:
    """Return the caller's ``X-Request-ID`` where it is plain, else a new one: nothing is kept secret by it, and what
    every process is seeded with makes it another in each."""
    return given if given and REQUEST_ID.fullmatch(given) else f"{getrandbits(128):032x}"


def request_record() -> RequestRecord:
    """Return the record of what is logged and counted of this request."""
    record: RequestRecord = request.environ[RECORD]
    return record


def flask_view(handler: Handler, operation: Operation, media: str | None) -> Callable[..., Response]:
    """Return the handler of an operation as Flask calls it. Callers who do not accept ``media``, if given, are refused
    first."""

    def view(**places: Any) -> Response:
        if media is not None:
            must_accept(media)
        return handler(request_context(operation), **places)

    return view


def request_context(operation: Operation) -> RequestContext:
    """Return the values of this request for an operation."""
    environ = request.environ
    return RequestContext(
        operation=operation,
        services=current_app.extensions["gyoji.services"],
        record=environ[RECORD],
        path=request.path,
        query=request.args.to_dict() if environ.get("QUERY_STRING") else NO_QUERY,
        language=language(),
        authorization=environ.get("HTTP_AUTHORIZATION"),
        if_match=environ.get("HTTP_IF_MATCH"),
        idempotency_key=environ.get("HTTP_IDEMPOTENCY_KEY"),
        last_event_id=environ.get("HTTP_LAST_EVENT_ID"),
        connection=PeerConnection(
            environ.get("gunicorn.socket"), environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")
        ),
        body=RequestBody(environ),
        suspend=environ.get(SUSPEND),
        has_waited=WAITED in environ,
    )


class RequestBody:
    """The body of a WSGI request, read when it is needed, and no further than its limit."""

    def __init__(self, environ: "WSGIEnvironment") -> None:
        self._environ = environ

    @property
    def length(self) -> int:
        """The announced length in bytes; 0 where none is announced."""
        return request.content_length or 0

    @property
    def is_replay(self) -> bool:
        """Whether the body is announced as a replay file."""
        return request.mimetype == JSON_LINES

    def read_json(self) -> bytes:
        """Read the bytes of a body that is announced as JSON of a known and bearable length."""
        length = self._announced(MAX_BODY)
        self._must_be(JSON)
        body: bytes = self._environ["wsgi.input"].read(length)
        if len(body) < length:
            raise malformed_header("Content-Length")
        return body

    def open_replay(self) -> IO[bytes]:
        """Open the replay file of the body as a temporary file at its beginning; a long one is not kept in memory."""
        left = self._announced(MAX_REPLAY)
        self._must_be(JSON_LINES)
        file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the caller closes it
        while left:
            piece = self._environ["wsgi.input"].read(min(left, PIECE))
            if not piece:
                file.close()
                raise malformed_header("Content-Length")
            file.write(piece)
            left -= len(piece)
        file.seek(0)
        return file

    def _announced(self, limit: int) -> int:
        """Return the length of the body, which has to be told (411), and to be within the limit (413)."""
        announced = self._environ.get("CONTENT_LENGTH", "")
        if not announced.isdecimal() or self._environ.get("HTTP_TRANSFER_ENCODING"):
            raise HttpProblem("length-required")
        length = int(announced)
        if length > limit:
            raise HttpProblem("too-large", {"limit": limit})
        return length

    def _must_be(self, media: str) -> None:
        """415 unless the body is of that media type, as it is."""
        plain = self._environ.get("CONTENT_TYPE") == media or request.mimetype == media
        if not plain or "HTTP_CONTENT_ENCODING" in self._environ:
            raise HttpProblem("unsupported-media-type", {"media": media})


# Content negotiation (RFC 9110, section 12)


def language() -> Language:
    """Return the best of our languages for ``Accept-Language``; English where none fits."""
    if "HTTP_ACCEPT_LANGUAGE" not in request.environ:
        return "en"
    weights: dict[str, float] = {}
    for tag, weight in request.accept_languages:  # a region's language is that language: ja-JP is ja
        primary = tag.replace("_", "-").partition("-")[0].lower()
        weights[primary] = max(weight, weights.get(primary, 0))
    return max(LANGUAGES, key=lambda known: weights.get(known, weights.get("*", 0)))


def must_accept(media: str) -> None:
    """Raise 406 where the ``Accept`` header excludes the only form that the answer has."""
    if request.environ.get("HTTP_ACCEPT", "*/*") not in ("*/*", "") and not accepts(media):
        raise HttpProblem("not-acceptable", {"media": media})


def accepts(media: str) -> bool:
    """Tell whether a range of the ``Accept`` header includes the media type; its parameters (``charset``) are
    ignored."""
    accepted = request.accept_mimetypes
    return bool(accepted.quality(media)) or any(
        quality > 0 and name.partition(";")[0].strip() == media for name, quality in accepted
    )


def prefers(media: str) -> bool:
    """Tell whether the ``Accept`` header names that media type, of the several that the answer may have."""
    return media in request.environ.get("HTTP_ACCEPT", "") and accepts(media)


def accepts_gzip() -> bool:
    """Tell whether the caller unpacks what was packed by gzip (``Accept-Encoding``)."""
    return "HTTP_ACCEPT_ENCODING" in request.environ and request.accept_encodings.quality("gzip") > 0
