"""Gives tests a client that checks every answer against the contract: status, media type, body, and what all answers
share."""

import gzip
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
import orjson
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from gyoji.api.bodies import parse_json
from gyoji.api.contract import openapi
from gyoji.api.media import CSV, EVENT_STREAM, HTML, JSON, JSON_LINES, OCTETS, TEXT
from gyoji.log.canonical import canonical

PROBLEM = {"$ref": "#/components/schemas/Problem"}
INVALID = {"$ref": "#/components/schemas/InvalidRequest"}
ALWAYS = (
    "X-Request-ID",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Resource-Policy",
)


class CheckedClient(FlaskClient):
    """Flask's test client, which fails the test that asked when the contract does not promise the answer."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        """Ask, and check what comes back."""
        response = super().open(*args, **{"buffered": True, **kwargs})
        check(response)
        return response


def checked_client(app: Flask) -> CheckedClient:
    """Make a checked client of the application."""
    app.test_client_class = CheckedClient
    client = app.test_client()
    assert isinstance(client, CheckedClient)
    return client


@cache
def contract() -> dict[str, Any]:
    """Return ``openapi.yaml`` as the code makes it; that the committed file is the same is a test of its own."""
    document: dict[str, Any] = orjson.loads(orjson.dumps(openapi()))
    return document


def merged(node: dict[str, Any]) -> dict[str, Any]:
    """Return an object of the contract with the members of its base, if it has one."""
    found = resolved(node)
    parts = [merged(part) for part in found.get("allOf", ())]
    if not parts:
        return found
    properties = {name: member for part in parts for name, member in part.get("properties", {}).items()}
    return {
        **found,
        "properties": properties,
        "required": [name for part in parts for name in part.get("required", ())],
    }


@cache
def _validator(schema: bytes) -> Any:
    return jsonschema_rs.validator_for({**orjson.loads(schema), "components": closed(contract()["components"])})


def closed(components: Mapping[str, Any]) -> dict[str, Any]:
    """Return components whose objects have no members but those that are listed: the contract lets answers have others,
    which clients ignore, but what it does not list the service does not answer today."""
    schemas = components["schemas"]
    bases = {part["$ref"].rsplit("/", 1)[1] for each in schemas.values() for part in each.get("allOf", ())[:1]}
    return {
        **{section: _closed(of) for section, of in components.items()},
        "schemas": {name: _closed(each, name in bases) for name, each in schemas.items()},
    }


def _closed(node: Any, is_base: bool = False) -> Any:
    """Close an object, and those in it. What is based on another is closed as a whole, since neither part has all of
    its members."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    found = {
        key: {name: _closed(member) for name, member in value.items()}
        if key == "properties"
        else [_closed(part, is_base=True) for part in value]
        if key == "allOf"
        else _closed(value)
        for key, value in node.items()
    }
    if "allOf" in node:
        return {"unevaluatedProperties": False, **found}
    return {"additionalProperties": False, **found} if "properties" in node and not is_base else found


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """Return what a node of the contract refers to, if it is a reference; else the node."""
    while "$ref" in node:
        section, name = node["$ref"].removeprefix("#/components/").split("/")
        node = contract()["components"][section][name]
    return node


def _operation(method: str, path: str) -> dict[str, Any] | None:
    """Find the operation of that path, if the contract has one; an exact path comes before a pattern."""
    for template, methods in sorted(contract()["paths"].items(), key=lambda item: "{" in item[0]):
        if method in methods and _fits(template, path):
            found: dict[str, Any] = methods[method]
            return found
    return None


def _fits(template: str, path: str) -> bool:
    """Tell whether the path is one of that template; the place of a tile, and a schema, which come last, take in all
    that is left."""
    wanted = template.split("/")
    given = path.split("/", len(wanted) - 1 if wanted[-1] in ("{place}", "{schema}") else -1)
    return len(wanted) == len(given) and all(
        part == name or (part.startswith("{") and name) for part, name in zip(wanted, given, strict=True)
    )


def check(response: TestResponse) -> None:
    """Check that the contract promises the answer to that request."""
    asked = response.request
    method = {"HEAD": "get"}.get(asked.method, asked.method.lower())
    for name in ALWAYS:
        assert name in response.headers, f"{asked.method} {asked.path}: no {name}"
    if asked.method == "OPTIONS" and response.status_code == 200:
        assert response.headers["Allow"]
        return
    if asked.method == "OPTIONS" and response.status_code == 204:
        assert response.headers["Access-Control-Allow-Methods"]
        return
    assert response.headers["Cache-Control"]
    operation = _operation(method, asked.path)
    if operation is None:
        _check_unlisted(response)
    else:
        assert str(response.status_code) in operation["responses"], f"{asked.path} may not answer {response.status}"
        _check_content(response, resolved(operation["responses"][str(response.status_code)]).get("content", {}))


