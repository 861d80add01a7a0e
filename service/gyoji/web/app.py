"""The application: routes, errors in one place, one log line a request."""

from time import perf_counter

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from gyoji.web import catalogue, pages, stateless
from gyoji.web.errors import HttpProblem
from gyoji.web.logs import log_request
from gyoji.web.negotiation import language, request_id
from gyoji.web.responses import HEADERS, answer_response
from gyoji.wire.problems import problem

CODES = {400: "malformed-header", 404: "not-found", 405: "method-not-allowed", 413: "too-large"}
"""What an HTTP error of the framework is called in problem details."""


def create_app() -> Flask:
    """The service as a WSGI application."""
    app = Flask("gyoji.web", static_folder=None)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.before_request(_begin)
    app.after_request(_finish)
    app.register_error_handler(HttpProblem, _problem)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _internal_error)
    for blueprint in (catalogue.blueprint, stateless.blueprint, pages.blueprint):
        app.register_blueprint(blueprint)
    return app


def _begin() -> None:
    g.started = perf_counter()
    g.request_id = request_id()


def _finish(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Cache-Control", "no-store")
    headers["X-Request-ID"] = g.request_id
    for name, value in HEADERS.items():
        headers[name] = value
    log_request(response.status_code)
    return response


def _problem(refused: HttpProblem) -> Response:
    response = answer_response(problem(refused.code, request.path, language(), refused.facts), language())
    if refused.retry_after is not None:
        response.headers["Retry-After"] = str(refused.retry_after)
    return response


def _http_error(error: HTTPException) -> Response:
    if error.code not in CODES:
        return _internal_error(error)
    response = _problem(HttpProblem(CODES[error.code]))
    if isinstance(error, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return response


def _internal_error(error: Exception) -> Response:
    """500: the request id and nothing else. The log says where the code broke, never with which values."""
    g.failure = error
    answer = problem("internal-error", request.path, language())
    return answer_response(answer._replace(body={**answer.body, "request_id": g.request_id}), language())
