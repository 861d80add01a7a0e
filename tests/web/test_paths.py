"""Where paths lead, the same each time."""

import json
from typing import Any

import pytest
from flask import request
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from gyoji.app.settings import Settings
from gyoji.web.app import Service, create_app

NEVER_THERE = ["/nowhere", "/v1/games/catte/nothing", "/healthz/", "/v1/games/catte/scores/", "/v1//games/catte/scores"]

SLASHES_TOO_MANY = [
    ("GET", "//metrics"),
    ("GET", "//"),
    ("GET", "///healthz"),
    ("HEAD", "//healthz"),
    ("GET", "//localhost/healthz"),
    ("GET", "/%2Fmetrics"),
    ("GET", "//v1/games?seat=1"),
    ("GET", "/v1//games"),
    ("GET", "//static/page.css"),
    ("OPTIONS", "//metrics"),
    ("POST", "///v1/audits"),
    ("POST", "//v1/games/catte/scores"),
]
"""Requests that lead nowhere, and would lead somewhere with a slash less."""


@pytest.fixture
def service() -> Service:
    """A service that has not been asked for anything."""
    made = create_app(Settings())
    assert isinstance(made, Service)
    return made


def found(service: Service, path: str, **more: Any) -> tuple[Any, ...]:
    """Where the path leads: the name of the handler, what it is given, and what is wrong."""
    with service.test_request_context(path, **more):
        wrong = request.routing_exception
        return request.endpoint, request.view_args, wrong and (wrong.code, sorted(getattr(wrong, "valid_methods", ())))


@pytest.mark.parametrize(
    ("path", "endpoint", "arguments"),
    [
        ("/healthz", "readHealth", {}),
        ("/v1/games/catte", "describeGame", {"game": "catte"}),
        ("/v1/games/猫/rules", "listRules", {"game": "猫"}),
        ("/v1/games/%E7%8C%AB/rules", "listRules", {"game": "猫"}),
        ("/v1/games/%FF", "describeGame", {"game": "\N{REPLACEMENT CHARACTER}"}),
        ("/v1/log/tile/0/x001/002", "readLogTile", {"level": "0", "place": "x001/002"}),
        ("/v1/games/catte?seat=1", "describeGame", {"game": "catte"}),
    ],
)
def test_a_path_leads_to_the_same_address_each_time(
    service: Service, path: str, endpoint: str, arguments: dict[str, str]
) -> None:
    for _ in range(3):
        assert found(service, path) == (endpoint, arguments, None)


def test_the_method_counts(service: Service) -> None:
    for _ in range(2):
        assert found(service, "/v1/games/catte/scores", method="POST")[:2] == (
            "score",
            {"game": "catte", "call": "scores"},
        )
        assert found(service, "/v1/games/catte/scores") == (None, None, (405, ["OPTIONS", "POST"]))
        assert found(service, "/healthz", method="HEAD")[0] == "readHealth"
        assert found(service, "/healthz", method="DELETE")[2] == (405, ["GET", "HEAD", "OPTIONS"])


@pytest.mark.parametrize("path", NEVER_THERE)
def test_a_path_that_leads_nowhere_does_so_each_time(service: Service, path: str) -> None:
    for _ in range(2):
        assert found(service, path, method="POST")[2] is not None


def test_what_a_handler_does_with_what_it_is_given_stays_its_own(service: Service) -> None:
    for _ in range(2):
        with service.test_request_context("/v1/games/catte"):
            assert request.view_args == {"game": "catte"}
            request.view_args["game"] = "another"


@pytest.mark.parametrize(("method", "path"), SLASHES_TOO_MANY)
def test_a_slash_too_many_leads_nowhere(service: Service, method: str, path: str) -> None:
    """Also after the path that was meant has been asked for. Without a test client: it takes slashes away."""
    meant = "/" + path.replace("%2F", "/").lstrip("/").replace("//", "/")
    service.test_client().open(meant, method=method, buffered=True)
    upgrade = {"HTTP_CONNECTION": "Upgrade", "HTTP_UPGRADE": "websocket"}
    for more in ({}, {}, upgrade):
        inner, _, query = path.replace("%2F", "/").partition("?")
        environ = {**create_environ("/", method=method, query_string=query), "PATH_INFO": inner, **more}
        pieces, status, headers = run_wsgi_app(service, environ, buffered=True)
        assert status == "404 NOT FOUND"
        assert headers["Content-Type"] == "application/problem+json"
        if method != "HEAD":
            assert json.loads(b"".join(pieces))["code"] == "not-found"


def test_a_websocket_is_refused_where_a_request_was_answered(service: Service) -> None:
    client: FlaskClient = service.test_client()
    upgrade = {"Connection": "keep-alive, Upgrade", "Upgrade": "websocket"}
    for _ in range(2):
        assert client.get("/healthz").status_code == 200
        assert client.get("/healthz", headers=upgrade).status_code == 400


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("table.example", 200),
        ("table.example:8000", 200),
        ("[::1]:8000", 200),
        ("", 200),
        ("a b", 200),
        ("a..b", 400),
        (f"{'a' * 64}.example", 400),
        (".", 400),
    ],
)
def test_a_host_that_can_be_no_name_is_refused_each_time(service: Service, host: str, status: int) -> None:
    client: FlaskClient = service.test_client()
    for _ in range(2):
        assert client.get("/healthz", headers={"Host": host}).status_code == status


def test_a_host_that_only_looks_encoded_is_said_as_it_was_asked_for(service: Service) -> None:
    """Without a test client: it could not read such a name itself."""
    environ = {**create_environ("/"), "HTTP_HOST": "xn--zz--:8000"}
    pieces, status, _headers = run_wsgi_app(service, environ, buffered=True)
    assert status == "200 OK"
    assert b"http://xn--zz--:8000" in b"".join(pieces)
