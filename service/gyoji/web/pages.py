"""Pages and the plumbing of operations: documentation, problem types, health."""

from functools import cache
from pathlib import Path, PurePath

from flask import Blueprint, Response, render_template, send_from_directory

from gyoji.games.catalogue import BY_SLUG
from gyoji.web.errors import HttpProblem
from gyoji.web.matches.asking import desk
from gyoji.web.metrics import TEXT_FORMAT, meters
from gyoji.web.negotiation import language, must_accept
from gyoji.web.responses import READABLE, Whole, json_response, page_response
from gyoji.web.stopping import RETRY_AFTER
from gyoji.wire import descriptions
from gyoji.wire.language import messages
from gyoji.wire.media import HTML, JSON, TEXT
from gyoji.wire.published import contract_file, rules_digest

blueprint = Blueprint("pages", __name__, template_folder="templates")

STATIC = Path(__file__).parent / "static"

TYPES = {".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript"}
"""Of static files, by the ends of their names; the others are plain text. Not what the machine knows of it: machines
differ, and their tables take long to read."""

EXPLAINED = {
    "malformed-json": "malformed",
    "illegal-move": "reason",
    "impossible-state": "finding",
    "invalid-request": "error",
}
"""Problems whose codes of detail are listed on their page, and the section that holds them."""


@blueprint.get("/")
def index() -> Response:
    """What this is, and where to go."""
    must_accept(HTML)
    spoken = language()
    return page_response(render_template("index.html", language=spoken, **descriptions.games()), spoken)


@blueprint.get("/docs")
def documentation() -> Response:
    """The API reference, drawn in the browser from ``/openapi.json``."""
    must_accept(HTML)
    return page_response(render_template("docs.html", language="en"), "en")


@blueprint.get("/problems")
def list_problems() -> Response:
    """Every problem type."""
    must_accept(HTML)
    spoken = language()
    html = render_template("problems.html", language=spoken, problems=messages()["problem"])
    return page_response(html, spoken)


@blueprint.get("/problems/<code>")
def read_problem(code: str) -> Response:
    """What one problem type means."""
    must_accept(HTML)
    entry = messages()["problem"].get(code)
    if entry is None:
        raise HttpProblem("not-found")
    spoken = language()
    codes = messages()[EXPLAINED[code]] if code in EXPLAINED else {}
    return page_response(render_template("problem.html", language=spoken, code=code, entry=entry, codes=codes), spoken)


@blueprint.get("/static/<path:filename>", endpoint="static")
def static_file(filename: str) -> Response:
    """A file that pages need, or the second verifier."""
    return send_from_directory(STATIC, filename, mimetype=TYPES.get(PurePath(filename).suffix, "text/plain"))


@blueprint.get("/openapi.json")
def contract() -> Response:
    """``openapi.yaml`` as JSON."""
    must_accept(JSON)
    return Whole(_contract(), JSON, headers=READABLE)


@cache
def _contract() -> bytes:
    import yaml  # noqa: PLC0415 - only whoever asks for the contract waits for it

    return json_response(yaml.load(contract_file().read_bytes(), Loader=yaml.CSafeLoader)).get_data()


@blueprint.get("/healthz")
def health() -> Response:
    """The process answers."""
    must_accept(JSON)
    return json_response({"status": "ok"})


@blueprint.get("/readyz")
def readiness() -> Response:
    """The rules and the schemas that requests are checked against are there, and the store answers."""
    must_accept(JSON)
    try:
        for slug in BY_SLUG:
            rules_digest(slug)
    except OSError:
        raise HttpProblem("unavailable", retry_after=RETRY_AFTER) from None
    desk().store.check()
    return json_response({"status": "ok"})


@blueprint.get("/metrics", endpoint="readMetrics")
def metrics() -> Response:
    """What all workers have counted."""
    must_accept(TEXT)
    return Whole(meters().text(), TEXT_FORMAT)
