"""``/docs`` and ``/problems``: the API reference, and what each problem type means."""

import json
import re
from collections.abc import Mapping
from typing import Any

from flask import Response

from gyoji.api.parameters import TAGS
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.messages.language import Sentence, messages
from gyoji.messages.tournaments import refusals
from gyoji.web.pages.examples import example
from gyoji.web.pages.templates import render_page, requested_page_language
from gyoji.web.routes import Routes

routes = Routes()

EXPLAINED = {
    "malformed-json": "malformed",
    "illegal-move": "reason",
    "impossible-state": "finding",
    "invalid-request": "error",
    "capsule-refused": "capsule",
    "entropy-refused": "entropy",
    "ruling-refused": "ruling",
    "claim-refused": "claim",
}
"""Problems whose codes of detail are listed on their page, and the section that holds them."""

FACT = re.compile(r"\{\w+\}")

KINDS = {
    "request": (400, 405, 406, 411, 413, 415, 422),
    "caller": (401, 403, 404),
    "referee": (409, 412, 428),
    "service": (429, 500, 503),
}
"""Where problems of a status come from, in the order in which they are listed."""

SHORT = 64
"""Characters of JSON that are put on one line."""


@routes.handles("readDocumentation")
def documentation(context: RequestContext) -> Response:
    """Handle the API reference, drawn in the browser from ``/openapi.json``: all of it, or the calls of one tag."""
    return render_page("docs.html", "docs", tag=context.one_of("tag", TAGS))


@routes.handles("listProblemTypes")
def list_problems(_context: RequestContext) -> Response:
    """Handle the list of all problem types."""
    return render_page(
        "problems.html", "problems", kinds={kind: _with_status(statuses) for kind, statuses in KINDS.items()}
    )


def _with_status(statuses: tuple[int, ...]) -> dict[str, Any]:
    return {code: entry for code, entry in messages()["problem"].items() if entry["status"] in statuses}


@routes.handles("readProblemType")
def read_problem(_context: RequestContext, code: str) -> Response:
    """Handle the page about one problem type."""
    entry = messages()["problem"].get(code)
    if entry is None:
        raise HttpProblem("not-found")
    document = format_json(example(code, requested_page_language().spoken))
    return render_page("problem.html", "problems", code=code, entry=entry, codes=_codes(code), document=document)


def _codes(code: str) -> Mapping[str, Sentence]:
    """The codes of detail of a problem, with a sentence each; dots stand for its facts."""
    said = refusals() if code == "tournament-refused" else messages()[EXPLAINED[code]] if code in EXPLAINED else {}
    return {name: {spoken: FACT.sub("…", text) for spoken, text in said[name].items()} for name in said}


def format_json(value: Any, indent: str = "") -> str:
    """Write a value as JSON for people: what is short stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= SHORT or not isinstance(value, list | dict):
        return line
    inner = f"{indent}  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {format_json(part, inner)}" for name, part in value.items()]
    else:
        parts = [format_json(part, inner) for part in value]
    opens, closes = "{}" if isinstance(value, dict) else "[]"
    between = f",\n{inner}"
    return f"{opens}\n{inner}{between.join(parts)}\n{indent}{closes}"
