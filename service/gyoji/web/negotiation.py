"""What the caller asked for by headers: language, media type, request id; and the body it sent."""

import re
from typing import cast
from uuid import uuid4

from flask import request

from gyoji.web.errors import HttpProblem
from gyoji.wire.language import LANGUAGES, Language
from gyoji.wire.operations import JSON

MAX_BODY = 64 * 1024
"""Bytes that a stateless call reads at most."""

REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def language() -> Language:
    """The best of our languages for ``Accept-Language``; English where none fits."""
    if "Accept-Language" not in request.headers:
        return "en"
    return cast(Language, request.accept_languages.best_match(LANGUAGES, "en"))


def request_id() -> str:
    """The caller's ``X-Request-ID`` where it is plain, else a new one."""
    given = request.headers.get("X-Request-ID", "")
    return given if REQUEST_ID.fullmatch(given) else uuid4().hex


def must_accept(media: str) -> None:
    """406 where the ``Accept`` header excludes the only form that the answer has."""
    accept = request.headers.get("Accept", "*/*")
    if accept != "*/*" and not request.accept_mimetypes.quality(media):
        raise HttpProblem("not-acceptable", {"media": media})


def sent_json() -> bytes:
    """The body of a request that announces JSON of a known and bearable length."""
    length = request.content_length
    if length is None:
        raise HttpProblem("length-required")
    if length > MAX_BODY:
        raise HttpProblem("too-large", {"limit": MAX_BODY})
    if request.mimetype != JSON or "Content-Encoding" in request.headers:
        raise HttpProblem("unsupported-media-type")
    return request.get_data(cache=False)
