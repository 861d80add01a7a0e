"""Handles the operations of the transparency log."""

from flask import Response

from gyoji.api.media import OCTETS, TEXT
from gyoji.app import transparency_log
from gyoji.app.requests import RequestContext
from gyoji.messages.problems import Answer
from gyoji.web.responses import UNCACHED_HEADERS, CompleteResponse, HeaderPairs, answer_response
from gyoji.web.routes import Routes

routes = Routes()

IMMUTABLE_HEADERS: HeaderPairs = [("Cache-Control", "public, max-age=31536000, immutable")]
"""Headers of what is never another: a tile, full or of so many hashes."""

PLAIN_TEXT = f"{TEXT}; charset=utf-8"


@routes.handles("readCheckpoint")
def read_checkpoint(context: RequestContext) -> Response:
    """Handle ``readCheckpoint``: the newest signed checkpoint."""
    return CompleteResponse(
        transparency_log.checkpoint(context.services).note.encode(), PLAIN_TEXT, headers=UNCACHED_HEADERS
    )


@routes.handles("readLogKeys")
def read_log_keys(context: RequestContext) -> Response:
    """Handle ``readLogKeys``: the public keys that checkpoints are signed with."""
    return CompleteResponse(transparency_log.keys_text(context.services).encode(), PLAIN_TEXT, headers=UNCACHED_HEADERS)


@routes.handles("readLogTile")
def read_log_tile(context: RequestContext, level: str, place: str) -> Response:
    """Handle ``readLogTile``: a tile of hashes."""
    return CompleteResponse(transparency_log.tile(context.services, level, place), OCTETS, headers=IMMUTABLE_HEADERS)


@routes.handles("readLogEntries")
def read_log_entries(context: RequestContext, place: str) -> Response:
    """Serve a bundle of leaves."""
    return CompleteResponse(transparency_log.leaves(context.services, place), OCTETS, headers=IMMUTABLE_HEADERS)


@routes.handles("proveInclusion")
def prove_inclusion(context: RequestContext) -> Response:
    """Handle ``proveInclusion``: the proof that a match's beginning or end is in the log."""
    return answer_response(Answer(200, transparency_log.prove_inclusion(context)), context.language)


@routes.handles("proveConsistency")
def prove_consistency(context: RequestContext) -> Response:
    """Handle ``proveConsistency``: the proof that the log has only grown."""
    return answer_response(Answer(200, transparency_log.prove_consistency(context)), context.language)
