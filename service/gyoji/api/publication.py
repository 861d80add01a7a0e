"""Turns the components that are made of the shapes into those of ``openapi.yaml``, as generators of clients take them.

The JSON Schemas in ``schemas/`` are made of the same components and stay as they are: what validates a value needs no
names and no types beside its words. Here values mean the same: a word that is the only one is a constant, null is a
variant beside words, and an object that has one of two members is the union of its two forms.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Node = dict[str, Any]

FORMS: Mapping[str, Mapping[str, str]] = {
    "AdjudicationRequest": {"move": "MoveAdjudication", "moves": "MovesAdjudication"},
    "EntropyRequest": {"commit": "EntropyCommitment", "entropy": "EntropyContribution"},
}
"""The names of the two forms of an object that has one of two members, by the member: what they end with, by what the
name of the object ends with."""

REF = "#/components/schemas/"


def by_form(components: Mapping[str, Node]) -> dict[str, Node]:
    """Return the components with a union in the place of each object that has one of two members."""
    found: dict[str, Node] = {}
    for name, component in components.items():
        found.update(_by_form(name, component) if _has_forms(component) else {name: component})
    return found


def _has_forms(component: Node) -> bool:
    return "oneOf" in component and "properties" in component


def _by_form(name: str, component: Node) -> dict[str, Node]:
    """An object that has one of two members, as the union of closed objects."""
    end = next(end for end in FORMS if name.endswith(end))
    forms = {member: name.removesuffix(end) + called for member, called in FORMS[end].items()}
    made = {called: _form(component, member, [*forms]) for member, called in forms.items()}
    return {name: {"oneOf": [{"$ref": REF + called} for called in made]}, **made}


def _form(component: Node, has: str, either: list[str]) -> Node:
    rest = {key: value for key, value in component.items() if key != "oneOf"}
    members = {name: inner for name, inner in component["properties"].items() if name == has or name not in either}
    return {**rest, "properties": members, "required": [*component.get("required", ()), has]}


def typed(node: Any) -> Any:
    """Return a schema in which every enumeration has one type."""
    if isinstance(node, list):
        return [typed(item) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("enum"), list):
        return _enumeration(node)
    return {key: typed(value) for key, value in node.items()}


def _enumeration(node: Node) -> Node:
    rest = {key: value for key, value in node.items() if key not in ("type", "enum")}
    sorts = [("boolean", bool), ("string", str)]
    words = [(kind, [word for word in node["enum"] if isinstance(word, sort)]) for kind, sort in sorts]
    variants: list[Node] = [_words(kind, found) for kind, found in words if found]
    variants += [{"type": "null"}] if None in node["enum"] else []
    return {**variants[0], **rest} if len(variants) == 1 else {"oneOf": variants, **rest}


def _words(kind: str, words: list[Any]) -> Node:
    return {"type": kind, "const": words[0]} if len(words) == 1 else {"type": kind, "enum": words}


def opened(components: Mapping[str, Node], sent: Iterable[str]) -> dict[str, Node]:
    """Return the components in which objects are open to further members, but those that requests hold. ``sent`` are
    the components that the bodies of requests are described by."""
    closed, waiting = set[str](), [*sent]
    while waiting:
        name = waiting.pop()
        if name not in closed:
            closed.add(name)
            waiting.extend(references(components[name]))
    return {name: found if name in closed else _open(found) for name, found in components.items()}


def _open(node: Any) -> Any:
    if isinstance(node, list):
        return [_open(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: {name: _open(member) for name, member in value.items()} if key == "properties" else _open(value)
        for key, value in node.items()
        if key != "additionalProperties" or value is not False
    }


def references(node: Any) -> Iterator[str]:
    """List the names of the components that a part of the contract refers to, once for each reference."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str) and node["$ref"].startswith(REF):
            yield node["$ref"].removeprefix(REF)
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for item in node:
            yield from references(item)
