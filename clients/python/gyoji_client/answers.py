"""What both clients, with ``asyncio`` and without, have in common: their connections, and what they make of answers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import finalize

import httpx

from gyoji_client.errors import Problem

Document = dict[str, Any]
"""A JSON object of the service, as ``openapi.yaml`` describes it. Members that are not known are to be let pass."""

Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)

if TYPE_CHECKING:  # type checkers know defaults: a seat of which nothing is said has dictionaries
    from typing_extensions import TypeVar as Defaulted

    Move = Defaulted("Move", bound=Mapping[str, Any], default=Document)
    View = Defaulted("View", bound=Mapping[str, Any], default=Document)
else:
    Move, View = TypeVar("Move"), TypeVar("View")
"""Moves and views of one game: ``documents`` has a type of either for each."""

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
"""A stream that has no news says so every ten seconds."""

OVER = ("finished", "voided")
"""How a match stands that has ended."""


class SeatToken(NamedTuple):
    """One seat of a new match, and the token by which its player acts."""

    seat: int
    name: str | None
    token: str
    address: str
    """The page of the match with the token behind ``#``: what a player opens in a browser, and ``Seat`` takes."""


def problem_of(answer: httpx.Response) -> Problem | None:
    """Return the refusal that an answer is; something between may have answered with what is none of the service's."""
    if answer.is_success:
        return None
    try:
        document = answer.json()
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {"status": answer.status_code, "title": answer.reason_phrase}
    after = answer.headers.get("Retry-After", "")
    return Problem.of(document, answer.headers.get("X-Request-ID"), float(after) if after.isdecimal() else None)


def close_with(owner: object, http: Http) -> Http:
    """Have the connections closed with whoever uses them, where nobody does so before. With ``asyncio`` somebody has
    to: it takes the loop."""
    if isinstance(http, httpx.Client):
        finalize(owner, http.close)
    return http
