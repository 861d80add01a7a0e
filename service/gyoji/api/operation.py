"""Declares an operation: one method on one URL, with its rights and its part of the contract. Shapes are named and not
imported, so that the service starts without them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.utils import format_datetime
from functools import cached_property
from typing import Any, Literal

from gyoji.api.media import JSON
from gyoji.api.parameters import CONTENT_TAG, IF_NONE_MATCH, PLACES, Parameter
from gyoji.api.rights import OPEN, Rights
from gyoji.messages.language import messages

ANSWERING = ("not-acceptable", "internal-error")
"""The problems that every operation may end in."""

IDENTIFYING = ("malformed-header", "unauthenticated", "token-expired", "forbidden", "unavailable")
"""The problems of an operation that needs to know its caller, and the store."""

SENDING = (
    "malformed-json",
    "malformed-header",
    "length-required",
    "too-large",
    "unsupported-media-type",
    "invalid-request",
)
"""The problems of a body."""

GIVEN: Mapping[str, tuple[str, ...]] = {
    "If-Match": ("stale-position",),
    "Idempotency-Key": ("idempotency-in-progress", "idempotency-key-reused"),
}
"""The problems of a header."""


@dataclass(frozen=True)
class Deprecation:
    """Announces the end of an operation (``docs/versioning.md``)."""

    since: datetime
    until: datetime
    """At least a year later; with an offset from UTC, as the other."""
    guide: str
    """The URL of the page that says what to do."""

    def headers(self) -> tuple[tuple[str, str], ...]:
        """Return the headers ``Deprecation`` (RFC 9745), ``Sunset`` (RFC 8594) and ``Link`` of every answer."""
        return (
            ("Deprecation", f"@{int(self.since.timestamp())}"),
            ("Sunset", format_datetime(self.until, usegmt=True)),
            ("Link", f'<{self.guide}>; rel="deprecation"; type="text/html"'),
        )


@dataclass(frozen=True)
class Operation:
    """One row of the table of operations."""

    name: str
    route: str
    """The method and the URL, such as ``GET /v1/matches/{match}``."""
    summary: str
    rights: Rights
    tag: str = ""
    """What it is about."""
    request: str | None = None
    """The name of the shape of its body as JSON; of an operation of each game ``{}`` stands for the game."""
    sealed: str | None = None
    """The same where the body asks for a capsule, or brings one."""
    answer: str | None = None
    """The name of the shape of a good answer; ``None`` for one that is no JSON shape of ours."""
    sealed_answer: str | None = None
    """The same of a good answer to a body with a capsule, where it is another one."""
    takes_replay: bool = False
    """Whether the body is, or may be, a replay file."""
    media: tuple[str, ...] = (JSON,)
    """What the answer can be had as; the shape is that of the first."""
    good: tuple[int, ...] = (200,)
    """The statuses of good answers; 204 and 304 have no body."""
    problems: tuple[str, ...] = ()
    """Codes of problems beside those that follow from the rights, the URL, the body and the parameters."""
    parameters: tuple[Parameter, ...] = ()
    """Those of the query and the headers; what the URL holds is named in it."""
    headers: tuple[str, ...] = ()
    """Headers of a good answer."""
    links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Operation -> parameter -> where in this answer it comes from."""
    of_game: str | None = None
    """The name of such an operation of one game, if each game has its own."""
    deprecated: Deprecation | None = None
    row: str = ""
    """Of one game's operation the name of the row that it comes of."""
    published: bool = True
    """Whether it is in the contract; what only pages ask for is not."""

    @property
    def method(self) -> str:
        """The HTTP method of the operation, in lower case."""
        return self.route.partition(" ")[0].lower()

    @property
    def path(self) -> str:
        """The URL of the operation, with its path parameters in braces."""
        return self.route.partition(" ")[2]

    @cached_property
    def places(self) -> tuple[Parameter, ...]:
        """The path parameters of the operation."""
        return tuple(PLACES[name] for name in re.findall(r"{(\w+)}", self.path))

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems that the operation may answer with, in the order of the problem pages."""
        found = {*ANSWERING, *self.problems}
        found.update(SENDING if self.request is not None or self.takes_replay else ())
        found.update(IDENTIFYING if self.rights != OPEN else ())
        found.update(("not-found",) if self.places else ())
        for parameter in self.parameters:
            found.update(("invalid-request",) if parameter.place == "query" else GIVEN.get(parameter.name, ()))
        return tuple(code for code in messages()["problem"] if code in found)

    @property
    def callers(self) -> Literal["anybody", "some", "known"]:
        """Who may call the operation: ``anybody``, ``some`` or ``known`` callers only. ``some``: open in some cases
        without a credential."""
        if not self.rights.takes_anonymous:
            return "known"
        return "some" if "unauthenticated" in self.codes else "anybody"

    def of(self, prefix: str, slug: str) -> "Operation":
        """Return the operation as that of one game, called ``prefix`` in the names of shapes and operations."""
        named: dict[str, Any] = {name: getattr(self, name) for name in ("request", "sealed", "answer", "sealed_answer")}
        shapes = {name: shape and shape.format(prefix) for name, shape in named.items()}
        route = self.route.replace("{game}", slug)
        name = (self.of_game or self.name).format(prefix)
        return replace(self, name=name, row=self.name, route=route, tag=slug, **shapes)


def lasting(row: Operation) -> Operation:
    """Return a row whose answer can be kept: whoever has it already is told so."""
    return replace(
        row,
        good=(*row.good, 304),
        parameters=(*row.parameters, IF_NONE_MATCH),
        headers=(*row.headers, CONTENT_TAG),
    )


def about(tag: str, *rows: Operation) -> tuple[Operation, ...]:
    """Return the rows with the tag that the contract groups operations by."""
    return tuple(replace(row, tag=tag) for row in rows)