def _check_unlisted(response: TestResponse) -> None:
    """Check the answer at a path, or by a method, that the contract does not list: a page, its data or a static file,
    or a problem."""
    path = response.request.path
    is_data = path.endswith(("/frames", "/audit/verdict", "/tables", "/plan", "/collection.json"))
    if response.status_code == 200:
        media = JSON if is_data else CSV if path.endswith(".csv") else HTML
        assert response.mimetype == media or path.startswith("/static/"), path
        return
    if response.status_code == 404 and response.mimetype == HTML:
        # a tournament's page says where private ones are looked at; a browser is shown ways on
        assert path.startswith("/tournaments/") or HTML in response.request.headers.get("Accept", ""), path
        return
    if response.status_code == 304 and path.startswith("/static/"):
        assert response.data == b""
        return
    assert is_data or response.status_code in (400, 404, 405), response.status
    schema = INVALID if response.status_code == 422 else PROBLEM
    _check_content(response, {"application/problem+json": {"schema": schema}})


def _check_content(response: TestResponse, content: dict[str, Any]) -> None:
    if response.status_code in (204, 304):
        assert not content
        assert response.data == b""
        return
    assert response.mimetype in content, f"{response.request.path} may not answer {response.mimetype}"
    if response.request.method == "HEAD":
        assert response.data == b""
    elif response.mimetype in (JSON_LINES, EVENT_STREAM):
        _check_lines(response, content)
    elif response.mimetype not in (HTML, TEXT, OCTETS, CSV):
        body = parse_json(_unpacked(response))
        _check_body(response, content[response.mimetype], body)
        _check_problem(response, body)


def _unpacked(response: TestResponse) -> bytes:
    """Return the body of an answer as it is before it is packed."""
    is_packed = response.headers.get("Content-Encoding") == "gzip"
    return gzip.decompress(response.data) if is_packed else response.data


def _check_lines(response: TestResponse, content: dict[str, Any]) -> None:
    """Check the lines of a log, each in its canonical bytes; or messages, each with what the stream or the feed
    holds."""
    if response.mimetype == JSON_LINES:
        for line in _unpacked(response).splitlines(keepends=True):
            assert canonical(parse_json(line)) + b"\n" == line
        return
    if JSON not in content:
        for line in response.data.splitlines():
            if line.startswith(b"data: "):
                _check_body(response, content[EVENT_STREAM], parse_json(line[6:]))
        return
    events = response.data.split(b"\n\n", 1)[1] if response.data.startswith(b"event: reset\n") else response.data
    events_sent = [parse_json(line[6:]) for line in events.splitlines() if line.startswith(b"data: ")]
    _check_body(response, content[JSON], {"events": events_sent, "next": None})


def _check_body(response: TestResponse, media: dict[str, Any], body: Any) -> None:
    errors = [error.message[:300] for error in _validator(_key(media)).iter_errors(body)]
    assert not errors, f"{response.request.path}: {errors[:3]}"


def _key(media: dict[str, Any]) -> bytes:
    return orjson.dumps(media["schema"])


def _check_problem(response: TestResponse, body: dict[str, Any]) -> None:
    """Check that a problem names the status and the path of its answer."""
    if response.status_code >= 400:
        assert response.mimetype == "application/problem+json"
        assert body["status"] == response.status_code
        assert body["type"] == f"/problems/{body['code']}"
        assert response.headers["Content-Language"] in ("en", "ja")
        vary = response.headers["Vary"].removesuffix(", Origin")
        assert vary in ("Accept-Language", "Authorization, Accept, Accept-Language")


def check_message(headers: Mapping[str, str], body: bytes) -> None:
    """Check that the contract describes a message that came to a webhook; its headers are in lower case."""
    document = parse_json(body)
    posted = contract()["webhooks"][document["type"]]["post"]
    given = [
        (each["name"], each["schema"], each["required"])
        for each in map(resolved, posted["parameters"])
        if each["in"] == "header"
    ]
    assert {name for name, _schema, required in given if required} <= headers.keys()
    wrong = [(headers[name], schema) for name, schema, _required in given if name in headers]
    errors = [error for value, schema in wrong for error in _validator(orjson.dumps(schema)).iter_errors(value)]
    schema = posted["requestBody"]["content"][JSON]["schema"]
    errors += _validator(orjson.dumps(schema)).iter_errors(document)
    assert not errors, f"{document['type']}: {[error.message[:300] for error in errors]}"
