"""Reads what values the schemas of a contract describe, whichever way they write it: as variants of one type each."""

from collections.abc import Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

HERE = "#/components/"
SCHEMAS = f"{HERE}schemas/"
KINDS: Mapping[type, str] = {bool: "boolean", int: "integer", str: "string"}


class Components:
    """The components of a contract, by what refers to them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._components: Mapping[str, Mapping[str, Any]] = document["components"]

    def resolve(self, node: Schema) -> Schema:
        """Return what a reference refers to, with what stands beside it; anything else as it is."""
        if "$ref" not in node:
            return node
        section, name = node["$ref"].removeprefix(HERE).split("/", 1)
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return {**self.resolve(self._components[section][name]), **beside}

    def default(self, node: Schema) -> Any:
        """Return what stands for a value that is left out, wherever the schema says it; ``None`` if nothing does."""
        found = self.resolve(node)
        inner = [self.default(part) for part in found.get("allOf", ())]
        given = found.get("default", found.get("x-default"))
        return given if given is not None else next((value for value in inner if value is not None), None)

    def parameters(self, operation: Schema) -> dict[str, Schema]:
        """Return the parameters of an operation by their places and names."""
        found = map(self.resolve, operation.get("parameters", ()))
        return {f"{parameter['in']} {parameter['name']}": parameter for parameter in found}


class Variant(NamedTuple):
    """One sort of values that a schema describes."""

    key: str
    """What it is told apart by: the tag of a union, the name of a shape, else the type."""
    name: str
    """The name of the shape; empty for what has none that clients name a class after."""
    schema: Schema
    """The schema itself, neither a reference nor a union."""

    @property
    def is_null(self) -> bool:
        """Whether it is null."""
        return kinds(self.schema) == {"null"}

    @property
    def is_any(self) -> bool:
        """Whether it is any value at all."""
        return not kinds(self.schema)


def variants(schema: Schema, components: Components) -> list[Variant]:
    """List the variants of a schema. One that is no union is its own only variant; null is a variant of its own."""
    if "discriminator" in schema:
        mapping = schema["discriminator"]["mapping"].items()
        tagged = [(tag, variants({"$ref": reference}, components)) for tag, reference in mapping]
        return [
            found[0]._replace(key=f"variant {tag}") if len(found) == 1 else variant
            for tag, found in tagged
            for variant in found
        ]
    if "$ref" in schema:
        return _referred(schema, components)
    union = schema.get("oneOf") or schema.get("anyOf")
    if union is None:
        return _of_types(_merged(schema, components))
    if "properties" in schema:
        return [_alternative(schema, part) for part in union]
    return [variant for part in union for variant in variants(part, components)]


def _referred(schema: Schema, components: Components) -> list[Variant]:
    """The variants of a named shape: only objects bear their name, as only they become classes everywhere."""
    name, found = schema["$ref"].removeprefix(SCHEMAS), components.resolve(schema)
    inner = variants(found, components)
    is_object = len(inner) == 1 and kinds(inner[0].schema) == {"object"} and not inner[0].name
    return [Variant(f"shape {name}", name, inner[0].schema)] if is_object else inner


def _alternative(schema: Schema, part: Schema) -> Variant:
    """An object that has to have one of two members, and not the other: one of its two forms."""
    left_out = {name for other in schema["oneOf"] if other != part for name in other["required"]}
    members = {name: member for name, member in schema["properties"].items() if name not in left_out}
    required = [*schema.get("required", ()), *part["required"]]
    rest = {key: value for key, value in schema.items() if key != "oneOf"}
    return Variant(f"with {part['required'][0]}", "", {**rest, "properties": members, "required": required})


def _merged(schema: Schema, components: Components) -> Schema:
    """A schema with what its ``allOf`` says as its own."""
    if "allOf" not in schema:
        return schema
    merged: dict[str, Any] = {}
    for part in (*schema["allOf"], {key: value for key, value in schema.items() if key != "allOf"}):
        found = _merged(components.resolve(part), components)
        properties = {**merged.get("properties", {}), **found.get("properties", {})}
        required = [*merged.get("required", ()), *found.get("required", ())]
        merged = {**merged, **found, "properties": properties, "required": required}
    return merged


def _of_types(schema: Schema) -> list[Variant]:
    """A schema of several types as one variant for each."""
    return [Variant(f"type {kind}", "", _of_type(schema, kind)) for kind in sorted(kinds(schema))] or [
        Variant("any value", "", schema)
    ]


def _of_type(schema: Schema, kind: str) -> Schema:
    if kind == "null":
        return {"type": "null"}
    found = words(schema)
    rest = {key: value for key, value in schema.items() if key not in ("enum", "const")}
    own = {} if found is None else {"enum": [word for word in found if _kind(word) == kind]}
    return {**rest, "type": kind, **own}


def kinds(schema: Schema) -> set[str]:
    """Return the types that values of the schema may have; none where it does not say."""
    found = schema.get("type", [_kind(word) for word in words(schema) or ()])
    return {found} if isinstance(found, str) else set(found)


def _kind(word: Any) -> str:
    return KINDS[type(word)]


def words(schema: Schema) -> list[Any] | None:
    """Return the only values that the schema admits, null aside; ``None`` where it admits others."""
    if "const" in schema:
        return [schema["const"]]
    return [word for word in schema["enum"] if word is not None] if "enum" in schema else None
