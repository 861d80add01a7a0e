"""``/audit``: a replay file, its verdict by two verifiers, and where it breaks."""

from flask import Blueprint, Response

from gyoji.web.pages.look import page

blueprint = Blueprint("audits", __name__)


@blueprint.get("/audit")
def audit_page() -> Response:
    """The page that a replay file is dropped on."""
    return page("audit.html", "audit")
