"""``/docs/guides``: the guides of this release, from the Markdown files in ``docs/``."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from flask import Response

from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext
from gyoji.published_files import guides_folder
from gyoji.web.pages.templates import render_page
from gyoji.web.routes import Routes

if TYPE_CHECKING:
    from markdown_it.token import Token

routes = Routes()

SHELVES: Mapping[str, Sequence[str]] = {
    "clients": ("matches", "referee", "sealed", "tournaments", "webhooks", "versioning"),
    "auditors": ("replays", "verify", "log", "bulk-audit"),
    "operators": ("operating", "archive", "scale", "benchmarks"),
    "authors": ("games", "python"),
}
"""The guides by who reads them, in the order in which they are listed."""

ELSEWHERE: Mapping[str, str] = {
    "../openapi.yaml": "/openapi.json",
    "../README.md": "/",
    "../service/gyoji/web/static/verify.mjs": "/static/verify.mjs",
}
"""Where the service serves what a guide leads to in a checkout. To other files of the checkout there is no link."""

GUIDE = re.compile(r"([a-z-]+)\.md(#[\w-]*)?")
SENTENCE = re.compile(r"(.+?)[.:](\s|$)")
NO_SLUG = re.compile(r"[^\w\- ]")


class Guide(NamedTuple):
    """One guide, ready for its page."""

    title: str
    about: str
    """Its first sentence."""
    html: str


@routes.handles("listGuides")
def list_guides(_context: RequestContext) -> Response:
    """Handle the list of all guides."""
    shelves = {shelf: {name: guide(name) for name in names} for shelf, names in SHELVES.items()}
    return render_page("guides.html", "guides", shelves=shelves)


@routes.handles("readGuide")
def read_guide(_context: RequestContext, guide_name: str) -> Response:
    """Handle the page of one guide."""
    if not any(guide_name in names for names in SHELVES.values()):
        raise HttpProblem("not-found")
    return render_page("guide.html", "guides", guide=guide(guide_name))


@cache
def guide(name: str) -> Guide:
    """Read one guide. Headings have the ids that links in the files go by; what a link leads to is on this service."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((guides_folder() / f"{name}.md").read_text("utf-8"))
    for token, following in pairwise(tokens):
        _mend(token, following)
    title, about = (_text(next(after for token, after in pairwise(tokens) if token.tag == tag)) for tag in ("h1", "p"))
    found = SENTENCE.match(about)
    return Guide(title, f"{found[1]}." if found else about, reader.renderer.render(tokens, reader.options, {}))


def _mend(token: "Token", following: "Token") -> None:
    """Give a heading its id, make what a table needs of it, and have links lead somewhere."""
    if token.type == "heading_open":
        token.attrSet("id", heading_id(following.content))
    elif token.tag == "th" and not (token.content or following.content):
        token.tag = "td"
    elif token.type == "table_open":
        token.attrSet("tabindex", "0")  # a wide one is moved sideways, by keys too
    for inline in token.children or ():
        if inline.type == "link_open":
            _lead(inline.attrs)


def _text(inline: "Token") -> str:
    return "".join(" " if part.type == "softbreak" else part.content for part in inline.children or ())


def heading_id(text: str) -> str:
    """Return the id of a heading, as links in the files have it: small letters, hyphens for spaces."""
    return NO_SLUG.sub("", text.lower()).replace(" ", "-")


def _lead(attributes: dict[str, str | int | float]) -> None:
    """Have a link lead to where this service has the same; it goes nowhere where it does not."""
    target = str(attributes["href"])
    found = GUIDE.fullmatch(target)
    if found and any(found[1] in names for names in SHELVES.values()):
        attributes["href"] = f"/docs/guides/{found[1]}{found[2] or ''}"
    elif target in ELSEWHERE:
        attributes["href"] = ELSEWHERE[target]
    elif not target.startswith(("#", "https://", "http://")):
        del attributes["href"]
