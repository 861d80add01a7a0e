"""What the caller asked for by headers: language, media type; and the body it sent."""

from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING

from flask import request

from gyoji.api.media import JSON, JSON_LINES
from gyoji.app.problems import HttpProblem
from gyoji.messages.language import LANGUAGES, Language

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

MAX_BODY = 64 * 1024
"""Bytes of a body of JSON that are read at most."""

MAX_REPLAY = 16 * 1024 * 1024
"""Bytes of a replay file that are read at most."""

IN_MEMORY = 1024 * 1024
"""Bytes of a replay file up to which it is kept in memory."""

PIECE = 64 * 1024


def language() -> Language:
    """The best of our languages for ``Accept-Language``; English where none fits."""
    if "HTTP_ACCEPT_LANGUAGE" not in request.environ:
        return "en"
    weights: dict[str, float] = {}
    for tag, weight in request.accept_languages:  # a region's language is that language: ja-JP is ja
        primary = tag.replace("_", "-").partition("-")[0].lower()
        weights[primary] = max(weight, weights.get(primary, 0))
    return max(LANGUAGES, key=lambda known: weights.get(known, weights.get("*", 0)))


def must_accept(media: str) -> None:
    """406 where the ``Accept`` header excludes the only form that the answer has."""
    if request.environ.get("HTTP_ACCEPT", "*/*") not in ("*/*", "") and not _accepted(media):
        raise HttpProblem("not-acceptable", {"media": media})


def accepts(media: str) -> bool:
    """Whether the ``Accept`` header takes in the media type."""
    return _accepted(media)


def _accepted(media: str) -> bool:
    """Whether a range of the ``Accept`` header takes in the media type; its parameters (``charset``) are let pass."""
    accepted = request.accept_mimetypes
    return bool(accepted.quality(media)) or any(
        quality > 0 and name.partition(";")[0].strip() == media for name, quality in accepted
    )


def sent_json() -> bytes:
    """The body of a request that announces JSON of a known and bearable length."""
    environ = request.environ
    length = _announced(environ, MAX_BODY)
    _must_be(environ, JSON)
    body: bytes = environ["wsgi.input"].read(length)
    if len(body) < length:
        raise HttpProblem("malformed-header")
    return body


def sent_replay() -> IO[bytes]:
    """The replay file that a request brings, as a temporary file at its beginning; a long one is not kept in memory."""
    environ = request.environ
    left = _announced(environ, MAX_REPLAY)
    _must_be(environ, JSON_LINES)
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the caller closes it
    while left:
        piece = environ["wsgi.input"].read(min(left, PIECE))
        if not piece:
            file.close()
            raise HttpProblem("malformed-header")
        file.write(piece)
        left -= len(piece)
    file.seek(0)
    return file


def _announced(environ: "WSGIEnvironment", limit: int) -> int:
    """The length of the body, which has to be told, and to be within the limit."""
    announced = environ.get("CONTENT_LENGTH", "")
    if not announced.isdecimal() or environ.get("HTTP_TRANSFER_ENCODING"):
        raise HttpProblem("length-required")
    length = int(announced)
    if length > limit:
        raise HttpProblem("too-large", {"limit": limit})
    return length


def _must_be(environ: "WSGIEnvironment", media: str) -> None:
    """415 unless the body is of that media type, as it is."""
    plain = environ.get("CONTENT_TYPE") == media or request.mimetype == media
    if not plain or "HTTP_CONTENT_ENCODING" in environ:
        raise HttpProblem("unsupported-media-type")


def brings_replay() -> bool:
    """Whether the body is announced as a replay file."""
    return request.mimetype == JSON_LINES
