"""The Flask application: routes, errors in one place, one log line a request."""

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from flask import Flask, Request, Response, request
from flask.ctx import RequestContext
from flask.json.provider import DefaultJSONProvider
from flask.sessions import NullSession, SessionInterface
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from gyoji.app.logs import LINES
from gyoji.app.metrics import meters
from gyoji.app.problems import RETRY_AFTER, HttpProblem, RefusedRequest, malformed_header
from gyoji.app.services import Services
from gyoji.app.settings import Settings, settings_from
from gyoji.app.transparency_log import grow_afterwards
from gyoji.messages.problems import problem, problem_with_cause
from gyoji.store.interface import Unavailable
from gyoji.web import catalogue, matches, pages, service, tournaments, transparency_log, webhooks
from gyoji.web.cross_origin import CrossOrigin, preflight_response
from gyoji.web.pages.not_found import not_found_page, wants_page
from gyoji.web.pages.templates import escape_directions
from gyoji.web.requests import language, request_record, with_record
from gyoji.web.responses import answer_response, caller_response, entity_tag
from gyoji.web.routes import add_routes

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

HEADER_FAULTS = {400: "unreadable", 416: "Range"}
"""What is wrong with a header by an HTTP error of the framework. 416: a range that a static file does not have."""

ROUTES = (
    catalogue.routes,
    matches.routes,
    tournaments.routes,
    webhooks.routes,
    transparency_log.routes,
    service.routes,
    *pages.ROUTES,
)

LONGEST_INSTANCE = 2000


class PageData(DefaultJSONProvider):
    """Writes the JSON on pages, which is for their scripts: Japanese as it is written, and no spaces."""

    ensure_ascii = False

    def dumps(self, obj: Any, **more: Any) -> str:
        """Return a value as JSON."""
        return super().dumps(obj, separators=(",", ":"), **more)


class NoSessions(SessionInterface):
    """A session interface without sessions: no cookies are read or set, and one empty session serves all requests."""

    def __init__(self) -> None:
        self._none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """Return the empty session, which is the same for every request; Flask would make one for each."""
        return self._none


class ExactPath(RequestContext):
    """A request context that finds no route for ``//path``. Flask takes any number of slashes at the front of a path
    for one."""

    def match_request(self) -> None:
        """Find the route of the request, or refuse its path."""
        if self.request.environ.get("PATH_INFO", "").startswith("//"):
            self.request.routing_exception = NotFound()
        else:
            super().match_request()


class Service(Flask):
    """The Flask application, with every request counted and logged."""

    json_provider_class = PageData
    session_interface = NoSessions()
    cross_origin = CrossOrigin(())

    def request_context(self, environ: "WSGIEnvironment") -> RequestContext:
        """Return Flask's context of a request, which finds the route in our way."""
        return ExactPath(self, environ)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the handler as it is: none of ours is a coroutine, which Flask would check."""
        return func

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer one WSGI request, counted and logged."""
        return with_record(super().wsgi_app, self.cross_origin.add_headers, environ, start_response)

    def allows_preflight(self) -> bool:
        """Tell whether this request is a browser's question about another one, which a page may send."""
        return request.method == "OPTIONS" and self.cross_origin.allows_preflight(request.environ, request.endpoint)

    def make_default_options_response(self) -> Response:
        """Answer ``OPTIONS`` with the methods of a URL in alphabetical order, the same from every worker."""
        if self.allows_preflight():
            return preflight_response()
        response = super().make_default_options_response()
        response.headers["Allow"] = ", ".join(sorted(response.allow))
        del response.headers["Content-Type"]
        return response


def create_app(settings: Settings | None = None) -> Flask:
    """Make the WSGI application; without settings, from those of the environment.

    Nothing is connected to yet: connections belong to the process, and the thread, that uses them.
    """
    given = settings_from(os.environ) if settings is None else settings
    app = Service("gyoji.web", static_folder=None)
    app.cross_origin = CrossOrigin(given.cors_origins)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.jinja_options = {"finalize": escape_directions}
    app.url_map.merge_slashes = False  # a URL with a slash too many is not found, like any other
    app.register_error_handler(HttpProblem, _problem)
    app.register_error_handler(RefusedRequest, _refusal)
    app.register_error_handler(HTTPException, partial(_http_error, app))
    app.register_error_handler(Exception, _internal_error)
    app.register_error_handler(Unavailable, _unavailable)
    services = app.extensions["gyoji.services"] = Services(given)
    services.observe_store = meters().asked_store
    services.count_events = meters().stored_events
    for places in (services.streams, services.lent, services.downloads):
        places.on_change = meters().streams.inc
    LINES.on_drop = meters().dropped_line
    add_routes(app, ROUTES)
    app.after_request(partial(_grow_log, services))
    return app


def _grow_log(services: Services, response: Response) -> Response:
    """Have the transparency log grow behind the response, if there is something to enter."""
    if services.begin_growth():
        response.call_on_close(partial(grow_afterwards, services))
    return response


def _problem(refused: HttpProblem) -> Response:
    record = request_record()
    answer = problem(refused.code, _instance(), language(), refused.facts, refused.members)
    if refused.cause is not None:
        answer = problem_with_cause(answer, refused.cause, language(), refused.is_unsure)
        record.cause, record.is_unsure = refused.cause, refused.is_unsure
    record.problem = answer.body
    if refused.code == "not-found" and wants_page():
        return not_found_page()
    response = answer_response(answer, language())
    if refused.retry_after is not None:
        response.headers["Retry-After"] = str(refused.retry_after)
    if refused.seq is not None:
        response.headers["ETag"] = entity_tag(refused.seq)[1]
    if answer.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _refusal(refusal: RefusedRequest) -> Response:
    request_record().problem = refusal.answer.body
    return caller_response(refusal.answer, refusal.language)


def _unavailable(gone: Unavailable) -> Response:
    """503: the store cannot be read or written; nothing has been acknowledged."""
    return _problem(HttpProblem("unavailable", retry_after=RETRY_AFTER, cause=gone.cause, is_unsure=gone.is_unsure))


def _http_error(app: Service, error: HTTPException) -> Response:
    if app.allows_preflight():  # at a URL that leads nowhere
        return preflight_response()
    if isinstance(error, NotFound):
        return _problem(HttpProblem("not-found"))
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        response = _problem(HttpProblem("method-not-allowed", {"allowed": allowed}))
        response.headers["Allow"] = allowed
        return response
    if error.code in HEADER_FAULTS:
        return _problem(malformed_header(HEADER_FAULTS[error.code]))
    return _internal_error(error)


def _internal_error(error: Exception) -> Response:
    """500: the request id and nothing else. The log says where the code broke, never with which values."""
    record = request_record()
    record.failure = error
    answer = problem("internal-error", _instance(), language())
    return answer_response(answer._replace(body={**answer.body, "request_id": record.request_id}), language())


def _instance() -> str:
    """Return the path that was asked for, as a URI reference; the sender's own, so it is cut short."""
    return quote(request.path)[:LONGEST_INSTANCE]
