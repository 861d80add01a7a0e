"""Says what is wrong with bytes that are no request, by what gunicorn's parser raises."""

from collections.abc import Mapping

from gunicorn.http.errors import (
    ExpectationFailed,
    InvalidHeader,
    InvalidHeaderName,
    InvalidHTTPVersion,
    InvalidRequestLine,
    InvalidRequestMethod,
    LimitRequestHeaders,
    LimitRequestLine,
    ObsoleteFolding,
    ParseException,
    UnsupportedTransferCoding,
)

from gyoji.app.problems import HttpProblem, malformed_header

HEADER_FAULTS: Mapping[type[ParseException], str] = {
    LimitRequestLine: "request-line-too-long",
    InvalidRequestLine: "request-line",
    InvalidRequestMethod: "request-line",
    InvalidHTTPVersion: "request-line",
    LimitRequestHeaders: "too-many",
    InvalidHeaderName: "name",
    ObsoleteFolding: "folded",
    ExpectationFailed: "Expect",
    UnsupportedTransferCoding: "Transfer-Encoding",
}
"""What is wrong by what gunicorn's parser raises, as keys of the messages."""

NAMED = ("Content-Length", "Transfer-Encoding", "Host")
"""The headers that it names when it refuses one."""


def malformed(failure: ParseException) -> HttpProblem:
    """Return the problem of a request whose head cannot be read. It names of the bytes no more than a header that is
    known here: they may be what is left of a body."""
    named = str(failure.hdr).title() if isinstance(failure, InvalidHeader) else ""
    return malformed_header(named if named in NAMED else HEADER_FAULTS.get(type(failure), "line"))
