"""Cuts the contract into slices, one for each tag: a whole contract of the operations, or the messages, with that
tag."""

from collections.abc import Mapping, Set
from typing import Any


def contract_of_tag(document: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """Return the part of a contract that has the operations of one tag, and whatever these refer to."""
    paths = _tagged(document["paths"], tag)
    names = {each["operationId"] for methods in paths.values() for each in methods.values()}
    paths = {
        path: {method: _with_links_to(names, each) for method, each in methods.items()}
        for path, methods in paths.items()
    }
    messages = _tagged(document.get("webhooks", {}), tag)
    wanted = {("securitySchemes", name) for name in document["components"]["securitySchemes"]}
    waiting = _pointers([paths, messages])
    while waiting:
        pointer = waiting.pop()
        if pointer not in wanted:
            wanted.add(pointer)
            waiting += _pointers(document["components"][pointer[0]][pointer[1]])
    components = {
        section: {name: each for name, each in of.items() if (section, name) in wanted}
        for section, of in document["components"].items()
    }
    return {
        **{name: section for name, section in document.items() if name != "webhooks"},
        "tags": [each for each in document["tags"] if each["name"] == tag],
        "paths": paths,
        **({"webhooks": messages} if messages else {}),
        "components": {section: of for section, of in components.items() if of},
    }


def _tagged(described: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """The operations with that tag, by path and method."""
    found = {
        path: {method: each for method, each in methods.items() if tag in each["tags"]}
        for path, methods in described.items()
    }
    return {path: methods for path, methods in found.items() if methods}


def _with_links_to(names: Set[str], operation: Mapping[str, Any]) -> dict[str, Any]:
    """An operation without the links of its answers to others than these."""
    responses = {}
    for status, response in operation["responses"].items():
        links = {name: link for name, link in response.get("links", {}).items() if link["operationId"] in names}
        rest = {key: value for key, value in response.items() if key != "links"}
        responses[status] = {**rest, "links": links} if links else rest
    return {**operation, "responses": responses}


def _pointers(node: Any) -> list[tuple[str, str]]:
    """The components that a part of a contract refers to, each by its section and its name."""
    if isinstance(node, dict):
        return [pointer for value in node.values() for pointer in _pointers(value)]
    if isinstance(node, list):
        return [pointer for item in node for pointer in _pointers(item)]
    if isinstance(node, str) and node.startswith("#/components/"):
        section, name = node.split("/")[2:]
        return [(section, name)]
    return []
