"""Writes the contract as a collection of requests, as Postman and Bruno take it (Postman Collection, format 2.1.0)."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

SERVER = "http://127.0.0.1:8000"
"""Where ``gyoji serve`` listens unless it is told otherwise."""

MADE_BY: Mapping[str, str] = {
    "createMatch": "match",
    "createGroup": "group",
    "createTournament": "tournament",
    "createWebhook": "webhook",
}
"""The variable that the answer of an operation fills: the id of what it has made."""

Operation = Mapping[str, Any]


def collection_of(contract: Mapping[str, Any]) -> dict[str, Any]:
    """Return the collection of a contract: a folder a tag, and a request an operation, with the example of its body.

    The variables are ``baseUrl``, ``token``, and one for every parameter of a path.
    """
    requests = [
        (each["tags"][0], _request(contract, path, method, each)) for path, method, each in _operations(contract)
    ]
    told = {tag["name"]: tag["description"] for tag in contract["tags"]}
    folders = [
        {"name": tag, "description": told[tag], "item": [request for _tag, request in of]}
        for tag, of in groupby(requests, lambda each: each[0])
    ]
    return {
        "info": {"name": contract["info"]["title"], "version": contract["info"]["version"], "schema": SCHEMA},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{token}}", "type": "string"}]},
        "variable": [
            {"key": "baseUrl", "value": SERVER},
            {"key": "token", "value": ""},
            *({"key": name, "value": value} for name, value in sorted(_places(contract).items())),
        ],
        "item": folders,
    }


def _operations(contract: Mapping[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    """Yield path, method and operation, those of a tag one after another in the order of the tags."""
    order = [tag["name"] for tag in contract["tags"]]
    found = [(path, method, each) for path, methods in contract["paths"].items() for method, each in methods.items()]
    yield from sorted(found, key=lambda each: order.index(each[2]["tags"][0]))


def _parameters(contract: Mapping[str, Any], operation: Operation) -> list[Mapping[str, Any]]:
    known = contract["components"]["parameters"]
    return [
        known[each["$ref"].rpartition("/")[2]] if "$ref" in each else each for each in operation.get("parameters", ())
    ]


def _places(contract: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters of all paths, each with a value to begin with where the contract shows one."""
    return {
        each["name"]: _example(contract, each)
        for _path, _method, operation in _operations(contract)
        for each in _parameters(contract, operation)
        if each["in"] == "path"
    }


def _example(contract: Mapping[str, Any], parameter: Mapping[str, Any]) -> str:
    schema = parameter["schema"]
    if "$ref" in schema:
        schema = contract["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    given = parameter.get("example", schema.get("example", next(iter(schema.get("enum", ())), "")))
    return str(given)


def _request(contract: Mapping[str, Any], path: str, method: str, operation: Operation) -> dict[str, Any]:
    parameters = _parameters(contract, operation)
    address = "{{baseUrl}}" + path.replace("{", "{{").replace("}", "}}")
    asked = [_switched_off(contract, each) for each in parameters if each["in"] == "query"]
    request: dict[str, Any] = {
        "method": method.upper(),
        "description": operation["description"],
        "header": [_switched_off(contract, each) for each in parameters if each["in"] == "header"],
        "url": {"raw": address, "host": ["{{baseUrl}}"], "path": address.split("/")[1:], "query": asked},
    }
    if operation["security"] == []:
        request["auth"] = {"type": "noauth"}
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        body = content.get("example", "")
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, indent=2)
        request["body"] = {"mode": "raw", "raw": text, "options": {"raw": {"language": "json"}}}
        request["header"].insert(0, {"key": "Content-Type", "value": media})
    item = {"name": operation["summary"], "request": request}
    if operation["operationId"] in MADE_BY:
        item["event"] = [_keeping(MADE_BY[operation["operationId"]])]
    return item


def _switched_off(contract: Mapping[str, Any], parameter: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter that is not sent until somebody switches it on, unless it has to be."""
    return {
        "key": parameter["name"],
        "value": _example(contract, parameter),
        "description": parameter["description"],
        "disabled": not parameter["required"],
    }


def _keeping(name: str) -> dict[str, Any]:
    """Return the script that keeps the id of what was made for the requests after it."""
    line = f'if (pm.response.code === 201) pm.collectionVariables.set("{name}", pm.response.json().{name});'
    return {"listen": "test", "script": {"type": "text/javascript", "exec": [line]}}
