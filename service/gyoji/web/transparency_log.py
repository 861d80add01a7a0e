"""The transparency log over HTTP."""

from flask import Response

from gyoji.api.media import JSON, OCTETS, TEXT
from gyoji.app import transparency_log
from gyoji.app.requests import RequestContext
from gyoji.messages.problems import Answer
from gyoji.web.requests import must_accept
from gyoji.web.responses import FRESH, Pairs, Whole, answer_response
from gyoji.web.routes import Route

LASTING: Pairs = [("Cache-Control", "public, max-age=31536000, immutable")]
"""Headers of what is never another: a tile, full or of so many hashes."""

PLAIN = f"{TEXT}; charset=utf-8"


def read_checkpoint(context: RequestContext) -> Response:
    """GET /v1/log/checkpoint."""
    must_accept(TEXT)
    return Whole(transparency_log.checkpoint(context.services).note.encode(), PLAIN, headers=FRESH)


def read_log_keys(context: RequestContext) -> Response:
    """GET /v1/log/key."""
    must_accept(TEXT)
    return Whole(transparency_log.keys_text(context.services).encode(), PLAIN, headers=FRESH)


def read_log_tile(context: RequestContext, level: str, place: str) -> Response:
    """GET /v1/log/tile/{level}/{place}."""
    must_accept(OCTETS)
    return Whole(transparency_log.tile(context.services, level, place), OCTETS, headers=LASTING)


def read_log_entries(context: RequestContext, place: str) -> Response:
    """GET /v1/log/tile/entries/{place}."""
    must_accept(OCTETS)
    return Whole(transparency_log.entries(context.services, place), OCTETS, headers=LASTING)


def prove_inclusion(context: RequestContext) -> Response:
    """GET /v1/log/proofs/inclusion."""
    must_accept(JSON)
    return answer_response(Answer(200, transparency_log.prove_inclusion(context)), context.language)


def prove_consistency(context: RequestContext) -> Response:
    """GET /v1/log/proofs/consistency."""
    must_accept(JSON)
    return answer_response(Answer(200, transparency_log.prove_consistency(context)), context.language)


ROUTES = (
    Route("readCheckpoint", "GET", "/v1/log/checkpoint", read_checkpoint),
    Route("readLogKeys", "GET", "/v1/log/key", read_log_keys),
    Route("readLogEntries", "GET", "/v1/log/tile/entries/<path:place>", read_log_entries),
    Route("readLogTile", "GET", "/v1/log/tile/<level>/<path:place>", read_log_tile),
    Route("proveInclusion", "GET", "/v1/log/proofs/inclusion", prove_inclusion),
    Route("proveConsistency", "GET", "/v1/log/proofs/consistency", prove_consistency),
)
