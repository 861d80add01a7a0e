"""State + move -> ruling. Nothing is kept.

A plain request for one of these calls is answered by ``answered_directly``, without Flask, whose part of it (contexts,
routing, a response object) costs more than the ruling. Whatever is not plain passes through Flask.
"""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from flask import Flask, Response, request

from gyoji.games.catalogue import BY_SLUG
from gyoji.web.errors import HttpProblem
from gyoji.web.logs import ROUTE, RULING, Route
from gyoji.web.matches.asking import asked_alone, desk
from gyoji.web.negotiation import is_plain, language, language_of, must_accept, sent_json, whole_body
from gyoji.web.responses import Message, answer_message, answer_response
from gyoji.wire.gate import Malformed, parsed
from gyoji.wire.language import Language
from gyoji.wire.media import CALLS, JSON
from gyoji.wire.problems import Answer, malformed
from gyoji.wire.referee import ruled

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

ADDRESSES: Mapping[str, Route] = {
    f"/v1/games/{game}/{call}": Route(f"/v1/games/<game>/{call}", {"game": game, "call": call})
    for game in BY_SLUG
    for call in CALLS
}
"""The addresses of the calls, as Flask takes them apart."""


class Asked(NamedTuple):
    """Which call of which game, at which address, and the language of its answer."""

    game: str
    call: str
    instance: str
    language: Language


def answered_directly(environ: "WSGIEnvironment") -> Message | None:
    """The answer to a plain stateless call. ``None`` for every other request, and for one that something breaks at:
    Flask answers those from the beginning, since nothing is kept of what was done here."""
    address = environ["PATH_INFO"]
    route = ADDRESSES.get(address)
    if route is None or environ["REQUEST_METHOD"] != "POST" or not is_plain(environ):
        return None
    spoken = language_of(environ)
    try:
        body = whole_body(environ, int(environ["CONTENT_LENGTH"]))
        environ["wsgi.input"] = BytesIO(body)
        answer = _answer(body, Asked(**route.arguments, instance=address, language=spoken), _indirectly)
    except Exception:  # it comes again where errors are answered and logged
        return None
    environ[ROUTE] = route
    if answer.status != 200:
        environ[RULING] = answer.body
    return answer_message(answer, spoken)


class _Indirectly(Exception):
    """Flask has to answer."""


def _indirectly(_asked: Asked, _body: Mapping[str, Any]) -> NoReturn:
    raise _Indirectly


def stateless_call(game: str, call: str) -> Response:
    """One of the five stateless calls."""
    if game not in BY_SLUG:
        raise HttpProblem("not-found")
    must_accept(JSON)
    spoken = language()
    answer = _answer(sent_json(), Asked(game, call, f"/v1/games/{game}/{call}", spoken), _sealed)
    if answer.status != 200:
        request.environ[RULING] = answer.body
    return answer_response(answer, spoken)


def _answer(sent: bytes, asked: Asked, sealed: Callable[[Asked, dict[str, Any]], Answer]) -> Answer:
    """What the call answers; ``sealed`` answers where there is a capsule in place of the state."""
    try:
        body = parsed(sent)
        if isinstance(body, dict) and ("capsule" in body or "sealed" in body):
            return sealed(asked, body)
        return ruled(asked.game, asked.call, body, asked.instance, asked.language)
    except Malformed as found:
        return malformed(found.why, asked.instance, asked.language)


def _sealed(asked: Asked, body: dict[str, Any]) -> Answer:
    """The call with a capsule in place of the state; what it needs is imported by the first one. A game whose newest
    capsule is remembered is begun by whoever may create matches."""
    from gyoji.web.sealed import Sealed, sealed_answer  # noqa: PLC0415

    begins = asked.call == "states" and body.get("sealed") == "head"
    here = asked_alone("createMatch")[0] if begins else desk()
    return sealed_answer(Sealed(here, BY_SLUG[asked.game], body, asked.instance, asked.language), asked.call)


def add_stateless_calls(app: Flask) -> None:
    """The calls on the application itself: through a blueprint every request would pass one more layer."""
    for call in CALLS:
        app.add_url_rule(f"/v1/games/<game>/{call}", call, stateless_call, methods=["POST"], defaults={"call": call})
