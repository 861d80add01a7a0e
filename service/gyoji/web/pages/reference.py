"""``/docs`` and ``/problems``: the API reference, and what each problem type means."""

from flask import Blueprint, Response

from gyoji.web.errors import HttpProblem
from gyoji.web.pages.look import page
from gyoji.wire.language import messages

blueprint = Blueprint("reference", __name__)

EXPLAINED = {
    "malformed-json": "malformed",
    "illegal-move": "reason",
    "impossible-state": "finding",
    "invalid-request": "error",
}
"""Problems whose codes of detail are listed on their page, and the section that holds them."""


@blueprint.get("/docs")
def documentation() -> Response:
    """The API reference, drawn in the browser from ``/openapi.json``."""
    return page("docs.html", "docs")


@blueprint.get("/problems")
def list_problems() -> Response:
    """Every problem type."""
    return page("problems.html", "problems", problems=messages()["problem"])


@blueprint.get("/problems/<code>")
def read_problem(code: str) -> Response:
    """What one problem type means."""
    entry = messages()["problem"].get(code)
    if entry is None:
        raise HttpProblem("not-found")
    codes = messages()[EXPLAINED[code]] if code in EXPLAINED else {}
    return page("problem.html", "problems", code=code, entry=entry, codes=codes)
