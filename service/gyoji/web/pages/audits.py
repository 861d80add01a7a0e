"""``/audit``: a replay file, its verdict by two verifiers, and where it breaks."""

from flask import Blueprint, Response

from gyoji.api.media import JSON
from gyoji.app.requests import MAX_REPLAY
from gyoji.audit.verdicts import CHECKS
from gyoji.messages.verdicts import sentences
from gyoji.web.pages.files import file_document
from gyoji.web.pages.look import looked, page, words_of_viewer
from gyoji.web.requests import must_accept, request_context
from gyoji.web.responses import own_json

blueprint = Blueprint("audits", __name__)


@blueprint.get("/audit", endpoint="readAuditPage")
def audit_page() -> Response:
    """The page that a replay file is dropped on."""
    words = words_of_viewer("audit", looked().spoken)
    return page("audit.html", "audit", checks=CHECKS, most=MAX_REPLAY, said=sentences()["word"], words=words)


@blueprint.post("/audit/frames", endpoint="auditReplay")
def file_frames() -> Response:
    """What the viewer steps through of the replay file that is sent. Nothing is stored."""
    must_accept(JSON)
    context = request_context()
    return own_json(context, file_document(context))
