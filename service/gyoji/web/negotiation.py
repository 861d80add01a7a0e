"""The language and the media type of an answer, as the caller's headers ask for them (RFC 9110, section 12)."""

from flask import request

from gyoji.app.problems import HttpProblem
from gyoji.messages.language import LANGUAGES, Language


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
    if request.environ.get("HTTP_ACCEPT", "*/*") not in ("*/*", "") and not accepts(media):
        raise HttpProblem("not-acceptable", {"media": media})


def accepts(media: str) -> bool:
    """Whether a range of the ``Accept`` header takes in the media type; its parameters (``charset``) are let pass."""
    accepted = request.accept_mimetypes
    return bool(accepted.quality(media)) or any(
        quality > 0 and name.partition(";")[0].strip() == media for name, quality in accepted
    )


def prefers(media: str) -> bool:
    """Whether the ``Accept`` header names that media type, of the several that the answer may have."""
    return media in request.environ.get("HTTP_ACCEPT", "") and accepts(media)
