"""What the caller asked for by headers: language, media type; and the body it sent."""

from flask import request

from gyoji.web.errors import HttpProblem
from gyoji.wire.language import LANGUAGES, Language
from gyoji.wire.media import JSON

MAX_BODY = 64 * 1024
"""Bytes that a stateless call reads at most."""


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


def _accepted(media: str) -> bool:
    """Whether a range of the ``Accept`` header takes in the media type; its parameters (``charset``) are let pass."""
    accepted = request.accept_mimetypes
    return bool(accepted.quality(media)) or any(
        quality > 0 and name.partition(";")[0].strip() == media for name, quality in accepted
    )


def sent_json() -> bytes:
    """The body of a request that announces JSON of a known and bearable length."""
    environ = request.environ
    announced = environ.get("CONTENT_LENGTH", "")
    if not announced.isdecimal() or environ.get("HTTP_TRANSFER_ENCODING"):
        raise HttpProblem("length-required")
    length = int(announced)
    if length > MAX_BODY:
        raise HttpProblem("too-large", {"limit": MAX_BODY})
    plain = environ.get("CONTENT_TYPE") == JSON or request.mimetype == JSON
    if not plain or "HTTP_CONTENT_ENCODING" in environ:
        raise HttpProblem("unsupported-media-type")
    body: bytes = environ["wsgi.input"].read(length)
    if len(body) < length:
        raise HttpProblem("malformed-header")
    return body
