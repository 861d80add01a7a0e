"""Turns the components that are made of the shapes into those of ``openapi.yaml``, as generators of clients take them.

The JSON Schemas in ``schemas/`` are made of the same components and stay as they are: what validates a value needs no
names and no types beside its words. Here values mean the same: a word that is the only one is a constant, null is a
variant beside words, and an object that has one of two members is the union of its two forms.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Node = dict[str, Any]

FORMS: Mapping[str, Mapping[str, str]] = {
    "AdjudicationRequest": {"move": "MoveAdjudication", "moves": "MovesAdjudication"},
    "QuestionRequest": {"move": "MoveQuestion", "moves": "MovesQuestion"},
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
    """Return a schema in which every enumeration has one type, and what clients may name as they like holds any
    value: how deep and of which types says its description."""
    if isinstance(node, list):
        return [typed(item) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("enum"), list):
        return _enumeration(node)
    if "propertyNames" in node:
        return {**{key: value for key, value in node.items() if key != "propertyNames"}, "additionalProperties": True}
    return {key: [_variant(part) for part in value] if key == "oneOf" else typed(value) for key, value in node.items()}


def _variant(node: Any) -> Any:
    """A variant of a union. Of a list beside something else generators make a set that does not compile where its items
    are distinct: that says its description."""
    return {key: value for key, value in typed(node).items() if key != "uniqueItems"}


def _enumeration(node: Node) -> Node:
    rest = {key: value for key, value in node.items() if key not in ("type", "enum")}
    sorts = [("boolean", bool), ("string", str)]
    words = [(kind, [word for word in node["enum"] if isinstance(word, sort)]) for kind, sort in sorts]
    variants: list[Node] = [_words(kind, found) for kind, found in words if found]
    variants += [{"type": "null"}] if None in node["enum"] else []
    return {**variants[0], **rest} if len(variants) == 1 else {"oneOf": variants, **rest}


def _words(kind: str, words: list[Any]) -> Node:
    return {"type": kind, "const": words[0]} if len(words) == 1 else {"type": kind, "enum": words}


def flattened(node: Any, components: Mapping[str, Node]) -> Any:
    """Return a schema without unions in unions, unless a tag tells the variants apart, or only null stands beside a
    union. Where a value may have several variants of an inner union, it may of the outer one."""
    if isinstance(node, list):
        return [flattened(item, components) for item in node]
    if not isinstance(node, dict):
        return node
    for keyword in ("oneOf", "anyOf"):
        if keyword in node and "discriminator" not in node and len(_without_null(node[keyword])) > 1:
            found = [inner for variant in node[keyword] for inner in _variants(variant, components)]
            rest = {key: value for key, value in node.items() if key != keyword}
            is_any = "anyOf" in (keyword, *(inner for inner, _variant in found))
            return {
                **rest,
                "anyOf" if is_any else "oneOf": [flattened(variant, components) for _inner, variant in found],
            }
    return {key: flattened(value, components) for key, value in node.items()}


def _without_null(variants: list[Node]) -> list[Node]:
    return [variant for variant in variants if variant != {"type": "null"}]


def _variants(variant: Node, components: Mapping[str, Node]) -> list[tuple[str, Node]]:
    """The variants of a union that is a variant itself, each with the keyword of the union; else the one."""
    found = components[variant["$ref"].removeprefix(REF)] if "$ref" in variant else variant
    keyword = next((name for name in ("oneOf", "anyOf") if name in found), "")
    if not keyword:
        return [("", variant)]
    inner = [each for part in found[keyword] for each in _variants(part, components)]
    return [(keyword if keyword == "anyOf" else within, part) for within, part in inner]


def used(components: Mapping[str, Node], named: Iterable[str]) -> dict[str, Node]:
    """Return the components of these names, and those that they refer to in turn."""
    found, waiting = set[str](), [*named]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(references(components[name]))
    return {name: component for name, component in components.items() if name in found}


def opened(components: Mapping[str, Node], sent: Iterable[str]) -> dict[str, Node]:
    """Return the components in which objects are open to further members, but those that requests hold. ``sent`` are
    the components that the bodies of requests are described by."""
    closed = used(components, sent)
    return {name: _told(found) if name in closed else _open(found) for name, found in components.items()}


def _told(component: Node) -> Node:
    """A component of requests whose members say in words what they are if they are left out. ``default`` makes
    generators demand the member of the caller."""
    if "properties" not in component:
        return component
    return {**component, "properties": {name: _defaulted(part) for name, part in component["properties"].items()}}


def _defaulted(member: Node) -> Node:
    if "default" not in member:
        return member
    rest = {key: value for key, value in member.items() if key != "default"}
    said = f"Default: {json.dumps(member['default'])}."
    about = f"{member['description']} {said}" if "description" in member else said
    return {**rest, "description": about, "x-default": member["default"]}


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
